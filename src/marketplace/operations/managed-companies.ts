import { z } from 'zod';
import { pathText } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireDecimal } from './wire.ts';

/** Spec 2, Resources, Company (managed company) and Legal entity. */
const company = z.looseObject({
  id: z.string(),
  dba: z.string().nullish(),
  legal_entity: z.looseObject({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
  has_linked_bank_account: z.boolean().nullish(),
});

/** Spec 2, Resources, License. */
const license = z.looseObject({
  id: z.string(),
  number: z.string().nullish(),
  state: z.looseObject({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
  verification_status: z.string().nullish(),
  verification_date: wireDateTime.nullish(),
  issued_date: wireDateTime.nullish(),
  expiration_date: wireDateTime.nullish(),
  type: z.string().nullish(),
});

/** Spec 2, Resources, Cashback statistics. */
const cashback = z.looseObject({
  buyer_cashback_invoice_count: z.int(),
  buyer_cashback_potential_earnings: wireDecimal,
});

const common = {
  section: '2, Endpoints, Payments and contracts',
  method: 'GET',
  provenance: 'assumed',
  permission: null,
} as const;
const BY_SLUG = z.strictObject({ marketplace_slug: pathText });

export const managedCompanyOperations = {
  'managed-companies.list': operation({
    ...common,
    id: 'managed-companies.list',
    summary: 'List the companies that the caller administers',
    path: '/managed-companies/',
    query: z.strictObject(SEARCH_QUERY),
    answer: company,
    paging: 'page',
  }),
  'managed-companies.get': operation({
    ...common,
    id: 'managed-companies.get',
    summary: 'Get one managed company by its id',
    path: '/managed-companies/{id}/',
    pathParams: z.strictObject({ id: z.guid('expected a UUID') }),
    answer: company,
  }),
  'managed-companies.get-by-slug': operation({
    ...common,
    id: 'managed-companies.get-by-slug',
    summary: 'Get one managed company by its name on the marketplace',
    path: '/managed-companies/by-slug/{marketplace_slug}/',
    pathParams: BY_SLUG,
    answer: company,
  }),
  'managed-companies.cashback-statistics': operation({
    ...common,
    id: 'managed-companies.cashback-statistics',
    summary: 'Get the cashback that a company has and may earn',
    path: '/managed-companies/by-slug/{marketplace_slug}/cashback-statistics/',
    pathParams: BY_SLUG,
    answer: cashback,
  }),
  'managed-companies.list-licenses': operation({
    ...common,
    id: 'managed-companies.list-licenses',
    summary: 'List the licenses of a company',
    path: '/managed-companies/{id}/licenses/',
    pathParams: z.strictObject({ id: pathText }),
    query: z.strictObject(SEARCH_QUERY),
    answer: license,
    paging: 'page',
  }),
} as const;
