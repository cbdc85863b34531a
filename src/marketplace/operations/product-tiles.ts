import { z } from 'zod';
import { nonEmpty } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { PLACEMENTS } from './placements.ts';
import { wireDecimal, wireMoney } from './wire.ts';

/** Spec 2, Product tile: what a buyer is shown of a product. */
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

const family = {
  section: '2, Endpoints, Products and recommendations',
  method: 'GET',
  provenance: 'assumed',
  permission: null,
  paging: 'page',
} as const;
const forCompany = { ...SEARCH_QUERY, company_id: z.int() } as const;

export const productTileOperations = {
  'products.dashboard': operation({
    ...family,
    id: 'products.dashboard',
    summary: 'List what the dashboard shows a buyer: new brands, deals and sponsored products',
    path: '/products/dashboard/',
    query: z.strictObject(forCompany),
    answer: tile,
  }),
  'products.recommendations': operation({
    ...family,
    id: 'products.recommendations',
    summary: 'List the products that are recommended to a buyer at a place of the marketplace',
    path: '/products/recommendations/',
    query: z.strictObject({
      ...forCompany,
      ad_count: z.int().optional(),
      product_count: z.int().optional(),
      brand_id: nonEmpty.optional(),
      category: z.array(z.int()).optional(),
      object_id: z.array(z.int()).optional(),
      placement: z.enum(PLACEMENTS),
      subcategory: nonEmpty.optional(),
    }),
    answer: recommendation,
  }),
} as const;
