import { z } from 'zod';
import { byDefault, nonEmpty, wireDate } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireMoney } from './wire.ts';

/** Spec 2, States and transitions, Promotion. */
const PROMOTION_STATUSES = ['Pending', 'Approved', 'Completed'] as const;
const PROMOTION_PERIODS = ['Daily', 'Weekly', 'Monthly'] as const;

const named = z.looseObject({ id: z.int().nullish(), name: z.string().nullish() });
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

const family = {
  section: '2, Endpoints, Catalog',
  path: '/promotions/',
  provenance: 'assumed',
  permission: null,
} as const;

export const promotionOperations = {
  'promotions.list': operation({
    ...family,
    id: 'promotions.list',
    summary: 'List the promotions of products',
    method: 'GET',
    query: z.strictObject(SEARCH_QUERY),
    answer: promotion,
    paging: 'page',
  }),
  'promotions.create': operation({
    ...family,
    id: 'promotions.create',
    summary: 'Create a promotion of products',
    method: 'POST',
    // Three more objects are required; the spec shows neither their names nor their shapes.
    body: z.looseObject({
      ads_provider_id: nonEmpty.optional(),
      status: z.enum(PROMOTION_STATUSES),
      period: byDefault(z.enum(PROMOTION_PERIODS), 'Weekly'),
      start_date: wireDate,
      end_date: wireDate.nullish(),
    }),
    answer: z.unknown(),
  }),
} as const;
