import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { capabilitiesOf } from '../../../../src/erp/capabilities.ts';
import { sqlErp } from '../../../../src/erp/sql/kind.ts';
import { DATABASE, startMariadb } from '../../../support/databases.ts';
import { checkedErp } from '../../../support/erp-check.ts';
import { needing } from '../../../support/needing.ts';
import { openForeign, PASSWORD, type Section } from '../foreign.ts';

/*
 * A second schema that nobody made for us: composite keys, numbers from a table, stock as movements, quantities in cases,
 * times as texts on the clocks of the wall, and rows that are only marked as deleted. It is connected as the manual says.
 */

const read = (name: string) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
const PRODUCTS = 60;

needing('mariadb').test(
  'a database in cases, with texts for times, keeps every promise',
  async () => {
    await using depot = Object.assign(await startMariadb(), {
      async [Symbol.asyncDispose]() {
        await depot.stop();
      },
    });
    await depot.admin(read('depot.sql'));
    await depot.admin(
      `create user bridge identified by '${PASSWORD}'; grant select, insert, update, delete on ${DATABASE}.* to bridge`,
    );
    const items = Array.from({ length: PRODUCTS }, (_, index) => {
      const sku = `D-${String(index + 1).padStart(3, '0')}`;
      return {
        sku,
        item: `(1, '${sku}', 'Item ${sku}', ${[6, 12, 1][index % 3]}, 24.90, 'EUR', 'A', null, '31.12.2025 23:59:58')`,
      };
    });
    await depot.admin(`insert into item values ${items.map(({ item }) => item).join()}`);
    await depot.admin(`update item set del = 'X' where item_no = 'D-060'`);
    const moves = items.map(
      ({ sku }) =>
        `(1, '${sku}', 1, 'IN', 500, '01.01.2026 08:00:00'), (1, '${sku}', 2, 'OUT', 0.5, '02.01.2026 08:00:00')`,
    );
    await depot.admin(`insert into stock_move values ${moves.join()}`);
    await depot.admin(`insert into number_range values (1, 'SO', 70001)`);

    const { erp: section } = parse(read('depot.yaml').replace('${env:ERP_PASSWORD}', PASSWORD)) as { erp: Section };
    section.url = `mariadb://127.0.0.1:${depot.port}/${DATABASE}`;
    const can = capabilitiesOf(sqlErp.settings(sqlErp.schema.parse(section)).capabilities);
    const ship = async (id: string): Promise<void> => {
      const doc = id.split('-')[1];
      await depot.admin(`insert into stock_move select co, item_no, 900000 + doc_no, 'OUT', cases, '03.01.2026 08:00:00'
      from sales_line where doc_no = ${doc}`);
      await depot.admin(`update sales_line set out_cases = cases where doc_no = ${doc}`);
      const now = `date_format(now(), '%d.%m.%Y %H:%i:%s')`;
      await depot.admin(`update sales set state = 'GONE', upd = ${now} where doc_no = ${doc}`);
    };
    const { findings, named } = await checkedErp((wire) => openForeign(section, { wire }), can, {
      people: { ship },
      facts: { productCount: PRODUCTS },
    });
    expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
    expect(can).toMatchObject({ orderDetails: true, tracking: false });
    const wanted = 'select distinct drop_city, drop_on, ext_line from sales natural join sales_line order by ext_line';
    expect(await depot.admin(wanted)).toContainEqual({ drop_city: 'Reno', drop_on: '01.02.2030', ext_line: '1' });
    expect(named('kept')).toEqual(expect.arrayContaining(['create', 'edit-lines', 'product-create', 'cut-create']));
  },
  120_000,
);
