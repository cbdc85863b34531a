import { z } from 'zod';
import { operations } from './define.ts';
import {
  byDefault,
  COMPANY,
  compared,
  eachField,
  integers,
  NAMED,
  nonEmpty,
  numbers,
  optional,
  row,
  shown,
  texts,
} from './fields.ts';
import { SEARCH_QUERY } from './operation.ts';
import { PLACEMENTS } from './placements.ts';
import { sentDateTime, shownMoney, wireDecimal, wireMoney, wireNumber } from './wire.ts';

/** Spec 1, Product inventory fields, and the fields in guides and filters. Other fields are kept. */
const product = row({
  ...shown.texts('sku', 'name', 'description', 'listing_state'),
  ...shown.decimals('quantity', 'reserved_qty', 'available_inventory', 'unit_multiplier'),
  ...shown.times('modified', 'created_on'),
  ...shown.flags('archived'),
  wholesale_price: shownMoney.nullish(),
  external_ids: z.record(z.string(), z.unknown()).nullish(),
});

const fields = z.looseObject({
  ...optional(z.string(), 'name', 'description', 'sku'),
  ...optional(wireNumber, 'quantity', 'available_inventory'),
  wholesale_price: wireMoney.optional(),
  external_ids: z.record(z.string(), z.string().nullable()).optional(),
});

const filters = {
  ...SEARCH_QUERY,
  ...optional(z.boolean(), 'archived', 'batch_associated__isnull', 'base_units_per_unit__isnull', 'has_children'),
  ...optional(z.boolean(), 'license__isnull', 'parent__isnull', 'reconcile_inventory', 's2s_connected'),
  ...optional(z.boolean(), 'sub_category__isnull', 'external_id_unmapped'),
  ...optional(z.int(), 'brand', 'category', 'company'),
  buyer: wireDecimal.optional(),
  ...optional(nonEmpty, 'company_slug', 'display_name', 'name', 'listing_state'),
  ...optional(nonEmpty, 'external_id_key', 'external_id_values', 'external_ids'),
  ...compared(sentDateTime, 'created_on', 'last_edit', 'modified'),
  extern_sts_ids: numbers.optional(),
  ...optional(integers, 'id', 'license', 'license__type', 'parent', 'product_line', 'strains', 'sub_category'),
  ...optional(texts, 'seller_internal_id', 'sku'),
} as const;

/** Spec 2, Update multiple products: one change of all products of some product lines. */
const bulkChange = z.strictObject({
  selector: z.literal('product_line'),
  selector_values: z.array(z.int()),
  // Types and fields other than percentage_delta and retail_price are unknown.
  update_data: z.array(z.strictObject({ type: nonEmpty, field: nonEmpty, value: wireNumber })),
});
const bulkAnswer = z.looseObject({
  ...eachField(z.int(), 'updated', 'expected'),
  /** Field name -> errors, each with its products. */
  errors: z.record(z.string(), z.unknown()).nullish(),
});

/** Spec 2, Assignment: the buyers and groups to which a product is offered, and the terms. */
const shownTerms = {
  ...shown.times('expiration_date'),
  ...shown.texts('call_to_action'),
  ...shown.decimals('quantity'),
} as const;
/** A quantity is sent back as displayed, perhaps as text. */
const sentTerms = {
  expiration_date: sentDateTime.nullish(),
  call_to_action: z.string().nullish(),
  quantity: wireDecimal.nullish(),
} as const;
const assignment = z.looseObject({
  product_id: z.int(),
  ...shown.ints('seller_id'),
  ...shown.flags('is_exclusive'),
  assigned_buyers: z.array(z.looseObject({ ...shown.ints('buyer_id'), ...shownTerms })).nullish(),
  assigned_groups: z.array(z.looseObject({ ...shown.ints('customer_group_id'), ...shownTerms })).nullish(),
});
const productWithAssignments = row({
  ...shown.texts('sku', 'name', 'listing_state'),
  ...shown.decimals('available_inventory'),
  assignments: z.array(assignment).nullish(),
});

