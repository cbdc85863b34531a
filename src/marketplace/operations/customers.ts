import { z } from 'zod';
import { customerQuery } from './customer-filters.ts';
import {
  BY_ID,
  byDefault,
  decimalString,
  INT32,
  nonEmpty,
  nullableNonEmpty,
  nullableText,
  wireDate,
} from './limits.ts';
import { operation } from './operation.ts';
import { wireDateTime, wireDecimal } from './wire.ts';

/** Spec 2, Resources, Customer: request fields. */
const body = z.strictObject({
  name: nonEmpty,
  owner_id: z.int(),
  managers: z.array(z.int()).optional(),
  phone: nullableNonEmpty,
  phone_extension: nullableNonEmpty,
  website: nullableNonEmpty,
  delivery_preferences: nullableNonEmpty,
  business_license_name: nullableNonEmpty,
  description: nullableNonEmpty,
  email: z.email('expected an email address').max(255).nullish(),
  next_contact_date: wireDate.nullish(),
  tier: INT32.nullish(),
  license_number: nonEmpty.optional(),
  old_license_number: nullableText(100),
  is_license_inactive: byDefault(z.boolean(), false),
  business_identifier: nullableText(100),
  directions: nullableText(6000),
  shipping_charge: decimalString(8, 2).nullish(),
  brand: nullableText(400),
  notes: nullableText(3000),
  is_archived: byDefault(z.boolean(), false),
  is_delinquent: byDefault(z.boolean(), false),
  discount_percent: decimalString(8, 4).optional(),
  /** Integration name -> the id there; null takes it away. */
  external_ids: z.record(z.string(), z.string().nullable()).optional(),
  partner_id: z.int().optional(),
  price_schedule_id: z.int().optional(),
  service_zone_id: z.int().optional(),
  status_id: z.int().optional(),
});

/** Spec 2, Resources, Customer: Address. */
const addressBody = z.strictObject({
  address: nonEmpty.max(400),
  unit_number: z.string().max(400).optional(),
  city: nonEmpty.max(400),
  county: z.string().max(400).optional(),
  state: nonEmpty.optional(),
  zipcode: nonEmpty.max(7),
});
const address = z.looseObject({
  address: z.string().nullish(),
  unit_number: z.string().nullish(),
  city: z.string().nullish(),
  county: z.string().nullish(),
  state: z.string().nullish(),
  zipcode: z.string().nullish(),
});

const customer = z.looseObject({
  id: z.int(),
  name: z.string().nullish(),
  nickname: z.string().nullish(),
  dba: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  license_number: z.string().nullish(),
  is_archived: z.boolean().nullish(),
  discount_percent: wireDecimal.nullish(),
  shipping_charge: wireDecimal.nullish(),
  external_ids: z.record(z.string(), z.unknown()).nullish(),
  corporate_address: address.nullish(),
  delivery_address: address.nullish(),
  status: z.looseObject({ id: z.int().nullish(), state: z.string().nullish() }).nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});
const echo = customer.partial().nullable();

const read = { section: '2, Endpoints, Customers', permission: { anyOf: ['Customers'], access: 'read' } } as const;
const write = { ...read, permission: { anyOf: ['Customers'], access: 'write' } } as const;

/** Setting an address replaces it; patching changes what is sent. */
function addressOperation<const Id extends string, const Method extends 'PUT' | 'PATCH', Body extends z.ZodType>(
  id: Id,
  method: Method,
  kind: 'corporate' | 'delivery',
  sent: Body,
) {
  return operation({
    ...write,
    id,
    summary: `${method === 'PUT' ? 'Set' : 'Change'} the ${kind} address of a customer`,
    method,
    path: `/customers/{id}/${kind}-address/`,
    provenance: 'assumed',
    pathParams: BY_ID,
    body: sent,
    answer: address.nullable(),
  });
}

export const customerOperations = {
  'customers.list': operation({
    ...read,
    id: 'customers.list',
    summary: 'List the customers',
    method: 'GET',
    path: '/customers/',
    provenance: 'documented',
    query: customerQuery,
    answer: customer,
    paging: 'page',
  }),
  'customers.get': operation({
    ...read,
    id: 'customers.get',
    summary: 'Get one customer',
    method: 'GET',
    path: '/customers/{id}/',
    provenance: 'assumed',
    section: '1, Authentication, Permissions',
    pathParams: BY_ID,
    answer: customer,
  }),
  'customers.create': operation({
    ...write,
    id: 'customers.create',
    summary: 'Create a customer',
    method: 'POST',
    path: '/customers/',
    provenance: 'documented',
    body,
    answer: customer,
  }),
  'customers.replace': operation({
    ...write,
    id: 'customers.replace',
    summary: 'Replace a customer',
    method: 'PUT',
    path: '/customers/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    body,
    answer: echo,
  }),
  'customers.patch': operation({
    ...write,
    id: 'customers.patch',
    summary: 'Change a customer',
    method: 'PATCH',
    path: '/customers/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    body: body.partial(),
    answer: echo,
  }),
  'customers.delete': operation({
    ...write,
    id: 'customers.delete',
    summary: 'Delete a customer',
    method: 'DELETE',
    path: '/customers/{id}/',
    provenance: 'assumed',
    section: '1, Authentication, Permissions',
    pathParams: BY_ID,
    answer: z.unknown(),
  }),
  'customers.set-corporate-address': addressOperation(
    'customers.set-corporate-address',
    'PUT',
    'corporate',
    addressBody,
  ),
  'customers.set-delivery-address': addressOperation('customers.set-delivery-address', 'PUT', 'delivery', addressBody),
  'customers.patch-corporate-address': addressOperation(
    'customers.patch-corporate-address',
    'PATCH',
    'corporate',
    addressBody.partial(),
  ),
  'customers.patch-delivery-address': addressOperation(
    'customers.patch-delivery-address',
    'PATCH',
    'delivery',
    addressBody.partial(),
  ),
} as const;
