import { z } from 'zod';
import { operations, records } from './define.ts';
import {
  byDefault,
  compared,
  DATED,
  decimalString,
  eachField,
  INT32,
  integers,
  nonEmpty,
  nullableText,
  optional,
  row,
  shown,
  textFilters,
  wireDate,
} from './fields.ts';
import { SEARCH_QUERY } from './operation.ts';
import { sentDateTime, shownDecimalOrNone, wireDecimal } from './wire.ts';

/** Spec 2, Resources, Customer: request fields. */
const customerBody = z.strictObject({
  name: nonEmpty,
  owner_id: z.int(),
  managers: z.array(z.int()).optional(),
  ...eachField(nonEmpty.nullish(), 'phone', 'phone_extension', 'website', 'delivery_preferences'),
  ...eachField(nonEmpty.nullish(), 'business_license_name', 'description'),
  email: z.email('expected an email address').max(255).nullish(),
  next_contact_date: wireDate.nullish(),
  tier: INT32.nullish(),
  license_number: nonEmpty.optional(),
  old_license_number: nullableText(100),
  business_identifier: nullableText(100),
  directions: nullableText(6000),
  shipping_charge: decimalString(8, 2).nullish(),
  brand: nullableText(400),
  notes: nullableText(3000),
  ...eachField(byDefault(z.boolean(), false), 'is_license_inactive', 'is_archived', 'is_delinquent'),
  discount_percent: decimalString(8, 4).optional(),
  /** Integration name -> the id there; null removes the id. */
  external_ids: z.record(z.string(), z.string().nullable()).optional(),
  ...optional(z.int(), 'partner_id', 'price_schedule_id', 'service_zone_id', 'status_id'),
});

export const CUSTOMER_FIELDS: readonly string[] = Object.keys(customerBody.shape);

/** Spec 2, Resources, Customer: Address. */
const addressBody = z.strictObject({
  address: nonEmpty.max(400),
  unit_number: z.string().max(400).optional(),
  city: nonEmpty.max(400),
  county: z.string().max(400).optional(),
  state: nonEmpty.optional(),
  zipcode: nonEmpty.max(7),
});
const address = z.looseObject(shown.texts('address', 'unit_number', 'city', 'county', 'state', 'zipcode'));

const customer = row({
  ...shown.texts('name', 'nickname', 'dba', 'email', 'phone', 'license_number'),
  ...shown.flags('is_archived'),
  ...eachField(shownDecimalOrNone.nullish(), 'discount_percent', 'shipping_charge'),
  external_ids: z.record(z.string(), z.unknown()).nullish(),
  ...eachField(address.nullish(), 'corporate_address', 'delivery_address'),
  status: z.looseObject({ ...shown.ints('id'), ...shown.texts('state') }).nullish(),
  ...DATED,
});

/** Spec 2, Customers, List filter parameters. */
const filters = {
  ...SEARCH_QUERY,
  ...textFilters('address', 'brand', 'business_identifier', 'business_license_name', 'dba', 'ein', 'email'),
  ...textFilters('ext_acct_id', 'external_id', 'name', 'nickname', 'old_license_number', 'phone', 'website'),
  ...compared(sentDateTime, 'created_on', 'modified'),
  ...compared(wireDecimal, 'discount_percent'),
  ...compared(wireDate, 'next_contact_date'),
  ...optional(z.boolean(), 'archived', 'delinquent', 'is_archived', 'service_source', 'license_inactive'),
  ...optional(z.boolean(), 'ext_acct_id__isnull', 'external_id_unmapped'),
  ...optional(nonEmpty, 'external_id_key', 'external_id_values', 'license_number', 'license_type'),
  ...optional(nonEmpty, 'company_slug', 'owner__slug'),
  ...optional(integers, 'id', 'id__in'),
  ...optional(z.int(), 'owner', 'partner'),
  ...optional(integers, 'payment_term', 'price_schedule', 'service_zone', 'state', 'status', 'tier'),
} as const;

const family = { section: '2, Endpoints, Customers', needs: ['Customers'] } as const;

export const customerOperations = {
  ...records('customers', ['list', 'get', 'create', 'replace', 'patch', 'delete'], {
    ...family,
    one: 'customer',
    row: customer,
    body: customerBody,
    filters,
    createAnswersRow: true,
  }),
  ...operations(family, {
    'customers.set-corporate-address': ofAddress('Set', 'PUT', 'corporate', addressBody),
    'customers.set-delivery-address': ofAddress('Set', 'PUT', 'delivery', addressBody),
    'customers.patch-corporate-address': ofAddress('Change', 'PATCH', 'corporate', addressBody.partial()),
    'customers.patch-delivery-address': ofAddress('Change', 'PATCH', 'delivery', addressBody.partial()),
  }),
} as const;

function ofAddress<Body extends z.ZodType>(verb: string, method: 'PUT' | 'PATCH', kind: string, body: Body) {
  return {
    call: `${method} /customers/{id}/${kind}-address/`,
    summary: `${verb} the ${kind} address of a customer`,
    body,
    answer: address.nullable(),
  } as const;
}
