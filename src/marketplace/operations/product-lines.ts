import { z } from 'zod';
import { BY_ID, nonEmpty, UINT31 } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime } from './wire.ts';

/** Spec 2, Endpoints, Catalog. */
const body = z.strictObject({
  name: nonEmpty.max(100),
  brand_id: z.int(),
  menu_position: UINT31.nullish(),
  product_ids: z.array(z.int()).optional(),
});

const named = z.looseObject({ id: z.int().nullish(), name: z.string().nullish() });
const productLine = z.looseObject({
  id: z.int(),
  name: z.string().nullish(),
  display_name: z.string().nullish(),
  brand: named.nullish(),
  menu_position: z.int().nullish(),
  products: z.array(named).nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});

const read = { section: '2, Endpoints, Catalog', permission: { anyOf: ['Products'], access: 'read' } } as const;
const write = { ...read, permission: { anyOf: ['Products'], access: 'write' } } as const;

export const productLineOperations = {
  'product-lines.list': operation({
    ...read,
    id: 'product-lines.list',
    summary: 'List the product lines',
    method: 'GET',
    path: '/product-lines/',
    provenance: 'documented',
    query: z.strictObject({
      ...SEARCH_QUERY,
      brand: z.int().optional(),
      company: z.int().optional(),
      company_slug: nonEmpty.optional(),
      id: z.array(z.int()).optional(),
    }),
    answer: productLine,
    paging: 'page',
  }),
  'product-lines.create': operation({
    ...write,
    id: 'product-lines.create',
    summary: 'Create a product line',
    method: 'POST',
    path: '/product-lines/',
    provenance: 'documented',
    body,
    answer: productLine,
  }),
  'product-lines.get': operation({
    ...read,
    id: 'product-lines.get',
    summary: 'Get one product line',
    method: 'GET',
    path: '/product-lines/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    answer: productLine,
  }),
  'product-lines.patch': operation({
    ...write,
    id: 'product-lines.patch',
    summary: 'Change a product line; product_ids are all of its products',
    method: 'PATCH',
    path: '/product-lines/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    body: body.partial(),
    answer: productLine.partial().nullable(),
  }),
} as const;
