import { expect, test } from 'vitest';
import { erpOrder, order, orderBatch, useShelf } from '../../store/shelf.ts';
import { openShop } from './shop.ts';

const shelf = useShelf();
/** One order is marked already. The others are as many as may be marked at once. */
const ORDERS = 5;

/** The id of an order in the ERP. */
const erpIdOf = (number: string) => number.replace('o-', 'E-');

test('an order that was marked just now counts for the brake together with the rejection that it waits for', async () => {
  const shop = await openShop(shelf(), 12, { reject: { count: 3, percent: 100 } });
  const { store } = shelf();
  const client = shop.context.client as unknown as { call: (...args: unknown[]) => Promise<unknown> };
  const { call } = client;
  let marking = 0;
  const all = Promise.withResolvers<void>();
  client.call = async (operation, request, options) => {
    if (operation !== 'orders.patch') return call(operation, request, options);
    const { number } = (request as { path: { number: string } }).path;
    // Each worker has looked before the first order is marked, and saw that the others are not marked yet.
    marking += 1;
    if (marking === ORDERS - 1) all.resolve();
    await all.promise;
    return { number, external_id: erpIdOf(number), status: 'Submitted', modified: '2030-01-01T12:00:00Z' };
  };
  const numbers = Array.from({ length: ORDERS }, (_, index) => `o-${index}`);
  for (const number of numbers) {
    const externalId = number === 'o-0' ? erpIdOf(number) : null;
    await store.orders.record(orderBatch([order({ number, externalId, lines: [] })]));
    const link = {
      account: 'main',
      kind: 'order',
      marketplaceId: number,
      erpId: erpIdOf(number),
      how: 'created',
    } as const;
    await store.mappings.link(link);
  }
  const cancelled = numbers.map((number) =>
    erpOrder({ id: erpIdOf(number), reference: number, status: 'cancelled', lines: [] }),
  );
  await store.erp.recordOrders('main', cancelled, 'poll');
  await shop.work();
  // The first rejection was decided before the others were known.
  expect(shop.takeWrites()).toHaveLength(1);
  expect((await shop.thePlan()).items).toHaveLength(ORDERS - 1);
});
