import { afterAll, expect, it } from 'vitest';
import { capabilitiesOf } from '../../../src/erp/capabilities.ts';
import { sqlErp } from '../../../src/erp/sql/kind.ts';
import { checkedErp } from '../../support/erp-check.ts';
import { needing } from '../../support/needing.ts';
import { type Engine, openForeign, type Section, sectionOf, startForeign } from './foreign.ts';

/* Faults in the statements of an ERP with SQL, each of which shows in a part of the cases only. */

const PRODUCTS = 30;

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).describe(`with SQL, on ${engine},`, () => planted(engine));
}

type Change = (section: Section) => void;

const rewrite = (text: string, from: string, to: string): string =>
  text.includes(from) ? text.replaceAll(from, to) : expect.fail(`there is no ${from} in ${text}`);

/** Changes a statement of a write. */
const writing =
  (name: string, from: string, to: string): Change =>
  ({ writes }) => {
    const [first] = writes[name] ?? [];
    if (first !== undefined) first['sql'] = rewrite(String(first['sql']), from, to);
  };

/** Changes the query of a list, or its condition of what changed. */
const listing =
  (name: string, part: 'query' | 'changed', from: string, to: string): Change =>
  ({ lists }) => {
    const list = lists[name];
    if (list !== undefined) list[part] = rewrite(list[part] ?? '', from, to);
  };

const both =
  (...changes: readonly Change[]): Change =>
  (section) => {
    for (const change of changes) change(section);
  };

const referring = (kept: (reference: string) => string): Change =>
  both(writing('order-create', ':reference', kept(':reference')), ({ finds }) => {
    finds['orders-by-reference'] = `k.markt_nr = ${kept(':reference')}`;
  });

const stampingUnless = (condition: string) =>
  writing('order-update', 'geaendert = now()', `geaendert = case when ${condition} then geaendert else now() end`);

async function planted(engine: Engine): Promise<void> {
  const database = await startForeign(engine, PRODUCTS);
  afterAll(() => database.stop());
  const [later, days] =
    engine === 'postgres'
      ? ["cast(:since as timestamp) + interval '2 hours'", "now() - interval '3 days'"]
      : ['date_add(:since, interval 2 hour)', 'date_sub(now(), interval 3 day)'];
  await database.admin(`update artikel set geaendert = ${days} where art_id > 1`);

  it.each<[string, Change, string]>([
    [
      'keeps the stamp when lines change and nothing else',
      stampingUnless(':status is null and :total is null'),
      'orders-stamp',
    ],
    ['keeps the stamp when the charges change', stampingUnless(':shipping is not null'), 'orders-stamp'],
    [
      'loses the shipping of a draft that is reserved',
      writing(
        'order-update',
        'fracht = coalesce(:shipping, fracht)',
        'fracht = case when :status is null then coalesce(:shipping, fracht) else 0 end',
      ),
      'charges',
    ],
    [
      'takes no other total once the order is reserved',
      writing(
        'order-update',
        'summe = coalesce(:total, summe)',
        'summe = case when status = 1 then summe else coalesce(:total, summe) end',
      ),
      'edit-totals',
    ],
    ['cuts the reference', referring((reference) => `left(${reference}, 20)`), 'create'],
    ['keeps the reference in capitals', referring((reference) => `upper(${reference})`), 'create'],
    ['shifts its filter by two hours', listing('products', 'changed', ':since', later), 'products-since'],
    [
      'has a filter that lets everything through',
      listing('products', 'changed', 'geaendert >= :since', '(geaendert >= :since or 1 = 1)'),
      'products-since',
    ],
    ['counts drafts as reserved', listing('stock', 'query', 'in (1, 2)', 'in (0, 1, 2)'), 'draft'],
    [
      'shows a product once for each of its places',
      listing('products', 'query', 'from artikel', 'from artikel join lager using (art_id)'),
      'products-whole',
    ],
  ])('erp check detects an SQL database that %s', { timeout: 120_000 }, async (_fault, change, broken) => {
    const section = sectionOf(engine, database.port, change);
    const can = capabilitiesOf(sqlErp.settings(sqlErp.schema.parse(section)).capabilities);
    const { named } = await checkedErp((wire) => openForeign(section, { wire }), can, { most: 'writes' });
    expect(named('broken')).toContain(broken);
    expect(named('kept').length, 'what it does well is not held against it').toBeGreaterThan(10);
  });
}
