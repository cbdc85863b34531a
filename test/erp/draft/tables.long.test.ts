import { afterAll, beforeAll, expect } from 'vitest';
import { run } from '../../cli/capture.ts';
import { DATABASE, type TestDatabase } from '../../support/databases.ts';
import { needing } from '../../support/needing.ts';
import { PASSWORD, startForeign } from '../sql/foreign.ts';
import { ENV, sectionIn, settled } from './drafted.ts';

/** Tables that only their columns tell: orders in `oe`, their lines in a table without a foreign key, and a table of attachments. */
const TABLES = `
  drop table auftrag_pos; drop table auftrag; drop table lager; drop table artikel; drop table kunde;
  create table parts (id integer primary key, partnumber varchar(40), description varchar(80), sellprice numeric(12, 5),
    onhand numeric(12, 3), obsolete boolean);
  create table oe (id integer primary key, ordnumber varchar(40), ponumber varchar(40), transdate date, amount numeric(12, 2),
    netamount numeric(12, 2), curr char(3), notes varchar(200), closed boolean);
  create table ar (id integer primary key, invnumber varchar(40), ordnumber varchar(40), amount numeric(12, 2), curr char(3));
  create table orderitems (id integer primary key, trans_id integer, parts_id integer, description varchar(80),
    qty numeric(12, 3), sellprice numeric(12, 5), ship numeric(12, 3));
  create table invoice (id integer primary key, trans_id integer references ar (id), parts_id integer, qty numeric(12, 3),
    sellprice numeric(12, 5));
  create table file_order (id integer primary key, ref_key integer references oe (id), file_name varchar(80), file_class integer);
  insert into parts values (1, 'P-1', 'Tea', 2.5, 7, false), (2, 'P-2', 'Salt', 1.5, 4, true);
  insert into oe values (5, 'S-5', 'M-5', '2030-01-31', 5, 5, 'EUR', null, false);
  insert into orderitems values (50, 5, 1, 'Tea', 2, 2.5, 0)`;

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).describe(`the draft of ${engine} tables with names of their own`, () => {
    let database: TestDatabase;
    let url: string;
    beforeAll(async () => {
      database = await startForeign(engine, 60);
      for (const statement of TABLES.split(';')) await database.admin(statement);
      if (engine === 'postgres') await database.admin('grant select on all tables in schema public to bridge');
      url = `${engine === 'postgres' ? 'postgres' : 'mariadb'}://bridge@127.0.0.1:${database.port}/${DATABASE}`;
    });
    afterAll(() => database.stop());
    const env = { ...ENV, ERP_PASSWORD: PASSWORD };
    const at = (...args: string[]) => run(['erp', 'draft', '--from', url, ...args], env);
    const listsIn = (text: string) =>
      sectionIn(text).lists as unknown as Record<string, { query: string; lines: string }>;

    needing(engine).test(
      `tables are found by their columns and links, and attachments are no orders (${engine})`,
      async () => {
        const { stdout } = await at();
        const { products, stock, orders } = listsIn(stdout);
        expect(products?.query).toContain('t.partnumber as sku');
        expect(products?.query).toMatch(/t\.sellprice as ["`]price\.amount["`]/);
        expect(stock?.query).toContain('t.onhand as on_hand');
        expect(orders?.query).toContain('from oe t');
        expect(orders?.lines).toContain('from orderitems t join parts a on a.id = t.parts_id');
        expect(orders?.lines).toContain('t.trans_id as order_id');
        expect(stdout).toContain('# decide: whether table oe is the list of orders, which only its fields say');
        expect(stdout).toContain('# decide: order_id: whether it is the key of oe; no foreign key says so');
        const file = settled(stdout, [['null as reserved', '0 as reserved']]);
        const rows = await run(['erp', 'try', 'orders', '--config', file, '--json'], env);
        expect(JSON.parse(rows.stdout)).toMatchObject({ failure: null });
      },
    );

    needing(engine).test(
      `a person names the tables, and a list without one has every column that its row needs (${engine})`,
      async () => {
        const named = await at('--table', 'orders=ar', '--table', 'lines=invoice');
        const { orders } = listsIn(named.stdout);
        expect(orders?.query).toContain('from ar t');
        expect(orders?.lines).toContain('from invoice t');
        expect(await at('--table', 'orders=aar')).toMatchObject({ exitCode: 1 });
        expect(await at('--table', 'order=ar')).toMatchObject({ exitCode: 64 });

        await database.admin('drop table file_order, invoice, orderitems, oe, ar');
        const { stdout } = await at();
        const file = settled(stdout, [['null as reserved', '0 as reserved']]);
        const missing = listsIn(stdout).orders;
        expect(missing?.query).toMatch(/null as id,.*null as total/s);
        const tried = await run(['erp', 'try', 'orders', '--config', file, '--json'], env);
        expect(JSON.parse(tried.stdout)).toMatchObject({ failure: null, rows: [], invalidRows: [] });
      },
    );
  });
}
