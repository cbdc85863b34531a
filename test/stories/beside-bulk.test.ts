import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedProducts } from '../../src/sandbox/erp/seed.ts';
import { run } from '../cli/capture.ts';
import { openStage, until } from '../support/stage.ts';

const CREATES = 60;
/** An order comes each time that so many more creates were sent. */
const ORDER_EVERY = 10;
/** The quota lets eight calls a second through, and the orders are read every second: this is five times of it. */
const MOST_CREATES = 40;

test('while an approved plan is written within the quota, orders are read and enter the ERP', {
  timeout: 180_000,
}, async () => {
  const { marketplace, erp, ...stage } = await openStage({ limits: 'real' });
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, text.replace(/brakes: .*/, 'brakes: { create: { count: 1, percent: 10000 } }'));
  const cli = (...args: string[]) => run([...args, '--config', stage.configFile]);
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '1000');
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  erp.control.addProducts([...seedProducts(CREATES + 1)].slice(1));
  await stage.sync();
  await stage.stop();
  const { plans } = JSON.parse((await cli('brakes', 'list', '--json')).stdout) as {
    plans: { hash: string; count: number }[];
  };
  expect(plans.map(({ count }) => count)).toEqual([CREATES]);
  expect((await cli('brakes', 'approve', plans[0]?.hash ?? '')).exitCode).toBe(0);
  marketplace.requestLog.reset();
  erp.control.clearRequests();

  await stage.start();
  const created = () => marketplace.requestLog.counts()['products.create'] ?? 0;
  const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '1' }];
  const placed: { readonly number: string; readonly created: number }[] = [];
  for (let next = 1; next < CREATES; next += ORDER_EVERY) {
    await until('creates go on', () => created() >= next);
    placed.push({ number: marketplace.placeOrder({ customer: buyer, items }).number, created: created() });
  }
  await until('every product is listed', () => created() === CREATES);
  await until('every order is in the ERP', () =>
    placed.every(({ number }) => erp.control.findOrders(number).length > 0),
  );

  let [between, most] = [0, 0];
  for (const { operation } of marketplace.requestLog.calls()) {
    if (operation === 'products.create') between += 1;
    if (operation === 'orders.list') between = 0;
    most = Math.max(most, between);
  }
  expect(most).toBeLessThanOrEqual(MOST_CREATES);
  const creates = marketplace.requestLog.calls().filter(({ operation }) => operation === 'products.create');
  for (const order of placed) {
    const entered = erp.control
      .requests()
      .find(
        ({ method, body }) => method === 'POST' && (body as { reference?: string } | null)?.reference === order.number,
      );
    const before = creates.filter(({ at }) => at <= (entered?.at ?? '')).length;
    expect(before - order.created, `creates until ${order.number} was in the ERP`).toBeLessThanOrEqual(MOST_CREATES);
  }
});
