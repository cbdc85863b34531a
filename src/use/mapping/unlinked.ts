import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { Store } from '../../store/store.ts';
import type { UnlinkedListing } from '../../store/unlinked.ts';
import { eachRow } from '../each-row.ts';

const PAGE = 500;
/** The store answers without a pause, so a long loop yields to other work after this many rows. */
const TURN_EVERY_ROWS = 20;

async function* givingWay<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let index = 0;
  for await (const row of rows) {
    if (index % TURN_EVERY_ROWS === 0) await nextTurn();
    index += 1;
    yield row;
  }
}

export function unlinkedListings({ unlinked }: Store, account: string): AsyncGenerator<UnlinkedListing> {
  return givingWay(eachRow<UnlinkedListing>((last) => unlinked.listings(account, last?.id ?? 0, PAGE)));
}

export function unlinkedProducts({ unlinked }: Store, account: string): AsyncGenerator<StoredErpProduct> {
  return givingWay(eachRow<StoredErpProduct>((last) => unlinked.products(account, last?.id ?? '', PAGE)));
}

export function shownListing({ id, sku, name, figures, isApart }: UnlinkedListing) {
  return { id, sku, name: name ?? null, available: figures.available?.toFixed() ?? null, refused: isApart };
}
