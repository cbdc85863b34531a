import { z } from 'zod';
import { operations, records } from './define.ts';
import {
  byDefault,
  COMPANY,
  DATED,
  eachField,
  integers,
  NAMED,
  nonEmpty,
  optional,
  row,
  shown,
  texts,
  UINT31,
  WHOLE_QUERY,
  wireDate,
  wordsOf,
} from './fields.ts';
import { SEARCH_QUERY } from './operation.ts';
import { PLACEMENTS } from './placements.ts';
import { shownMoney, wireFile } from './wire.ts';

/** Spec 2, Resources, Brand and sponsorship; the fields after sponsorship are unknown. */
const brand = row({ ...shown.texts('name'), sponsorship: z.looseObject({}).nullish() });

const content = (parts: Record<string, z.ZodType>) => z.looseObject({ content: z.looseObject(parts) });
const sponsorships = z.looseObject(eachField(z.array(z.unknown()).nullish(), 'banners', 'listing', 'skyscrapers'));

/** Spec 2, Catalog records: descriptions of products. Read-only. */
const category = row(shown.texts('name', 'slug', 'description'));
const dosageUnit = row({ ...shown.texts('name', 'unit', 'description'), ...DATED });
/** Lists of choices return all rows at once. */
const choices = {
  query: WHOLE_QUERY,
  answer: z.looseObject({ value: z.union([z.string(), z.int()]), ...shown.texts('display_value') }),
  paging: 'array',
} as const;

const productLine = row({
  ...shown.texts('name', 'display_name'),
  brand: NAMED.nullish(),
  ...shown.ints('menu_position'),
  products: z.array(NAMED).nullish(),
  ...DATED,
});

/** Spec 2, Resources, Product image. */
const place = {
  ...eachField(z.int(), 'product', 'position'),
  /** In pixels. */
  ...eachField(UINT31.nullish(), 'crop_x', 'crop_y', 'crop_w', 'crop_h'),
} as const;

const productImage = row({ product: z.int(), ...shown.ints('position'), ...DATED });
const created = productImage.pick({ id: true });

const promotion = row({
  ...shown.texts('ads_provider_id', 'status', 'period', 'start_date', 'end_date', 'approver_email'),
  ...eachField(shownMoney.nullish(), 'max_cpc', 'max_budget', 'budget_per_period'),
  ...eachField(NAMED.nullish(), 'brand', 'company', 'billing_company'),
  products: z.array(z.int()).nullish(),
});

const needs = ['Products'] as const;
const BUYERS = ['Orders', 'Products'] as const;
const BARE = { section: '1, Authentication, Permissions', needs } as const;
const CATALOG = { section: '2, Endpoints, Catalog' } as const;
const IMAGES = { section: '2, Endpoints, Product images', needs } as const;
const BRANDS = { section: '2, Endpoints, Brands and sponsorship' } as const;

