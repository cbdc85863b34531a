import { Decimal, sum } from '../domain/decimal.ts';
import { isBefore } from '../domain/instant.ts';
import type { MarketplaceProduct, StockFigures } from '../domain/product.ts';
import { lineEffect } from '../domain/status.ts';
import { nextTick, recordWindow, type Window } from './cursors.ts';
import type { Database, Queryable } from './database.ts';
import { findByMarketplaceId } from './mappings.ts';
import { dropMisfit, type FoundMisfit, saveMisfit } from './misfits.ts';
import { and, asc, desc, eq, gt, inArray, sql } from './orm.ts';
import { built, putInto, rowBy } from './queries.ts';
import { erpProducts, orderLines, orders, products } from './schema.ts';
import { type Lane, markWork } from './work.ts';

export interface ObservedProduct {
  readonly product: MarketplaceProduct;
  readonly raw: string;
}

/** A listing in the shadow. `figures` are as observed, moved on by the orders seen since. */
export interface StoredProduct extends MarketplaceProduct {
  readonly archived: boolean;
  /** False when an order event may or may not be in the figures already. */
  readonly certain: boolean;
  /** Reserved, at the last observation, by orders that are not known here; below zero: not any more by those that are. */
  readonly unexplained: Decimal;
  /** The tick of the last observation. */
  readonly observedTick: number;
}

export interface RecordProducts {
  readonly account: string;
  readonly rows: readonly ObservedProduct[];
  readonly misfits: readonly FoundMisfit[];
  readonly window: Window | null;
  readonly lane: Lane;
  readonly stockQuantity: (line: { quantity: Decimal; unitMultiplier: Decimal | null }) => Decimal;
}

type ProductRow = typeof products.$inferSelect;

export function productStore(db: Database, now: () => number) {
  /** By account. Counting walks an index, which is too long for something that every braked write asks for. */
  const counts = new Map<string, number>();
  return {
    /** Stores what was read in one transaction; answers the ids that really changed. */
    async record(batch: RecordProducts): Promise<number[]> {
      return db.transaction((tx) => {
        const tick = nextTick(tx, batch.account);
        const changed: number[] = [];
        for (const row of batch.rows) {
          const became = recordProduct(tx, batch, row, tick, now());
          if (became !== 'same') changed.push(row.product.id);
          if (became === 'new') counts.delete(batch.account);
        }
        for (const misfit of batch.misfits) {
          saveMisfit(tx, batch.account, 'products', misfit, now());
          const erpId = erpProductOf(tx, batch.account, misfit.what);
          if (erpId !== null) markBoth(tx, batch, erpId, 'listing does not fit', now());
        }
        if (batch.window !== null) recordWindow(tx, batch.window, now());
        return changed;
      });
    },

    /** The figures that a write of ours was answered with. */
    async observeFigures(
      account: string,
      id: number,
      seen: { readonly figures: StockFigures; readonly expectedReserved: Decimal },
    ): Promise<void> {
      const reserved = seen.figures.reserved ?? seen.expectedReserved;
      await db.transaction((tx) => {
        const unexplained = reserved.minus(seen.expectedReserved).toFixed();
        const row = { ...figuresOf(seen.figures), certain: true, unexplained, observedTick: nextTick(tx, account) };
        tx.update(products).set(row).where(isProduct(account, id)).run();
      });
    },

    async get(account: string, id: number): Promise<StoredProduct | null> {
      const row = findProduct(db, { account, id });
      return row === undefined ? null : toStored(row);
    },

    /** Is this listing, whenever it was modified, what the shadow has and is sure of? */
    async isAsKnown(account: string, product: MarketplaceProduct): Promise<boolean> {
      const before = findProduct(db, { account, id: product.id });
      if (before?.certain !== true) return false;
      const archived = product.archived ?? before.archived;
      return sameContent(before, { ...contentOf(product), archived, ...figuresOf(product.figures) });
    },

    /** The body as it came, lossless. */
    async raw(account: string, id: number): Promise<string | null> {
      return db.select({ raw: products.raw }).from(products).where(isProduct(account, id)).get()?.raw ?? null;
    },

    async bySku(account: string, sku: string): Promise<StoredProduct[]> {
      return db
        .select()
        .from(products)
        .where(and(eq(products.account, account), eq(products.sku, sku)))
        .limit(10)
        .all()
        .map(toStored);
    },

    async byExternalId(account: string, externalId: string): Promise<StoredProduct[]> {
      return db
        .select()
        .from(products)
        .where(and(eq(products.account, account), eq(products.externalId, externalId)))
        .limit(10)
        .all()
        .map(toStored);
    },

    async nthNewestModified(account: string, n: number): Promise<string | null> {
      const newest = db.select({ modified: products.modified }).from(products).where(eq(products.account, account));
      return (
        newest
          .orderBy(desc(products.modified))
          .limit(1)
          .offset(n - 1)
          .get()?.modified ?? null
      );
    },

    async list(account: string, afterId: number, limit: number): Promise<StoredProduct[]> {
      return db
        .select()
        .from(products)
        .where(and(eq(products.account, account), gt(products.id, afterId)))
        .orderBy(asc(products.id))
        .limit(limit)
        .all()
        .map(toStored);
    },

    /** Which of these ids are not in the shadow. */
    async unknown(account: string, ids: readonly number[]): Promise<number[]> {
      const known = db
        .select({ id: products.id })
        .from(products)
        .where(and(eq(products.account, account), inArray(products.id, [...ids])))
        .all();
      const have = new Set(known.map((row) => row.id));
      return ids.filter((id) => !have.has(id));
    },

    async count(account: string): Promise<number> {
      const counting = db.select({ count: sql<number>`count(*)` }).from(products).where(eq(products.account, account));
      const count = counts.get(account) ?? counting.get()?.count ?? 0;
      counts.set(account, count);
      return count;
    },
  };
}

