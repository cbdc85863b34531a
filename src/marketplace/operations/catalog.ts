import { z } from 'zod';
import { bareFamily } from './bare-family.ts';
import { BY_ID, nonEmpty } from './limits.ts';
import { operation, PAGE_QUERY, SEARCH_QUERY } from './operation.ts';
import { wireDateTime } from './wire.ts';

/** Spec 2, Catalog records: what products are described with. They are read, never written. */
const named = z.looseObject({ id: z.int(), name: z.string().nullish() });
const category = named.extend({ slug: z.string().nullish(), description: z.string().nullish() });
const dosageUnit = named.extend({
  unit: z.string().nullish(),
  description: z.string().nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});
const choice = z.looseObject({ value: z.union([z.string(), z.int()]), display_value: z.string().nullish() });

const section = '2, Endpoints, Catalog';
const products = { permission: { anyOf: ['Products'], access: 'read' } } as const;
const subcategories = bareFamily('product-subcategories', ['Products'], {
  one: 'subcategory of products',
  many: 'subcategories of products',
});
const search = z.strictObject(SEARCH_QUERY);
/** Their rows come all at once. */
const choices = {
  section,
  method: 'GET',
  provenance: 'assumed',
  permission: null,
  query: z.strictObject({ ordering: PAGE_QUERY.ordering, search: nonEmpty.optional() }),
  answer: choice,
  paging: 'array',
} as const;

export const catalogOperations = {
  'product-categories.list': operation({
    ...products,
    section,
    id: 'product-categories.list',
    summary: 'List the categories of products',
    method: 'GET',
    path: '/product-categories/',
    provenance: 'documented',
    query: search,
    answer: category,
    paging: 'page',
  }),
  'product-categories.get': operation({
    ...products,
    section,
    id: 'product-categories.get',
    summary: 'Get one category of products',
    method: 'GET',
    path: '/product-categories/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    answer: category,
  }),
  'product-subcategories.list': subcategories.list,
  'product-subcategories.get': subcategories.get,
  'dosage-units.list': operation({
    section,
    id: 'dosage-units.list',
    summary: 'List the units that doses are measured in',
    method: 'GET',
    path: '/dosage-units/',
    provenance: 'assumed',
    permission: null,
    query: search,
    answer: dosageUnit,
    paging: 'page',
  }),
  'dosage-units.get': operation({
    section,
    id: 'dosage-units.get',
    summary: 'Get one unit that doses are measured in',
    method: 'GET',
    path: '/dosage-units/{id}/',
    provenance: 'assumed',
    permission: null,
    pathParams: BY_ID,
    answer: dosageUnit,
  }),
  'grow-operation-types.list': operation({
    ...choices,
    id: 'grow-operation-types.list',
    summary: 'List the types of grow operations',
    path: '/grow-operation-types/',
  }),
  'listing-states.list': operation({
    ...choices,
    id: 'listing-states.list',
    summary: 'List the states that a product listing can be in',
    path: '/listing-states/',
  }),
} as const;
