import { isAsKnown } from '../../domain/shadow/listing.ts';
import { withAnswer } from '../../domain/shadow/listing-read.ts';
import type { ProductStore, StoredProduct } from '../marketplace.ts';
import { nextTick } from './cursors.ts';
import type { Database, Queryable } from './database.ts';
import { findProduct, loadListing, productsOf, saveListing, toStored } from './listings.ts';
import { and, asc, eq, gt, sql } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { built, countOf, nthNewestModified, rowsBy, rowsWhere } from './queries.ts';
import { recordProducts } from './record-products.ts';
import { orderLines, products } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';

/** The most listings examined that share a sign. */
const MAX_ALIKE = 10;
export const findListingsBySku = rowsBy(products, ['account', 'sku'], { limit: MAX_ALIKE });
export const findListingsByExternalId = rowsBy(products, ['account', 'externalId'], { limit: MAX_ALIKE });

export function listingsBySku({ db }: ReadAt, account: string, sku: string): StoredProduct[] {
  return findListingsBySku(db, { account, sku }).map(toStored);
}

export function listingsByExternalId({ db }: ReadAt, account: string, externalId: string): StoredProduct[] {
  return findListingsByExternalId(db, { account, externalId }).map(toStored);
}

const findUnlinked = built((db) => {
  const { account, productId } = orderLines;
  const isLinked = sql`exists (select 1 from ${mappings} where ${mappings.account} = ${account} and ${mappings.kind} = 'product' and ${mappings.state} = 'linked' and ${mappings.marketplaceId} = cast(${productId} as text))`;
  return db
    .selectDistinct({ id: productId })
    .from(orderLines)
    .where(
      and(
        eq(account, sql.placeholder('account')),
        gt(productId, sql.param(sql.placeholder('after'), productId)),
        sql`not ${isLinked}`,
      ),
    )
    .orderBy(asc(productId))
    .limit(sql.placeholder('limit'))
    .prepare();
});

const countsOf = built(() => new Map<string, number>());

export function forgetCount(tx: Queryable, account: string): void {
  countsOf(tx).delete(account);
}

export const productReads = {
  get({ db }, account, id) {
    const row = findProduct(db, { account, id });
    return row === undefined ? null : toStored(row);
  },

  among({ db }, account, ids) {
    return [...productsOf(db, account, ids).values()].map(toStored);
  },

  isAsKnown({ db }, account, product) {
    return isAsKnown(findProduct(db, { account, id: product.id }), product);
  },

  raw({ db }, account, id) {
    return findProduct(db, { account, id })?.raw ?? null;
  },

  nthNewestModified: nthNewestModified(products),

  list({ db }, account, afterId, limit) {
    const isAfter = and(eq(products.account, account), gt(products.id, afterId));
    return rowsWhere(db, products, isAfter, { order: [asc(products.id)], limit }).map(toStored);
  },

  unlinkedIds({ db }, account, after, limit) {
    return findUnlinked(db)
      .all({ account, after: Number(after), limit })
      .map(({ id }) => String(id));
  },

  count({ db }, account) {
    const isAlone = (db as Partial<Database>).shared?.isAlone === true;
    const count =
      (isAlone ? countsOf(db).get(account) : undefined) ?? countOf(db, products, eq(products.account, account));
    countsOf(db).set(account, count);
    return count;
  },
} satisfies Reads<ProductStore>;

export const productWrites = {
  record(at, batch) {
    const recorded = recordProducts(at, batch);
    if (recorded.some(({ became }) => became === 'new')) forgetCount(at.tx, batch.account);
    return recorded.filter(({ became }) => became !== 'same').map(({ id }) => id);
  },

  observeFigures({ tx, nowMs }, account, id, seen) {
    const listing = loadListing(tx, { account, id });
    const { row } = listing;
    if (row === undefined) return;
    const change = withAnswer({ ...listing, row }, seen, nextTick(tx, account), nowMs);
    saveListing(tx, { account, id }, listing, change, { lane: 'poll', nowMs });
  },
} satisfies Writes<ProductStore>;
