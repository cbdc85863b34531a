import { Decimal } from '../../domain/decimal.ts';
import { isOvertaken } from '../../domain/instant.ts';
import { CONFIRMED_ABSENCES } from '../../domain/product.ts';
import type { ErpProduct } from '../../erp/connector.ts';
import type { ErpProductStore, StoredErpProduct } from '../erp.ts';
import type { Lane } from '../work.ts';
import { findFact, nextTick, putFact } from './cursors.ts';
import type { Queryable } from './database.ts';
import { noteFormerSku } from './former-skus.ts';
import { dropMisfit } from './misfits.ts';
import { and, eq, lt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, changeBy, keysAfter, putInto, rowBy, rowsBy } from './queries.ts';
import { erpProductsBySku } from './record-products.ts';
import { erpProducts } from './tables/erp.ts';
import { markWork } from './work.ts';

/** Fact: this installation's count of reads when any of the products changed last. */
const CHANGED_TICK = 'erp-products-changed-tick';

type ErpProductRow = typeof erpProducts.$inferSelect;

const countMissing = built((db) => {
  const { account, absences, active, deleted, listing } = erpProducts;
  const ofAccount = eq(account, sql.placeholder('account'));
  const missing = sql<number>`count(*) FILTER (WHERE ${listing} < ${sql.placeholder('listing')})`;
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
    const row = findProduct(db, { account, id });
    return row === undefined ? null : toProduct(row);
  },

  productsBySku({ db }, account, sku) {
    return findBySku(db, { account, sku, deleted: false }).map(toProduct);
  },

  productIds: keysAfter(erpProducts, 'id'),
} satisfies Reads<ErpProductStore>;

export const erpProductWrites = {
  recordProducts({ tx, nowMs }, account, items, options) {
    let changed = 0;
    for (const item of items) if (recordProduct(tx, account, item, options, nowMs)) changed += 1;
    if (changed > 0) {
      putFact(tx, { account, name: CHANGED_TICK, value: String(nextTick(tx, account)), updatedAtMs: nowMs });
    }
    return changed;
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
      .returning({ id: erpProducts.id })
      .all();
    for (const { id } of absent) {
      const target = { account, flow: 'product', key: id };
      markWork(tx, target, 'backfill', 'absent from a complete listing of the ERP', nowMs);
    }
    return absent.length;
  },
} satisfies Writes<ErpProductStore>;

const findProduct = rowBy(erpProducts, 'account', 'id');
const putProduct = putInto(erpProducts, 'account', 'id');

const seeInListing = changeBy(erpProducts, ['account', 'id'], ['listing', 'absences']);
const findBySku = rowsBy(erpProducts, ['account', 'sku', 'deleted'], { limit: 10 });

function recordProduct(
  tx: Queryable,
  account: string,
  item: ErpProduct,
  { listing, lane }: { listing: number | null; lane: Lane },
  nowMs: number,
): boolean {
  const before = findProduct(tx, { account, id: item.id });
  // A complete listing is believed as it is; any other answer may have been overtaken by a later one.
  if (before !== undefined && listing === null && isOvertaken(item.changedAt, before.changedAt)) return false;
  const content = {
    sku: item.sku,
    name: item.name,
    description: item.description,
    active: item.active,
    deleted: item.deleted,
    priceAmount: item.price.amount.toFixed(),
    currency: item.price.currency,
    unitMultiplier: item.unitMultiplier.toFixed(),
    attributes: JSON.stringify(item.attributes),
    absences: 0,
  };
  const same =
    before !== undefined &&
    Object.entries(content).every(([name, value]) => before[name as keyof ErpProductRow] === value);
  const mended = dropMisfit(tx, account, 'erp-products', item.id);
  if (same) {
    if (mended) markWork(tx, { account, flow: 'product', key: item.id }, lane, 'its row in the ERP fits again', nowMs);
    if (listing !== null) seeInListing(tx, { account, id: item.id, listing, absences: 0 });
    return false;
  }
  const row = { account, id: item.id, ...content, changedAt: item.changedAt, listing: listing ?? before?.listing ?? 0 };
  putProduct(tx, row);
  const why = before === undefined ? 'product seen for the first time in the ERP' : 'product changed in the ERP';
  markWork(tx, { account, flow: 'product', key: item.id }, lane, why, nowMs);
  const inStock = ['sku', 'unitMultiplier', 'active', 'deleted'] as const;
  if (inStock.some((name) => before?.[name] !== content[name])) {
    markWork(tx, { account, flow: 'stock', key: item.id }, lane, why, nowMs);
  }
  if (before !== undefined && before.sku !== item.sku)
    noteFormerSku(tx, { account, id: item.id, sku: before.sku }, nowMs);
  markSkuTwins(tx, account, item, before?.sku ?? item.sku, lane, nowMs);
  return true;
}

/** Products that share a SKU hold each other: all of them have to be looked at when one comes or goes. */
function markSkuTwins(
  tx: Queryable,
  account: string,
  item: ErpProduct,
  skuBefore: string,
  lane: Lane,
  nowMs: number,
): void {
  for (const sku of new Set([item.sku, skuBefore])) {
    for (const { id } of erpProductsBySku(tx).all({ account, sku })) {
      if (id === item.id) continue;
      markWork(tx, { account, flow: 'product', key: id }, lane, `SKU ${sku} is shared with ${item.id}`, nowMs);
      markWork(tx, { account, flow: 'stock', key: id }, lane, `SKU ${sku} is shared with ${item.id}`, nowMs);
    }
  }
}

function toProduct(row: ErpProductRow): StoredErpProduct {
  return {
    id: row.id,
    sku: row.sku,
    name: row.name,
    description: row.description,
    active: row.active,
    deleted: row.deleted,
    price: { amount: new Decimal(row.priceAmount), currency: row.currency },
    unitMultiplier: new Decimal(row.unitMultiplier),
    attributesText: row.attributes,
    changedAt: row.changedAt,
    absences: row.absences,
  };
}