const findProduct = rowBy(products, 'account', 'id');
const putProduct = putInto(products, 'account', 'id');

const observeAgain = built((db) => {
  const { account, id } = products;
  return db
    .update(products)
    .set({ observedTick: sql`${sql.placeholder('tick')}` })
    .where(and(eq(account, sql.placeholder('account')), eq(id, sql.placeholder('id'))))
    .prepare();
});

export const erpProductsBySku = built((db) => {
  const { account, id, sku } = erpProducts;
  const where = and(eq(account, sql.placeholder('account')), eq(sku, sql.placeholder('sku')));
  return db.select({ id }).from(erpProducts).where(where).limit(10).prepare();
});

const findReserving = built((db) => {
  const { account, productId, number } = orderLines;
  const ofProduct = and(eq(account, sql.placeholder('account')), eq(productId, sql.placeholder('productId')));
  return db
    .select({ status: orders.status, line: orderLines })
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.account, account), eq(orders.number, number)))
    .where(and(ofProduct, inArray(orders.status, ['Submitted', 'Accepted'])))
    .prepare();
});

function isProduct(account: string, id: number) {
  return and(eq(products.account, account), eq(products.id, id));
}

function recordProduct(
  tx: Queryable,
  batch: RecordProducts,
  observed: ObservedProduct,
  tick: number,
  nowMs: number,
): 'same' | 'changed' | 'new' {
  const { account } = batch;
  const { product } = observed;
  const before = findProduct(tx, { account, id: product.id });
  // An answer that was overtaken by a later one says nothing new.
  if (before?.modified != null && product.modified !== null && isBefore(product.modified, before.modified))
    return 'same';
  const fields = { ...contentOf(product), archived: product.archived ?? before?.archived ?? false };
  const figures = figuresOf(product.figures);
  const mended = dropMisfit(tx, account, 'products', String(product.id));
  const same = before !== undefined && !mended && sameContent(before, fields);
  const sameFigures = before !== undefined && before.certain && sameContent(before, figures);
  if (same && sameFigures && before.modified === product.modified) {
    observeAgain(tx).run({ account, id: product.id, tick });
    return 'same';
  }
  const reserved = reservedByKnownOrders(tx, batch, product.id);
  const row: ProductRow = {
    account,
    id: product.id,
    ...fields,
    ...figures,
    certain: true,
    observedTick: tick,
    unexplained: (product.figures.reserved ?? reserved).minus(reserved).toFixed(),
    modified: product.modified,
    createdOn: product.createdOn,
    raw: observed.raw,
    seenAtMs: nowMs,
  };
  putProduct(tx, row);
  if (same && sameFigures) return 'same';
  markListing(tx, batch, observed, nowMs);
  return before === undefined ? 'new' : 'changed';
}

