import { z } from 'zod';
import { BY_ID } from './limits.ts';
import { NO_PARAMS, operation, PAGE_QUERY, SEARCH_QUERY } from './operation.ts';
import { wireAmount, wireDateTime, wireDecimal, wireMoney } from './wire.ts';

/** Spec 1, Order statuses. Deployments may know others: an unknown status is held and reported, never an error. */
export const ORDER_STATUSES = [
  'Submitted',
  'Accepted',
  'Fulfilled',
  'Shipped',
  'Complete',
  'Rejected',
  'Backorder',
  'Canceled',
] as const;

/** Spec 1, Order: a UUID. What the server once sent is sent back whatever its form, as long as it is safe in a path. */
const orderNumber = z.strictObject({
  number: z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/, 'expected an order number'),
});

/** Spec 1, Line item: what a request may carry. An entry with an `id` changes that line; one without is a new line. */
const newLineItem = z.looseObject({
  product: z.int(),
  quantity: wireDecimal,
  ordered_unit_price: wireMoney,
  sale_price: wireMoney.nullish(),
});
const lineItemChange = newLineItem
  .partial()
  .extend({ id: z.int().optional() })
  .superRefine((line, context) => {
    if (line.id !== undefined) return;
    for (const issue of newLineItem.safeParse(line).error?.issues ?? []) {
      context.addIssue({
        code: 'custom',
        path: issue.path,
        message: `${issue.message} (a new line, since it has no id)`,
      });
    }
  });

const lineItem = z.looseObject({
  id: z.int(),
  product: z.int(),
  quantity: wireDecimal,
  ordered_unit_price: wireMoney,
  sale_price: wireMoney.nullish(),
  sales_price: wireMoney.nullish(),
  wholesale_price: wireMoney.nullish(),
  unit_multiplier: wireDecimal.nullish(),
});

const order = z.looseObject({
  number: z.string().min(1),
  seller: z.int().nullish(),
  customer: z.looseObject({ id: z.int().nullish() }).nullish(),
  status: z.string().min(1),
  line_items: z.array(lineItem).nullish(),
  discount_amount: wireAmount.nullish(),
  external_id: z.string().nullish(),
  modified: wireDateTime,
  frozen_data: z.array(z.unknown()).nullish(),
});

/** What a write answers. The spec does not show the answer of a create, so nothing in it is demanded. */
const orderEcho = order.partial().nullable();

const SECTION = '1, Endpoints, Orders';

