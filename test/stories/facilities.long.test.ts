import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { openStage, type Stage, type StageOptions, until } from '../support/stage.ts';

let stage: Stage;

const FACILITIES = `
    facilities:
      created_by: 17
      poll: 100ms
      map:
        - { erp_location: EAST, facility_id: 1, batch_id: 1 }
        - { erp_location: WEST, erp_batch: LOT-7, facility_id: 2, batch_id: 7 }
`;
const SKU = 'SB-0001';
const WEST = { location: 'WEST', batch: 'LOT-7' };

async function open(options: StageOptions = {}) {
  stage = await openStage({ account: FACILITIES, timeout: '2s', ...options });
  const { marketplace, erp } = stage;
  erp.control.addProducts([{ sku: SKU, name: 'Gummies', on_hand: '0' }]);
  erp.control.setStock(SKU, '40', { location: 'EAST' });
  erp.control.setStock(SKU, '10', WEST);
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  return {
    marketplace,
    erp: erp.control,
    order: (quantity: string) =>
      marketplace.placeOrder({ customer: buyer, items: [{ product: listing(), quantity }] }).number,
  };
}

const listing = () => stage.marketplace.productBySku(SKU).id;
/** The units on hand, and the units that buyers can take, at each facility. */
const shown = () =>
  stage.marketplace
    .inventory(listing())
    .map(({ facility, onHand, available }) => `${facility}: ${onHand} ${available}`);
/** The units that buyers can take at each facility: none where it is short. */
const takeable = () => stage.marketplace.inventory(listing()).map(({ available }) => Math.max(0, Number(available)));
const journal = async (action: string) => {
  const { store } = stage.app().core.state;
  const [product] = stage.erp.control.state().products;
  const rows = await store.journal.of('main', 'facility-stock', product?.id ?? '', 100);
  return rows.filter((row) => row.action.startsWith(action)).toReversed();
};
const isQuiet = async () => (await stage.store().work.pending('main')) === 0;
const calls = (operation: string) => stage.marketplace.requestLog.counts()[operation] ?? 0;

test('the stock of each location is set at its facility, never by a PATCH, and then no call is made', async () => {
  await open();
  await stage.sync();
  expect(shown()).toEqual(['1: 40 40', '2: 10 10']);
  expect(calls('products.patch')).toBe(0);
  const writes = await journal('facility-stock.reconcile');
  expect(writes.map(({ before, after, answer }) => [before, after, answer])).toEqual([
    ['0', '40', 'command 1 accepted'],
    ['0', '10', 'command 2 accepted'],
  ]);
  expect((await stage.sync()).written).toBe(0);
});

describe('brakes count each place', () => {
  const onlyOne = () => {
    const text = readFileSync(stage.configFile, 'utf8');
    writeFileSync(
      stage.configFile,
      text.replace(/brakes: .*/, 'brakes: { create: { percent: 10000 }, zero: { count: 1, percent: 100 } }'),
    );
  };
  const held = async () => (await stage.store().brakes.list()).flatMap(({ items }) => items);

  test('zeroings at two facilities from one read are held together', async () => {
    const { erp } = await open();
    onlyOne();
    await stage.sync();
    erp.setStock(SKU, '0', { location: 'EAST' });
    erp.setStock(SKU, '0', WEST);
    await stage.sync();
    expect(shown()).toEqual(['1: 40 40', '2: 10 10']);
    expect(await held()).toHaveLength(2);
  });

  test("a second facility's zeroing that comes after the first was written is held", async () => {
    const { erp } = await open();
    onlyOne();
    await stage.sync();
    erp.setStock(SKU, '0', { location: 'EAST' });
    await stage.sync();
    expect(shown()).toEqual(['1: 0 0', '2: 10 10']);
    erp.setStock(SKU, '0', WEST);
    await stage.sync();
    expect(shown()).toEqual(['1: 0 0', '2: 10 10']);
    expect(await held()).toHaveLength(1);
  });
});

test.each(['a', 'b', 'c'] as const)('orders in flight are neither lost nor subtracted twice (%s)', async (strategy) => {
  const { marketplace, erp, order } = await open({ strategy });
  await stage.sync();
  // 40 of them at facility 1, the rest at facility 2.
  const number = order('44');
  await stage.sync();
  expect(takeable()).toEqual([0, 6]);
  marketplace.transition(number, 'accept');
  marketplace.transition(number, 'fulfill');
  await stage.sync();
  const inAll = marketplace
    .inventory(listing())
    .reduce((sum, { available }) => sum + Math.max(0, Number(available)), 0);
  expect(inAll).toBe(6);
  for (const { id } of erp.state().orders) erp.shipOrder(id);
  await stage.sync();
  expect(Number(erp.stockOf(SKU).available)).toBe(6);
  expect((await stage.sync()).written).toBe(0);
});

