import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { Store } from '../../store/store.ts';
import type { UnlinkedCounts, UnlinkedListing } from '../../store/unlinked.ts';

/** The numbers of listings on sale and of sold products without a link, as they were read last. For `status` and `plan`. */
export function unlinkedCounts(store: Store, account: string): Promise<UnlinkedCounts> {
  return store.unlinked.counts(account);
}

const PAGE = 500;
/** The store answers without a pause. A loop over all rows gives way to other work after this many rows. */
const TURN_EVERY_ROWS = 20;

async function* givingWay<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const [index, row] of rows.entries()) {
    if (index % TURN_EVERY_ROWS === 0) await nextTurn();
    yield row;
  }
}

/** Every listing on sale that nothing is linked to. */
export async function* unlinkedListings(store: Store, account: string): AsyncGenerator<UnlinkedListing> {
  for (let after = 0; ; ) {
    const page = await store.unlinked.listings(account, after, PAGE);
    yield* givingWay(page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

/** Every product that the ERP sells and that nothing is linked to. */
export async function* unlinkedProducts(store: Store, account: string): AsyncGenerator<StoredErpProduct> {
  for (let after = ''; ; ) {
    const page = await store.unlinked.products(account, after, PAGE);
    yield* givingWay(page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

/** A listing that stands alone, as JSON shows it. */
export function shownListing({ id, sku, name, figures, isApart }: UnlinkedListing) {
  return { id, sku, name: name ?? null, available: figures.available?.toFixed() ?? null, refused: isApart };
}
