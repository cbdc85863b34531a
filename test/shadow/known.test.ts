import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/http/json.ts';
import { dialectOf } from '../../src/marketplace/dialect.ts';
import { isAlreadyStored, isOrderStored } from '../../src/shadow/already-stored.ts';
import { recordOrderPage, recordProductPage } from '../../src/shadow/shadow.ts';
import type { InboxRow } from '../../src/store/reading.ts';
import { at, useShelf } from '../store/shelf.ts';
import { IN_UNITS } from '../support/units.ts';

const shelf = useShelf();
const dialect = dialectOf({
  fields: { order: { shipping: 'totals.freight' }, product: { external_ids: 'foreign_ids' }, customer: {} },
  statuses: { Placed: 'Submitted', Confirmed: 'Accepted' },
  discountTypes: {},
  listingStates: {},
});
const config = {
  products: { attributes: [], fields: [{ name: 'minimum_order' }], references: [], createOnly: [] },
  units: IN_UNITS,
  marketplace: { externalIdKey: 'stockbridge', webhooks: { secrets: ['a secret'] }, dialect },
};
const context = () =>
  ({ account: 'main', config, store: shelf().store }) as unknown as Parameters<typeof isAlreadyStored>[0];

const LINE = { id: 1, product: 70, quantity: 7, ordered_unit_price: { amount: 12.5, currency: 'USD' } };
const ORDER = { number: 'o-1', status: 'Submitted', external_id: null, discount_amount: 1, customer: { id: 5 } };
const LISTING = {
  id: 70,
  sku: 'SB-1',
  name: 'Kush',
  quantity: 10,
  reserved_qty: 3,
  available_inventory: 7,
  external_ids: { stockbridge: 'P-1' },
};
/** The listing as webhooks show it. */
const { external_ids: foreign_ids, ...others } = LISTING;
const SHOWN = { ...others, foreign_ids };

const hook = (data: unknown, kind: InboxRow['kind'] = 'orders') => ({
  kind,
  body: Buffer.from(JSON.stringify({ action: 'edit', type: 'order', data })),
});

/** The value as it comes over the wire, with every digit. */
const fromWire = (value: object) => parseJson(JSON.stringify(value)) as Record<string, unknown>;

async function recordOrder(order: object = {}): Promise<void> {
  const row = fromWire({ ...ORDER, modified: at(1), line_items: [LINE], ...order });
  const reading = { window: null, lane: 'poll', knownBeforeTick: 1, readTick: null, cursorBefore: null } as const;
  await recordOrderPage(context(), { rows: [row as never], invalidRows: [] }, reading);
}

test('an order webhook with stored values is not treated as a change, also in the vocabulary of webhooks', async () => {
  expect(await isAlreadyStored(context(), hook({ ...ORDER, orderedproduct_set: [LINE] }))).toBe(false);
  await recordOrder();
  expect(await isAlreadyStored(context(), hook({ ...ORDER, orderedproduct_set: [LINE] }))).toBe(true);
  expect(await isAlreadyStored(context(), hook({ ...ORDER, line_items: [LINE] }))).toBe(true);
});

test('an order webhook is compared under the names and statuses of the deployment', async () => {
  await recordOrder({ shipping_charge: 5 });
  const shown = { ...ORDER, status: 'Placed', totals: { freight: 5 }, orderedproduct_set: [LINE] };
  expect(await isAlreadyStored(context(), hook(shown))).toBe(true);
  expect(await isAlreadyStored(context(), hook({ ...shown, status: 'Confirmed' }))).toBe(false);
  expect(await isAlreadyStored(context(), hook({ ...shown, totals: { freight: 6 } }))).toBe(false);
});

test('a webhook caused by our own external_id write is not treated as a change after its response was stored', async () => {
  await recordOrder();
  const echo = hook({ ...ORDER, external_id: 'E-1', orderedproduct_set: [LINE] });
  expect(await isAlreadyStored(context(), echo)).toBe(false);
  await recordOrder({ external_id: 'E-1', modified: at(2) });
  expect(await isAlreadyStored(context(), echo)).toBe(true);
});

test.each([
  ['status', { status: 'Accepted' }],
  ['external id', { external_id: 'E-1' }],
  ['discount', { discount_amount: 2 }],
  ['quantity', { orderedproduct_set: [{ ...LINE, quantity: 8 }] }],
  ['price', { orderedproduct_set: [{ ...LINE, ordered_unit_price: { amount: 12.51, currency: 'USD' } }] }],
  ['line', { orderedproduct_set: [LINE, { ...LINE, id: 2 }] }],
  ['missing line', { orderedproduct_set: [] }],
  ['line that cannot be read', { orderedproduct_set: [{ id: 1 }] }],
])('an order webhook with another %s is treated as a change', async (_, change) => {
  await recordOrder();
  const data = { ...ORDER, orderedproduct_set: [LINE], ...change };
  expect(await isAlreadyStored(context(), hook(data))).toBe(false);
  expect(await isOrderStored(context(), fromWire(data))).toBe(false);
});

test('an order webhook without lines may hide an edit; its other values are compared', async () => {
  await recordOrder();
  expect(await isAlreadyStored(context(), hook(ORDER))).toBe(false);
  expect(await isOrderStored(context(), ORDER)).toBe(true);
  expect(await isOrderStored(context(), { ...ORDER, status: 'Accepted' })).toBe(false);
});

test('an unreadable order webhook is treated as a change', async () => {
  for (const body of ['[]', '{}', '{"data":{"number":7}}', 'not json']) {
    expect(await isAlreadyStored(context(), { kind: 'orders', body: Buffer.from(body) })).toBe(false);
  }
});

describe('a webhook of a listing', () => {
  const record = (row: object) =>
    recordProductPage(context(), { rows: [fromWire(row) as never], invalidRows: [] }, { window: null, lane: 'poll' });

  test('a listing webhook with stored values is not treated as a change, whenever it was modified', async () => {
    await record({ ...LISTING, modified: at(1) });
    expect(await isAlreadyStored(context(), hook({ ...SHOWN, modified: at(2) }, 'products'))).toBe(true);
    for (const change of [
      { reserved_qty: 4 },
      { name: 'Haze' },
      { archived: true },
      { minimum_order: 12 },
      { id: 71 },
      { foreign_ids: { stockbridge: 'P-2' } },
    ]) {
      expect(await isAlreadyStored(context(), hook({ ...SHOWN, ...change }, 'products'))).toBe(false);
    }
  });
});
