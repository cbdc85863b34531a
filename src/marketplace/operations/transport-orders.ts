import { z } from 'zod';
import { BY_ID, nonEmpty, wireDate } from './limits.ts';
import { OFFSET_QUERY, operation } from './operation.ts';
import { wireDateTime, wireMoney } from './wire.ts';

/** Spec 2, States and transitions, Transport order. */
const STATUSES = ['uploaded', 'created', 'assigned', 'planned', 'shipped', 'delivered'] as const;
const SORTS = [
  '-created_on',
  '-display_delivery_date',
  '-requested_pickup_date',
  'created_on',
  'display_delivery_date',
  'requested_pickup_date',
] as const;

const driver = z.looseObject({
  id: z.int().optional(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  tracking_employee_id: z.union([z.string(), z.int()]).nullish(),
  license_number: z.string().nullish(),
  phone: z.string().nullish(),
  is_active: z.boolean().nullish(),
  transport_company_id: z.int().nullish(),
});

/** The spec shows how the body begins, not how it ends. */
const body = z.looseObject({
  payment_expected: wireMoney,
  status: z.enum([...STATUSES, 'deleted']).optional(),
  requested_pickup_date: wireDate.nullish(),
  expected_pickup_datetime: wireDateTime.nullish(),
  actual_pickup_datetime: wireDateTime.nullish(),
  requested_delivery_date: wireDate.nullish(),
  expected_delivery_datetime: wireDateTime.nullish(),
  actual_delivery_datetime: wireDateTime.nullish(),
  pickup_driver: driver,
});

const transportOrder = z.looseObject({
  number: z.string().nullish(),
  invoice_number: z.string().nullish(),
  mp_order_number: z.string().nullish(),
  transport_order_id: z.string().nullish(),
  payment_expected: wireMoney.nullish(),
  status: z.string().nullish(),
  created_on: wireDateTime.nullish(),
});

const family = { section: '2, Endpoints, Logistics', provenance: 'assumed', permission: null } as const;

export const transportOrderOperations = {
  'transport-orders.list': operation({
    ...family,
    id: 'transport-orders.list',
    summary: 'List the transport orders',
    method: 'GET',
    path: '/transportation/orders/',
    query: z.strictObject({
      ...OFFSET_QUERY,
      search: nonEmpty.optional(),
      buyer: nonEmpty.optional(),
      delivery_date: wireDate.optional(),
      pickup_date: wireDate.optional(),
      requested_date: wireDate.optional(),
      order_invoice_number: nonEmpty.optional(),
      sort_by: z.array(z.enum(SORTS)).optional(),
      status: z.array(z.enum(STATUSES)).optional(),
    }),
    answer: transportOrder,
    paging: 'offset',
  }),
  'transport-orders.get': operation({
    ...family,
    id: 'transport-orders.get',
    summary: 'Get one transport order',
    method: 'GET',
    path: '/transportation/orders/{id}/',
    pathParams: BY_ID,
    answer: transportOrder,
  }),
  'transport-orders.create': operation({
    ...family,
    id: 'transport-orders.create',
    summary: 'Create a transport order',
    method: 'POST',
    path: '/transportation/orders/',
    body,
    answer: transportOrder,
  }),
  'transport-orders.replace': operation({
    ...family,
    id: 'transport-orders.replace',
    summary: 'Update a transport order; its body is that of a create',
    method: 'PUT',
    path: '/transportation/orders/{id}/',
    pathParams: BY_ID,
    body,
    answer: transportOrder.nullable(),
  }),
} as const;
