import { z } from 'zod';
import { BY_ID, nonEmpty, nullableText, wireColour } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';

/** Spec 2, Resources, Customer status. */
const body = z.strictObject({
  state: nonEmpty.max(40),
  /** Lower comes first. */
  order: z.int().min(1).max(2_147_483_647).optional(),
  description: nullableText(1500),
  /** The company that created it. */
  owner: z.int().nullish(),
  is_stock: z.boolean().optional(),
  hex_color: wireColour.nullish(),
});

export const customerStatus = z.looseObject({
  id: z.int(),
  state: z.string(),
  order: z.int().nullish(),
  description: z.string().nullish(),
  owner: z.int().nullish(),
  is_stock: z.boolean().nullish(),
  hex_color: z.string().nullish(),
});
const echo = customerStatus.partial().nullable();

const read = {
  section: '2, Endpoints, Customer statuses',
  permission: { anyOf: ['Customers'], access: 'read' },
} as const;
const write = { ...read, permission: { anyOf: ['Customers'], access: 'write' } } as const;

export const customerStatusOperations = {
  'customer-statuses.list': operation({
    ...read,
    id: 'customer-statuses.list',
    summary: 'List the statuses that customers can have',
    method: 'GET',
    path: '/customer-statuses/',
    provenance: 'documented',
    query: z.strictObject({
      ...SEARCH_QUERY,
      company_slug: nonEmpty.optional(),
      description: nonEmpty.optional(),
      hex_color: nonEmpty.optional(),
      id: z.int().optional(),
      is_stock: z.boolean().optional(),
      order: z.int().optional(),
      owner: z.int().optional(),
      state: nonEmpty.optional(),
    }),
    answer: customerStatus,
    paging: 'page',
  }),
  'customer-statuses.get': operation({
    ...read,
    id: 'customer-statuses.get',
    summary: 'Get one customer status',
    method: 'GET',
    path: '/customer-statuses/{id}/',
    provenance: 'assumed',
    section: '1, Authentication, Permissions',
    pathParams: BY_ID,
    answer: customerStatus,
  }),
  'customer-statuses.create': operation({
    ...write,
    id: 'customer-statuses.create',
    summary: 'Create a customer status',
    method: 'POST',
    path: '/customer-statuses/',
    provenance: 'documented',
    body,
    answer: customerStatus.pick({ id: true }),
  }),
  'customer-statuses.replace': operation({
    ...write,
    id: 'customer-statuses.replace',
    summary: 'Replace a customer status',
    method: 'PUT',
    path: '/customer-statuses/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    body,
    answer: echo,
  }),
  'customer-statuses.patch': operation({
    ...write,
    id: 'customer-statuses.patch',
    summary: 'Change a customer status',
    method: 'PATCH',
    path: '/customer-statuses/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    body: body.partial(),
    answer: echo,
  }),
  'customer-statuses.delete': operation({
    ...write,
    id: 'customer-statuses.delete',
    summary: 'Delete a customer status',
    method: 'DELETE',
    path: '/customer-statuses/{id}/',
    provenance: 'assumed',
    section: '1, Authentication, Permissions',
    pathParams: BY_ID,
    answer: z.unknown(),
  }),
} as const;
