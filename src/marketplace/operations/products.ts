import { z } from 'zod';
import { nonEmpty } from './limits.ts';
import { NO_PARAMS, operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireDecimal, wireIntegerList, wireMoney } from './wire.ts';

const productId = z.strictObject({ id: z.int() });

/** Spec 1, Product inventory fields, and what the guides and the product list's filters name. Other fields are kept. */
const product = z.looseObject({
  id: z.int(),
  sku: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  quantity: wireDecimal.nullish(),
  reserved_qty: wireDecimal.nullish(),
  available_inventory: wireDecimal.nullish(),
  modified: wireDateTime.nullish(),
  created_on: wireDateTime.nullish(),
  listing_state: z.string().nullish(),
  archived: z.boolean().nullish(),
  wholesale_price: wireMoney.nullish(),
  unit_multiplier: wireDecimal.nullish(),
  external_ids: z.record(z.string(), z.unknown()).nullish(),
});

/** The spec shows no more of a patch's answer than the inventory fields. */
const productEcho = product.partial().nullable();

const productFields = {
  name: z.string().optional(),
  description: z.string().optional(),
  sku: z.string().optional(),
  quantity: wireDecimal.optional(),
  available_inventory: wireDecimal.optional(),
  wholesale_price: wireMoney.optional(),
  external_ids: z.record(z.string(), z.string().nullable()).optional(),
};

const instant = wireDateTime.optional();
const instants = <Field extends string>(field: Field) =>
  Object.fromEntries(['gt', 'gte', 'lt', 'lte'].map((test) => [`${field}__${test}`, instant])) as Record<
    `${Field}__${'gt' | 'gte' | 'lt' | 'lte'}`,
    typeof instant
  >;

/** Spec 2: arrays, of which it does not say how they are sent. Repeated, or separated by commas. */
const texts = z.union([nonEmpty, z.array(nonEmpty)]).optional();
const integers = z.union([wireIntegerList, z.array(z.int())]).optional();

/** Spec 2, Update multiple products: one change of all products of some product lines. */
const bulkChange = z.strictObject({
  selector: z.literal('product_line'),
  selector_values: z.array(z.int()),
  // Allowed types and fields beyond percentage_delta and retail_price are not shown.
  update_data: z.array(z.strictObject({ type: nonEmpty, field: nonEmpty, value: wireDecimal })),
});
const bulkAnswer = z.looseObject({
  updated: z.int(),
  expected: z.int(),
  /** Field name -> what went wrong, with the products that it went wrong with. */
  errors: z.record(z.string(), z.unknown()).nullish(),
});

const SECTION = '1, Endpoints, Products; 2, Products and recommendations';

export const productOperations = {
  'products.list': operation({
    id: 'products.list',
    summary: 'List the product listings',
    method: 'GET',
    path: '/products/',
    provenance: 'documented',
    permission: { anyOf: ['Products'], access: 'read' },
    section: SECTION,
    pathParams: NO_PARAMS,
    query: z.strictObject({
      ...SEARCH_QUERY,
      archived: z.boolean().optional(),
      batch_associated__isnull: z.boolean().optional(),
      base_units_per_unit__isnull: z.boolean().optional(),
      has_children: z.boolean().optional(),
      license__isnull: z.boolean().optional(),
      parent__isnull: z.boolean().optional(),
      reconcile_inventory: z.boolean().optional(),
      s2s_connected: z.boolean().optional(),
      sub_category__isnull: z.boolean().optional(),
      external_id_unmapped: z.boolean().optional(),
      brand: z.int().optional(),
      category: z.int().optional(),
      company: z.int().optional(),
      buyer: wireDecimal.optional(),
      company_slug: nonEmpty.optional(),
      display_name: nonEmpty.optional(),
      name: nonEmpty.optional(),
      listing_state: nonEmpty.optional(),
      external_id_key: nonEmpty.optional(),
      external_id_values: nonEmpty.optional(),
      external_ids: nonEmpty.optional(),
      ...instants('created_on'),
      ...instants('last_edit'),
      ...instants('modified'),
      extern_sts_ids: z.union([nonEmpty, z.array(wireDecimal)]).optional(),
      id: integers,
      license: integers,
      license__type: integers,
      parent: integers,
      product_line: integers,
      strains: integers,
      sub_category: integers,
      seller_internal_id: texts,
      sku: texts,
    }),
    body: null,
    answer: product,
    paging: 'page',
    successStatus: 200,
    effect: 'none',
  }),
  'products.create': operation({
    id: 'products.create',
    summary: 'Create a product listing, with its initial inventory level',
    method: 'POST',
    path: '/products/',
    provenance: 'documented',
    permission: { anyOf: ['Products'], access: 'write' },
    section: SECTION,
    pathParams: NO_PARAMS,
    query: NO_PARAMS,
    body: z.looseObject(productFields),
    answer: product,
    paging: null,
    successStatus: 201,
    effect: 'once',
  }),
  'products.patch': operation({
    id: 'products.patch',
    summary: 'Change a product listing: any fields, quantity or available_inventory',
    method: 'PATCH',
    path: '/products/{id}/',
    provenance: 'documented',
    permission: { anyOf: ['Products'], access: 'write' },
    section: SECTION,
    pathParams: productId,
    query: NO_PARAMS,
    body: z.looseObject(productFields),
    answer: productEcho,
    paging: null,
    successStatus: 200,
    effect: 'repeatable',
  }),
  'products.archive': operation({
    id: 'products.archive',
    summary: 'Archive a product listing',
    method: 'DELETE',
    path: '/products/{id}/',
    provenance: 'documented',
    permission: { anyOf: ['Products'], access: 'write' },
    section: SECTION,
    pathParams: productId,
    query: NO_PARAMS,
    body: null,
    // Field notes: 200 with the product, or 204 with nothing.
    answer: z.unknown(),
    paging: null,
    successStatus: 200,
    effect: 'repeatable',
  }),
  'products.bulk-update': operation({
    id: 'products.bulk-update',
    summary: 'Change all products of some product lines',
    method: 'PATCH',
    path: '/products/bulk/update/',
    provenance: 'assumed',
    permission: { anyOf: ['Products'], access: 'write' },
    section: '2, Endpoints, Products and recommendations',
    body: z.array(bulkChange),
    answer: bulkAnswer,
    // A delta that is sent twice is added twice.
    effect: 'once',
  }),
} as const;