export const orderOperations = {
  'orders.list': operation({
    id: 'orders.list',
    summary: 'List the orders received',
    method: 'GET',
    path: '/orders-received/',
    provenance: 'documented',
    permission: { anyOf: ['Orders'], access: 'read' },
    section: SECTION,
    pathParams: NO_PARAMS,
    query: z.strictObject({
      ...PAGE_QUERY,
      status: z.string().optional(),
      include_children: z.literal('line_items').optional(),
      modified__gte: wireDateTime.optional(),
    }),
    body: null,
    answer: order,
    paging: 'page',
    successStatus: 200,
    effect: 'none',
  }),
  'orders.create': operation({
    id: 'orders.create',
    summary: "Create an order on a buyer's behalf (beta)",
    method: 'POST',
    path: '/orders-received/',
    provenance: 'documented',
    permission: { anyOf: ['Orders'], access: 'write' },
    section: SECTION,
    pathParams: NO_PARAMS,
    query: NO_PARAMS,
    body: z.looseObject({
      seller: z.int(),
      customer: z.looseObject({ id: z.int() }),
      status: z.enum(ORDER_STATUSES),
      line_items: z.array(newLineItem),
      discount_amount: wireDecimal.optional(),
      external_id: z.string().optional(),
    }),
    answer: orderEcho,
    paging: null,
    successStatus: 201,
    effect: 'once',
  }),
  'orders.get': operation({
    id: 'orders.get',
    summary: 'Get one order',
    method: 'GET',
    path: '/orders-received/{number}/',
    provenance: 'documented',
    permission: { anyOf: ['Orders'], access: 'read' },
    section: SECTION,
    pathParams: orderNumber,
    query: NO_PARAMS,
    body: null,
    answer: order,
    paging: null,
    successStatus: 200,
    effect: 'none',
  }),
  'orders.patch': operation({
    id: 'orders.patch',
    summary: 'Change an order: its external_id, other fields, or its line items',
    method: 'PATCH',
    path: '/orders-received/{number}/',
    provenance: 'documented',
    permission: { anyOf: ['Orders'], access: 'write' },
    section: SECTION,
    pathParams: orderNumber,
    query: NO_PARAMS,
    body: z.looseObject({
      line_items: z.array(lineItemChange).optional(),
      external_id: z.string().nullable().optional(),
      discount_amount: wireDecimal.optional(),
    }),
    answer: orderEcho,
    paging: null,
    successStatus: 200,
    // Setting fields may be repeated; adding a line may not, so whoever adds one reads and compares first.
    effect: 'repeatable',
  }),
  'orders.transition': operation({
    id: 'orders.transition',
    summary: 'Move an order to another status by a named action, e.g. fulfill',
    method: 'POST',
    path: '/orders-received/{number}/transition/{action}/',
    provenance: 'documented',
    permission: { anyOf: ['Orders'], access: 'write' },
    section: SECTION,
    pathParams: orderNumber.extend({
      action: z.string().regex(/^[a-z][a-z_-]{0,39}$/, 'expected the name of a transition, such as fulfill'),
    }),
    query: NO_PARAMS,
    body: null,
    answer: orderEcho,
    paging: null,
    successStatus: 200,
    effect: 'once',
  }),
  'orders.delete': operation({
    id: 'orders.delete',
    summary: 'Delete an order',
    method: 'DELETE',
    path: '/orders-received/{number}/',
    // The table of permissions grants the method on the collection's path.
    provenance: 'assumed',
    permission: { anyOf: ['Orders'], access: 'write' },
    section: '1, Authentication, Permissions',
    pathParams: orderNumber,
    answer: z.unknown(),
  }),
  'line-items.list': operation({
    id: 'line-items.list',
    summary: 'List the line items of all orders',
    method: 'GET',
    path: '/line-items/',
    provenance: 'documented',
    permission: { anyOf: ['Orders'], access: 'read' },
    section: '1, Authentication, Permissions',
    query: z.strictObject(SEARCH_QUERY),
    answer: lineItem,
    paging: 'page',
  }),
  'line-items.get': operation({
    id: 'line-items.get',
    summary: 'Get one line item',
    method: 'GET',
    path: '/line-items/{id}/',
    provenance: 'assumed',
    permission: { anyOf: ['Orders'], access: 'read' },
    section: '1, Authentication, Permissions',
    pathParams: BY_ID,
    answer: lineItem,
  }),
  'line-items.patch': operation({
    id: 'line-items.patch',
    summary: 'Change one line item',
    method: 'PATCH',
    path: '/line-items/{id}/',
    provenance: 'assumed',
    permission: { anyOf: ['Orders'], access: 'write' },
    section: '1, Authentication, Permissions',
    pathParams: BY_ID,
    body: newLineItem.partial(),
    answer: lineItem.partial().nullable(),
  }),
  'line-items.delete': operation({
    id: 'line-items.delete',
    summary: 'Delete one line item',
    method: 'DELETE',
    path: '/line-items/{id}/',
    // The spec shows the method and "/line-items/..." only.
    provenance: 'assumed',
    permission: { anyOf: ['Orders'], access: 'write' },
    section: SECTION,
    pathParams: BY_ID,
    query: NO_PARAMS,
    body: null,
    answer: z.unknown(),
    paging: null,
    successStatus: 204,
    effect: 'repeatable',
  }),
} as const;