export const catalogOperations = {
  ...records('brands', ['list', 'get'], { ...BRANDS, needs: BUYERS, one: 'brand', row: brand }),
  ...operations(BRANDS, {
    'brands.list-recently-purchased': {
      call: 'GET /brands/recommended/recently-purchased/',
      needs: BUYERS,
      summary: 'List recommended brands that a company purchased recently',
      query: { ...COMPANY, ...SEARCH_QUERY },
      answer: brand,
      paging: 'page',
    },
    'shop-brands.get': {
      call: 'GET /shop-brands/',
      summary: 'Get the brands and sponsorships of the shop brands page',
      query: {
        ...COMPANY,
        ...SEARCH_QUERY,
        ancillary_type: z.enum(['all', 'preferred']).optional(),
        /** The categories are slugs. */
        ...optional(texts, 'badge', 'category'),
        has_ordered_from: z.boolean().optional(),
        payment_method: wordsOf(['direct_pay', 'flex_pay', 'payment_on_sell_through']).optional(),
      },
      // The rows are spread over the parts of a shop page, so this is not a list.
      answer: content({ sponsorships: sponsorships.nullish(), collection: z.array(z.unknown()).nullish() }).extend({
        count: z.int().min(0).nullish(),
      }),
    },
    'sponsorship-content.get': {
      call: 'GET /sponsorship-content/',
      summary: 'Get the sponsored content for places on the pages',
      query: { ...COMPANY, placement: wordsOf(PLACEMENTS) },
      answer: content({ sponsorships: sponsorships.nullish() }),
    },
  }),
  ...records('product-categories', ['list', 'get'], {
    ...CATALOG,
    needs,
    one: 'category of products',
    many: 'categories of products',
    row: category,
  }),
  ...records('product-subcategories', ['list', 'get'], {
    ...BARE,
    one: 'subcategory of products',
    many: 'subcategories of products',
  }),
  ...records('dosage-units', ['list', 'get'], {
    ...CATALOG,
    one: 'unit that doses are measured in',
    many: 'units that doses are measured in',
    row: dosageUnit,
  }),
  ...operations(CATALOG, {
    'grow-operation-types.list': {
      call: 'GET /grow-operation-types/',
      summary: 'List the types of grow operations',
      ...choices,
    },
    'listing-states.list': {
      call: 'GET /listing-states/',
      summary: 'List the states that a product listing can be in',
      ...choices,
    },
  }),
  ...records('product-lines', ['list', 'create', 'get', 'patch'], {
    ...CATALOG,
    needs,
    one: 'product line',
    row: productLine,
    body: z.strictObject({
      name: nonEmpty.max(100),
      brand_id: z.int(),
      menu_position: UINT31.nullish(),
      product_ids: z.array(z.int()).optional(),
    }),
    filters: {
      ...SEARCH_QUERY,
      ...optional(z.int(), 'brand', 'company'),
      company_slug: nonEmpty.optional(),
      id: integers.optional(),
    },
    summaries: { patch: 'Change a product line; product_ids are all of its products' },
  }),
  ...records('product-images', ['list', 'get', 'delete'], {
    ...IMAGES,
    one: 'product image',
    many: 'images of products',
    row: productImage,
    filters: {
      ...SEARCH_QUERY,
      ...optional(z.int(), 'company', 'product'),
      company_slug: nonEmpty.optional(),
      ...optional(integers, 'id', 'product__id'),
    },
  }),
  ...operations(IMAGES, {
    'product-images.create': {
      call: 'POST /product-images/',
      documented: true,
      summary: 'Add an image to a product',
      bodyEncoding: 'multipart',
      body: z.strictObject({ image: wireFile, ...place }),
      answer: created,
    },
    'product-images.clone': {
      call: 'POST /product-images/{id}/clone/',
      summary: 'Use an image for another product as well',
      body: z.strictObject(place),
      answer: created,
    },
    'product-images.upload': {
      call: 'POST /product-images/bulk/',
      summary: 'Add several images to a product at once',
      bodyEncoding: 'multipart',
      body: z
        .strictObject({
          product_id: z.int(),
          images: z.array(wireFile).min(1),
          /** The position of each image, in the same order. */
          positions: z.array(z.int()).min(1),
        })
        .refine(({ images, positions }) => images.length === positions.length, {
          path: ['positions'],
          message: 'expected one position for each image',
        }),
      answer: z.unknown(),
    },
  }),
  ...records('strains', ['list', 'get', 'create'], { ...BARE, one: 'strain' }),
  ...records('batches', ['list', 'get', 'create', 'patch', 'delete'], { ...BARE, one: 'batch', many: 'batches' }),
  ...records('batch-documents', ['list', 'get', 'create', 'delete'], {
    ...BARE,
    one: 'document of a batch',
    many: 'documents of batches',
  }),
  ...records('product-batches', ['list', 'get', 'create', 'delete'], {
    ...BARE,
    one: 'assignment of a batch to a product',
    many: 'assignments of batches to products',
  }),
  // Spec 1, Permissions: licenses need Read & Write.
  ...records('licenses', ['list', 'get'], { ...BARE, access: 'write', one: 'license' }),
  ...records('promotions', ['list'], { ...CATALOG, one: 'promotion', many: 'promotions of products', row: promotion }),
  ...operations(CATALOG, {
    'promotions.create': {
      call: 'POST /promotions/',
      summary: 'Create a promotion of products',
      // Three more required objects, whose names and shapes the spec does not show.
      body: z.looseObject({
        ads_provider_id: nonEmpty.optional(),
        status: z.enum(['Pending', 'Approved', 'Completed']),
        period: byDefault(z.enum(['Daily', 'Weekly', 'Monthly']), 'Weekly'),
        start_date: wireDate,
        end_date: wireDate.nullish(),
      }),
      answer: z.unknown(),
    },
  }),
} as const;
