import { expect, test } from 'vitest';
import { parseJson, rawNumber } from '../../../src/http/json.ts';
import type { Operation } from '../../../src/marketplace/operations/operation.ts';
import { OPERATIONS, type OperationId } from '../../../src/marketplace/operations/table.ts';
import type { Settings } from '../../../src/sandbox/marketplace/settings.ts';
import { createRouter } from '../../../src/sandbox/marketplace/validation.ts';
import { addCustomer, addProduct, start } from './api.ts';

const PRICE = { amount: rawNumber('12.50'), currency: 'USD' };

/** A call of every operation of document 1; {n} is an order, {p} its product, {l} its line. */
const CALLS: readonly (readonly [OperationId, path: string, body?: unknown])[] = [
  ['orders.list', '/orders-received/?include_children=line_items&page_size=500&ordering=modified'],
  ['orders.get', '/orders-received/{n}/'],
  [
    'orders.create',
    '/orders-received/',
    {
      seller: 4711,
      customer: { id: 1 },
      status: 'Submitted',
      line_items: [{ product: 1, quantity: '1.0000', ordered_unit_price: PRICE, sale_price: PRICE }],
      discount_amount: 0,
    },
  ],
  ['orders.patch', '/orders-received/{n}/', { external_id: 'erp-1' }],
  ['orders.transition', '/orders-received/{n}/transition/accept/'],
  ['line-items.delete', '/line-items/{l}/'],
  ['products.list', '/products/?page_size=500&ordering=created_on'],
  ['products.create', '/products/', { sku: 'B', name: 'B', quantity: 3 }],
  ['products.patch', '/products/{p}/', { available_inventory: 7 }],
  ['products.archive', '/products/{p}/'],
];

const VARIANTS: readonly Partial<Settings>[] = [
  {},
  { lineItemsIn: 'everywhere', stockFigures: 'string', timesShown: 'seconds', utcOffsetMinutes: 330 },
  { orderTotals: false, lineQuantityIn: 'cases', timesShown: 'millis' },
];

test.each(VARIANTS)('with %j every answer is valid in the operation table', async (settings) => {
  const market = await start({ settings });
  const product = addProduct(market, '10.5', { unit_multiplier: 6, sale_price: PRICE });
  const order = market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: '1.25' }] });
  for (const [id, path, body] of CALLS) {
    const operation: Operation = OPERATIONS[id];
    const filled = path
      .replace('{n}', order.number)
      .replace('{p}', String(product))
      .replace('{l}', String(order.lines[0]?.id));
    const answer = await market.call(operation.method, filled, body);
    expect([id, answer.status]).toEqual([id, operation.successStatus]);
    if (answer.text === '') continue;
    const parsed = parseJson(answer.text) as { results?: unknown[] };
    for (const entity of parsed.results ?? [parsed]) {
      expect([id, operation.answer.safeParse(entity).error?.issues]).toEqual([id, undefined]);
    }
  }
});

test('every operation of document 1 is reached by its own method and path', () => {
  const route = createRouter(Object.values(OPERATIONS));
  for (const [id, path] of CALLS) {
    const filled = path.replace(/\{.\}/g, '1').split('?')[0] ?? '';
    expect(route(OPERATIONS[id].method, `/api/v2${filled}`)).toMatchObject({ kind: 'found', operation: { id } });
  }
});
