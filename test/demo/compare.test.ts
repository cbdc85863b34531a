import { describe, expect, test } from 'vitest';
import { disagreements, duplicates } from '../../src/demo/compare.ts';
import { leastCalls } from '../../src/demo/least-calls.ts';
import { lookAt, type Sides } from '../../src/demo/sides.ts';
import { openInStep } from './in-step.ts';

type World = Awaited<ReturnType<typeof openInStep>>;
type Plant = (world: World) => unknown;

const listing = ({ marketplace }: Sides, sku = 'SB-0001') => marketplace.productBySku(sku).id;

/** Enters the order in the ERP once more. */
async function enter({ sides, order }: World, reference = order.number): Promise<void> {
  const { lines, discount, shipping, tax, total } = sides.erp.control.findOrders(order.number)[0] ?? {};
  await fetch(`${sides.erp.url}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sides.erpToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      reference,
      status: 'draft',
      customer: {},
      currency: 'USD',
      lines,
      discount,
      shipping,
      tax,
      total,
    }),
  });
}

/** A change behind the bridge's back, and the difference that has to be reported. */
const PLANTS: Record<string, [Plant, RegExp]> = {
  'an order that the ERP has not': [
    ({ sides, order: { customer } }) =>
      sides.marketplace.placeOrder({ customer, items: [{ product: listing(sides), quantity: '1' }] }),
    /^order \S+ \(Submitted\) is not in the ERP$/,
  ],
  'an order that the ERP has twice': [
    (world) => enter(world),
    /^order \S+ \(Submitted\) is 2 orders in the ERP: SO-000001, SO-000002$/,
  ],
  'an order cancelled in the ERP': [
    ({ sides, erpId }) => sides.erp.control.cancelOrder(erpId),
    /SO-000001 \(cancelled\): one is dead, the other is not$/,
  ],
  'an order canceled on the marketplace': [
    ({ sides, order }) => sides.marketplace.cancel(order.number),
    /\(Canceled\) .* one is dead, the other is not$/,
  ],
  'an order shipped in the ERP only': [
    ({ sides, erpId }) => sides.erp.control.shipOrder(erpId),
    /one is shipped, the other is not$/,
  ],
  'an order fulfilled on the marketplace only': [
    ({ sides, order }) => {
      sides.marketplace.transition(order.number, 'accept');
      sides.marketplace.transition(order.number, 'fulfill');
    },
    /one is fulfilled, the other is not shipped$/,
  ],
  'another quantity': [
    ({ sides, order }) => sides.marketplace.editLine(order.lines[0]?.id ?? 0, { quantity: '3' }),
    /the lines differ: 3 x SB-0001 at [\d.]+ there, 2 x SB-0001 at [\d.]+ here$/,
  ],
  'another price of a line': [
    ({ sides, order }) =>
      sides.marketplace.editLine(order.lines[0]?.id ?? 0, { price: { amount: '1.00', currency: 'USD' } }),
    /the lines differ: 2 x SB-0001 at 1.00 there/,
  ],
  'another total': [
    ({ sides, order }) => sides.marketplace.editOrder(order.number, { discount_amount: '1.00' }),
    /the totals differ: [\d.]+ there, [\d.]+ here$/,
  ],
  'another external_id': [
    ({ sides, order }) => sides.marketplace.editOrder(order.number, { external_id: 'SO-9' }),
    /its external_id is SO-9$/,
  ],
  'an ERP order of an order that is not there': [
    (world) => enter(world, 'nowhere'),
    /^ERP order SO-000002 refers to order nowhere, which the marketplace does not have$/,
  ],
  'an order made in the ERP alone': [
    ({ sides }) => sides.erp.control.createOrder({ lines: [{ sku: 'SB-0001', quantity: '1', unit_price: '1' }] }),
    /^ERP order SO-000002, made in the ERP \(reserved\), is 0 orders on the marketplace$/,
  ],
  'a listing that is missing': [
    ({ sides }) => sides.marketplace.archiveProduct(listing(sides, 'SB-0003')),
    /^SB-0003 is not listed$/,
  ],
  'a listing too many': [
    ({ sides }) => sides.marketplace.createProduct({ sku: 'SB-0003', name: 'Again', quantity: 0 }),
    /^SB-0003 is listed 2 times$/,
  ],
  'a listing of what is not sold': [
    ({ sides }) => sides.erp.control.setProduct('SB-0001', { active: false }),
    /^SB-0001 is not sold any more and listing 1 is there$/,
  ],
  'another price of a product': [
    ({ sides }) => sides.erp.control.setProduct('SB-0003', { price: { amount: '1.00', currency: 'USD' } }),
    /^the price of SB-0003 is [\d.]+ on the marketplace and \d+ in the ERP$/,
  ],
  'another stock': [
    ({ sides }) => sides.marketplace.setProduct(listing(sides), { available_inventory: 7 }),
    /^stock of SB-0001: the marketplace shows 7, it should be 43$/,
  ],
};

test('the comparison of the demo accepts two sides in step', async () => {
  const { sides } = await openInStep();
  for (const strategy of ['b', 'c'] as const) expect(disagreements(lookAt(sides), strategy)).toEqual([]);
  expect(duplicates(lookAt(sides))).toBe(0);
});

describe('the comparison reports', () => {
  for (const [name, [plant, sentence]] of Object.entries(PLANTS)) {
    test(name, async () => {
      const world = await openInStep();
      await plant(world);
      expect(disagreements(lookAt(world.sides), 'b')).toContainEqual(expect.stringMatching(sentence));
    });
  }
});

test('every further copy is counted as a duplicate', async () => {
  const world = await openInStep();
  await enter(world);
  world.sides.marketplace.createProduct({ sku: 'SB-0003', name: 'Again', quantity: 0 });
  expect(duplicates(lookAt(world.sides))).toBe(2);
});

test('with strategy a, an order that is not fulfilled is not missing in the ERP, and its stock is counted', async () => {
  const { sides, order } = await openInStep();
  const items = [{ product: listing(sides), quantity: '1' }];
  sides.marketplace.placeOrder({ customer: order.customer, items });
  expect(disagreements(lookAt(sides), 'a')).toEqual([]);
});

test('the minimum of calls is one for each necessary write, and one for each list', async () => {
  const { sides, erpId, order } = await openInStep();
  sides.marketplace.transition(order.number, 'accept');
  sides.marketplace.transition(order.number, 'fulfill');
  sides.erp.control.shipOrder(erpId);
  const deeds = { product: 1, stock: 2, cancelled: 3 };
  // Two listings were there and two were made; the order was marked and fulfilled.
  expect(leastCalls(lookAt(sides), 'b', { openingListings: 2, deeds })).toEqual({ writes: 12, pages: 2 });
});
