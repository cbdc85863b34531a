import { fieldsMoved } from '../../domain/shadow/fields-moved.ts';
import { hasSameIdentity, reservedBy, unchangedFigures, withRead } from '../../domain/shadow/listing-read.ts';
import { dueOfBoth, isOutdated } from '../../domain/shadow/row.ts';
import { parseJson } from '../../http/json.ts';
import type { ObservedProduct, RecordProducts } from '../marketplace.ts';
import { nextTick, recordWindow } from './cursors.ts';
import type { Queryable } from './database.ts';
import { erpProductsBySku } from './former-skus.ts';
import { invalidRowsToDrop, saveInvalidRow, saveUnstored } from './invalid-rows.ts';
import {
  erpProductOf,
  loadListing,
  type ProductRow,
  productsOf,
  saveListing,
  seeAgain,
  setFigures,
} from './listings.ts';
import { and, eq, inArray, sql } from './orm.ts';
import type { WriteAt } from './part.ts';
import { built } from './queries.ts';
import { storeRows, withoutRepeats } from './row-by-row.ts';
import { orderLines, orders } from './tables/marketplace.ts';
import { markDue } from './work.ts';

interface RecordedProduct {
  readonly id: number;
  readonly became: 'same' | 'changed' | 'new';
}

export function recordProducts(at: WriteAt, batch: RecordProducts): RecordedProduct[] {
  const { tx, nowMs } = at;
  const { account, lane } = batch;
  const tick = nextTick(tx, account);
  const hold = (id: string) => {
    const erpId = erpProductOf(tx, account, id);
    if (erpId !== null) markDue(tx, account, dueOfBoth(erpId, 'listing does not fit'), lane, nowMs);
  };
  const recorded = storeRows(at, batch.rows, {
    store: (rows) => withoutRepeats(rows, idOf).flatMap((part) => recordPage(tx, batch, part, { tick, nowMs })),
    setAside: ({ product }, problem) => hold(saveUnstored(at, account, 'products', String(product.id), problem)),
  });
  for (const invalidRow of batch.invalidRows) hold(saveInvalidRow(tx, account, 'products', invalidRow, nowMs));
  if (batch.window !== null) recordWindow(tx, batch.window, nowMs);
  return recorded;
}

const findReserving = built((db) => {
  const { account, productId, number, late, quantity, unitMultiplier } = orderLines;
  const ofProduct = and(eq(account, sql.placeholder('account')), eq(productId, sql.placeholder('productId')));
  return db
    .select({ status: orders.status, late, quantity, unitMultiplier })
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.account, account), eq(orders.number, number)))
    .where(and(ofProduct, inArray(orders.status, ['Submitted', 'Accepted'])))
    .prepare();
});

const idOf = ({ product }: ObservedProduct) => product.id;

function recordPage(
  tx: Queryable,
  batch: RecordProducts,
  rows: readonly ObservedProduct[],
  at: { readonly tick: number; readonly nowMs: number },
): RecordedProduct[] {
  const { account } = batch;
  const stored = productsOf(tx, account, rows.map(idOf));
  const mends = invalidRowsToDrop(tx, account, 'products');
  const again: number[] = [];
  const recorded = rows.map((row) => {
    const { id } = row.product;
    return { id, became: recordProduct(tx, batch, row, { ...at, before: stored.get(id), mends, again }) };
  });
  seeAgain(tx, { account, observedTick: at.tick }, again);
  return recorded;
}

interface At {
  readonly tick: number;
  readonly nowMs: number;
  readonly before: ProductRow | undefined;
  readonly mends: (what: string) => boolean;
  /** Receives the ids of unchanged listings. */
  readonly again: number[];
}

function haveMoved(mapped: readonly string[], before: string, after: string): boolean {
  type Entity = Readonly<Record<string, unknown>>;
  return mapped.length > 0 && fieldsMoved(mapped, parseJson(before) as Entity, parseJson(after) as Entity);
}

function recordProduct(
  tx: Queryable,
  { account, lane, askedAtMs, expected, mapped, units }: RecordProducts,
  { product, raw }: ObservedProduct,
  { tick, nowMs, before, mends, again }: At,
): RecordedProduct['became'] {
  const { id, sku } = product;
  if (isOutdated(before, product, askedAtMs)) return 'same';
  const mended = mends(String(id));
  const moved = before !== undefined && before.raw !== raw && haveMoved(mapped, before.raw, raw);
  const read = { product, raw, tick, nowMs, mended, expected, mappedMoved: moved };
  const figures = unchangedFigures(before, read);
  if (figures !== null) {
    if (figures.unseen === before?.unseen) again.push(id);
    else setFigures(tx, { account, id, ...figures });
    return 'same';
  }
  const listing = loadListing(tx, { account, id }, before);
  const lines = findReserving(tx).all({ account, productId: id });
  const skus = hasSameIdentity(before, product) ? (listing.erpId === null ? [sku] : []) : [sku, before?.sku ?? null];
  const ofErp = [...new Set(skus)].flatMap((each) =>
    each === null ? [] : erpProductsBySku(tx).all({ account, sku: each }),
  );
  const change = withRead(listing, read, {
    knownReserved: reservedBy(lines, product.unitMultiplier ?? null, units),
    sameSku: ofErp.map((row) => row.id),
  });
  saveListing(tx, { account, id }, listing, change, { lane, nowMs });
  return change.became;
}
