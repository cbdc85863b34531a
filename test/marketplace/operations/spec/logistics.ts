import type { Spoken } from './notation.ts';
import { BY_ID, SEARCHED, words } from './shorthand.ts';

/** "limit, offset, ordering, search". */
const OFFSETS = { limit: 'integer 1..500', offset: 'integer 0..', ordering: 'ordering', search: 'text 1..' };
const MONEY = { 'amount!': 'number', 'currency!': 'text /^[A-Z]{3}$/', '...': 'more' };
const INT32 = 'integer -2147483648..2147483647';
const SELLER = { 'company_id!': 'integer' };

/** Spec 2, Create or update a transport order: the beginning of its body. No field of Driver is called required. */
const transportOrder = {
  'payment_expected!': MONEY,
  status: 'uploaded | created | assigned | planned | shipped | delivered | deleted',
  requested_pickup_date: 'date or null',
  expected_pickup_datetime: 'date-time or null',
  actual_pickup_datetime: 'date-time or null',
  requested_delivery_date: 'date or null',
  expected_delivery_datetime: 'date-time or null',
  actual_delivery_datetime: 'date-time or null',
  'pickup_driver!': {
    id: 'integer',
    first_name: 'text or null',
    last_name: 'text or null',
    tracking_employee_id: 'text or integer or null',
    license_number: 'text or null',
    phone: 'text or null',
    is_active: 'boolean or null',
    transport_company_id: 'integer or null',
    '...': 'more',
  },
  '...': 'more',
};

/** Spec 2, Distribution zone. Every field of a change is optional. */
const zone = (required: '!' | '') => ({
  [`owner_id${required}`]: 'integer',
  [`is_active${required}`]: 'boolean',
  [`name${required}`]: 'text 1..',
  [`facilities${required}`]: [{ 'id!': 'integer', 'name!': 'text' }],
  [`zip_codes${required}`]: [{ 'name!': 'text', 'value!': 'text', 'polygon!': '[[number]]' }],
});

/** Spec 2, Logistics. */
export const LOGISTICS_OPERATIONS: Readonly<Record<string, Spoken>> = {
  'transport-orders.list': {
    call: 'GET /transportation/orders/ (assumed)',
    needs: null,
    query: {
      ...OFFSETS,
      buyer: 'text 1..',
      delivery_date: 'date',
      pickup_date: 'date',
      requested_date: 'date',
      order_invoice_number: 'text 1..',
      sort_by: words(
        '-created_on | -display_delivery_date | -requested_pickup_date | created_on | display_delivery_date | requested_pickup_date',
      ),
      status: words('uploaded | created | assigned | planned | shipped | delivered'),
    },
    answers: 'offset',
  },
  'transport-orders.get': {
    call: 'GET /transportation/orders/{id}/ (assumed)',
    needs: null,
    path: BY_ID,
    answers: 'one',
  },
  'transport-orders.create': {
    call: 'POST /transportation/orders/ (assumed)',
    needs: null,
    body: transportOrder,
    answers: 'one',
  },
  'transport-orders.replace': {
    call: 'PUT /transportation/orders/{id}/ (assumed)',
    needs: null,
    path: BY_ID,
    body: transportOrder,
    answers: 'one',
  },

  'transport-partners.list': {
    call: 'GET /transportation/partners/ (assumed)',
    needs: null,
    query: { ...OFFSETS, company_slug: 'text 1..' },
    answers: 'offset',
  },
  'transport-partners.create': {
    call: 'POST /transportation/partners/ (assumed)',
    needs: null,
    body: { 'transport_company_id!': 'integer', company_id: 'integer' },
    answers: 'one',
  },
  'transport-partners.patch': {
    call: 'PATCH /transportation/partners/{id}/ (assumed)',
    needs: null,
    path: BY_ID,
    body: { transport_company_id: 'integer', company_id: 'integer' },
    answers: 'one',
  },
  'vehicles.list': {
    call: 'GET /transportation/vehicles/ (assumed)',
    needs: null,
    query: OFFSETS,
    answers: 'offset',
  },
  'vehicles.create': {
    call: 'POST /transportation/vehicles/ (assumed)',
    needs: null,
    body: {
      make: 'text ..255 or null',
      model_year: `${INT32} or null`,
      model_name: 'text ..255 or null',
      license_number: 'text ..15 or null',
      capacity: `${INT32} or null`,
      has_air_conditioner: 'boolean',
      state_id: 'integer',
    },
    answers: 'one',
  },

  'distribution-zones.list': {
    call: 'GET /distribution-zones/ (assumed)',
    needs: null,
    query: { ...SEARCHED, ...SELLER },
    answers: 'page',
  },
  'distribution-zones.create': {
    call: 'POST /distribution-zones/ (assumed)',
    needs: null,
    query: SELLER,
    body: zone('!'),
    answers: 'one',
  },
  'distribution-zones.get': {
    call: 'GET /distribution-zones/{id}/ (assumed)',
    needs: null,
    path: BY_ID,
    answers: 'one',
  },
  'distribution-zones.patch': {
    call: 'PATCH /distribution-zones/{id}/ (assumed)',
    needs: null,
    path: BY_ID,
    query: SELLER,
    body: { id: 'integer', ...zone('') },
    answers: 'one',
  },
};
