import { decimalOf, figureOf } from '../../domain/decimal.ts';
import { CONFIRMED_ABSENCES, isGone } from '../../domain/product.ts';
import { dueOfRenamed, dueOfTwins, type ErpProductRow, withErpProduct } from '../../domain/shadow/erp-products.ts';
import { dueOfBoth, isOutdatedInErp } from '../../domain/shadow/row.ts';
import type { ErpProduct } from '../../erp/connector.ts';
import type { ErpProductStore, StoredErpProduct } from '../erp.ts';
import type { Lane } from '../work.ts';
import { findFact, nextTick, putFact } from './cursors.ts';
import type { Queryable } from './database.ts';
import { erpProductsBySku, noteFormerSku, noteTakenSku } from './former-skus.ts';
import { invalidRowsToDrop, saveUnstored } from './invalid-rows.ts';
import { findByErpId } from './mappings.ts';
import { openOrdersOf } from './order-rows.ts';
import { and, asc, eq, lt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, changeBy, keysAfter, putInto, rowBy, rowsBy, rowsWhere, unindexed } from './queries.ts';
import { storeRows, UNSTORED } from './row-by-row.ts';
import { erpProducts } from './tables/erp.ts';
import { work } from './tables/work.ts';
import { isHeldFor, isOnHold, markDue, releaseWork } from './work.ts';

const CHANGED_TICK = 'erp-products-changed-tick';

/** The most products with a duplicate SKU that are requested of one list. */
const MOST_TWINS = 1000;

const countMissing = built((db) => {
  const { account, absences, active, deleted, listing } = erpProducts;
  const ofAccount = eq(account, sql.placeholder('account'));
  // A product that the list shows under another id is not missing.
  const again = sql`select 1 from ${erpProducts} as shown where shown.account = ${account} and shown.sku = ${erpProducts.sku} and shown.listing >= ${sql.placeholder('listing')}`;
  const missing = sql<number>`count(*) FILTER (WHERE ${listing} < ${sql.placeholder('listing')} AND NOT EXISTS (${again}))`;
  return db
    .select({ sold: sql<number>`count(*)`, missing })
    .from(erpProducts)
    .where(and(ofAccount, eq(absences, 0), eq(active, true), eq(deleted, false)))
    .prepare();
});

export const erpProductReads = {
  productsChangedTick({ db }, account) {
    return Number(findFact(db, { account, name: CHANGED_TICK })?.value ?? 0);
  },

  missingFrom({ db }, account, listing) {
    return countMissing(db).get({ account, listing }) ?? { sold: 0, missing: 0 };
  },

  product({ db }, account, id) {
    const row = findErpProduct(db, { account, id });
    return row === undefined ? null : toProduct(row);
  },

  productsBySku({ db }, account, sku) {
    const found = findErpProductsBySku(db, { account, sku, deleted: false });
    return found.filter((row) => !isGone(row)).map(toProduct);
  },

  heldTwins({ db }, account) {
    const isHeld = and(eq(work.account, account), eq(work.flow, 'product'), isOnHold, isHeldFor(['sku-twice']));
    const ofHeld = sql`select held.sku from ${work} inner join ${erpProducts} as held on held.account = ${work.account} and held.id = ${work.key} where ${isHeld}`;
    const { id, deleted, absences, sku } = erpProducts;
    const isThere = and(eq(deleted, false), lt(absences, CONFIRMED_ABSENCES));
    return rowsWhere(db, erpProducts, and(eq(erpProducts.account, account), isThere, sql`${sku} in (${ofHeld})`), {
      order: [asc(id)],
      limit: MOST_TWINS,
    }).map((row) => row.id);
  },

  productIds: keysAfter(erpProducts, 'id'),
} satisfies Reads<ErpProductStore>;

