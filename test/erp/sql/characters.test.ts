import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import { DATABASE, type TestDatabase } from '../../support/databases.ts';
import { draftOf, failureOf } from '../../support/erp-check.ts';
import { needing } from '../../support/needing.ts';
import { type Engine, example, openForeign, type Section, sectionOf, startForeign } from './foreign.ts';

const HAS = { skus: ['ART-0001', 'ART-0002'], currency: 'EUR' } as const;
const LATIN = 'latin';
/** Conditions that fail because of the statement, whatever was asked for. */
const BROKEN = {
  postgres: "convert(decode('f09f929a', 'hex'), 'UTF8', 'LATIN1') is not null",
  mariadb: "_utf8mb4'a' collate utf8mb4_bin = _utf8mb4'b' collate utf8mb4_general_ci",
} as const;

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).describe(`characters that ${engine} cannot keep`, () => characters(engine));
}

/** Lets columns have Latin letters only. A database of PostgreSQL has one character set, so it is another database there. */
async function narrowed(engine: Engine, database: TestDatabase): Promise<string> {
  if (engine === 'mariadb') {
    await database.admin(`alter table auftrag modify kd_name varchar(200) character set latin1;
      alter table auftrag modify bemerkung text character set utf8mb3;
      alter table artikel modify artnr varchar(60) character set latin1 not null`);
    return DATABASE;
  }
  await database.admin(`create database ${LATIN} encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`);
  const client = new Client(database.url.replace(DATABASE, LATIN));
  await client.connect();
  for (const sql of [
    example('postgres.sql'),
    example('postgres-grants.sql')
      .replaceAll(/create (role|user)[^;]*;/g, '')
      .replaceAll(DATABASE, LATIN),
    "insert into artikel (art_id, artnr, bez, beschr, vk_cent) select n, 'ART-000' || n, 'Artikel', '', 100 from generate_series(1, 2) n",
    "insert into lager select art_id, 'HALLE 1', 1000 from artikel",
  ])
    await client.query(sql);
  await client.end();
  return LATIN;
}

async function characters(engine: Engine): Promise<void> {
  const database = await startForeign(engine, 2);
  const name = await narrowed(engine, database);
  const opened: ErpConnector[] = [];
  const open = async (change: (section: Section) => void = () => {}): Promise<ErpConnector> => {
    const section = sectionOf(engine, database.port, change);
    section.url = section.url.replace(DATABASE, name);
    const erp = await openForeign(section);
    opened.push(erp);
    return erp;
  };
  afterAll(async () => {
    for (const erp of opened) await erp.close();
    await database.stop();
  });

  it.each([
    ['an emoji in the note', { note: 'with love 💚' }],
    ['a letter of another alphabet in the name', { customer: { name: 'Łódź' } }],
  ])('a database error about characters names its cause and fix: %s', async (_what, change) => {
    const erp = await open();
    const failure = await failureOf(erp.createOrder({ ...draftOf(HAS, 'reserved', '2'), ...change }));
    expect(failure).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
    expect(failure.message).toMatch(/A character is not in the character set of its column or database: /);
    expect(failure.message).not.toContain('decimal');
  });

  it('a SKU that no column can store has no stock and is no product, and the others are found', async () => {
    const erp = await open();
    const { items, complete } = await erp.readStock(['ART-0001', 'Ł-💚', 'ART-0002']);
    expect(items.map(({ sku }) => sku).toSorted((one, other) => one.localeCompare(other))).toEqual([...HAS.skus]);
    expect(complete).toBe(true);
    expect(await erp.findProducts?.('Ł-💚')).toEqual([]);
    expect(await erp.findOrders('Ł-💚')).toEqual([]);
  });

  it.each<[string, (erp: ErpConnector) => Promise<unknown>]>([
    ['an order by its reference', (erp) => erp.findOrders('PLAIN-1')],
    ['an order by its id', (erp) => erp.getOrder('1')],
    ['the stock of a SKU', (erp) => erp.readStock(['ART-0001'])],
    ['the stock of a SKU beside one that no column can hold', (erp) => erp.readStock(['ART-0001', 'Ł-💚'])],
  ])(
    'a lookup of %s fails where the statement is at fault: it does not mean that nothing exists',
    async (_what, look) => {
      const erp = await open(({ finds }) => {
        for (const [find, condition] of Object.entries(finds)) finds[find] = `${condition} and ${BROKEN[engine]}`;
      });
      const failure = await failureOf(look(erp));
      expect(failure).toMatchObject({ side: 'erp', kind: 'refused' });
      expect(failure.message).toMatch(engine === 'postgres' ? /\(22P05\)/ : /\(1267\)/);
    },
  );
}
