import { expect, test } from 'vitest';
import type { StoredTransport } from '../../../src/store/marketplace.ts';
import { erpOrder, useShelf } from '../shelf.ts';

const shelf = useShelf();
const work = () => shelf().takeWork();

const transport = (changes: Partial<StoredTransport> = {}): StoredTransport => ({
  id: 'T-1',
  orderKey: 'o-1',
  status: 'shipped',
  shippedAt: '2030-01-31T08:30:00.000Z',
  deliveredAt: null,
  expectedAt: null,
  requestedOn: null,
  tracking: null,
  ...changes,
});

test('a changed transport marks its order, and both orders when it moves from one to another', async () => {
  const { transports } = shelf().store;
  await transports.record('main', [transport(), transport({ id: 'T-2', orderKey: null })], 'poll');
  expect(await work()).toEqual(['transport-in o-1']);
  await transports.record('main', [transport()], 'poll');
  expect(await work()).toEqual([]);
  await transports.record('main', [transport({ orderKey: 'o-2' })], 'poll');
  expect(await work()).toEqual(['transport-in o-1', 'transport-in o-2']);
});

test('the orders that have transports are listed once each', async () => {
  const { transports } = shelf().store;
  const rows = ['o-2', 'o-1', 'o-2', null].map((orderKey, nth) => transport({ id: `T-${nth}`, orderKey }));
  await transports.record('main', rows, 'poll');
  await transports.record('other', [transport({ orderKey: 'o-9' })], 'poll');
  expect(await transports.orderKeys('main', '', 10)).toEqual(['o-1', 'o-2']);
  expect(await transports.orderKeys('main', 'o-1', 10)).toEqual(['o-2']);
});

test("an order's transports are observed with its ERP order, by either of its two names", async () => {
  const { erp, mappings, observe, transports } = shelf().store;
  const kept = [{ id: 'T-1', status: 'shipped' }] as const;
  await erp.recordOrders('main', [erpOrder({ id: 'E-1', transports: kept })], 'poll');
  await transports.record('main', [transport(), transport({ id: 'T-2', orderKey: 'E-1' })], 'poll');
  await work();
  expect((await observe.transportIn('main', 'o-1', [])).erpOrder).toBeNull();
  await mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'reference' });
  expect(await work()).toEqual(expect.arrayContaining(['transport-in E-1', 'transport-in o-1']));
  for (const [key, of] of [
    ['o-1', transport()],
    ['E-1', transport({ id: 'T-2', orderKey: 'E-1' })],
  ] as const) {
    const rows = await observe.transportIn('main', key, []);
    expect(rows).toMatchObject({ transports: [of], erpOrder: { id: 'E-1', transports: kept }, invalidErpRow: null });
  }
});
