import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import type { TestDatabase } from '../../support/databases.ts';
import { failureOf } from '../../support/erp-check.ts';
import { needing } from '../../support/needing.ts';
import { type Engine, openForeign, type Section, sectionOf, startForeign } from './foreign.ts';

/*
 * Answers that a database may give in place of its products, each with its result: a row is set aside with its place, or the read
 * fails and says why. No such answer counts as an empty list. REST and files have the same tests: bad-input, files/bad-input.
 */

/** The columns of a product, as literals of SQL; null: there is no such column. */
type Columns = Readonly<Record<string, string | null>>;
const ROW: Columns = {
  id: "'P-1'",
  sku: "'A'",
  name: "'Tee'",
  active: "'true'",
  deleted: "'false'",
  'price.amount': "'12.50'",
  'price.currency': "'EUR'",
  unit_multiplier: "'1'",
  changed_at: "timestamp '2030-01-01 00:00:00'",
};

const ENGINES = ['postgres', 'mariadb'] as const satisfies readonly Engine[];

for (const engine of ENGINES) {
  needing(engine).describe(`${engine}:`, () => {
    let database: TestDatabase;
    const opened: ErpConnector[] = [];
    beforeAll(async () => {
      database = await startForeign(engine, 2);
    }, 120_000);
    afterAll(async () => {
      for (const erp of opened) await erp.close();
      await database.stop();
    });

    const quote = (name: string) => (engine === 'postgres' ? `"${name}"` : `\`${name}\``);
    const selected = (columns: Columns) =>
      `select ${Object.entries(columns)
        .flatMap(([name, value]) => (value === null ? [] : [`${value} as ${quote(name)}`]))
        .join(', ')}`;
    async function open(query: string, change: (section: Section) => void = () => {}) {
      const section = sectionOf(engine, database.port, (one) => {
        one.lists['products'] = { query };
        one.finds['products-by-sku'] = 't.sku = :sku';
        change(one);
      });
      const erp = await openForeign(section);
      opened.push(erp);
      return erp;
    }
    /** A list of this row, and of one that is right. */
    const rows = (change: Columns) => {
      const other = { ...ROW, ...Object.fromEntries(Object.keys(change).map((name) => [name, ROW[name] ?? 'null'])) };
      const second = { ...other, id: "'P-2'", sku: "'B'" };
      return `select t.* from (${selected({ ...ROW, ...change })} union all ${selected(second)}) t where {filter}`;
    };
    async function read(query: string) {
      const pages = await Array.fromAsync((await open(query)).listProducts(null));
      return {
        skus: pages.flatMap(({ items }) => items.map(({ sku }) => sku)).toSorted(),
        invalidRows: pages.flatMap(({ invalidRows }) => invalidRows.map(({ id, path }) => `${id} ${path}`)),
        complete: pages.at(-1)?.complete,
      };
    }

    it.each<[string, Columns, string[], string[]]>([
      ['a column that nobody knows', { vat_code: '7' }, ['A', 'B'], []],
      ['a field that is missing', { active: 'null' }, ['B'], ['P-1 active']],
      ['a wrong type', { 'price.amount': "'twelve'" }, ['B'], ['P-1 price.amount']],
      ['a figure with a decimal comma', { unit_multiplier: "'1,5'" }, ['B'], ['P-1 unit_multiplier']],
      ['a price without its currency', { 'price.currency': 'null' }, ['B'], ['P-1 price.currency']],
      ['a SKU that comes twice, for people to settle', { sku: "'B'" }, ['B', 'B'], []],
    ])(
      'an invalid row of a database is set aside with its place, and the others are read: %s',
      async (_what, change, skus, invalidRows) => {
        expect(await read(rows(change))).toEqual({ skus, invalidRows, complete: true });
      },
    );

    it('a price in another currency in a database is passed on unchanged, so that the product is held and not repriced', async () => {
      const pages = await Array.fromAsync((await open(rows({ 'price.currency': "'CHF'" }))).listProducts(null));
      expect(pages.flatMap(({ items }) => items.map(({ price }) => price.currency))).toEqual(['CHF', 'EUR']);
    });

    it('a lookup whose condition matches everything returns only what was requested', async () => {
      const erp = await open(rows({}), (section) => {
        section.finds['products-by-sku'] = "(t.sku = :sku or t.id <> '')";
      });
      expect((await erp.findProducts?.('B'))?.map(({ sku }) => sku)).toEqual(['B']);
    });

    it.each<[string, string, (section: Section) => void, object, RegExp]>([
      [
        'a table that was renamed overnight',
        'select a.artnr as sku from artikel_neu a where {filter}',
        () => {},
        { kind: 'refused', outcome: 'not-applied' },
        /artikel_neu.*erp\.lists\.products\.query.*The schema is not as the statement has it/,
      ],
      [
        'a password that has run out',
        rows({}),
        (section) => {
          section['password'] = 'of last year';
        },
        { kind: 'credentials', outcome: 'not-applied' },
        /Check erp\.user and erp\.password/,
      ],
      [
        'texts as bytes of an encoding that nobody names',
        rows({ name: engine === 'postgres' ? "convert_to('Größe', 'LATIN1')" : "convert('Größe' using binary)" }),
        () => {},
        { kind: 'invalid-answer', outcome: 'not-applied' },
        /its column name holds bytes: cast it to text/,
      ],
    ])('a bad answer of the database is not taken for an empty list: %s', async (_what, query, change, facts, told) => {
      const erp = await open(query, change);
      const failure = await failureOf(Array.fromAsync(erp.listProducts(null)));
      expect(failure).toMatchObject({ side: 'erp', ...facts });
      expect(failure.message).toMatch(told);
    });
  });
}
