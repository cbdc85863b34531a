import { z } from 'zod';
import { byDefault, nonEmpty } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireDecimal, wireIntegerList } from './wire.ts';

/** Spec 2, Assignment: to whom a product is offered, and on what terms. */
const terms = {
  expiration_date: wireDateTime.nullish(),
  call_to_action: z.string().nullish(),
  quantity: wireDecimal.nullish(),
} as const;

const assignment = z.looseObject({
  product_id: z.int(),
  seller_id: z.int().nullish(),
  is_exclusive: z.boolean().nullish(),
  assigned_buyers: z.array(z.looseObject({ buyer_id: z.int().nullish(), ...terms })).nullish(),
  assigned_groups: z.array(z.looseObject({ customer_group_id: z.int().nullish(), ...terms })).nullish(),
});

const productWithAssignments = z.looseObject({
  id: z.int(),
  sku: z.string().nullish(),
  name: z.string().nullish(),
  listing_state: z.string().nullish(),
  available_inventory: wireDecimal.nullish(),
  assignments: z.array(assignment).nullish(),
});

const family = {
  section: '2, Endpoints, Products and recommendations',
  provenance: 'assumed',
  permission: null,
} as const;
const company = { company_id: z.int() } as const;

export const productAssignmentOperations = {
  'products.list-with-assignments': operation({
    ...family,
    id: 'products.list-with-assignments',
    summary: 'List the products of a seller with their assignments to buyers and groups',
    method: 'GET',
    path: '/products/with-assignments/',
    query: z.strictObject({
      ...SEARCH_QUERY,
      ...company,
      archived: z.boolean().optional(),
      brand: wireIntegerList.optional(),
      /** Separated by commas, as are the names of include_children: images, volume_discounts, strains, ... */
      listing_state: nonEmpty.optional(),
      product_line: wireIntegerList.optional(),
      include_children: nonEmpty.optional(),
    }),
    answer: productWithAssignments,
    paging: 'page',
  }),
  'product-assignments.list': operation({
    ...family,
    id: 'product-assignments.list',
    summary: 'List the assignments of products to buyers and groups',
    method: 'GET',
    path: '/product-assignments/',
    query: z.strictObject({ ...SEARCH_QUERY, ...company, product_ids: wireIntegerList.optional() }),
    answer: assignment,
    paging: 'page',
  }),
  'product-assignments.replace': operation({
    ...family,
    id: 'product-assignments.replace',
    summary: 'Set to which buyers and groups several products are assigned',
    method: 'PUT',
    path: '/product-assignments/',
    query: z.strictObject(company),
    body: z.strictObject({
      product_ids: z.array(z.int()),
      assigned_buyers: z.array(z.strictObject({ buyer_id: z.int(), ...terms })).optional(),
      assigned_groups: z.array(z.strictObject({ customer_group_id: z.int(), ...terms })).optional(),
      is_exclusive: byDefault(z.boolean(), false),
    }),
    answer: z.unknown(),
  }),
} as const;
