import type { Filter } from '../list-query.ts';
import type { Market } from '../market.ts';
import { refuse } from '../refusal.ts';
import { type Family, field } from './family.ts';
import { fieldsOf, findRecord } from './rows.ts';

export const COMPANY_FAMILIES: readonly Family[] = [
  { name: 'companies', searched: [field('name'), field('slug')] },
  { name: 'company-staff', searched: [field('first_name'), field('last_name'), field('email')] },
  { name: 'license-types' },
];

/** The key's own company counts as well, even when a setting gave the key a company that has no record. */
export function isCompany(market: Market, id: unknown): boolean {
  return id === market.settings().sellerId || findRecord(market, 'companies', id) !== undefined;
}

/** The filter by a company: every record here is the seller's. */
export const ofCompany: Filter = (id, _all, market) =>
  id === market.settings().sellerId ? null : { sql: '0', values: [] };

/** The filter by the slug of a company. */
export const ofCompanySlug: Filter = (slug, _all, market) => {
  const seller = findRecord(market, 'companies', market.settings().sellerId);
  return seller && fieldsOf(seller)['slug'] === slug ? null : { sql: '0', values: [] };
};

/** The company that looks must be the key's own. @throws Refusal 403 or 404, as the setting says */
export function checkViewer(market: Market, company: unknown): number {
  const { sellerId, forbiddenStatus } = market.settings();
  if (company !== sellerId) throw refuse(forbiddenStatus, 'Not a company of this key.');
  return sellerId;
}
