import { z } from 'zod';
import { operations, records } from './define.ts';
import {
  COMPANY,
  eachField,
  INT32,
  NAMED,
  nonEmpty,
  nullableText,
  optional,
  row,
  shown,
  wireDate,
  wordsOf,
} from './fields.ts';
import { OFFSET_QUERY, SEARCH_QUERY } from './operation.ts';
import { sentDateTime, shownMoney, wireMoney, wireNumber } from './wire.ts';

/** Spec 2, Distribution zone. */
const zoneFields = {
  owner_id: z.int(),
  is_active: z.boolean(),
  name: nonEmpty,
  facilities: z.array(z.strictObject({ id: z.int(), name: z.string() })),
  /** A polygon is a ring of coordinates. */
  zip_codes: z.array(z.strictObject({ name: z.string(), value: z.string(), polygon: z.array(z.array(wireNumber)) })),
} as const;

const zone = row({
  ...shown.flags('is_active'),
  ...shown.texts('name'),
  facilities: z.array(NAMED).nullish(),
  zip_codes: z.array(z.looseObject(shown.texts('name', 'value'))).nullish(),
});

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
  ...shown.texts('first_name', 'last_name', 'license_number', 'phone'),
  tracking_employee_id: z.union([z.string(), z.int()]).nullish(),
  ...shown.flags('is_active'),
  ...shown.ints('transport_company_id'),
});

/** The spec shows only the beginning of the body. */
const transportBody = z.looseObject({
  payment_expected: wireMoney,
  status: z.enum([...STATUSES, 'deleted']).optional(),
  ...eachField(wireDate.nullish(), 'requested_pickup_date', 'requested_delivery_date'),
  ...eachField(sentDateTime.nullish(), 'expected_pickup_datetime', 'actual_pickup_datetime'),
  ...eachField(sentDateTime.nullish(), 'expected_delivery_datetime', 'actual_delivery_datetime'),
  pickup_driver: driver,
});

const transportOrder = z.looseObject({
  ...shown.texts('number', 'invoice_number', 'mp_order_number', 'transport_order_id', 'status'),
  payment_expected: shownMoney.nullish(),
  ...shown.times('created_on'),
});

const partnerBody = z.strictObject({ transport_company_id: z.int(), company_id: z.int().optional() });
const partner = row({ company: NAMED.nullish(), transport_company: z.looseObject(shown.texts('name')).nullish() });

const vehicle = row({
  ...shown.texts('make', 'model_name', 'license_number'),
  ...shown.ints('model_year', 'capacity'),
  ...shown.flags('has_air_conditioner'),
  state: z.looseObject({ ...shown.ints('id'), ...shown.texts('abbr', 'name') }).nullish(),
});

const family = { section: '2, Endpoints, Logistics' } as const;
const offsetSearch = { ...OFFSET_QUERY, search: nonEmpty.optional() } as const;

export const logisticsOperations = {
  ...operations(family, {
    'distribution-zones.list': {
      call: 'GET /distribution-zones/',
      summary: 'List the distribution zones of a seller',
      query: { ...SEARCH_QUERY, ...COMPANY },
      answer: zone,
      paging: 'page',
    },
    'distribution-zones.create': {
      call: 'POST /distribution-zones/',
      summary: 'Create a distribution zone',
      query: COMPANY,
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
      query: COMPANY,
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
      ...optional(nonEmpty, 'buyer', 'order_invoice_number'),
      ...optional(wireDate, 'delivery_date', 'pickup_date', 'requested_date'),
      sort_by: wordsOf(SORTS).optional(),
      status: wordsOf(STATUSES).optional(),
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
      ...eachField(nullableText(255), 'make', 'model_name'),
      ...eachField(INT32.nullish(), 'model_year', 'capacity'),
      license_number: nullableText(15),
      has_air_conditioner: z.boolean().optional(),
      state_id: z.int().optional(),
    }),
    filters: offsetSearch,
    paging: 'offset',
  }),
} as const;
