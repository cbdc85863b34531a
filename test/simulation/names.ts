import { createPairs } from './pairs.ts';
import type { Sides } from './sides.ts';

/** The names that each thing has had in the story: listings, SKUs and products of the ERP, and the orders of both sides. */
export function createNames({ marketplace, erp }: Sides) {
  const listings = new Map<number, Set<string>>();
  const products = new Map<string, Set<string>>();
  const orders = new Map<string, Set<string>>();
  /** Since when a listing shows a SKU. */
  const shownSinceMs = new Map<string, number>();
  const pairOf = createPairs();
  const add = <Key>(to: Map<Key, Set<string>>, key: Key, name: string) =>
    to.set(key, (to.get(key) ?? new Set()).add(name));
  const skusOf = (own: ReadonlySet<string>): ReadonlySet<string> =>
    [...products.values()].filter((skus) => !skus.isDisjointFrom(own)).reduce((all, skus) => all.union(skus), own);

  return {
    note(shown: ReadonlyMap<number, { readonly sku: string }>, atMs: number): void {
      for (const [id, { sku }] of shown) {
        add(listings, id, sku);
        if (!shownSinceMs.has(sku)) shownSinceMs.set(sku, atMs);
      }
      for (const { id, sku } of erp.books.products({ limit: '1000' }).items) add(products, id, sku);
    },
    /** To be called after people did something. */
    noteOrders(): void {
      const all = erp.books.orderList({ limit: '1000' }, null).items;
      for (const order of marketplace.orderContents()) {
        const pair = pairOf(all, order);
        if (pair !== undefined) add(orders, order.number, pair.id);
      }
    },
    /** The last SKU of a listing that may be gone. */
    lastSku: (id: number): string | undefined => [...(listings.get(id) ?? [])].at(-1),
    /** Was the SKU on a listing before this moment? */
    isShown: (sku: string, beforeMs: number): boolean => (shownSinceMs.get(sku) ?? Number.POSITIVE_INFINITY) < beforeMs,
    /** The SKUs of all products for which a listing may stand: of one alone, unless people moved SKUs. */
    of: (id: number, shown: string): ReadonlySet<string> => skusOf(new Set([...(listings.get(id) ?? []), shown])),
    /** Did the ERP's product ever have this SKU? */
    wasCalled: (id: string, sku: string): boolean => products.get(id)?.has(sku) ?? false,
    /** Everything that this SKU, listing, product or order of the ERP, or order number was called. */
    around(name: string): ReadonlySet<string> {
      const found = new Set([name]);
      for (let size = 0; size < found.size; ) {
        size = found.size;
        for (const group of [listings, products, orders])
          for (const [key, all] of group)
            if (found.has(String(key)) || !all.isDisjointFrom(found))
              for (const one of [String(key), ...all]) found.add(one);
      }
      return found;
    },
  };
}

export type Names = ReturnType<typeof createNames>;
