import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { sqlErp } from '../../../src/erp/sql/kind.ts';
import { example, type Section, sectionOf } from './foreign.ts';

function problemsOf(change: (section: Section) => void): string[] {
  const { error } = sqlErp.schema.safeParse(sectionOf('postgres', 5_432, change));
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

it.each(['postgres', 'mariadb'] as const)('the example for %s has no errors', (engine) => {
  expect(sqlErp.schema.safeParse(sectionOf(engine, 1)).error?.issues ?? []).toEqual([]);
  expect(example(`${engine}.yaml`).trim().split('\n').length).toBeLessThan(90);
});

const products = (section: Section) => section.lists['products'] ?? { query: '' };

it.each<[string, (section: Section) => void, RegExp]>([
  [
    'a list that writes',
    (section) => {
      products(section).query = 'update artikel set gesperrt = true where {filter} returning *';
    },
    /^lists\.products\.query: a query that only reads begins with SELECT/,
  ],
  [
    'a list without a place for its condition',
    (section) => {
      products(section).query = 'select 1 as id';
    },
    /^lists\.products\.query: has no \{filter\}, where the condition of "changed" is inserted/,
  ],
  [
    'changes that are not told from the rest',
    (section) => {
      products(section).changed = 'gesperrt';
    },
    /^lists\.products\.changed: does not name :since/,
  ],
  [
    'a query that takes a value where there is none',
    (section) => {
      products(section).query += ' and art_id > :last';
    },
    /^lists\.products\.query: there is no :last here: it takes no values/,
  ],
  [
    'a find by another value',
    (section) => {
      section.finds['order-by-id'] = 'k.auf_id = :order_id';
    },
    /^finds\.order-by-id: there is no :order_id here: there are :id/,
  ],
  [
    'a find in a list that is not there',
    (section) => {
      delete section.lists['customers'];
    },
    /^finds\.customers-by-marketplace-id: there is no erp\.lists\.customers/,
  ],
  [
    'a write that names no new record',
    (section) => {
      delete section.writes['order-create']?.[0]?.['name'];
    },
    /^writes\.order-create: no statement has "name: made"/,
  ],
  [
    'a write of a field that is not sent',
    (section) => {
      section.writes['order-create']?.push({ sql: 'insert into x values (:total_price)' });
    },
    /^writes\.order-create\.2\.sql: there is no :total_price here: there are :reference/,
  ],
  [
    'a write that ends the transaction',
    (section) => {
      section.writes['order-create']?.push({ sql: 'commit' });
    },
    /^writes\.order-create\.2\.sql: a statement of a write begins with INSERT/,
  ],
  [
    'a condition of a field that is not sent',
    (section) => {
      section.writes['order-update']?.push({ sql: 'delete from x', when: 'line' });
    },
    /^writes\.order-update\.3\.when: is no field that is sent/,
  ],
  [
    'an address with a password',
    (section) => {
      section.url = 'postgres://bridge:secret@127.0.0.1/shop';
    },
    /^url: expected an address such as postgres:\/\/host:5432\/database/,
  ],
  [
    'a zone that nobody has thought of',
    (section) => {
      delete section['zone'];
    },
    /^zone: /,
  ],
  [
    'a zone that is none',
    (section) => {
      section['zone'] = 'Berlin';
    },
    /^zone: expected the name of a time zone/,
  ],
  [
    'an expression that is none',
    (section) => {
      products(section).row = { name: '$uppercase(' };
    },
    /^lists\.products\.row\.name: is no JSONata expression/,
  ],
])('an SQL description with an error is reported: %s', (_what, change, told) => {
  expect(problemsOf(change).join('\n')).toMatch(new RegExp(told.source, 'm'));
});

it('the page of the manual has the example that is tested', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../src/guide/sql.md', import.meta.url)), 'utf8');
  for (const name of ['postgres.sql', 'postgres-grants.sql']) expect(page).toContain(example(name).trim());
  const [, shown = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { accounts } = parse(shown) as { accounts: { main: { erp: unknown } } };
  expect({ erp: accounts.main.erp }).toEqual(parse(example('postgres.yaml')));
});
