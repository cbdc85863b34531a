import { describe, expect, test } from 'vitest';
import { at, d, erpOrder, line, order, orderBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const record = (...args: Parameters<typeof orderBatch>) => shelf().store.orders.record(orderBatch(...args));

test('an order is read back as it was stored, with its exact digits', async () => {
  const read = order({
    externalId: 'E-1',
    discountAmount: d('1.50'),
    shippingAmount: d('5'),
    taxAmount: d('0.01'),
    total: d('99999999.9999'),
    deliveryState: 'CA',
    lines: [line({ quantity: d('0.0001'), unitMultiplier: d('12') }), line({ id: 2, salesPrice: null })],
  });
  await record([read]);
  const stored = await shelf().store.orders.get('main', 'o-1');
  expect(JSON.stringify(stored?.order)).toBe(JSON.stringify({ ...read, lines: stored?.lines }));
  expect(stored?.lines?.map(({ late, ...each }) => JSON.stringify([late, each]))).toEqual(
    read.lines?.map((each) => JSON.stringify([false, each])),
  );
});

test('a sale keeps the currency it was given in', async () => {
  await record([order({ lines: [line({ salesPrice: { amount: d('9'), currency: 'EUR' } })] })]);
  const stored = await shelf().store.orders.get('main', 'o-1');
  expect(stored?.lines?.[0]?.salesPrice).toEqual({ amount: d('9'), currency: 'EUR' });
  expect(stored?.lines?.[0]?.orderedUnitPrice.currency).toBe('USD');
});

test('a page of orders read again unchanged changes nothing and marks nothing', async () => {
  const page = [order(), order({ number: 'o-2' })];
  expect(await record(page)).toEqual(['o-1', 'o-2']);
  expect(await shelf().takeWork()).toEqual(['order-in o-1', 'order-in o-2']);
  expect(await record(page)).toEqual([]);
  expect(await shelf().takeWork()).toEqual([]);
});

test('an order that is twice on a page gets its newest state, whichever row comes first', async () => {
  const twice = (first: number, second: number) =>
    [first, second].map((minute) => order({ modified: at(minute), lines: [line({ quantity: d(`${minute}`) })] }));
  const quantity = async () =>
    (await shelf().store.orders.get('main', 'o-1'))?.lines?.map((one) => one.quantity.toFixed());
  await record(twice(1, 2));
  expect(await quantity()).toEqual(['2']);
  await record(twice(4, 3));
  expect(await quantity()).toEqual(['4']);
});

test('a reconcile attempt that stores an order does not mark the order, but marks its stock', async () => {
  const { store, takeWork } = shelf();
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await record([order()]);
  await takeWork();
  await record([order({ status: 'Accepted', lines: [line({ quantity: d('8') })] })], { lookedAt: 'o-1' });
  expect(await takeWork()).toEqual(['stock P-1']);
  expect((await store.orders.get('main', 'o-1'))?.order.status).toBe('Accepted');
});

test('an order of which only the head changed marks no stock', async () => {
  const { store, takeWork } = shelf();
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await record([order()]);
  await takeWork();
  await record([order({ externalId: 'E-1' })]);
  expect(await takeWork()).toEqual(['order-in o-1']);
});

test('the echo of our own external_id marks nothing', async () => {
  await record([order({ externalId: 'E-1' })]);
  await shelf().takeWork();
  expect(await record([order({ externalId: 'E-1', modified: at(5) })])).toEqual([]);
  expect(await shelf().takeWork()).toEqual([]);
  expect((await shelf().store.orders.get('main', 'o-1'))?.order.modified).toBe(at(5));
});

test('a changed order is stored even when `modified` stayed the same', async () => {
  await record([order()]);
  await shelf().takeWork();
  expect(await record([order({ discountAmount: d('0.01') })])).toEqual(['o-1']);
  expect(await record([order({ discountAmount: d('0.01'), lines: [line(), line({ id: 2 })] })])).toEqual(['o-1']);
  expect(await shelf().takeWork()).toContain('order-in o-1');
  expect((await shelf().store.orders.get('main', 'o-1'))?.lines).toHaveLength(2);
});

test('an order answer that was overtaken is ignored', async () => {
  await record([order({ status: 'Accepted', modified: at(5) })]);
  await shelf().takeWork();
  expect(await record([order({ modified: at(4) })])).toEqual([]);
  expect((await shelf().store.orders.get('main', 'o-1'))?.order.status).toBe('Accepted');
  // Older as an instant, though it sorts behind as a text.
  expect(await record([order({ modified: '2030-01-01T12:04:59.9Z' })])).toEqual([]);
  expect(await shelf().takeWork()).toEqual([]);
});

test('an order answer without lines keeps the stored lines, and missing lines are not zero lines', async () => {
  await record([order({ lines: null })]);
  expect((await shelf().store.orders.get('main', 'o-1'))?.lines).toBeNull();
  await record([order({ lines: [] })]);
  expect((await shelf().store.orders.get('main', 'o-1'))?.lines).toEqual([]);
  await record([order()]);
  await record([order({ lines: null, status: 'Accepted', modified: at(1) })]);
  expect((await shelf().store.orders.get('main', 'o-1'))?.lines).toHaveLength(1);
  await record([order({ lines: [], status: 'Accepted', modified: at(2) })]);
  expect((await shelf().store.orders.get('main', 'o-1'))?.lines).toEqual([]);
});

describe('a line that was added after Accepted touches no stock (spec 1, Rule)', () => {
  const live = async () =>
    (await shelf().store.orders.liveLines('main', 70)).map(({ line: each, effect }) => [each.id, effect]);

  test('a line that was added after Accepted never appears among the live lines', async () => {
    await record([order({ status: 'Fulfilled' })]);
    await record([order({ status: 'Fulfilled', modified: at(1), lines: [line(), line({ id: 2 })] })]);
    expect(await live()).toEqual([[1, 'consumed']]);
    await record([order({ status: 'Complete', modified: at(2), lines: [line(), line({ id: 2, quantity: d('9') })] })]);
    expect(await live()).toEqual([[1, 'consumed']]);
    expect((await shelf().store.orders.get('main', 'o-1'))?.lines?.map((each) => each.late)).toEqual([false, true]);
  });

  test('a line that existed while Accepted is live, though a later status was seen before it', async () => {
    await record([order({ status: 'Accepted' })]);
    // The answer to a transition need not show the lines.
    await record([order({ status: 'Fulfilled', modified: at(1), lines: null })]);
    await record([order({ status: 'Fulfilled', modified: at(1), lines: [line(), line({ id: 2 })] })]);
    expect(await live()).toEqual([
      [1, 'consumed'],
      [2, 'consumed'],
    ]);
  });
});

test.each([
  ['Submitted', 'reserved'],
  ['Accepted', 'reserved'],
  ['Fulfilled', 'consumed'],
  ['Shipped', 'consumed'],
  ['Complete', 'consumed'],
])('the live lines of an order in status %s: %s', async (status, effect) => {
  await record([order({ status })]);
  expect(await shelf().store.orders.liveLines('main', 70)).toMatchObject([{ number: 'o-1', effect }]);
  expect(await shelf().store.orders.liveLines('main', 71)).toEqual([]);
});

test.each(['Rejected', 'Canceled', 'Cancelled', 'Backorder', 'Combined'])(
  'an order in status %s has no live lines',
  async (status) => {
    await record([order({ status })]);
    expect(await shelf().store.orders.liveLines('main', 70)).toEqual([]);
  },
);

describe('rows that do not fit', () => {
  const invalidRow = { what: 'o-1', path: 'line_items[0].quantity', message: 'expected a decimal' };

  test('an invalid order row marks its order, and a valid row replaces it', async () => {
    await record([order()]);
    await shelf().takeWork();
    await record([], { invalidRows: [invalidRow] });
    expect(await shelf().takeWork()).toEqual(['order-in o-1']);
    expect(await shelf().store.invalidRows.get('main', 'orders', 'o-1')).toMatchObject({ path: invalidRow.path });
    // The very row that was there before: it is looked at again because it fits.
    expect(await record([order()])).toEqual(['o-1']);
    expect(await shelf().takeWork()).toContain('order-in o-1');
    expect(await shelf().store.invalidRows.get('main', 'orders', 'o-1')).toBeNull();
  });

  test('an invalid order row does not stop the rest of its page from being stored', async () => {
    expect(await record([order({ number: 'o-2' })], { invalidRows: [invalidRow] })).toEqual(['o-2']);
  });
});

test('a page of orders and its cursor are stored together or not at all', async () => {
  const window = {
    account: 'main',
    collection: 'orders',
    from: null,
    to: at(0),
    rows: 1,
    finding: null,
    cursor: at(0),
  };
  const broken = { ...window, rows: null as unknown as number };
  await expect(record([order()], { window: broken })).rejects.toThrow();
  expect(await shelf().store.orders.numbers('main', '', 10)).toEqual([]);
  expect(await shelf().store.cursors.get('main', 'orders')).toBeNull();
  await record([order()], { window });
  expect((await shelf().store.cursors.get('main', 'orders'))?.value).toBe(at(0));
  expect(await shelf().store.cursors.windows('main', 'orders')).toMatchObject([{ toInstant: at(0), rows: 1 }]);
});

test('orders are found by external id, without a customer, and in order of their numbers', async () => {
  await record([
    order(),
    order({ number: 'o-2', externalId: 'E-2' }),
    order({ number: 'o-3', customer: { id: 6, name: null } }),
  ]);
  const { orders } = shelf().store;
  expect(await orders.byExternalId('main', 'E-2')).toEqual(['o-2']);
  expect((await orders.unmarked('main', 5)).map((each) => each.order.number)).toEqual(['o-1']);
  expect(await orders.numbers('main', 'o-1', 10)).toEqual(['o-2', 'o-3']);
  expect(await orders.numbers('main', '', 2)).toEqual(['o-1', 'o-2']);
});

test('an order has no lines until a list has them, or until it reserves no more units', async () => {
  const { orders } = shelf().store;
  const unread = { lines: null, modified: at(1) };
  const complete = order({ number: 'o-4', ...unread, status: 'Complete' });
  await record([order(), order({ number: 'o-3', ...unread }), order({ number: 'o-2', ...unread }), complete]);
  expect(await orders.withoutLines('main')).toEqual(['o-2', 'o-3']);
  await record([order({ number: 'o-2', modified: at(2) })]);
  await record([order({ number: 'o-3', ...unread, modified: at(2), status: 'Canceled' })]);
  expect(await orders.withoutLines('main')).toEqual([]);
});

test('open orders are those open on the marketplace or in the ERP', async () => {
  const statuses = ['Submitted', 'Accepted', 'Backorder', 'Fulfilled', 'Complete', 'Rejected', 'Canceled', 'Deleted'];
  const { store } = shelf();
  await record(statuses.map((status) => order({ number: status, status })));
  await record([order({ number: 'shipped there', status: 'Fulfilled' })]);
  for (const [id, number, status] of [
    ['E-1', 'Fulfilled', 'reserved'],
    ['E-2', 'shipped there', 'shipped'],
    ['E-3', 'Canceled', 'reserved'],
  ] as const) {
    await store.erp.recordOrders('main', [erpOrder({ id, reference: number, status })], 'poll');
    await store.mappings.link({ account: 'main', kind: 'order', marketplaceId: number, erpId: id, how: 'created' });
  }
  const found = await store.orders.unfinished('main');
  expect(found.map(({ number }) => number).toSorted()).toEqual(['Accepted', 'Backorder', 'Fulfilled', 'Submitted']);
  expect(found.every(({ modified }) => modified === order().modified)).toBe(true);
});

test('an order from before the start date waits for a person as long as it is open', async () => {
  const from = { at: at(9), by: 'first-start' } as const;
  const standings = () => shelf().store.orders.unlinkedByStanding('main', from);
  await record([order(), order({ number: 'o-2' }), order({ number: 'o-3', status: 'Complete' })]);
  expect(await standings()).toEqual({ work: 0, history: 1, waits: 2 });
  await record([order({ status: 'Canceled', modified: at(10) })]);
  expect(await standings()).toEqual({ work: 0, history: 2, waits: 1 });
});
