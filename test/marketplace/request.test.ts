import { expect, test } from 'vitest';
import { z } from 'zod';
import { CallFailure } from '../../src/domain/failure.ts';
import { rawNumber } from '../../src/http/json.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { NO_PARAMS, type Operation } from '../../src/marketplace/operations/operation.ts';
import { OPERATIONS, type OperationId } from '../../src/marketplace/operations/table.ts';
import { writeRequest } from '../../src/marketplace/request.ts';
import { ORDER } from './loopback.ts';

const write = (id: OperationId, request: Parameters<typeof writeRequest>[2]) =>
  writeRequest(OPERATIONS[id], '/api/v2', request);

test.each<[OperationId, Parameters<typeof writeRequest>[2], string]>([
  ['orders.list', { query: { page: 0 } }, 'query.page: '],
  ['orders.list', { query: { page_size: 501 } }, 'query.page_size: '],
  ['orders.list', { query: { page: 1.5 } }, 'query.page: '],
  ['orders.list', { query: { ordering: '-modified,id' } }, 'query.ordering: expected an attribute name'],
  ['orders.list', { query: { modified__gte: 'yesterday' } }, 'query.modified__gte: expected a date-time'],
  ['orders.list', { query: { colour: 'red' } }, 'query.colour: is not known here'],
  ['orders.get', {}, 'path.number: '],
  ['orders.get', { path: { number: 'a/b' } }, 'path.number: expected an order number'],
  ['orders.get', { path: { number: ORDER }, body: {} }, 'body: expected none'],
  ['orders.transition', { path: { number: ORDER, action: '../x' } }, 'path.action: expected the name of a transition'],
  ['orders.patch', { path: { number: ORDER } }, 'body: '],
  [
    'orders.patch',
    { path: { number: ORDER }, body: { line_items: [{ id: 1, quantity: 1.5 }] } },
    'body.line_items[0].quantity',
  ],
  ['orders.patch', { path: { number: ORDER }, body: { line_items: [{ product: 1 }] } }, 'body.line_items[0].quantity'],
  [
    'products.patch',
    { path: { id: 1 }, body: { quantity: 0.1 } },
    'body.quantity: expected a number, without quotation marks',
  ],
  [
    'products.patch',
    { path: { id: 1 }, body: { wholesale_price: { amount: '1.00' } } },
    'body.wholesale_price.currency',
  ],
  ['orders.create', { body: { seller: 1, customer: {}, status: 'Lost', line_items: [] } }, 'body.customer.id'],
])('a request with %s %j is refused', (id, request, told) => {
  expect(() => write(id, request)).toThrow(told);
});

test('at most ten problems of a request are named', () => {
  const line_items = Array.from({ length: 30 }, () => ({ id: 1, quantity: 'many' }));
  expect(() => write('orders.patch', { path: { number: ORDER }, body: { line_items } })).toThrow(
    /line_items\[9\].*; and 20 more$/,
  );
});

test('a query is written as text: whole numbers, decimals, booleans', () => {
  const query = { archived: false, brand: 7, buyer: rawNumber('12.50'), sku: 'A&B C/ü', id: '1,2' };
  expect(write('products.list', { query }).target).toBe(
    '/api/v2/products/?archived=false&brand=7&buyer=12.50&id=1%2C2&sku=A%26B+C%2F%C3%BC',
  );
});

test('a path parameter stays one path segment', () => {
  const pathParams = z.strictObject({ number: z.string() });
  const operation: Operation = { ...(OPERATIONS['orders.get'] as Operation), pathParams };
  const { target } = writeRequest(operation, '/api/v2', { path: { number: 'a/b?c#d é' } });
  expect(target).toBe('/api/v2/orders-received/a%2Fb%3Fc%23d%20%C3%A9/');
});

test('no identifier leads to another path: it is refused, or it is one equal segment', () => {
  const hostile = [
    '..',
    '.',
    '',
    '../x',
    'a/../b',
    '..%2F',
    '%2F',
    '%2e%2e',
    'x?y=1',
    'x#y',
    'x\\y',
    'x\ny',
    '\ud800',
    'é',
    'x..y',
  ];
  const ways = { sent: 0, refused: 0 };
  for (const operation of Object.values<Operation>(OPERATIONS)) {
    for (const name of Object.keys(operation.pathParams.shape)) {
      for (const id of hostile) {
        const path: Record<string, string> = {};
        for (const other of Object.keys(operation.pathParams.shape)) path[other] = other === name ? id : ORDER;
        const target = targetOf(operation, path);
        ways[target === null ? 'refused' : 'sent'] += 1;
        if (target === null) continue;
        const segments = operation.path.split('/');
        const at = segments.indexOf(`{${name}}`);
        expect(target.split('/'), `${operation.id} ${id}`).toHaveLength(
          '/api/v2'.split('/').length + segments.length - 1,
        );
        expect(decodeURIComponent(target.split('/')[at + 2] ?? ''), operation.id).toBe(id);
        expect(new URL(target, 'http://x').pathname, operation.id).toBe(target);
      }
    }
  }
  expect(ways.refused).toBeGreaterThan(100);
  expect(ways.sent).toBeGreaterThan(0);
});

/** null when it is refused. */
function targetOf(operation: Operation, path: Record<string, unknown>): string | null {
  try {
    return writeRequest({ ...operation, query: NO_PARAMS, body: null }, '/api/v2', { path }).target;
  } catch (error) {
    if (error instanceof CallFailure) return null;
    throw error;
  }
}

test('unknown body fields are sent as given', () => {
  const body = { listing_state: 'Available', external_ids: { erp: null }, price_note: [rawNumber('1.10')] };
  const { payload } = write('products.patch', { path: { id: 3 }, body });
  const sent = '{"external_ids":{"erp":null},"listing_state":"Available","price_note":[1.10]}';
  expect(payload).toEqual({ contentType: 'application/json', body: sent });
});

/** Never run: it only has to compile, and each marked line must not. */
export async function typed(client: MarketplaceClient): Promise<unknown[]> {
  const options = { lane: 'poll' } as const;
  const page = await client.list('orders.list', { query: { include_children: 'line_items' } }, options);
  const status: string | undefined = page.rows[0]?.status;
  const echo = await client.call('orders.patch', { path: { number: ORDER }, body: { external_id: 'x' } }, options);
  const number: string | undefined = echo?.number;
  await client.list('products.list', { query: { created_on__gte: '2024-01-01T00:00:00Z' } }, options);
  await client.call('orders.transition', { path: { number: ORDER, action: 'fulfill' } }, options);
  // @ts-expect-error a list is no call
  await client.call('orders.list', {}, options);
  // @ts-expect-error the number is missing
  await client.call('orders.get', {}, options);
  // @ts-expect-error the body is missing
  await client.call('orders.patch', { path: { number: ORDER } }, options);
  // @ts-expect-error a transition has no body
  await client.call('orders.transition', { path: { number: ORDER, action: 'fulfill' }, body: {} }, options);
  // @ts-expect-error no such parameter
  await client.list('products.list', { query: { created_on_gte: '2024-01-01T00:00:00Z' } }, options);
  // @ts-expect-error the number of an order is text
  const wrong: number | undefined = page.rows[0]?.number;
  return [status, number, wrong];
}