export const erpProductWrites = {
  recordProducts(at, account, items, options) {
    const { tx, nowMs } = at;
    const { listing, lane } = options;
    const others = new Set<string>();
    const changed = storeRows(at, items, {
      store(some) {
        const recording = { ...options, others, mends: invalidRowsToDrop(tx, account, 'erp-products') };
        return some.filter((item) => recordProduct(tx, account, item, recording, nowMs));
      },
      setAside({ id }, problem) {
        const key = saveUnstored(at, account, 'erp-products', id, problem);
        // The row shows that the product exists.
        if (listing !== null) seeInListing(tx, { account, id: key, listing, absences: 0 });
        markDue(tx, account, [{ flow: 'product', key, why: UNSTORED }], lane, nowMs);
      },
    });
    if (changed.length > 0) {
      releaseWork(tx, { account, codes: ['erp-refuses-for-now'], skus: changed.map(({ sku }) => sku) });
      putFact(tx, { account, name: CHANGED_TICK, value: String(nextTick(tx, account)), updatedAtMs: nowMs });
    }
    return [...others];
  },

  seenInListing({ tx }, account, ids, listing) {
    for (const id of ids) seeInListing(tx, { account, id, listing, absences: 0 });
  },

  closeListing({ tx, nowMs }, account, listing) {
    const absent = tx
      .update(erpProducts)
      .set({ absences: sql`${erpProducts.absences} + 1` })
      .where(
        and(
          eq(erpProducts.account, account),
          lt(erpProducts.listing, listing),
          lt(erpProducts.absences, CONFIRMED_ABSENCES),
          eq(erpProducts.deleted, false),
        ),
      )
      .returning({ id: erpProducts.id, sku: erpProducts.sku })
      .all();
    const why = 'absent from a complete listing of the ERP';
    for (const { id, sku } of absent) {
      const ids = erpProductsBySku(tx).all({ account, sku });
      const twins = dueOfTwins(
        id,
        sku,
        ids.map((other) => other.id),
      );
      markDue(tx, account, [...dueOfBoth(id, why), ...twins], 'backfill', nowMs);
    }
    return absent.length;
  },
} satisfies Writes<ErpProductStore>;

export const findErpProduct = rowBy(erpProducts, 'account', 'id');
const putProduct = putInto(erpProducts, 'account', 'id');

const seeInListing = changeBy(erpProducts, ['account', 'id'], ['listing', 'absences']);
export const findErpProductsBySku = rowsBy(erpProducts, ['account', 'sku', 'deleted'], {
  // Missing products come last.
  order: [unindexed(erpProducts.absences), unindexed(erpProducts.id)],
  limit: 10,
});

interface Recording {
  readonly listing: number | null;
  readonly lane: Lane;
  readonly others: Set<string>;
  readonly mends: (what: string) => boolean;
}

function recordProduct(
  tx: Queryable,
  account: string,
  item: ErpProduct,
  { listing, lane, others, mends }: Recording,
  nowMs: number,
): boolean {
  const { id } = item;
  const before = findErpProduct(tx, { account, id });
  // A full list is always accepted.
  if (listing === null && isOutdatedInErp(before, item)) return false;
  const mended = mends(id);
  const { row, isOther, due } = withErpProduct(before, item, { listing, mended });
  if (isOther) others.add(id);
  markDue(tx, account, due, lane, nowMs);
  if (row === null) {
    if (listing !== null) seeInListing(tx, { account, id, listing, absences: 0 });
    return false;
  }
  putProduct(tx, { account, ...row });
  const skuBefore = before?.sku ?? row.sku;
  if (skuBefore !== row.sku) {
    noteFormerSku(tx, { account, id, sku: skuBefore }, nowMs);
    const listingId = findByErpId(tx, { account, kind: 'product', erpId: id })?.marketplaceId ?? null;
    const waiting = listingId === null ? [] : openOrdersOf(tx, account, Number(listingId));
    markDue(tx, account, dueOfRenamed(skuBefore, waiting), lane, nowMs);
  }
  for (const sku of new Set([row.sku, skuBefore])) {
    const ids = erpProductsBySku(tx)
      .all({ account, sku })
      .map((other) => other.id);
    markDue(tx, account, dueOfTwins(id, sku, ids), lane, nowMs);
    if (skuBefore !== sku && ids.length > 1) noteTakenSku(tx, { account, id, sku }, nowMs);
  }
  return true;
}

export function toProduct(row: ErpProductRow): StoredErpProduct {
  return {
    id: row.id,
    sku: row.sku,
    name: row.name,
    description: row.description,
    active: row.active,
    deleted: row.deleted,
    price: { amount: figureOf(row.priceAmount), currency: row.currency },
    unitMultiplier: decimalOf(row.unitMultiplier),
    attributesText: row.attributes,
    changedAt: row.changedAt,
    absences: row.absences,
  };
}
