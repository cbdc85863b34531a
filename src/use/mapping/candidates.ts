import type { Likeness } from '../../domain/alike.ts';
import { competingListings } from '../../domain/product.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { Store } from '../../store/store.ts';
import { browseProducts } from '../browse.ts';

export type Alone = { readonly listing: number } | { readonly product: string };

export interface Candidate {
  readonly id: string;
  readonly sku: string | null;
  readonly name: string | null;
  /** Why the two look alike; empty: only the search found it. */
  readonly by: readonly Likeness[];
  /** Its present link; null: none. */
  readonly linkedTo: string | null;
}

const MOST = 20;

/**
 * What a listing or product may be linked to.
 * @param search the beginning of a SKU, name or id; empty: what looks like it
 */
export async function candidatesFor(store: Store, account: string, alone: Alone, search: string): Promise<Candidate[]> {
  return 'listing' in alone
    ? productsFor(store, account, alone.listing, search)
    : listingsFor(store, account, alone.product, search);
}

async function productsFor(store: Store, account: string, listing: number, search: string): Promise<Candidate[]> {
  const { sameSku, alike } = await store.observe.productIn(account, listing, []);
  const by = new Map<string, readonly Likeness[]>(alike.map((one) => [one.id, one.by]));
  for (const { id } of sameSku) by.set(id, [...new Set<Likeness>(['sku-spelling', ...(by.get(id) ?? [])])]);
  const likely = [...by.keys()];
  const choice = { search, states: [], linked: null, sort: 'sku', after: null } as const;
  const found = search === '' ? likely : (await browseProducts(store, account, choice, MOST)).rows.map(({ id }) => id);
  return candidates(found, by, async (id) => {
    const product: StoredErpProduct | null = await store.erp.product(account, id);
    const link = await store.mappings.byErpId(account, 'product', id);
    return product && { ...product, linkedTo: link?.state === 'linked' ? link.marketplaceId : null };
  });
}

async function listingsFor(store: Store, account: string, product: string, search: string): Promise<Candidate[]> {
  const { alike, candidates: same } = await store.observe.product(account, product, []);
  const by = new Map<string, readonly Likeness[]>(alike.map((one) => [String(one.id), one.by]));
  for (const { stored } of [...same.bySku, ...same.byExternalId]) by.set(String(stored.id), ['sku-spelling']);
  const named = { beginning: true, kind: 'product' } as const;
  const found = search === '' ? [...by.keys()] : await listingsNamed();
  return candidates(found, by, async (id) => {
    const listing: StoredProduct | null = await store.products.get(account, Number(id));
    const link = await store.mappings.byMarketplaceId(account, 'product', id);
    return listing && { ...listing, linkedTo: link?.state === 'linked' ? link.erpId : null };
  });

  async function listingsNamed(): Promise<string[]> {
    const entities = await store.entities.named(account, search, named, MOST);
    return entities.flatMap(({ marketplaceId }) => marketplaceId ?? []);
  }
}

/** The listings on sale beside the one to which a product is linked. The link may be moved to one of them. */
export async function relinkCandidates(store: Store, account: string, product: string): Promise<Candidate[]> {
  const { bySku, byExternalId } = (await store.observe.product(account, product, [])).candidates;
  const stored = (found: typeof bySku) => found.map((one) => one.stored);
  const beside = competingListings({ bySku: stored(bySku), byExternalId: stored(byExternalId) });
  return beside.map(({ id, sku, name }) => ({
    id: String(id),
    sku,
    name: name ?? null,
    by: ['sku-spelling'],
    linkedTo: null,
  }));
}

type Shown = Pick<Candidate, 'linkedTo' | 'sku'> & { readonly name?: string | null | undefined };

/** Most likely first. */
async function candidates(
  ids: readonly string[],
  by: ReadonlyMap<string, readonly Likeness[]>,
  shown: (id: string) => Promise<Shown | null>,
): Promise<Candidate[]> {
  const likelyFirst = [...ids.filter((id) => by.has(id)), ...ids.filter((id) => !by.has(id))];
  const found = await Promise.all(
    likelyFirst.map(async (id) => {
      const one = await shown(id);
      return one && { id, sku: one.sku, name: one.name ?? null, by: by.get(id) ?? [], linkedTo: one.linkedTo };
    }),
  );
  return found.filter((one) => one !== null);
}

/** Listings of an order's lines without a product. */
export async function unlinkedInOrder(store: Store, account: string, number: string): Promise<number[]> {
  const lines = (await store.orders.get(account, number))?.lines ?? [];
  const ids = [...new Set(lines.map(({ productId }) => productId))];
  const links = await Promise.all(ids.map((id) => store.mappings.byMarketplaceId(account, 'product', String(id))));
  return ids.filter((_, place) => links[place]?.state !== 'linked');
}
