import { z } from 'zod';
import { BY_ID, INT32, nonEmpty, nullableText } from './limits.ts';
import { OFFSET_QUERY, operation } from './operation.ts';

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

const family = { section: '2, Endpoints, Logistics', provenance: 'assumed', permission: null } as const;
const offsetSearch = { ...OFFSET_QUERY, search: nonEmpty.optional() } as const;

export const transportPartnerOperations = {
  'transport-partners.list': operation({
    ...family,
    id: 'transport-partners.list',
    summary: 'List the transport partners',
    method: 'GET',
    path: '/transportation/partners/',
    query: z.strictObject({ ...offsetSearch, company_slug: nonEmpty.optional() }),
    answer: partner,
    paging: 'offset',
  }),
  'transport-partners.create': operation({
    ...family,
    id: 'transport-partners.create',
    summary: 'Create a transport partner',
    method: 'POST',
    path: '/transportation/partners/',
    body: partnerBody,
    answer: partner,
  }),
  'transport-partners.patch': operation({
    ...family,
    id: 'transport-partners.patch',
    summary: 'Change a transport partner',
    method: 'PATCH',
    path: '/transportation/partners/{id}/',
    pathParams: BY_ID,
    body: partnerBody.partial(),
    answer: partner.partial().nullable(),
  }),
  'vehicles.list': operation({
    ...family,
    id: 'vehicles.list',
    summary: 'List the vehicles of a transport partner',
    method: 'GET',
    path: '/transportation/vehicles/',
    query: z.strictObject(offsetSearch),
    answer: vehicle,
    paging: 'offset',
  }),
  'vehicles.create': operation({
    ...family,
    id: 'vehicles.create',
    summary: 'Create a vehicle',
    method: 'POST',
    path: '/transportation/vehicles/',
    body: z.strictObject({
      make: nullableText(255),
      model_year: INT32.nullish(),
      model_name: nullableText(255),
      license_number: nullableText(15),
      capacity: INT32.nullish(),
      has_air_conditioner: z.boolean().optional(),
      state_id: z.int().optional(),
    }),
    answer: vehicle,
  }),
} as const;
