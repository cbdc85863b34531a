import { z } from 'zod';
import { BY_ID, decimalString, wireDate } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireDecimal } from './wire.ts';

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

const orderPayment = z.looseObject({
  id: z.int(),
  /** The order's number. */
  order: z.string(),
  payment_date: wireDateTime.nullish(),
  total: wireDecimal,
  currency: z.string().nullish(),
  payment_type: z.string().nullish(),
  customer: z.looseObject({ id: z.int().nullish(), name: z.string().nullish() }).nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});

const read = {
  section: '2, Endpoints, Notifications, order payments, approval',
  permission: { anyOf: ['Orders'], access: 'read' },
} as const;

export const orderPaymentOperations = {
  'order-payments.list': operation({
    ...read,
    id: 'order-payments.list',
    summary: 'List the payments recorded on orders',
    method: 'GET',
    path: '/order-payments/',
    provenance: 'documented',
    query: z.strictObject({
      ...SEARCH_QUERY,
      created_date_from: wireDate.optional(),
      created_date_to: wireDate.optional(),
    }),
    answer: orderPayment,
    paging: 'page',
  }),
  'order-payments.create': operation({
    ...read,
    id: 'order-payments.create',
    summary: 'Record a payment on an order',
    method: 'POST',
    path: '/order-payments/',
    provenance: 'documented',
    permission: { anyOf: ['Orders'], access: 'write' },
    body: z.strictObject({
      order: z.guid('expected the number of an order, a UUID'),
      payment_date: wireDateTime.nullish(),
      total: decimalString(8, 2),
      payment_type: z.enum(ORDER_PAYMENT_TYPES).optional(),
    }),
    answer: orderPayment.pick({ id: true }),
  }),
  'order-payments.get': operation({
    ...read,
    id: 'order-payments.get',
    summary: 'Get one order payment',
    method: 'GET',
    path: '/order-payments/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    answer: orderPayment,
  }),
} as const;
