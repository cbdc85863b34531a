import { Decimal, decimalOrNull, sum } from '../../domain/decimal.ts';
import { isBefore } from '../../domain/instant.ts';
import type { MarketplaceProduct } from '../../domain/product.ts';
import { lineEffect } from '../../domain/status.ts';
import type { ObservedProduct, RecordProducts } from '../marketplace.ts';
import { nextTick, recordWindow } from './cursors.ts';
import type { Queryable } from './database.ts';
import { noteDrift, noteMove } from './drifts.ts';
import { findByMarketplaceId } from './mappings.ts';
import { dropMisfit, saveMisfit } from './misfits.ts';
import { and, eq, inArray, sql } from './orm.ts';
import { contentOf, figuresOf, findProduct, isProduct, type ProductRow, sameContent } from './product-rows.ts';
import { built, putInto } from './queries.ts';
import { erpProducts } from './tables/erp.ts';
import { orderLines, orders, products } from './tables/marketplace.ts';
import { keepUnseen } from './unseen-sales.ts';
import { markWork } from './work.ts';

/** The result for a listing that was read. */
interface RecordedProduct {
  readonly id: number;
  readonly became: 'same' | 'changed' | 'new';
}

/** Stores the rows of a read and their consequences, in the caller's transaction. */
export function recordProducts(tx: Queryable, batch: RecordProducts, nowMs: number): RecordedProduct[] {
  const tick = nextTick(tx, batch.account);
  const recorded = batch.rows.map((row) => ({
    id: row.product.id,
    became: recordProduct(tx, batch, row, tick, nowMs),
  }));
  for (const misfit of batch.misfits) {
    saveMisfit(tx, batch.account, 'products', misfit, nowMs);
    const erpId = erpProductOf(tx, batch.account, misfit.what);
    if (erpId !== null) markBoth(tx, batch, erpId, 'listing does not fit', nowMs);
  }
  if (batch.window !== null) recordWindow(tx, batch.window, nowMs);
  return recorded;
}

/** No answer is under way for longer. */
const IN_FLIGHT_MS = 60_000;

const putProduct = putInto(products, 'account', 'id');

const observeAgain = built((db) => {
  const { account, id } = products;
  return db
    .update(products)
    .set({ observedTick: sql`${sql.placeholder('tick')}`, unseen: sql`${sql.placeholder('unseen')}` })
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

function recordProduct(
  tx: Queryable,
  batch: RecordProducts,
  observed: ObservedProduct,
  tick: number,
  nowMs: number,
): RecordedProduct['became'] {
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
    const unseen = before.unexplained === '0' ? '0' : unseenOf(before, unexplainedBy(tx, batch, product), nowMs);
    observeAgain(tx).run({ account, id: product.id, tick, unseen });
    return 'same';
  }
  const unexplained = unexplainedBy(tx, batch, product);
  const row: ProductRow = {
    account,
    id: product.id,
    ...fields,
    ...figures,
    certain: true,
    observedTick: tick,
    unexplained: unexplained.toFixed(),
    unseen: unseenOf(before, unexplained, nowMs),
    modified: product.modified,
    createdOn: product.createdOn,
    raw: observed.raw,
    seenAtMs: nowMs,
  };
  putProduct(tx, row);
  // An archived row need not show its figures.
  const isListed = before?.archived === false && !row.archived;
  if (isListed && batch.foretold && product.managed) watchFigures(tx, before, row, nowMs);
  if (same && sameFigures) return 'same';
  markListing(tx, batch, observed, nowMs);
  return before === undefined ? 'new' : 'changed';
}

/** Notes it when a linked listing shows other figures than its shadow foretold. */
function watchFigures(tx: Queryable, before: ProductRow, { account, id, ...row }: ProductRow, nowMs: number): void {
  const [foretold, shown] = [movingFigures(before), movingFigures(row)];
  const erpId = erpProductOf(tx, account, String(id));
  if (foretold === null || shown === null || erpId === null) return;
  const seen = { tick: row.observedTick, foretold, shown, certain: before.certain, seenAtMs: nowMs };
  noteDrift(tx, { account, listingId: id }, seen);
  // Units that no known order had reserved are neither reserved any more nor back: an order that no list shows has taken
  // them.
  const taken = Decimal.min(
    before.unseen,
    foretold.quantity.minus(shown.quantity),
    foretold.reserved.minus(shown.reserved),
  );
  if (taken.greaterThan(0)) keepUnseen(tx, { account, erpId }, taken, nowMs);
}

function movingFigures({ quantity, reserved }: Pick<ProductRow, 'quantity' | 'reserved'>) {
  if (quantity === null || reserved === null) return null;
  return { quantity: new Decimal(quantity), reserved: new Decimal(reserved) };
}

/** Has every entity looked at that is linked to the listing; a listing nobody knows may be one to adopt. */
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

function unexplainedBy(
  tx: Queryable,
  batch: RecordProducts,
  { id, figures, unitMultiplier }: MarketplaceProduct,
): Decimal {
  const known = reservedByKnownOrders(tx, batch, id, unitMultiplier ?? null);
  return (figures.reserved ?? known).minus(known);
}

/**
 * The part that certainly belongs to no known order. A single observation may be older than the orders that became known
 * meanwhile, and an order that moved since may be the one that was unexplained before.
 */
function unseenOf(before: ProductRow | undefined, unexplained: Decimal, nowMs: number): string {
  const stood = before?.certain === true && nowMs - before.seenAtMs >= IN_FLIGHT_MS;
  const sure = stood ? before.unexplained : (before?.unseen ?? 0);
  return Decimal.max(Decimal.min(sure, unexplained), 0).toFixed();
}

/** An order that has come to reserve more may be one that was not known. */
function lessReserved(unseen: string, reserved: Decimal): string {
  return Decimal.max(new Decimal(unseen).minus(Decimal.max(reserved, 0)), 0).toFixed();
}

/** The ERP's product that a listing is linked to. */
export function erpProductOf(tx: Queryable, account: string, listingId: string): string | null {
  return findByMarketplaceId(tx, { account, kind: 'product', marketplaceId: listingId })?.erpId ?? null;
}

function reservedByKnownOrders(
  tx: Queryable,
  batch: RecordProducts,
  productId: number,
  ofListing: Decimal | null,
): Decimal {
  const rows = findReserving(tx).all({ account: batch.account, productId });
  return sum(
    rows
      .filter(({ status, line }) => lineEffect(status, line.late) === 'reserved')
      .map(({ line }) =>
        batch.stockQuantity({
          quantity: new Decimal(line.quantity),
          unitMultiplier: decimalOrNull(line.unitMultiplier) ?? ofListing,
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
  if (!shift.quantity.isZero() || !shift.reserved.isZero())
    noteMove(tx, { account, listingId: productId }, shift, event.doubtful);
  const quantity = new Decimal(row.quantity).plus(shift.quantity);
  const reserved = new Decimal(row.reserved).plus(shift.reserved);
  // The event may be in the observed figures already: then a write is worth more than a guess.
  const doubtful =
    event.doubtful || row.observedTick >= event.knownBeforeTick || !new Decimal(row.unexplained).isZero();
  // The reservation that was unexplained is now explained, by an order of this very size.
  const unexplained = shift.reserved.equals(row.unexplained) ? '0' : row.unexplained;
  tx.update(products)
    .set({
      unexplained,
      unseen: lessReserved(row.unseen, shift.reserved),
      quantity: quantity.toFixed(),
      reserved: reserved.toFixed(),
      available: quantity.minus(reserved).toFixed(),
      certain: row.certain && !doubtful,
    })
    .where(isProduct(account, productId))
    .run();
}
