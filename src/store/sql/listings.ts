import { decimalOf, decimalOrNull, figureOf, figureOrNull } from '../../domain/decimal.ts';
import type { Listing, ListingChange, ListingRow } from '../../domain/shadow/listing.ts';
import { movesOf, type OrderMove, withOrderMove } from '../../domain/shadow/order-move.ts';
import type { StoredProduct } from '../marketplace.ts';
import type { Drift } from '../stock.ts';
import type { Lane } from '../work.ts';
import type { Queryable, Readable } from './database.ts';
import { openDrift, saveDrift } from './drifts.ts';
import { saveSigns } from './listing-signs.ts';
import { findByMarketplaceId } from './mappings.ts';
import { changeAmong, changeBy, putInto, rowBy, rowsAmong } from './queries.ts';
import { products } from './tables/marketplace.ts';
import { salesOf, saveSales } from './unseen-sales.ts';
import { markDue, releaseWork } from './work.ts';

export type ProductRow = typeof products.$inferSelect;

export const findProduct = rowBy(products, 'account', 'id');
const findProducts = rowsAmong(products, ['account'], 'id');

export function productsOf(db: Readable, account: string, ids: readonly number[]): Map<number, ProductRow> {
  return new Map(findProducts(db, { account }, ids).map((row) => [row.id, row]));
}

export function toStored(row: ProductRow): StoredProduct {
  return {
    id: row.id,
    sku: row.sku,
    modified: row.modified,
    createdOn: row.createdOn,
    archived: row.archived,
    externalId: row.externalId,
    figures: {
      quantity: figureOrNull(row.quantity),
      reserved: figureOrNull(row.reserved),
      available: figureOrNull(row.available),
    },
    name: row.name ?? undefined,
    description: row.description ?? undefined,
    price:
      row.priceAmount === null || row.currency === null
        ? undefined
        : { amount: figureOf(row.priceAmount), currency: row.currency },
    unitMultiplier: decimalOrNull(row.unitMultiplier) ?? undefined,
    managed: row.managed,
    certain: row.certain,
    unexplained: decimalOf(row.unexplained),
    observedTick: row.observedTick,
    releasedTick: row.releasedTick,
  };
}

interface ListingKey {
  readonly account: string;
  readonly id: number;
}

type Loaded = Listing & { readonly row: ProductRow | undefined; readonly drift: Drift | null };

export function erpProductOf(tx: Queryable, account: string, listingId: string): string | null {
  return findByMarketplaceId(tx, { account, kind: 'product', marketplaceId: listingId })?.erpId ?? null;
}

export function loadListing(
  tx: Queryable,
  { account, id }: ListingKey,
  row = findProduct(tx, { account, id }),
): Loaded {
  const erpId = erpProductOf(tx, account, String(id));
  return {
    row,
    erpId,
    drift: openDrift(tx, account, id),
    unseenSales: erpId === null ? [] : salesOf(tx, { account, erpId }),
  };
}

/** Releases the products that wait because they may be this listing. A changed listing may no longer be similar. */
function releaseAlike(tx: Queryable, account: string, before: ProductRow, row: ListingRow): void {
  const isOther = before.sku !== row.sku || before.name !== row.name || before.archived !== row.archived;
  if (isOther) releaseWork(tx, { account, flow: 'product', alike: [row.id] });
}

const putRow = putInto(products, 'account', 'id');
export const setFigures = changeBy(
  products,
  ['account', 'id'],
  ['quantity', 'reserved', 'available', 'certain', 'observedTick', 'releasedTick', 'unexplained', 'unseen'],
);

/** Updates listings that a read found unchanged. */
export const seeAgain = changeAmong(products, ['account'], 'id', ['observedTick']);

export function saveListing(
  tx: Queryable,
  { account, id }: ListingKey,
  { row: before, erpId, drift: open }: Loaded,
  { row, figures, drift, unseenSales, due }: ListingChange,
  { lane, nowMs }: { readonly lane: Lane; readonly nowMs: number },
): void {
  if (row !== undefined) {
    putRow(tx, { account, ...row });
    saveSigns(tx, account, before, row);
    if (before !== undefined && erpId === null) releaseAlike(tx, account, before, row);
  }
  if (figures !== undefined) setFigures(tx, { account, id, ...figures });
  if (drift != null) saveDrift(tx, { account, listingId: id }, open, drift);
  if (unseenSales !== undefined && erpId !== null) saveSales(tx, { account, erpId }, unseenSales, nowMs);
  markDue(tx, account, due, lane, nowMs);
}

export function moveListings(tx: Queryable, account: string, move: OrderMove, lane: Lane, nowMs: number): void {
  for (const [id, ofListing] of movesOf(move)) {
    const listing = loadListing(tx, { account, id });
    saveListing(tx, { account, id }, listing, withOrderMove(listing, ofListing), { lane, nowMs });
  }
}
