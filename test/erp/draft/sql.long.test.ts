import { afterAll, beforeAll, expect } from 'vitest';
import { run } from '../../cli/capture.ts';
import { DATABASE, type TestDatabase } from '../../support/databases.ts';
import { needing } from '../../support/needing.ts';
import { PASSWORD, startForeign } from '../sql/foreign.ts';
import { draft, ENV, sectionIn, settled } from './drafted.ts';

const ORDERS = `insert into kunde (kd_id, name) values (501, 'Müller & Söhne');
  insert into auftrag (auf_id, markt_nr, kd_name, status, summe) values (7, '1001', 'Müller', 1, 12.5), (8, null, 'Laden', 3, 2);
  insert into auftrag_pos (auf_id, pos, art_id, menge, preis) values (7, 1, 1, 2, 6.25), (8, 1, 2, 1, 2);
  create table "Odd \\"name'; --" (a integer);`;

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).describe(`the draft of a ${engine} database`, () => {
    let database: TestDatabase;
    let url: string;
    beforeAll(async () => {
      database = await startForeign(engine, 60);
      const odd = engine === 'postgres' ? '"Odd ""name\'; --"' : '`Odd "name\'; --`';
      await database.admin(ORDERS.replace(/create table .*/, `create table ${odd} (a integer)`));
      url = `${engine === 'postgres' ? 'postgres' : 'mariadb'}://bridge@127.0.0.1:${database.port}/${DATABASE}`;
    });
    afterAll(() => database.stop());

    needing(engine).test(
      `the draft says what each table and column is, by its name, its keys and its rows (${engine})`,
      async () => {
        const { stdout, stderr, exitCode } = await at(url, PASSWORD);
        expect({ exitCode, stderr }).toMatchObject({
          exitCode: 0,
          stderr: expect.stringContaining('set MARKETPLACE_KEY and ERP_PASSWORD') as string,
        });
        const { lists, finds } = sectionIn(stdout);
        const { products, stock, orders } = lists as unknown as Record<
          string,
          { query: string; changed: string; lines: string }
        >;
        expect(products?.query).toContain('t.artnr as sku');
        expect(products?.query).toMatch(/t\.vk_cent \/ 100\.0 as ["`]price\.amount["`]/);
        expect(products?.query).toMatch(/not t\.gesperrt as active|t\.gesperrt = 0 as active/);
        expect(products?.changed).toBe('t.geaendert >= :since');
        expect(stock?.query).toContain('(select sum(s.bestand) from lager s where s.art_id = t.art_id) as on_hand');
        expect(orders?.query).toContain("case when t.markt_nr is null then 'erp' else 'marketplace' end as origin");
        expect(orders?.lines).toContain('from auftrag_pos t join artikel a on a.art_id = t.art_id');
        expect(finds['orders-by-reference']).toMatch(/^t\.markt_nr = :reference or \(t\.markt_nr is null and /);
        expect(stdout).toMatch(/# sku: t\.artnr: name matches sku; text; unique in 50 rows; e\.g\. ART-0001/);
        expect(stdout).toMatch(/# auftrag|# table auftrag needs/);
      },
    );

    needing(engine).test(
      `the draft reads the likely ones of very many wide tables, and says so (${engine})`,
      async () => {
        const columns = Array.from({ length: 100 }, (_, of) => `c${of} integer`).join(', ');
        const names = Array.from({ length: 250 }, (_, of) => `aa_${of}`);
        await database.admin(names.map((name) => `create table ${name} (${columns})`).join(';'));
        if (engine === 'postgres') await database.admin('grant select on all tables in schema public to bridge');
        await database.admin('alter table artikel add column geloescht_am timestamp null');
        const { stdout, exitCode } = await at(url, PASSWORD);
        expect(exitCode).toBe(0);
        expect(stdout).toMatch(
          /^# decide: whether a list is missing: \d+ of 2\d\d tables were read, chosen by their names and columns$/m,
        );
        const { products, orders } = sectionIn(stdout).lists as unknown as Record<
          string,
          { query: string; lines: string }
        >;
        expect(products?.query).toContain('t.geloescht_am is not null as deleted');
        expect(orders?.lines).toContain('from auftrag_pos t join artikel a on a.art_id = t.art_id');
        await database.admin(names.map((name) => `drop table ${name}`).join(';'));
        await database.admin('alter table artikel drop column geloescht_am');
      },
    );

    needing(engine).test(
      `the draft reads existing orders once its status is settled, and writes nothing (${engine})`,
      async () => {
        const { stdout } = await at(url, PASSWORD);
        const file = settled(stdout, [
          ["when '1' then 'status 1'", "when '1' then 'reserved'"],
          ["when '3' then 'status 3'", "when '3' then 'shipped'"],
          ['null as reserved', '0 as reserved'],
          ['zone: UTC', 'zone: Europe/Berlin'],
        ]);
        const env = { ...ENV, ERP_PASSWORD: PASSWORD };
        expect(await run(['config', 'check', '--config', file], env)).toMatchObject({ exitCode: 0 });
        const rows = async (list: string) => {
          const { stdout: text } = await run(['erp', 'try', list, '--config', file, '--json'], env);
          return JSON.parse(text) as { rows: unknown[]; invalidRows: unknown[]; failure: unknown };
        };
        expect(await rows('products')).toMatchObject({
          failure: null,
          invalidRows: [],
          rows: [{ sku: 'ART-0001', price: { amount: '1.06' } }, {}, {}, {}, {}],
        });
        expect(await rows('stock')).toMatchObject({
          failure: null,
          invalidRows: [],
          rows: [{ onHand: '1000', sku: 'ART-0001' }, {}, {}, {}, {}],
        });
        expect(await rows('orders')).toMatchObject({
          failure: null,
          invalidRows: [],
          rows: [
            {
              reference: '1001',
              origin: 'marketplace',
              status: 'reserved',
              lines: [{ sku: 'ART-0001', quantity: '2' }],
            },
            { origin: 'erp', status: 'shipped' },
          ],
        });
        const { exitCode, stdout: promises } = await run(['erp', 'check', '--config', file], env);
        expect(promises).not.toMatch(/^FAIL/m);
        expect(exitCode).toBe(0);
      },
    );

    needing(engine).test(
      `the draft never contains the password, and a refused password is reported (${engine})`,
      async () => {
        const secret = encodeURIComponent(PASSWORD);
        const named = await at(url.replace('bridge@', `bridge:${secret}@`));
        expect(named.exitCode).toBe(0);
        expect(named.stdout + named.stderr).not.toMatch(new RegExp(`${PASSWORD}|${secret}`));
        expect(named.stdout).toContain('password: ${env:ERP_PASSWORD}');
        const wrong = await at(url.replace('bridge@', 'bridge:not-this-one@'));
        expect(wrong).toMatchObject({ exitCode: 77, stdout: '' });
        expect(wrong.stderr).not.toContain('not-this-one');
      },
    );
  });
}

async function at(url: string, password = '') {
  return password === '' ? draft(url) : run(['erp', 'draft', '--from', url], { ...ENV, ERP_PASSWORD: password });
}
