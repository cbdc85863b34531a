import { z } from 'zod';
import { ORDER_NUMBER } from '../../domain/limits.ts';
import { operations, records } from './define.ts';
import { DATED, decimalString, eachField, NAMED, nonEmpty, optional, row, shown, wireDate } from './fields.ts';
import { PAGE_QUERY, SEARCH_QUERY } from './operation.ts';
import { sentDateTime, shownAmount, shownDecimal, shownMoney, wireDateTime, wireMoney, wireNumber } from './wire.ts';

/** Spec 1, Order statuses. Deployments may have others: an unknown status is held and reported, not an error. */
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

const orderNumber = z.strictObject({ number: z.string().regex(ORDER_NUMBER, 'expected an order number') });

/** Spec 1, Line item: the fields of a request. An entry with an `id` changes that line; one without adds a line. */
const newLineItem = z.looseObject({
  product: z.int(),
  quantity: z
    .string('expected a text, such as "2.0000"')
    .regex(
      /^\d{1,30}(\.\d{1,4})?$/,
      'expected a decimal that is not below zero, with at most 4 digits after the point, such as "2.0000"',
    ),
  ordered_unit_price: wireMoney,
  sale_price: wireMoney.nullish(),
});
const lineItemChange = newLineItem
  .partial()
  .extend({ id: z.int().optional() })
  .superRefine((line, context) => {
    if (line.id !== undefined) return;
    for (const issue of newLineItem.safeParse(line).error?.issues ?? []) {
      if (line[String(issue.path[0])] !== undefined) continue;
      context.addIssue({
        code: 'custom',
        path: issue.path,
        message: `${issue.message} (a new line, since it has no id)`,
      });
    }
  });

const lineItem = row({
  product: z.int(),
  quantity: shownDecimal,
  ordered_unit_price: shownMoney,
  ...eachField(shownMoney.nullish(), 'sale_price', 'sales_price', 'wholesale_price'),
  unit_multiplier: shownDecimal.nullish(),
});

const order = z.looseObject({
  number: z.string().min(1),
  ...shown.ints('seller'),
  customer: z.looseObject(shown.ints('id')).nullish(),
  status: z.string().min(1),
  line_items: z.array(lineItem).nullish(),
  discount_amount: shownAmount.nullish(),
  ...shown.texts('external_id'),
  modified: wireDateTime,
  frozen_data: z.array(z.unknown()).nullish(),
});

/** The answer of a write. The spec does not show a create's answer, so nothing is required. */
const orderEcho = order.partial().nullable();

/** Spec 2, Resources, Order payment. */
export const ORDER_PAYMENT_TYPES = [
  'other',
  'cash',
  'check',
  'credit',
  'trade',
  'ach',
  'wire',
  'cashier',
  'service_direct_payment',
  'service_flexible_payment',
  'service_financial',
] as const;

const orderPayment = row({
  /** The order's number. */
  order: z.string(),
  total: shownDecimal,
  ...shown.texts('currency', 'payment_type'),
  customer: NAMED.nullish(),
  ...shown.times('payment_date'),
  ...DATED,
});

const needs = ['Orders'] as const;
const BARE = { section: '1, Authentication, Permissions', needs } as const;
const ORDERS = { section: '1, Endpoints, Orders', needs } as const;
const PAYMENTS = { section: '2, Endpoints, Notifications, order payments, approval' } as const;

