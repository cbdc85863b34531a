import { z } from 'zod';
import { BY_ID, nonEmpty, nullableText } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime } from './wire.ts';

const status = z.enum(['active', 'archived']);

/** Spec 2, Resources, Customer group. */
const body = z.strictObject({
  name: nonEmpty.max(256),
  description: nullableText(512),
  /** Ids. */
  customers: z.array(z.int()).optional(),
  status: status.optional(),
});

const customerGroup = z.looseObject({
  id: z.int(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  customers: z.array(z.int()).nullish(),
  status: z.string().nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});

const common = { section: '2, Endpoints, Customer groups', provenance: 'assumed', permission: null } as const;

/** The company that looks, which the spec's two variants of list and get both take. */
const COMPANY = { company_id: z.int() } as const;
const IN_COMPANY = z.strictObject(COMPANY);
const IN_COMPANY_BY_ID = BY_ID.extend(COMPANY);
const filters = { ...SEARCH_QUERY, status: status.optional() } as const;

export const customerGroupOperations = {
  'customer-groups.list': operation({
    ...common,
    id: 'customer-groups.list',
    summary: 'List the customer groups of a brand owner company',
    method: 'GET',
    path: '/companies/{company_id}/customer-groups/',
    pathParams: IN_COMPANY,
    query: z.strictObject(filters),
    answer: customerGroup,
    paging: 'page',
  }),
  'customer-groups.list-unified': operation({
    ...common,
    id: 'customer-groups.list-unified',
    summary: 'List customer groups, as the unified list shows them',
    method: 'GET',
    path: '/customer-groups/',
    query: IN_COMPANY.extend(filters),
    answer: customerGroup,
    paging: 'page',
  }),
  'customer-groups.get': operation({
    ...common,
    id: 'customer-groups.get',
    summary: 'Get one customer group of a brand owner company',
    method: 'GET',
    path: '/companies/{company_id}/customer-groups/{id}/',
    pathParams: IN_COMPANY_BY_ID,
    answer: customerGroup,
  }),
  'customer-groups.get-unified': operation({
    ...common,
    id: 'customer-groups.get-unified',
    summary: 'Get one customer group of the unified list',
    method: 'GET',
    path: '/customer-groups/{id}/',
    pathParams: BY_ID,
    query: IN_COMPANY,
    answer: customerGroup,
  }),
  'customer-groups.create': operation({
    ...common,
    id: 'customer-groups.create',
    summary: 'Create a customer group',
    method: 'POST',
    path: '/companies/{company_id}/customer-groups/',
    pathParams: IN_COMPANY,
    body,
    answer: customerGroup.pick({ id: true }),
  }),
  'customer-groups.patch': operation({
    ...common,
    id: 'customer-groups.patch',
    summary: 'Change a customer group',
    method: 'PATCH',
    path: '/companies/{company_id}/customer-groups/{id}/',
    pathParams: IN_COMPANY_BY_ID,
    body: body.partial(),
    answer: customerGroup.partial().nullable(),
  }),
  'customer-groups.delete': operation({
    ...common,
    id: 'customer-groups.delete',
    summary: 'Delete a customer group',
    method: 'DELETE',
    path: '/companies/{company_id}/customer-groups/{id}/',
    pathParams: IN_COMPANY_BY_ID,
    answer: z.unknown(),
  }),
} as const;
