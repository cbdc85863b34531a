import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { disagreements } from '../support/agreement.ts';
import { chance } from '../support/chance.ts';
import { startDaemon } from '../support/daemon.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;
let buyer: number;

/** How long a call may take: short, because tests wait for it, and longer than a busy machine needs for an answer. */
const TIMEOUT_MS = 2_000;

beforeEach(async () => {
  stage = await openStage({ timeout: `${TIMEOUT_MS}ms` });
  stage.erp.control.seed(4);
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
});

const order = (product = 1) =>
  stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity: '1' }] }).number;
const references = () => stage.erp.control.state().orders.map(({ reference }) => reference);

test('I1 and I2: whenever the daemon is killed, every order reaches the ERP, and none twice', async () => {
  await stage.sync();
  await stage.stop();
  const luck = chance('kill');
  const placed: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const daemon = startDaemon(stage.configFile);
    const before = references().length;
    for (let n = 0; n < 5; n += 1) placed.push(order(luck.whole(1, 4)));
    if (round % 2 === 1) stage.erp.control.inject({ kind: 'lose-answer', method: 'POST', path: '/v1/orders' });
    await until('some order is in the ERP', () => references().length > before);
    await sleep(luck.whole(0, 60));
    await daemon.kill();
  }
  stage.erp.control.clearFaults();
  await stage.sync();
  await stage.sync();
  expect(references().toSorted()).toEqual(placed.toSorted());
  expect(disagreements(stage, 'b')).toEqual([]);
});

test('I2: an ERP that applies a POST and never answers gets the order once', async () => {
  await stage.sync();
  const delayMs = 5 * TIMEOUT_MS;
  stage.erp.control.inject({ kind: 'slow-answer', delayMs, method: 'POST', path: '/v1/orders', times: 2 });
  const number = order();
  await stage.sync();
  expect(references()).toEqual([number]);
});

test('I2: an ERP that answers late and applies later still gets the order once', async () => {
  await stage.sync();
  // The request outlives our time-out and is applied after it.
  stage.erp.control.inject({ kind: 'delay', delayMs: 1.5 * TIMEOUT_MS, method: 'POST', path: '/v1/orders' });
  const number = order();
  await stage.sync();
  await until('the late request is applied', () => references().length > 0);
  await stage.sync();
  expect(references()).toEqual([number]);
});

test('I2: two ERP orders with the number of one marketplace order wait for an operator', async () => {
  await stage.sync();
  await stage.stop();
  const number = order();
  const draft = {
    reference: number,
    customer: {},
    currency: 'USD',
    lines: [{ sku: 'SB-0001', quantity: '1', unit_price: '1.00' }],
  };
  for (let n = 0; n < 2; n += 1) {
    await fetch(`${stage.erp.url}/v1/orders`, {
      method: 'POST',
      headers: { authorization: 'Bearer an-erp-token-for-tests', 'content-type': 'application/json' },
      body: JSON.stringify({
        ...draft,
        origin: 'marketplace',
        status: 'reserved',
        discount: '0',
        shipping: '0',
        tax: '0',
        total: '1.00',
        note: '',
      }),
    });
  }
  const result = await stage.sync();
  expect(references()).toHaveLength(2);
  expect(result).toMatchObject({ held: 1, failed: 0 });
});

test('I3: a product whose create was applied without an answer is adopted, not created again', async () => {
  stage.marketplace.faults.set({ kind: 'reset-after', operation: 'products.create', times: 2 });
  await stage.sync();
  await stage.sync();
  const skus = stage.marketplace.products().map(({ sku }) => sku);
  expect(skus.toSorted()).toEqual(['SB-0001', 'SB-0002', 'SB-0003', 'SB-0004']);
});

test('I3: a product whose create was interrupted by a kill of the daemon is adopted, not created again', async () => {
  const luck = chance('create');
  for (let round = 0; round < 4; round += 1) {
    const daemon = startDaemon(stage.configFile);
    await until('a listing is there', () => stage.marketplace.products().length > round);
    await sleep(luck.whole(0, 10));
    await daemon.kill();
    if (stage.marketplace.products().length === 4) break;
  }
  await stage.sync();
  const skus = stage.marketplace.products().map(({ sku }) => sku);
  expect(skus.toSorted()).toEqual(['SB-0001', 'SB-0002', 'SB-0003', 'SB-0004']);
});
