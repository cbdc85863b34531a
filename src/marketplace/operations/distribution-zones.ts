import { z } from 'zod';
import { BY_ID, nonEmpty } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDecimal } from './wire.ts';

const fields = {
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

const family = { section: '2, Endpoints, Logistics', provenance: 'assumed', permission: null } as const;
const company = { company_id: z.int() } as const;

export const distributionZoneOperations = {
  'distribution-zones.list': operation({
    ...family,
    id: 'distribution-zones.list',
    summary: 'List the distribution zones of a seller',
    method: 'GET',
    path: '/distribution-zones/',
    query: z.strictObject({ ...SEARCH_QUERY, ...company }),
    answer: zone,
    paging: 'page',
  }),
  'distribution-zones.create': operation({
    ...family,
    id: 'distribution-zones.create',
    summary: 'Create a distribution zone',
    method: 'POST',
    path: '/distribution-zones/',
    query: z.strictObject(company),
    body: z.strictObject(fields),
    answer: zone,
  }),
  'distribution-zones.get': operation({
    ...family,
    id: 'distribution-zones.get',
    summary: 'Get one distribution zone',
    method: 'GET',
    path: '/distribution-zones/{id}/',
    pathParams: BY_ID,
    answer: zone,
  }),
  'distribution-zones.patch': operation({
    ...family,
    id: 'distribution-zones.patch',
    summary: 'Change a distribution zone',
    method: 'PATCH',
    path: '/distribution-zones/{id}/',
    pathParams: BY_ID,
    query: z.strictObject(company),
    body: z.strictObject({ id: z.int(), ...fields }).partial(),
    answer: zone.partial().nullable(),
  }),
} as const;
