import { type Likeness, listingSigns, strengthOf } from '../../domain/alike.ts';
import { eachKey } from '../../store/each-key.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { AlikeListing } from '../../store/observe.ts';
import type { Store } from '../../store/store.ts';
import { UsageError } from '../faults.ts';
import type { Opened } from '../open.ts';
import { unlinkedProducts } from './unlinked.ts';

export interface Suggestion {
  readonly account: string;
  readonly listing: AlikeListing;
  readonly product: Pick<StoredErpProduct, 'id' | 'sku' | 'name'>;
  readonly by: readonly Likeness[];
  /** Neither has a better match, and a match by name alone is unique. */
  readonly isOnly: boolean;
}

/** Pairs that look alike, those with `isOnly` first. */
export async function suggestPairs(store: Store, account: string): Promise<Suggestion[]> {
  const pairs: Omit<Suggestion, 'isOnly'>[] = [];
  for await (const { id, sku, name } of unlinkedProducts(store, account)) {
    const { alike } = await store.observe.product(account, id, []);
    for (const listing of alike) pairs.push({ account, listing, product: { id, sku, name }, by: listing.by });
  }
  return judged(pairs, await sharedNames(store, account));
}

const NEVER = new AbortController().signal;

/** Names of several ERP products, including inactive and linked ones. */
async function sharedNames(store: Store, account: string): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for await (const id of eachKey(account, store.erp.productIds, NEVER)) {
    const name = nameKey((await store.erp.product(account, id))?.name ?? '');
    if (seen.has(name)) shared.add(name);
    seen.add(name);
  }
  return shared;
}

function nameKey(name: string): string {
  return listingSigns({ sku: null, name, body: '{}' }).join('');
}

function judged(pairs: readonly Omit<Suggestion, 'isOnly'>[], shared: ReadonlySet<string>): Suggestion[] {
  const ofListing = Map.groupBy(pairs, ({ listing }) => listing.id);
  const ofProduct = Map.groupBy(pairs, ({ product }) => product.id);
  const isOnly = (pair: Omit<Suggestion, 'isOnly'>): boolean => {
    const rivals = [...(ofListing.get(pair.listing.id) ?? []), ...(ofProduct.get(pair.product.id) ?? [])];
    if (pair.by.join() === 'name' && shared.has(nameKey(pair.product.name))) return false;
    return rivals.every((rival) => rival === pair || strengthOf(rival.by) < strengthOf(pair.by));
  };
  const all = pairs.map((pair) => ({ ...pair, isOnly: isOnly(pair) }));
  return [...all.filter((pair) => pair.isOnly), ...all.filter((pair) => !pair.isOnly)];
}

/** As typed: `4711=P-1`. Without a product, the listing belongs to none. */
interface NamedPair {
  readonly listingId: number;
  readonly erpId: string | null;
}

/** @throws UsageError */
export function parsePair(text: string): NamedPair {
  const [, listing, erpId] = /^([1-9]\d{0,14})(?:=(.+))?$/.exec(text) ?? [];
  if (listing === undefined) throw new UsageError(`"${text}" is no LISTING=ERP_ID, such as 4711=P-1`);
  return { listingId: Number(listing), erpId: erpId ?? null };
}

/**
 * Records that listings are not these products, or belong to none. All are checked before any is recorded.
 * @throws UsageError naming each listing that is linked to its product
 */
export async function refusePairs({ store, by }: Opened, account: string, pairs: readonly NamedPair[]): Promise<void> {
  const problems: string[] = [];
  for (const pair of pairs) {
    const problem = await whyNotRefused(store, account, pair);
    if (problem !== null) problems.push(problem);
  }
  if (problems.length > 0) throw new UsageError(problems.join('; '));
  for (const { listingId, erpId } of pairs) await store.unlinked.tellApart({ account, listingId, erpId }, by);
}

export async function reconsiderPair({ store, by }: Opened, account: string, pair: NamedPair): Promise<void> {
  await store.unlinked.forgetApart({ account, ...pair }, by);
}

async function whyNotRefused(store: Opened['store'], account: string, { listingId, erpId }: NamedPair) {
  const linked = await store.mappings.byMarketplaceId(account, 'product', String(listingId));
  if (linked?.state === 'linked' && (erpId === null || linked.erpId === erpId)) {
    const unlink = `stockbridge map unlink product --marketplace ${listingId}`;
    return `listing ${listingId} is linked to ERP product ${linked.erpId}. Unlink it first: ${unlink}`;
  }
  return null;
}

export function shownSuggestion({ account, listing, product, by, isOnly }: Suggestion) {
  return { account, listing: { id: listing.id, sku: listing.sku, name: listing.name }, product, by, only: isOnly };
}
