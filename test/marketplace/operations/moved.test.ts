import { expect, test } from 'vitest';
import { pathProblem, shownPath, takesSeveral } from '../../../src/marketplace/operations/moved.ts';
import { OPERATIONS, type OperationId } from '../../../src/marketplace/operations/table.ts';
import { applyOverride, writeRequest } from '../../../src/marketplace/request.ts';

const sent = (id: OperationId, path: string, request: object) =>
  writeRequest(applyOverride(OPERATIONS[id], { path }), '/api/v2', request).target;

test.each<[OperationId, string, object, string]>([
  ['order-payments.get', '/payments/one/', { path: { id: 7 } }, '/api/v2/payments/one/?id=7'],
  [
    'inventory.command-status',
    '/companies/{company_id}/commands/status/',
    { path: { id: 7 }, query: { company_id: 4711 } },
    '/api/v2/companies/4711/commands/status/?id=7',
  ],
  [
    'customer-groups.list',
    '/customer-groups/brand/',
    { path: { company_id: 4711 }, query: { page: 2 } },
    '/api/v2/customer-groups/brand/?company_id=4711&page=2',
  ],
])('a moved parameter for %s is sent where %s has it', (id, path, request, target) =>
  expect(sent(id, path, request)).toBe(target),
);

test.each<[OperationId, string, string]>([
  ['orders.get', '/orders/{id}/', 'expected a path with {number} once, such as /orders-received/{number}/'],
  ['orders.list', '/orders/{number}/', 'expected a path with no parameter, such as /orders-received/'],
  ['order-payments.get', '/payments/{id}/{id}/', '{id} is in it twice'],
  ['order-payments.get', '/payments/{number}/', '{number} is no parameter of it: the path may have {id}'],
  ['customer-groups.list', '/groups/{page}/', '{page} is not in every call: the path may have {company_id}'],
  [
    'sponsorship-content.get',
    '/content/{placement}/',
    '{placement} may have several values: the path may have {company_id}',
  ],
  ['inventory.command-status', '/{batch}/', '{batch} is no parameter of it: the path may have {id}, {company_id}'],
])('an impossible path is refused: %s at %s: %s', (id, path, why) =>
  expect(pathProblem(OPERATIONS[id], path)).toBe(why),
);

test('operations with a parameter of several values are recognised', () => {
  const families = Object.values(OPERATIONS)
    .filter(takesSeveral)
    .map(({ id }) => id.replace(/-by-.*/, '-by'));
  expect([...new Set(families)]).toEqual([
    'products.list',
    'products.list-with-assignments',
    'product-assignments.list',
    'products.recommendations',
    'customers.list',
    'activity-entries.list',
    'shop-brands.get',
    'sponsorship-content.get',
    'product-lines.list',
    'product-images.list',
    'inventory.measurements-by',
    'transport-orders.list',
  ]);
});

test('path parameters that are sent in the query are listed with the path', () => {
  const { pathParams } = OPERATIONS['order-payments.get'];
  expect(shownPath({ pathParams, path: '/payments/' })).toBe('/payments/?id={id}');
});
