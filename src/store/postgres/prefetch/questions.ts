import type { ObserveStore } from '../../observe.ts';
import { findFacts } from '../../sql/cursors.ts';
import type { Readable } from '../../sql/database.ts';
import { findErpProduct } from '../../sql/erp-products.ts';
import { findUnsettled, listUnsettled } from '../../sql/intents.ts';
import { findAnyInvalid } from '../../sql/invalid-rows.ts';
import { findLatest } from '../../sql/journal.ts';
import { findProduct } from '../../sql/listings.ts';
import { findByErpId, findByMarketplaceId } from '../../sql/mappings.ts';
import { type Ask, asNumber, asText, type ColumnOf, type PrefetchPlan } from '../prefetch-plan.ts';

export type Of<Name extends keyof ObserveStore> = PrefetchPlan<Parameters<ObserveStore[Name]>>;

type Given = Readonly<Record<string, unknown>>;

export const all =
  <Row>(query: (db: Readable) => { all(of: object): readonly Row[] }) =>
  (db: Readable, of: Given): readonly Row[] =>
    query(db).all(of);

const findNamed = all(findFacts);
const findOfOne = all(findUnsettled);
const findWrites = all(findLatest);
export const findIntentsOfKind = all(listUnsettled);

export function prefetchFacts(ask: Ask, account: string, names: readonly string[]): void {
  ask(findNamed, { account, names: JSON.stringify(names) });
}

export function prefetchUnsettled(ask: Ask, account: string, kind: string, key: string | ColumnOf<string>): void {
  ask(findOfOne, { account, kind, key });
}

export function prefetchLatestWrites(ask: Ask, account: string, flow: string, key: string): void {
  ask(findWrites, { account, flow, key });
}

/** Does the list have any invalid row? Only then does the observation ask for its own ones. */
export function prefetchAnyInvalid(ask: Ask, account: string, ...collections: readonly string[]): void {
  for (const collection of collections) ask(findAnyInvalid, { account, collection });
}

/** Prefetches the listing of an ERP product. Returns the listing's id. */
export function prefetchListing(ask: Ask, account: string, erpId: string | ColumnOf<string>): ColumnOf<number> {
  const id = asNumber(ask(findByErpId, { account, kind: 'product', erpId }).marketplaceId);
  ask(findProduct, { account, id });
  return id;
}

export function prefetchProductOfListing(ask: Ask, account: string, id: ColumnOf<number>): void {
  const { erpId } = ask(findByMarketplaceId, { account, kind: 'product', marketplaceId: asText(id) });
  ask(findErpProduct, { account, id: erpId });
}
