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
