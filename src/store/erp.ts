import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { Decimal } from '../domain/decimal.ts';
import { isOvertaken, later } from '../domain/instant.ts';
import type { ErpOrder, ErpProduct, StockRow } from '../erp/connector.ts';
import type { Database, Queryable } from './database.ts';
import { findByErpId } from './mappings.ts';
import { dropMisfit } from './misfits.ts';
import { erpProductsBySku } from './products.ts';
import { built, putInto, rowBy } from './queries.ts';
import { erpOrders, erpProducts, erpStock } from './schema.ts';
import { type Lane, markWork } from './work.ts';

export interface StoredErpProduct extends ErpProduct {
  /** In how many complete listings in a row it was absent. */
  readonly absences: number;
}

export interface StoredStock extends StockRow {
  readonly problem: string | null;
}

export interface StoredErpOrder extends ErpOrder {
  /** The ERP's clock when these lines were first seen counted; null while they are not. */
  readonly countedSince: string | null;
}

/** Absent from so many complete listings in a row, a product is gone. */
export const CONFIRMED_ABSENCES = 2;

type ErpProductRow = typeof erpProducts.$inferSelect;
type ErpOrderRow = typeof erpOrders.$inferSelect;

export function erpStore(db: Database, now: () => number) {
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
        return changed;
      });
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

    async countProducts(account: string): Promise<number> {
      const present = and(eq(erpProducts.account, account), eq(erpProducts.absences, 0));
      return db.select({ count: sql<number>`count(*)` }).from(erpProducts).where(present).get()?.count ?? 0;
    },

    async product(account: string, id: string): Promise<StoredErpProduct | null> {
      const row = findProduct(db, { account, id });
      return row === undefined ? null : toProduct(row);
    },

    async productsBySku(account: string, sku: string): Promise<StoredErpProduct[]> {
      return findBySku(db).all({ account, sku }).map(toProduct);
    },

    async productIds(account: string, after: string, limit: number): Promise<string[]> {
      return db
        .select({ id: erpProducts.id })
        .from(erpProducts)
        .where(and(eq(erpProducts.account, account), gt(erpProducts.id, after)))
        .orderBy(asc(erpProducts.id))
        .limit(limit)
        .all()
        .map((row) => row.id);
    },

    async recordStock(
      account: string,
      rows: readonly StoredStock[],
      options: { listAsOf: string; lane: Lane },
    ): Promise<number> {
      return db.transaction((tx) => {
        let changed = 0;
        for (const row of rows) if (recordStockRow(tx, account, row, options, now())) changed += 1;
        return changed;
      });
    },

    async stock(account: string, productId: string): Promise<StoredStock | null> {
      const row = findStock(db, { account, productId });
      if (row === undefined) return null;
      const { onHand, reserved, available } = row;
      const decimals = {
        onHand: new Decimal(onHand),
        reserved: new Decimal(reserved),
        available: new Decimal(available),
      };
      return { sku: row.sku, productId: row.productId, ...decimals, asOf: row.asOf, problem: row.problem };
    },

    /** ERP orders as listed or answered; marks what has to be looked at when something really changed. */
    async recordOrders(account: string, items: readonly ErpOrder[], lane: Lane): Promise<number> {
      return db.transaction((tx) => {
        let changed = 0;
        for (const item of items) if (recordErpOrder(tx, account, item, lane, now())) changed += 1;
        return changed;
      });
    },

    async order(account: string, id: string): Promise<StoredErpOrder | null> {
      const row = findOrder(db, { account, id });
      return row === undefined ? null : toOrder(row);
    },

    async ordersByReference(account: string, reference: string): Promise<StoredErpOrder[]> {
      return findByReference(db).all({ account, reference }).map(toOrder);
    },

    async orderIds(account: string, after: string, limit: number): Promise<string[]> {
      return db
        .select({ id: erpOrders.id })
        .from(erpOrders)
        .where(and(eq(erpOrders.account, account), gt(erpOrders.id, after)))
        .orderBy(asc(erpOrders.id))
        .limit(limit)
        .all()
        .map((row) => row.id);
    },
  };
}

const findProduct = rowBy(erpProducts, 'account', 'id');
const findStock = rowBy(erpStock, 'account', 'productId');
const findOrder = rowBy(erpOrders, 'account', 'id');

const putProduct = putInto(erpProducts, 'account', 'id');
const putStock = putInto(erpStock, 'account', 'productId');
const putOrder = putInto(erpOrders, 'account', 'id');

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

