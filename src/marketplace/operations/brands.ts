import { z } from 'zod';
import { BY_ID, nonEmpty } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { PLACEMENTS } from './placements.ts';

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

const read = {
  section: '2, Endpoints, Brands and sponsorship',
  permission: { anyOf: ['Orders', 'Products'], access: 'read' },
} as const;
/** The company that looks. */
const viewed = z.strictObject({ company_id: z.int() });

export const brandOperations = {
  'brands.list': operation({
    ...read,
    id: 'brands.list',
    summary: 'List the brands',
    method: 'GET',
    path: '/brands/',
    provenance: 'documented',
    query: z.strictObject(SEARCH_QUERY),
    answer: brand,
    paging: 'page',
  }),
  'brands.get': operation({
    ...read,
    id: 'brands.get',
    summary: 'Get one brand',
    method: 'GET',
    path: '/brands/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    answer: brand,
  }),
  'brands.list-recently-purchased': operation({
    ...read,
    id: 'brands.list-recently-purchased',
    summary: 'List recommended brands that a company purchased recently',
    method: 'GET',
    path: '/brands/recommended/recently-purchased/',
    provenance: 'assumed',
    query: viewed.extend(SEARCH_QUERY),
    answer: brand,
    paging: 'page',
  }),
  'shop-brands.get': operation({
    ...read,
    id: 'shop-brands.get',
    summary: 'Get the brands and sponsorships of the shop brands page',
    method: 'GET',
    path: '/shop-brands/',
    provenance: 'assumed',
    permission: null,
    query: viewed.extend({
      ...SEARCH_QUERY,
      ancillary_type: z.enum(['all', 'preferred']).optional(),
      badge: z.array(nonEmpty).optional(),
      /** Slugs. */
      category: z.array(nonEmpty).optional(),
      has_ordered_from: z.boolean().optional(),
      payment_method: z.array(z.enum(['direct_pay', 'flex_pay', 'payment_on_sell_through'])).optional(),
    }),
    // Its rows are spread over the page's parts, so it is no list of one kind.
    answer: content({ sponsorships: sponsorships.nullish(), collection: z.array(z.unknown()).nullish() }).extend({
      count: z.int().min(0).nullish(),
    }),
  }),
  'sponsorship-content.get': operation({
    ...read,
    id: 'sponsorship-content.get',
    summary: 'Get the sponsored content for places on the pages',
    method: 'GET',
    path: '/sponsorship-content/',
    provenance: 'assumed',
    permission: null,
    query: viewed.extend({ placement: z.array(z.enum(PLACEMENTS)).min(1) }),
    answer: content({ sponsorships: sponsorships.omit({ listing: true }).nullish() }),
  }),
} as const;