export const orderOperations = {
  ...operations(ORDERS, {
    'orders.list': {
      call: 'GET /orders-received/',
      documented: true,
      summary: 'List the orders received',
      query: {
        ...PAGE_QUERY,
        status: z.string().optional(),
        include_children: z.literal('line_items').optional(),
        modified__gte: sentDateTime.optional(),
      },
      answer: order,
      paging: 'page',
    },
    'orders.create': {
      call: 'POST /orders-received/',
      documented: true,
      summary: "Create an order on a buyer's behalf (beta)",
      body: z.looseObject({
        seller: z.int(),
        customer: z.looseObject({ id: z.int() }),
        status: z.enum(ORDER_STATUSES),
        line_items: z.array(newLineItem),
        discount_amount: wireNumber.optional(),
        external_id: z.string().optional(),
      }),
      answer: orderEcho,
    },
    'orders.get': {
      call: 'GET /orders-received/{number}/',
      documented: true,
      summary: 'Get one order',
      params: orderNumber,
      answer: order,
    },
    'orders.patch': {
      call: 'PATCH /orders-received/{number}/',
      documented: true,
      summary: 'Change an order: its external_id, other fields, or its line items',
      params: orderNumber,
      body: z.looseObject({
        line_items: z.array(lineItemChange).optional(),
        status: z.enum(ORDER_STATUSES).optional(),
        external_id: z.string().nullable().optional(),
        discount_amount: wireNumber.optional(),
      }),
      answer: orderEcho,
      // A change of fields may be repeated, an added line may not. So a caller that adds lines reads and compares
      // first.
      effect: 'repeatable',
    },
    'orders.transition': {
      call: 'POST /orders-received/{number}/transition/{action}/',
      documented: true,
      summary: 'Move an order to another status by a named action, e.g. fulfill',
      params: orderNumber.extend({
        action: z.string().regex(/^[a-z][a-z_-]{0,39}$/, 'expected the name of a transition, such as fulfill'),
      }),
      answer: orderEcho,
      successStatus: 200,
    },
    'orders.delete': {
      // The table of permissions grants the method on the collection's path.
      call: 'DELETE /orders-received/{number}/',
      section: BARE.section,
      summary: 'Delete an order',
      params: orderNumber,
      answer: z.unknown(),
    },
  }),
  // The spec shows the method, and "/line-items/..." only for a delete.
  ...records('line-items', ['list', 'get', 'patch', 'delete'], {
    ...BARE,
    one: 'line item',
    many: 'line items of all orders',
    row: lineItem,
    body: newLineItem,
  }),
  ...records('order-payments', ['list', 'create', 'get'], {
    ...PAYMENTS,
    needs,
    one: 'order payment',
    row: orderPayment,
    body: z.strictObject({
      order: z.guid('expected the number of an order, a UUID'),
      payment_date: sentDateTime.nullish(),
      total: decimalString(8, 2),
      payment_type: z.enum(ORDER_PAYMENT_TYPES).optional(),
    }),
    filters: { ...SEARCH_QUERY, ...optional(wireDate, 'created_date_from', 'created_date_to') },
    summaries: { list: 'List the payments recorded on orders', create: 'Record a payment on an order' },
  }),
  ...records('order-event-logs', ['list', 'get'], { ...BARE, one: 'event of an order', many: 'events of orders' }),
  ...records('order-sales-reps', ['list', 'get', 'create', 'delete'], {
    ...BARE,
    one: 'sales representative of an order',
    many: 'sales representatives of orders',
  }),
  ...records('order-statuses', ['list', 'get'], { ...BARE, one: 'order status', many: 'order statuses' }),
  ...records('promocodes', ['list', 'get', 'create', 'patch', 'delete'], { ...BARE, one: 'promocode' }),
  ...records('reports', ['list', 'get', 'create', 'patch', 'delete'], { ...BARE, one: 'report' }),
  ...operations(PAYMENTS, {
    'purchase-orders.approve': {
      call: 'POST /poms/orders/approval/',
      summary: 'Tell what became of the approval of a purchase order',
      body: z.strictObject({
        order_id: z.int().optional(),
        purchase_order_number: z.guid('expected a UUID'),
        status: z.enum(['approved', 'rejected', 'completed', 'error']),
        message: nonEmpty.optional(),
      }),
      answer: z.looseObject({}).nullable(),
      successStatus: 200,
    },
  }),
} as const;