const findByReference = built((db) => {
  const { account, reference } = erpOrders;
  const where = and(eq(account, sql.placeholder('account')), eq(reference, sql.placeholder('reference')));
  return db.select().from(erpOrders).where(where).limit(10).prepare();
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

function recordStockRow(
  tx: Queryable,
  account: string,
  item: StoredStock,
  { listAsOf, lane }: { listAsOf: string; lane: Lane },
  nowMs: number,
): boolean {
  const before = findStock(tx, { account, productId: item.productId });
  const content = {
    sku: item.sku,
    onHand: item.onHand.toFixed(),
    reserved: item.reserved.toFixed(),
    available: item.available.toFixed(),
    problem: item.problem,
  };
  // The row was read after the list began, so it is at least as fresh as the list.
  const asOf = later(item.asOf, listAsOf);
  // A reading that was overtaken by a later one says nothing new.
  if (before !== undefined && isOvertaken(asOf, before.asOf)) return false;
  const row = { account, productId: item.productId, ...content, asOf };
  const same =
    before !== undefined &&
    Object.entries(content).every(([name, value]) => before[name as keyof typeof before] === value);
  const mended = dropMisfit(tx, account, 'erp-stock', item.productId);
  if (same && before.asOf === asOf && !mended) return false;
  putStock(tx, row);
  const target = { account, flow: 'stock', key: item.productId };
  if (!same || mended) markWork(tx, target, lane, 'stock changed in the ERP', nowMs);
  return !same;
}

function contentOf(order: ErpOrder): string {
  return JSON.stringify({
    customer: order.customer,
    currency: order.currency,
    lines: order.lines.map((line) => ({
      sku: line.sku,
      quantity: line.quantity.toFixed(),
      unitPrice: line.unitPrice.toFixed(),
      ...(line.description === undefined ? {} : { description: line.description }),
    })),
    discount: order.discount.toFixed(),
    shipping: order.shipping.toFixed(),
    tax: order.tax.toFixed(),
    total: order.total.toFixed(),
    note: order.note,
  });
}

function isCounted(status: string): boolean {
  return status === 'reserved' || status === 'shipped';
}

function quantitiesOf(content: string): string {
  const { lines } = JSON.parse(content) as { lines: { sku: string; quantity: string }[] };
  return JSON.stringify(lines.map((line) => `${line.quantity} ${line.sku}`).toSorted());
}

function recordErpOrder(tx: Queryable, account: string, item: ErpOrder, lane: Lane, nowMs: number): boolean {
  const before = findOrder(tx, { account, id: item.id });
  // A page that was on its way while the order was changed says nothing new.
  if (before !== undefined && isOvertaken(item.changedAt, before.changedAt)) return false;
  const content = contentOf(item);
  const same =
    before !== undefined &&
    before.content === content &&
    before.status === item.status &&
    before.reference === item.reference &&
    before.origin === item.origin;
  const mended = dropMisfit(tx, account, 'erp-orders', item.id);
  if (same && !mended) return false;
  const row: ErpOrderRow = {
    account,
    id: item.id,
    reference: item.reference,
    origin: item.origin,
    status: item.status,
    content,
    changedAt: item.changedAt,
    countedSince: countedSince(before, item, content),
    seenAtMs: nowMs,
  };
  putOrder(tx, row);
  const why = `ERP order ${item.id} is ${item.status}`;
  if (item.origin === 'erp') markWork(tx, { account, flow: 'erp-order', key: item.id }, lane, why, nowMs);
  const number = item.origin === 'erp' ? linkedNumber(tx, account, item.id) : item.reference;
  if (number !== null) markWork(tx, { account, flow: 'order', key: number }, lane, why, nowMs);
  const skus = [...item.lines.map((line) => line.sku), ...skusOf(before?.content)];
  markStockOfSkus(tx, account, skus, lane, why, nowMs);
  return true;
}

function linkedNumber(tx: Queryable, account: string, erpId: string): string | null {
  return findByErpId(tx, { account, kind: 'order', erpId })?.marketplaceId ?? null;
}

/** Since when the ERP counts these very quantities: an edit starts it afresh, which errs towards too little. */
function countedSince(before: ErpOrderRow | undefined, item: ErpOrder, content: string): string | null {
  if (!isCounted(item.status)) return null;
  const unchanged = before?.countedSince != null && quantitiesOf(before.content) === quantitiesOf(content);
  return unchanged ? before.countedSince : item.changedAt;
}

/** What the order had before counts too: the ERP has let go of it. */
function skusOf(content: string | undefined): string[] {
  if (content === undefined) return [];
  const { lines } = JSON.parse(content) as { lines: { sku: string }[] };
  return lines.map((line) => line.sku);
}

function markStockOfSkus(
  tx: Queryable,
  account: string,
  skus: readonly string[],
  lane: Lane,
  why: string,
  nowMs: number,
): void {
  for (const sku of new Set(skus)) {
    for (const { id } of erpProductsBySku(tx).all({ account, sku }))
      markWork(tx, { account, flow: 'stock', key: id }, lane, why, nowMs);
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
    attributes: JSON.parse(row.attributes) as Record<string, unknown>,
    changedAt: row.changedAt,
    absences: row.absences,
  };
}

function toOrder(row: ErpOrderRow): StoredErpOrder {
  const content = JSON.parse(row.content) as {
    customer: ErpOrder['customer'];
    currency: string;
    lines: { sku: string; quantity: string; unitPrice: string; description?: string }[];
    discount: string;
    shipping: string;
    tax: string;
    total: string;
    note: string;
  };
  return {
    id: row.id,
    reference: row.reference,
    origin: row.origin,
    status: row.status,
    customer: content.customer,
    currency: content.currency,
    lines: content.lines.map((line) => ({
      ...line,
      quantity: new Decimal(line.quantity),
      unitPrice: new Decimal(line.unitPrice),
    })),
    discount: new Decimal(content.discount),
    shipping: new Decimal(content.shipping),
    tax: new Decimal(content.tax),
    total: new Decimal(content.total),
    note: content.note,
    changedAt: row.changedAt,
    countedSince: row.countedSince,
  };
}