/** Spec 2, Product tile: a product as buyers see it. */
const tile = row({
  ...shown.texts('name', 'company_name', 'display_price'),
  ...shown.ints('company_id'),
  ...shown.flags('featured', 'sold_in_bulk'),
  spotlight_badges: z.array(z.string()).nullish(),
  ...shown.decimals('sale_or_deal_price', 'discount_percent', 'unit_multiplier'),
  pricing: z.record(z.string(), shownMoney.nullable()).nullish(),
  sub_category: NAMED.nullish(),
});
const recommendation = tile.extend({ ...shown.decimals('score'), ...shown.flags('is_on_purchase_list') });

const LISTINGS = { section: '1, Endpoints, Products; 2, Products and recommendations', needs: ['Products'] } as const;
const MORE = { section: '2, Endpoints, Products and recommendations' } as const;

export const productOperations = {
  ...operations(LISTINGS, {
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
      // The spec shows only the inventory fields of a patch's answer.
      answer: product.partial().nullable(),
    },
    'products.archive': {
      call: 'DELETE /products/{id}/',
      documented: true,
      summary: 'Archive a product listing',
      // Field notes: 200 with the product, or 204 without content.
      answer: z.unknown(),
      successStatus: 200,
    },
    'products.bulk-update': {
      call: 'PATCH /products/bulk/update/',
      ...MORE,
      summary: 'Change all products of some product lines',
      body: z.array(bulkChange),
      answer: bulkAnswer,
      // Repeating a delta would add it twice.
      effect: 'once',
    },
  }),
  ...operations(MORE, {
    'products.list-with-assignments': {
      call: 'GET /products/with-assignments/',
      summary: 'List the products of a seller with their assignments to buyers and groups',
      query: {
        ...SEARCH_QUERY,
        ...COMPANY,
        archived: z.boolean().optional(),
        ...optional(integers, 'brand', 'product_line'),
        /** Comma-separated: images, volume_discounts, strains, ... */
        ...optional(nonEmpty, 'listing_state', 'include_children'),
      },
      answer: productWithAssignments,
      paging: 'page',
    },
    'product-assignments.list': {
      call: 'GET /product-assignments/',
      summary: 'List the assignments of products to buyers and groups',
      query: { ...SEARCH_QUERY, ...COMPANY, product_ids: integers.optional() },
      answer: assignment,
      paging: 'page',
    },
    'product-assignments.replace': {
      call: 'PUT /product-assignments/',
      summary: 'Set to which buyers and groups several products are assigned',
      query: COMPANY,
      body: z.strictObject({
        product_ids: z.array(z.int()),
        assigned_buyers: z.array(z.strictObject({ buyer_id: z.int(), ...sentTerms })).optional(),
        assigned_groups: z.array(z.strictObject({ customer_group_id: z.int(), ...sentTerms })).optional(),
        is_exclusive: byDefault(z.boolean(), false),
      }),
      answer: z.unknown(),
    },
    'products.dashboard': {
      call: 'GET /products/dashboard/',
      summary: 'List what the dashboard shows a buyer: new brands, deals and sponsored products',
      query: { ...SEARCH_QUERY, ...COMPANY },
      answer: tile,
      paging: 'page',
    },
    'products.recommendations': {
      call: 'GET /products/recommendations/',
      summary: 'List the products that are recommended to a buyer at a place of the marketplace',
      query: {
        ...SEARCH_QUERY,
        ...COMPANY,
        ...optional(z.int(), 'ad_count', 'product_count'),
        ...optional(nonEmpty, 'brand_id', 'subcategory'),
        ...optional(integers, 'category', 'object_id'),
        placement: z.enum(PLACEMENTS),
      },
      answer: recommendation,
      paging: 'page',
    },
  }),
} as const;
