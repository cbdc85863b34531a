import { z } from 'zod';
import { operations, records } from './define.ts';
import { INT32, nonEmpty, nullableText, wireDate } from './limits.ts';
import { OFFSET_QUERY, SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireDecimal, wireMoney } from './wire.ts';

/** Spec 2, Distribution zone. */
const zoneFields = {
  owner_id: z.int(),
  is_active: z.boolean(),
  name: nonEmpty,
  facilities: z.array(z.strictObject({ id: z.int(), name: z.string() })),
  /** A polygon is a ring of coordinates. */
  zip_codes: z.array(z.strictObject({ name: z.string(), value: z.string(), polygon: z.array(z.array(wireDecimal)) })),
} as const;

const zone = z.looseObject({
  id: z.int(),
  is_active: z.boolean().nullish(),
  name: z.string().nullish(),
  facilities: z.array(z.looseObject({ id: z.int().nullish(), name: z.string().nullish() })).nullish(),
  zip_codes: z.array(z.looseObject({ name: z.string().nullish(), value: z.string().nullish() })).nullish(),
});

const company = { company_id: z.int() } as const;

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
const transportBody = z.looseObject({
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

const partnerBody = z.strictObject({ transport_company_id: z.int(), company_id: z.int().optional() });
const partner = z.looseObject({
  id: z.int(),
  company: z.looseObject({ id: z.int().nullish(), name: z.string().nullish() }).nullish(),
  transport_company: z.looseObject({ name: z.string().nullish() }).nullish(),
});

const vehicle = z.looseObject({
  id: z.int(),
  make: z.string().nullish(),
  model_year: z.int().nullish(),
  model_name: z.string().nullish(),
  license_number: z.string().nullish(),
  capacity: z.int().nullish(),
  has_air_conditioner: z.boolean().nullish(),
  state: z.looseObject({ id: z.int().nullish(), abbr: z.string().nullish(), name: z.string().nullish() }).nullish(),
});

const family = { section: '2, Endpoints, Logistics' } as const;
const offsetSearch = { ...OFFSET_QUERY, search: nonEmpty.optional() } as const;

export const logisticsOperations = {
  ...operations(family, {
    'distribution-zones.list': {
      call: 'GET /distribution-zones/',
      summary: 'List the distribution zones of a seller',
      query: { ...SEARCH_QUERY, ...company },
      answer: zone,
      paging: 'page',
    },
    'distribution-zones.create': {
      call: 'POST /distribution-zones/',
      summary: 'Create a distribution zone',
      query: company,
      body: z.strictObject(zoneFields),
      answer: zone,
    },
    'distribution-zones.get': {
      call: 'GET /distribution-zones/{id}/',
      summary: 'Get one distribution zone',
      answer: zone,
    },
    'distribution-zones.patch': {
      call: 'PATCH /distribution-zones/{id}/',
      summary: 'Change a distribution zone',
      query: company,
      body: z.strictObject({ id: z.int(), ...zoneFields }).partial(),
      answer: zone.partial().nullable(),
    },
  }),
  ...records('transport-orders', ['list', 'get', 'create', 'replace'], {
    ...family,
    path: '/transportation/orders/',
    one: 'transport order',
    row: transportOrder,
    body: transportBody,
    filters: {
      ...offsetSearch,
      buyer: nonEmpty.optional(),
      delivery_date: wireDate.optional(),
      pickup_date: wireDate.optional(),
      requested_date: wireDate.optional(),
      order_invoice_number: nonEmpty.optional(),
      sort_by: z.array(z.enum(SORTS)).optional(),
      status: z.array(z.enum(STATUSES)).optional(),
    },
    paging: 'offset',
    summaries: { replace: 'Update a transport order; its body is that of a create' },
  }),
  ...records('transport-partners', ['list', 'create', 'patch'], {
    ...family,
    path: '/transportation/partners/',
    one: 'transport partner',
    row: partner,
    body: partnerBody,
    filters: { ...offsetSearch, company_slug: nonEmpty.optional() },
    paging: 'offset',
  }),
  ...records('vehicles', ['list', 'create'], {
    ...family,
    path: '/transportation/vehicles/',
    one: 'vehicle',
    many: 'vehicles of a transport partner',
    row: vehicle,
    body: z.strictObject({
      make: nullableText(255),
      model_year: INT32.nullish(),
      model_name: nullableText(255),
      license_number: nullableText(15),
      capacity: INT32.nullish(),
      has_air_conditioner: z.boolean().optional(),
      state_id: z.int().optional(),
    }),
    filters: offsetSearch,
    paging: 'offset',
  }),
} as const;
