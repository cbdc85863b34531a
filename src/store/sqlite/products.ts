import { Decimal } from '../../domain/decimal.ts';
import type { ProductStore, StoredProduct } from '../marketplace.ts';
import { nextTick } from './cursors.ts';
import type { Queryable } from './database.ts';
import { noteDrift } from './drifts.ts';
import { and, asc, eq, gt } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { contentOf, figuresOf, findProduct, isProduct, sameContent, toStored } from './product-rows.ts';
import { built, countOf, nthNewestModified, rowsBy } from './queries.ts';
import { erpProductOf, recordProducts } from './record-products.ts';
import { products } from './tables/marketplace.ts';
import { keepUnseen } from './unseen-sales.ts';
import { markWork } from './work.ts';

/** So many listings that share a sign are looked at. */
const MAX_ALIKE = 10;
const findBySku = rowsBy(products, ['account', 'sku'], { limit: MAX_ALIKE });
const findByExternalId = rowsBy(products, ['account', 'externalId'], { limit: MAX_ALIKE });

export function listingsBySku({ db }: ReadAt, account: string, sku: string): StoredProduct[] {
  return findBySku(db, { account, sku }).map(toStored);
}

export function listingsByExternalId({ db }: ReadAt, account: string, externalId: string): StoredProduct[] {
  return findByExternalId(db, { account, externalId }).map(toStored);
}

/**
 * This many units that no known order had reserved are not reserved any more. A write of ours set the quantity, so whether
 * they were taken or released cannot be told: they count as sold.
 */
function watchGone(
  tx: Queryable,
  at: { readonly account: string; readonly listingId: number; readonly tick: number },
  shown: { readonly quantity: Decimal | null; readonly reserved: Decimal },
  gone: Decimal,
  nowMs: number,
): void {
  const { account, listingId, tick } = at;
  const erpId = erpProductOf(tx, account, String(listingId));
  const { quantity, reserved } = shown;
  if (erpId === null || quantity === null) return;
  const foretold = { quantity: quantity.plus(gone), reserved: reserved.plus(gone) };
  const seen = { tick, foretold, shown: { quantity, reserved }, certain: false, seenAtMs: nowMs };
  noteDrift(tx, { account, listingId }, seen);
  keepUnseen(tx, { account, erpId }, gone, nowMs);
  markWork(tx, { account, flow: 'stock', key: erpId }, 'poll', 'reserved by no known order, and gone', nowMs);
}

const countsOf = built(() => new Map<string, number>());

export const productReads = {
  get({ db }, account, id) {
    const row = findProduct(db, { account, id });
    return row === undefined ? null : toStored(row);
  },

  isAsKnown({ db }, account, product) {
    const before = findProduct(db, { account, id: product.id });
    if (before?.certain !== true) return false;
    const archived = product.archived ?? before.archived;
    return sameContent(before, { ...contentOf(product), archived, ...figuresOf(product.figures) });
  },

  raw({ db }, account, id) {
    return findProduct(db, { account, id })?.raw ?? null;
  },

  nthNewestModified: nthNewestModified(products),

  list({ db }, account, afterId, limit) {
    return db
      .select()
      .from(products)
      .where(and(eq(products.account, account), gt(products.id, afterId)))
      .orderBy(asc(products.id))
      .limit(limit)
      .all()
      .map(toStored);
  },

  count({ db }, account) {
    const count = countsOf(db).get(account) ?? countOf(db, products, eq(products.account, account));
    countsOf(db).set(account, count);
    return count;
  },
} satisfies Reads<ProductStore>;

export const productWrites = {
  record({ tx, nowMs }, batch) {
    const recorded = recordProducts(tx, batch, nowMs);
    if (recorded.some(({ became }) => became === 'new')) countsOf(tx).delete(batch.account);
    return recorded.filter(({ became }) => became !== 'same').map(({ id }) => id);
  },

  observeFigures({ tx, nowMs }, account, id, seen) {
    const reserved = seen.figures.reserved ?? seen.expectedReserved;

    const unexplained = reserved.minus(seen.expectedReserved);
    const before = findProduct(tx, { account, id });
    if (before === undefined) return;
    const tick = nextTick(tx, account);
    const unseen = Decimal.min(before.unseen, Decimal.max(unexplained, 0));
    const seenNow = { unexplained: unexplained.toFixed(), unseen: unseen.toFixed(), observedTick: tick };
    const row = { ...figuresOf(seen.figures), certain: true, ...seenNow };
    tx.update(products).set(row).where(isProduct(account, id)).run();
    // A read since the decision may be newer than the answer.
    const isNewer = before.observedTick === seen.observedTick;
    const gone = new Decimal(before.unseen).minus(unseen);
    const shown = { quantity: seen.figures.quantity, reserved };
    if (isNewer && gone.greaterThan(0)) watchGone(tx, { account, listingId: id, tick }, shown, gone, nowMs);
  },
} satisfies Writes<ProductStore>;
