import { z } from 'zod';
import { operations } from './define.ts';
import { byDefault, compared, nonEmpty } from './limits.ts';
import { SEARCH_QUERY } from './operation.ts';
import { PLACEMENTS } from './placements.ts';
import { wireDateTime, wireDecimal, wireIntegerList, wireMoney } from './wire.ts';

/** Spec 1, Product inventory fields, and the fields that the guides and the filters name. Other fields are kept. */
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

const fields = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  sku: z.string().optional(),
  quantity: wireDecimal.optional(),
  available_inventory: wireDecimal.optional(),
  wholesale_price: wireMoney.optional(),
  external_ids: z.record(z.string(), z.string().nullable()).optional(),
});

/** Spec 2: arrays, of which it does not say how they are sent. Repeated, or separated by commas. */
const texts = z.union([nonEmpty, z.array(nonEmpty)]).optional();
const integers = z.union([wireIntegerList, z.array(z.int())]).optional();
const flag = z.boolean().optional();

const filters = {
  ...SEARCH_QUERY,
  archived: flag,
  batch_associated__isnull: flag,
  base_units_per_unit__isnull: flag,
  has_children: flag,
  license__isnull: flag,
  parent__isnull: flag,
  reconcile_inventory: flag,
  s2s_connected: flag,
  sub_category__isnull: flag,
  external_id_unmapped: flag,
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
  ...compared('created_on', wireDateTime),
  ...compared('last_edit', wireDateTime),
  ...compared('modified', wireDateTime),
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
} as const;

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

/** Spec 2, Product tile: a product as a buyer is shown it. */
const tile = z.looseObject({
  id: z.int(),
  name: z.string().nullish(),
  company_id: z.int().nullish(),
  company_name: z.string().nullish(),
  featured: z.boolean().nullish(),
  spotlight_badges: z.array(z.string()).nullish(),
  display_price: z.string().nullish(),
  sale_or_deal_price: wireDecimal.nullish(),
  discount_percent: wireDecimal.nullish(),
  pricing: z.record(z.string(), wireMoney.nullable()).nullish(),
  sub_category: z.looseObject({ id: z.int().nullish(), name: z.string().nullish() }).nullish(),
  sold_in_bulk: z.boolean().nullish(),
  unit_multiplier: wireDecimal.nullish(),
});
const recommendation = tile.extend({ score: wireDecimal.nullish(), is_on_purchase_list: z.boolean().nullish() });

const section = '2, Endpoints, Products and recommendations';
const company = { company_id: z.int() } as const;

export const productOperations = {
  ...operations(
    { section: '1, Endpoints, Products; 2, Products and recommendations', needs: ['Products'] },
    {
      'products.list': {
        call: 'GET /products/',
        documented: true,
        summary: 'List the product listings',
        query: filters,
        answer: product,
        paging: 'page',
      },
      'products.create': {
        call: 'POST /products/',
        documented: true,
        summary: 'Create a product listing, with its initial inventory level',
        body: fields,
        answer: product,
      },
      'products.patch': {
        call: 'PATCH /products/{id}/',
        documented: true,
        summary: 'Change a product listing: any fields, quantity or available_inventory',
        body: fields,
        // The spec shows no more of a patch's answer than the inventory fields.
        answer: product.partial().nullable(),
      },
      'products.archive': {
        call: 'DELETE /products/{id}/',
        documented: true,
        summary: 'Archive a product listing',
        // Field notes: 200 with the product, or 204 with nothing.
        answer: z.unknown(),
        successStatus: 200,
      },
      'products.bulk-update': {
        call: 'PATCH /products/bulk/update/',
        section,
        summary: 'Change all products of some product lines',
        body: z.array(bulkChange),
        answer: bulkAnswer,
        // A delta that is sent twice is added twice.
        effect: 'once',
      },
    },
  ),
  ...operations(
    { section },
    {
      'products.list-with-assignments': {
        call: 'GET /products/with-assignments/',
        summary: 'List the products of a seller with their assignments to buyers and groups',
        query: {
          ...SEARCH_QUERY,
          ...company,
          archived: flag,
          brand: wireIntegerList.optional(),
          /** Separated by commas, as are the names of include_children: images, volume_discounts, strains, ... */
          listing_state: nonEmpty.optional(),
          product_line: wireIntegerList.optional(),
          include_children: nonEmpty.optional(),
        },
        answer: productWithAssignments,
        paging: 'page',
      },
      'product-assignments.list': {
        call: 'GET /product-assignments/',
        summary: 'List the assignments of products to buyers and groups',
        query: { ...SEARCH_QUERY, ...company, product_ids: wireIntegerList.optional() },
        answer: assignment,
        paging: 'page',
      },
      'product-assignments.replace': {
        call: 'PUT /product-assignments/',
        summary: 'Set to which buyers and groups several products are assigned',
        query: company,
        body: z.strictObject({
          product_ids: z.array(z.int()),
          assigned_buyers: z.array(z.strictObject({ buyer_id: z.int(), ...terms })).optional(),
          assigned_groups: z.array(z.strictObject({ customer_group_id: z.int(), ...terms })).optional(),
          is_exclusive: byDefault(z.boolean(), false),
        }),
        answer: z.unknown(),
      },
      'products.dashboard': {
        call: 'GET /products/dashboard/',
        summary: 'List what the dashboard shows a buyer: new brands, deals and sponsored products',
        query: { ...SEARCH_QUERY, ...company },
        answer: tile,
        paging: 'page',
      },
      'products.recommendations': {
        call: 'GET /products/recommendations/',
        summary: 'List the products that are recommended to a buyer at a place of the marketplace',
        query: {
          ...SEARCH_QUERY,
          ...company,
          ad_count: z.int().optional(),
          product_count: z.int().optional(),
          brand_id: nonEmpty.optional(),
          category: z.array(z.int()).optional(),
          object_id: z.array(z.int()).optional(),
          placement: z.enum(PLACEMENTS),
          subcategory: nonEmpty.optional(),
        },
        answer: recommendation,
        paging: 'page',
      },
    },
  ),
} as const;
