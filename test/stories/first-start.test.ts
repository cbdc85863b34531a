import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;

const STARTS: Readonly<Record<string, () => Promise<unknown>>> = {
  sync: () => stage.sync(),
  async run() {
    await stage.start(['work', 'poll']);
    await until('the order is marked', () => stage.marketplace.orders()[0]?.externalId);
    const { work } = stage.store();
    await until('nothing is left to do', async () => (await work.pending('main')) === 0);
  },
};

for (const [verb, start] of Object.entries(STARTS)) {
  test(`${verb}: the first start between two sides in step writes no stock for the orders that are open`, async () => {
    stage = await openStage();
    const { marketplace, erp } = stage;
    erp.control.seed(3);
    const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    await stage.sync();
    const items = [1, 2, 3].map((product) => ({ product, quantity: '2' }));
    const { number } = marketplace.placeOrder({ customer: buyer, items });
    await stage.stop();
    rmSync(join(stage.dir, 'data'), { recursive: true });
    await start();
    expect(erp.control.findOrders(number)).toHaveLength(1);
    const journal = await stage.store().journal.after(0, 1_000);
    expect(journal.filter(({ flow }) => flow === 'stock')).toEqual([]);
  });
}

test.each(['hold', 'create', 'pass'])(
  "an order does not report an unlinked product before the ERP's products were read completely (%s)",
  async (how) => {
    stage = await openStage({ account: `    orders: { on_unmapped_product: ${how} }` });
    const { marketplace, erp } = stage;
    erp.control.seed(3);
    const { products } = erp.control.state();
    marketplace.createProducts(products.map(({ sku, name }) => ({ sku, name, quantity: 5 })));
    const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    const { number } = marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '2' }] });
    erp.control.inject({ kind: 'incomplete', keep: 1, path: '/v1/products', times: null });
    await stage.start();
    const order = { account: 'main', flow: 'order-in', key: number };
    const causes = async () => ((await stage.store().work.get(order))?.heldFor ?? []).map(({ code }) => code);
    await until('the order was looked at', async () => (await causes()).length > 0);
    expect(await causes()).toEqual(['products-unread']);
    erp.control.clearFaults();
    await until('it is in the ERP', () => erp.control.findOrders(number).length === 1);
    const { lines } = erp.control.findOrders(number)[0] ?? { lines: [] };
    expect(lines).toMatchObject([{ sku: products[0]?.sku }]);
    expect(erp.control.state().products).toHaveLength(3);
  },
);
