import { z } from 'zod';
import { operations, records } from './define.ts';
import {
  byDefault,
  compared,
  decimalString,
  INT32,
  nonEmpty,
  nullableNonEmpty,
  nullableText,
  textFilter,
  wireDate,
} from './limits.ts';
import { SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireDecimal, wireIntegerList } from './wire.ts';

/** Spec 2, Resources, Customer: request fields. */
const customerBody = z.strictObject({
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

/** Spec 2, Customers, List filter parameters. */
const filters = {
  ...SEARCH_QUERY,
  ...textFilter('address'),
  ...textFilter('brand'),
  ...textFilter('business_identifier'),
  ...textFilter('business_license_name'),
  ...textFilter('dba'),
  ...textFilter('ein'),
  ...textFilter('email'),
  ...textFilter('ext_acct_id'),
  ...textFilter('external_id'),
  ...textFilter('name'),
  ...textFilter('nickname'),
  ...textFilter('old_license_number'),
  ...textFilter('phone'),
  ...textFilter('website'),
  ext_acct_id__isnull: z.boolean().optional(),
  ...compared('created_on', wireDateTime),
  ...compared('modified', wireDateTime),
  ...compared('discount_percent', wireDecimal),
  ...compared('next_contact_date', wireDate),
  archived: z.boolean().optional(),
  delinquent: z.boolean().optional(),
  is_archived: z.boolean().optional(),
  service_source: z.boolean().optional(),
  license_inactive: z.boolean().optional(),
  external_id_unmapped: z.boolean().optional(),
  external_id_key: nonEmpty.optional(),
  external_id_values: nonEmpty.optional(),
  license_number: nonEmpty.optional(),
  license_type: nonEmpty.optional(),
  company_slug: nonEmpty.optional(),
  owner__slug: nonEmpty.optional(),
  id: z.array(z.int()).optional(),
  id__in: z.array(z.int()).optional(),
  owner: z.int().optional(),
  partner: z.int().optional(),
  payment_term: wireIntegerList.optional(),
  price_schedule: wireIntegerList.optional(),
  service_zone: wireIntegerList.optional(),
  state: wireIntegerList.optional(),
  status: wireIntegerList.optional(),
  tier: wireIntegerList.optional(),
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
    'customers.set-corporate-address': {
      call: 'PUT /customers/{id}/corporate-address/',
      summary: 'Set the corporate address of a customer',
      body: addressBody,
      answer: address.nullable(),
    },
    'customers.set-delivery-address': {
      call: 'PUT /customers/{id}/delivery-address/',
      summary: 'Set the delivery address of a customer',
      body: addressBody,
      answer: address.nullable(),
    },
    'customers.patch-corporate-address': {
      call: 'PATCH /customers/{id}/corporate-address/',
      summary: 'Change the corporate address of a customer',
      body: addressBody.partial(),
      answer: address.nullable(),
    },
    'customers.patch-delivery-address': {
      call: 'PATCH /customers/{id}/delivery-address/',
      summary: 'Change the delivery address of a customer',
      body: addressBody.partial(),
      answer: address.nullable(),
    },
  }),
} as const;