test('a facility command that stays Pending is waited for, across a restart, and no second one is sent for its facility', async () => {
  const { marketplace, erp } = await open();
  await stage.sync();
  await stage.stop();
  await stage.start();
  await until('the daemon is quiet', isQuiet);
  marketplace.faults.set({ kind: 'command-pending', operation: 'inventory.reconcile', ms: 3_000, times: 1 });
  const received = () => marketplace.requestLog.counts()['inventory.reconcile'] ?? 0;
  const earlier = received();
  erp.setStock(SKU, '30', { location: 'EAST' });
  await until('the command is sent', () => received() > earlier);
  erp.setStock(SKU, '20', { location: 'EAST' });
  await stage.stop();
  await stage.start();
  await until('it has come to its end', () => shown()[0] === '1: 20 20');
  const sent = (await journal('facility-stock.reconcile')).slice(2).map(({ before, after }) => [before, after]);
  expect(sent).toEqual([
    ['40', '30'],
    ['30', '20'],
  ]);
});

test('a facility command that fails is sent once more soon', async () => {
  const { marketplace, erp } = await open();
  await stage.sync();
  marketplace.faults.set({ kind: 'command-failed', operation: 'inventory.reconcile', reason: 'locked', times: 1 });
  erp.setStock(SKU, '30', { location: 'EAST' });
  expect((await stage.sync()).held).toBe(0);
  expect(shown()[0]).toBe('1: 30 30');
});

test('a facility command ends with any status word of the marketplace', async () => {
  const { marketplace, erp } = await open();
  marketplace.changeSettings({ commandWords: { done: 'Completed', failed: 'Rejected' }, commandDelayMs: 1_500 });
  await stage.sync();
  erp.setStock(SKU, '30', { location: 'EAST' });
  marketplace.faults.set({ kind: 'command-failed', operation: 'inventory.reconcile', reason: 'locked', times: 1 });
  await stage.sync();
  expect(shown()[0]).toBe('1: 30 30');
  expect((await stage.sync()).written).toBe(0);
});

test("a facility command that fails twice holds its product, with the marketplace's message", async () => {
  const { marketplace, erp } = await open();
  await stage.sync();
  marketplace.faults.set({
    kind: 'command-failed',
    operation: 'inventory.reconcile',
    reason: 'batch is locked',
    times: 2,
  });
  erp.setStock(SKU, '30', { location: 'EAST' });
  const { held } = await stage.sync();
  expect(held).toBe(1);
  const { store } = stage.app().core.state;
  expect((await store.work.held('main')).map((row) => row.heldFor)).toEqual([
    [cause('command-failed', { said: 'command 4 is Failed (error: batch is locked)' })],
  ]);
  expect((await stage.sync()).written).toBe(0);
  // Another figure needs another command.
  erp.setStock(SKU, '31', { location: 'EAST' });
  await stage.sync();
  expect(shown()).toEqual(['1: 31 31', '2: 10 10']);
});

test.each([
  ['is found in the measurements when it was applied', 'reset-after', 1],
  ['is sent again after the settle time when they do not show it', 'reset-before', 2],
] as const)('a facility command with a lost answer: %s', async (_, kind, times) => {
  const { marketplace, erp } = await open();
  await stage.sync();
  const before = (await journal('facility-stock.reconcile')).length;
  marketplace.faults.set({ kind, operation: 'inventory.reconcile', times: 1 });
  erp.setStock(SKU, '30', { location: 'EAST' });
  await stage.sync();
  expect(shown()).toEqual(['1: 30 30', '2: 10 10']);
  expect((await journal('facility-stock.reconcile')).length - before).toBe(times);
  expect((await stage.sync()).written).toBe(0);
});

test('stock at an unmapped location is held and named; other stock is written', async () => {
  const { erp } = await open();
  erp.setStock(SKU, '5', { location: 'NORTH' });
  const { held } = await stage.sync();
  expect(shown()).toEqual(['1: 40 40', '2: 10 10']);
  expect(held).toBe(1);
  const [row] = await stage.store().work.held('main');
  expect(row?.heldFor).toEqual([cause('places-unmapped', { sku: SKU, places: ['NORTH'] })]);
});
