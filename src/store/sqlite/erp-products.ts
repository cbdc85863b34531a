import { Decimal } from '../../domain/decimal.ts';
import { isOvertaken } from '../../domain/instant.ts';
import type { ErpProduct } from '../../erp/connector.ts';
import { findFact, nextTick, putFact } from './cursors.ts';
import type { Database, Queryable } from './database.ts';
import { noteFormerSku } from './former-skus.ts';
import { dropMisfit } from './misfits.ts';
import { and, eq, lt, sql } from './orm.ts';
import { built, keysAfter, putInto, rowBy } from './queries.ts';
import { erpProductsBySku } from './record-products.ts';
import { erpProducts } from './tables/erp.ts';
import { type Lane, markWork } from './work.ts';

export interface StoredErpProduct extends Omit<ErpProduct, 'attributes'> {
  /** The attributes as they came: lossless JSON. */
  readonly attributesText: string;
  /** In how many complete listings in a row it was absent. */
  readonly absences: number;
}

/** Absent from so many complete listings in a row, a product is gone. */
export const CONFIRMED_ABSENCES = 2;

/** Active, not deleted, and not absent from the last complete listing. */
export function isSold({
  active,
  deleted,
  absences,
}: Pick<StoredErpProduct, 'active' | 'deleted' | 'absences'>): boolean {
  return active && !deleted && absences === 0;
}

/** Fact: this installation's count of reads when any of the products became what it is. */
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

export function erpProductStore(db: Database, now: () => number) {
  return {
    /** One page of products; `listing` numbers the complete listing it belongs to, null for a partial read. */
    async recordProducts(
      account: string,
      items: readonly ErpProduct[],
      options: { listing: number | null; lane: Lane },
    ): Promise<number> {
      return db.transaction((tx) => {
        let changed = 0;
        for (const item of items) if (recordProduct(tx, account, item, options, now())) changed += 1;
        if (changed > 0) {
          putFact(tx, { account, name: CHANGED_TICK, value: String(nextTick(tx, account)), updatedAtMs: now() });
        }
        return changed;
      });
    },

    /** When a product was seen to be new or another, by this installation's count of reads; 0 before the first. */
    async productsChangedTick(account: string): Promise<number> {
      return Number(findFact(db, { account, name: CHANGED_TICK })?.value ?? 0);
    },

    /** Products that a listing showed without saying anything that could be read of them. */
    async seenInListing(account: string, ids: readonly string[], listing: number): Promise<void> {
      await db.transaction((tx) => {
        for (const id of ids) tx.update(erpProducts).set({ listing, absences: 0 }).where(isProduct(account, id)).run();
      });
    },

    /** After a complete listing: what it did not contain was absent once more. Answers how many. What is gone for sure is not counted on. */
    async closeListing(account: string, listing: number): Promise<number> {
      return db.transaction((tx) => {
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
          markWork(tx, target, 'backfill', 'absent from a complete listing of the ERP', now());
        }
        return absent.length;
      });
    },

    /** How many products are sold and were in the listing before, and how many of them this listing did not show. */
    async missingFrom(account: string, listing: number): Promise<{ sold: number; missing: number }> {
      return countMissing(db).get({ account, listing }) ?? { sold: 0, missing: 0 };
    },

    async product(account: string, id: string): Promise<StoredErpProduct | null> {
      const row = findProduct(db, { account, id });
      return row === undefined ? null : toProduct(row);
    },

    async productsBySku(account: string, sku: string): Promise<StoredErpProduct[]> {
      return findBySku(db).all({ account, sku }).map(toProduct);
    },

    async productIds(account: string, after: string, limit: number): Promise<string[]> {
      return idsAfter(db, account, after, limit);
    },
  };
}

const findProduct = rowBy(erpProducts, 'account', 'id');
const idsAfter = keysAfter(erpProducts, 'id');

const putProduct = putInto(erpProducts, 'account', 'id');

const seeInListing = built((db) => {
  const { account, id } = erpProducts;
  return db
    .update(erpProducts)
    .set({ listing: sql`${sql.placeholder('listing')}` })
    .where(and(eq(account, sql.placeholder('account')), eq(id, sql.placeholder('id'))))
    .prepare();
});

const findBySku = built((db) => {
  const { account, sku, deleted } = erpProducts;
  const where = and(eq(account, sql.placeholder('account')), eq(sku, sql.placeholder('sku')), eq(deleted, false));
  return db.select().from(erpProducts).where(where).limit(10).prepare();
});

function isProduct(account: string, id: string) {
  return and(eq(erpProducts.account, account), eq(erpProducts.id, id));
}

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
    if (listing !== null) seeInListing(tx).run({ account, id: item.id, listing });
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
