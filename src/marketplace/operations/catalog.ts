import { z } from 'zod';
import { operations, records } from './define.ts';
import { byDefault, nonEmpty, UINT31, wireDate } from './limits.ts';
import { PAGE_QUERY, SEARCH_QUERY } from './operation.ts';
import { PLACEMENTS } from './placements.ts';
import { wireDateTime, wireFile, wireMoney } from './wire.ts';

/** Spec 2, Resources, Brand and sponsorship; the fields after sponsorship are not shown. */
const brand = z.looseObject({
  id: z.int(),
  name: z.string().nullish(),
  sponsorship: z.looseObject({}).nullish(),
});

const content = (parts: Record<string, z.ZodType>) => z.looseObject({ content: z.looseObject(parts) });
const sponsorships = z.looseObject({
  banners: z.array(z.unknown()).nullish(),
  listing: z.array(z.unknown()).nullish(),
  skyscrapers: z.array(z.unknown()).nullish(),
});

/** The company that looks. */
const viewed = { company_id: z.int() } as const;

/** Spec 2, Catalog records: the records that describe products. They are read, never written. */
const described = z.looseObject({ id: z.int(), name: z.string().nullish() });
const category = described.extend({ slug: z.string().nullish(), description: z.string().nullish() });
const dosageUnit = described.extend({
  unit: z.string().nullish(),
  description: z.string().nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});
/** The rows of a list of choices come all at once. */
const choices = {
  query: { ordering: PAGE_QUERY.ordering, search: nonEmpty.optional() },
  answer: z.looseObject({ value: z.union([z.string(), z.int()]), display_value: z.string().nullish() }),
  paging: 'array',
} as const;

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

/** Spec 2, Resources, Product image. */
const place = {
  product: z.int(),
  position: z.int(),
  /** The crop box, in pixels. */
  crop_x: UINT31.nullish(),
  crop_y: UINT31.nullish(),
  crop_w: UINT31.nullish(),
  crop_h: UINT31.nullish(),
} as const;

const productImage = z.looseObject({
  id: z.int(),
  product: z.int(),
  position: z.int().nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});
const created = productImage.pick({ id: true });

const promotion = z.looseObject({
  id: z.int(),
  ads_provider_id: z.string().nullish(),
  status: z.string().nullish(),
  period: z.string().nullish(),
  start_date: z.string().nullish(),
  end_date: z.string().nullish(),
  max_cpc: wireMoney.nullish(),
  max_budget: wireMoney.nullish(),
  budget_per_period: wireMoney.nullish(),
  approver_email: z.string().nullish(),
  brand: named.nullish(),
  company: named.nullish(),
  billing_company: named.nullish(),
  products: z.array(z.int()).nullish(),
});

const needs = ['Products'] as const;
const BARE = { section: '1, Authentication, Permissions', needs } as const;
const section = '2, Endpoints, Catalog';
const IMAGES = '2, Endpoints, Product images';
const BRANDS = '2, Endpoints, Brands and sponsorship';

export const catalogOperations = {
  ...records('brands', ['list', 'get'], { section: BRANDS, needs: ['Orders', 'Products'], one: 'brand', row: brand }),
  ...operations(
    { section: BRANDS },
    {
      'brands.list-recently-purchased': {
        call: 'GET /brands/recommended/recently-purchased/',
        needs: ['Orders', 'Products'],
        summary: 'List recommended brands that a company purchased recently',
        query: { ...viewed, ...SEARCH_QUERY },
        answer: brand,
        paging: 'page',
      },
      'shop-brands.get': {
        call: 'GET /shop-brands/',
        summary: 'Get the brands and sponsorships of the shop brands page',
        query: {
          ...viewed,
          ...SEARCH_QUERY,
          ancillary_type: z.enum(['all', 'preferred']).optional(),
          badge: z.array(nonEmpty).optional(),
          /** Slugs. */
          category: z.array(nonEmpty).optional(),
          has_ordered_from: z.boolean().optional(),
          payment_method: z.array(z.enum(['direct_pay', 'flex_pay', 'payment_on_sell_through'])).optional(),
        },
        // Its rows are spread over the page's parts, so it is no list of one kind.
        answer: content({ sponsorships: sponsorships.nullish(), collection: z.array(z.unknown()).nullish() }).extend({
          count: z.int().min(0).nullish(),
        }),
      },
      'sponsorship-content.get': {
        call: 'GET /sponsorship-content/',
        summary: 'Get the sponsored content for places on the pages',
        query: { ...viewed, placement: z.array(z.enum(PLACEMENTS)).min(1) },
        answer: content({ sponsorships: sponsorships.omit({ listing: true }).nullish() }),
      },
    },
  ),
  ...records('product-categories', ['list', 'get'], {
    section,
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
    section,
    one: 'unit that doses are measured in',
    many: 'units that doses are measured in',
    row: dosageUnit,
  }),
  ...operations(
    { section },
    {
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
    },
  ),
  ...records('product-lines', ['list', 'create', 'get', 'patch'], {
    section,
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
      brand: z.int().optional(),
      company: z.int().optional(),
      company_slug: nonEmpty.optional(),
      id: z.array(z.int()).optional(),
    },
    summaries: { patch: 'Change a product line; product_ids are all of its products' },
  }),
  ...records('product-images', ['list', 'get', 'delete'], {
    section: IMAGES,
    needs,
    one: 'product image',
    many: 'images of products',
    row: productImage,
    filters: {
      ...SEARCH_QUERY,
      company: z.int().optional(),
      company_slug: nonEmpty.optional(),
      id: z.array(z.int()).optional(),
      product: z.int().optional(),
      product__id: z.array(z.int()).optional(),
    },
  }),
  ...operations(
    { section: IMAGES, needs },
    {
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
    },
  ),
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
  // Spec 1, Permissions: only Read & Write grants to see licenses.
  ...records('licenses', ['list', 'get'], { ...BARE, access: 'write', one: 'license' }),
  ...operations(
    { section },
    {
      'promotions.list': {
        call: 'GET /promotions/',
        summary: 'List the promotions of products',
        query: SEARCH_QUERY,
        answer: promotion,
        paging: 'page',
      },
      'promotions.create': {
        call: 'POST /promotions/',
        summary: 'Create a promotion of products',
        // Three more objects are required; the spec shows neither their names nor their shapes.
        body: z.looseObject({
          ads_provider_id: nonEmpty.optional(),
          status: z.enum(['Pending', 'Approved', 'Completed']),
          period: byDefault(z.enum(['Daily', 'Weekly', 'Monthly']), 'Weekly'),
          start_date: wireDate,
          end_date: wireDate.nullish(),
        }),
        answer: z.unknown(),
      },
    },
  ),
} as const;