/** Has whatever is linked to the listing looked at; a listing nobody knows may be one to adopt. */
function markListing(tx: Queryable, batch: RecordProducts, observed: ObservedProduct, nowMs: number): void {
  const { account, lane } = batch;
  const { id: listingId, externalId, sku } = observed.product;
  const erpId = erpProductOf(tx, account, String(listingId)) ?? externalId;
  if (erpId === null && sku !== null) {
    for (const { id } of erpProductsBySku(tx).all({ account, sku }))
      markWork(tx, { account, flow: 'product', key: id }, lane, 'listing seen', nowMs);
  }
  if (erpId !== null) markBoth(tx, batch, erpId, 'listing changed', nowMs);
}

function markBoth(tx: Queryable, { account, lane }: RecordProducts, erpId: string, why: string, nowMs: number): void {
  markWork(tx, { account, flow: 'product', key: erpId }, lane, why, nowMs);
  markWork(tx, { account, flow: 'stock', key: erpId }, lane, why, nowMs);
}

/** The ERP's product that a listing is linked to. */
export function erpProductOf(tx: Queryable, account: string, listingId: string): string | null {
  return findByMarketplaceId(tx, { account, kind: 'product', marketplaceId: listingId })?.erpId ?? null;
}

function contentOf(product: MarketplaceProduct) {
  return {
    sku: product.sku,
    externalId: product.externalId,
    name: product.name ?? null,
    description: product.description ?? null,
    priceAmount: product.price?.amount.toFixed() ?? null,
    currency: product.price?.currency ?? null,
    unitMultiplier: product.unitMultiplier?.toFixed() ?? null,
    managed: product.managed,
  };
}

function figuresOf(figures: StockFigures) {
  return {
    quantity: figures.quantity?.toFixed() ?? null,
    reserved: figures.reserved?.toFixed() ?? null,
    available: figures.available?.toFixed() ?? null,
  };
}

function sameContent(row: ProductRow, fields: Partial<ProductRow>): boolean {
  return Object.entries(fields).every(([name, value]) => row[name as keyof ProductRow] === value);
}

function reservedByKnownOrders(tx: Queryable, batch: RecordProducts, productId: number): Decimal {
  const rows = findReserving(tx).all({ account: batch.account, productId });
  return sum(
    rows
      .filter(({ status, line }) => lineEffect(status, line.late) === 'reserved')
      .map(({ line }) =>
        batch.stockQuantity({
          quantity: new Decimal(line.quantity),
          unitMultiplier: line.unitMultiplier === null ? null : new Decimal(line.unitMultiplier),
        }),
      ),
  );
}

/** Moves the shadow's figures as an order event moved the marketplace's own (spec 1, Inventory effects). */
export function moveFigures(
  tx: Queryable,
  account: string,
  productId: number,
  shift: { quantity: Decimal; reserved: Decimal },
  event: { knownBeforeTick: number; doubtful: boolean },
): void {
  if (shift.quantity.isZero() && shift.reserved.isZero() && !event.doubtful) return;
  const row = findProduct(tx, { account, id: productId });
  if (row === undefined || row.quantity === null || row.reserved === null) return;
  const quantity = new Decimal(row.quantity).plus(shift.quantity);
  const reserved = new Decimal(row.reserved).plus(shift.reserved);
  // The event may be in the observed figures already: then a write is worth more than a guess.
  const doubtful =
    event.doubtful || row.observedTick >= event.knownBeforeTick || !new Decimal(row.unexplained).isZero();
  tx.update(products)
    .set({
      quantity: quantity.toFixed(),
      reserved: reserved.toFixed(),
      available: quantity.minus(reserved).toFixed(),
      certain: row.certain && !doubtful,
    })
    .where(isProduct(account, productId))
    .run();
}

function toStored(row: ProductRow): StoredProduct {
  const decimal = (text: string | null) => (text === null ? null : new Decimal(text));
  return {
    id: row.id,
    sku: row.sku,
    modified: row.modified,
    createdOn: row.createdOn,
    archived: row.archived,
    externalId: row.externalId,
    figures: { quantity: decimal(row.quantity), reserved: decimal(row.reserved), available: decimal(row.available) },
    name: row.name ?? undefined,
    description: row.description ?? undefined,
    price:
      row.priceAmount === null || row.currency === null
        ? undefined
        : { amount: new Decimal(row.priceAmount), currency: row.currency },
    unitMultiplier: decimal(row.unitMultiplier) ?? undefined,
    managed: row.managed,
    certain: row.certain,
    unexplained: new Decimal(row.unexplained),
    observedTick: row.observedTick,
  };
}
