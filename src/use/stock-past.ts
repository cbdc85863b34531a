import { Decimal, ONE, sum, ZERO } from '../domain/decimal.ts';
import { orderStanding } from '../domain/history.ts';
import type { Holding, OrderEvent, ReadingEvent, Share, StockPast } from '../domain/stock-past.ts';
import { listedOrLineFigure, type Units, unitsInListed, unitsOfErpLine, unitsOfErpStock } from '../domain/units.ts';
import type { AccountRecords } from '../shadow/context.ts';
import { ordersFromNow } from '../shadow/orders-from.ts';
import type { StoredProduct } from '../store/marketplace.ts';
import type { HistoryRow, HoldingRow } from '../store/stock.ts';

export type Recorded = Pick<AccountRecords, 'account' | 'config' | 'store'>;

/** A product's recorded past since `sinceMs`, completed by its current state. */
export interface RecordedProduct {
  readonly sku: string;
  /** null: cannot be replayed. */
  readonly past: StockPast | null;
}

export async function recordedPast(
  context: Recorded,
  productId: string,
  sinceMs: number,
): Promise<RecordedProduct | null> {
  const { account, config, store } = context;
  const product = await store.erp.product(account, productId);
  const mapping = await store.mappings.byErpId(account, 'product', productId);
  const listing = mapping === null ? null : await store.products.get(account, Number(mapping.marketplaceId));
  if (product === null || listing === null) return null;
  const { sku } = product;
  const factors = factorsOf(config.units, product.unitMultiplier, listing.unitMultiplier);
  const readings = await store.history.readings(account, productId);
  // An unmanaged listing, or stock at several places, has no single figure.
  const places = new Set(readings.map(({ part }) => part));
  if (!listing.managed || places.size > 1 || factors === null) return { sku, past: null };
  const skus = [sku, ...(await store.erp.formerSkus(account, productId))];
  const { holdings, madeInErp } = await holdingsOf(context, listing.id, skus);
  const rows = await store.history.orders(account, listing.id);
  const live = await liveShares(context, listing, holdings);
  const events = [...orderEvents(rows, sinceMs, live.before), ...readingEvents(readings, sinceMs)];
  const past = {
    shares: sharesAtBegin(live.shares, rows, sinceMs, live.before),
    events: events.toSorted((a, b) => a.atMs - b.atMs),
    holdings,
    madeInErp,
  };
  return { sku, past: inUnits(past, factors) };
}

/** How many ERP units 1 means in each side's records. */
interface Factors {
  readonly share: Decimal;
  readonly reading: Decimal;
  readonly holding: Decimal;
}

/** null: the units per case are needed but unknown. */
function factorsOf(units: Units, inErp: Decimal, listed: Decimal | undefined): Factors | null {
  const share = unitsInListed(units, listed ?? inErp);
  const reading = unitsOfErpStock(units, ONE, inErp);
  const holding = unitsOfErpLine(units, ONE, inErp);
  return share === null || reading === null || holding === null ? null : { share, reading, holding };
}

/** Each side's records are in its own terms. */
function inUnits({ shares, events, holdings, madeInErp }: Omit<StockPast, 'unitsIn'>, factors: Factors): StockPast {
  const times = <Held extends { readonly quantity: Decimal }>(held: Held, factor: Decimal): Held => ({
    ...held,
    quantity: held.quantity.times(factor),
  });
  return {
    unitsIn: factors.share,
    shares: new Map([...shares].map(([order, share]) => [order, times(share, factors.share)])),
    events: events.map((event) =>
      event.kind === 'reading'
        ? { ...event, available: event.available?.times(factors.reading) ?? null }
        : { ...event, share: event.share && times(event.share, factors.share) },
    ),
    holdings: new Map([...holdings].map(([order, held]) => [order, held.map((one) => times(one, factors.holding))])),
    madeInErp,
  };
}

/** The readings since `sinceMs`, and the one valid then. */
function readingEvents(rows: readonly HistoryRow[], sinceMs: number): ReadingEvent[] {
  const first = rows.findLastIndex(({ atMs }) => atMs < sinceMs);
  return rows.slice(Math.max(first, 0)).map(({ atMs, after, asOf }) => ({
    kind: 'reading',
    atMs: Math.max(atMs, sinceMs),
    available: after === null ? null : new Decimal(after),
    asOf: asOf ?? '',
  }));
}

function orderEvents(rows: readonly HistoryRow[], sinceMs: number, left: ReadonlySet<string>): OrderEvent[] {
  return rows
    .filter(({ atMs, part }) => atMs >= sinceMs && !left.has(part))
    .map(({ atMs, part, after }) => ({ kind: 'order', atMs, order: part, share: shareOf(after) }));
}

function shareOf(text: string | null): Share | null {
  const [effect, quantity] = text?.split(' ') ?? [];
  if (quantity === undefined || (effect !== 'reserved' && effect !== 'consumed')) return null;
  return { effect, quantity: new Decimal(quantity) };
}

/** Each order's share at `sinceMs`: before its first later change, or else its current one. */
function sharesAtBegin(
  live: ReadonlyMap<string, Share>,
  rows: readonly HistoryRow[],
  sinceMs: number,
  left: ReadonlySet<string>,
): Map<string, Share> {
  const shares = new Map(live);
  for (const { part, before } of rows.filter(({ atMs }) => atMs >= sinceMs).toReversed()) {
    const share = shareOf(before);
    if (share === null || left.has(part)) shares.delete(part);
    else shares.set(part, share);
  }
  return shares;
}

/** The orders' current shares. `before`: consumed before the first export, which the ledger excludes too. */
async function liveShares(
  { account, config, store }: Recorded,
  { id, unitMultiplier }: StoredProduct,
  held: ReadonlyMap<string, unknown>,
) {
  const shares = new Map<string, Share>();
  const before = new Set<string>();
  const from = await ordersFromNow({ account, config, store });
  const lines = await store.orders.liveLines(account, id);
  for (const [number, ofOrder] of Map.groupBy(lines, (row) => row.number)) {
    const [first] = ofOrder;
    if (first === undefined || first.effect === 'none') continue;
    const { effect, seen } = first;
    if (orderStanding(seen, from) === 'history' && effect === 'consumed' && !held.has(number)) before.add(number);
    else
      shares.set(number, {
        effect,
        quantity: sum(
          ofOrder.map(({ line }) =>
            listedOrLineFigure(config.units, line.quantity, line.unitMultiplier ?? unitMultiplier ?? null),
          ),
        ),
      });
  }
  return { shares, before };
}

/** What the ERP counts for each order, and since when on its clock. */
async function holdingsOf(
  { account, store }: Recorded,
  listingId: number,
  skus: readonly string[],
): Promise<Pick<StockPast, 'holdings' | 'madeInErp'>> {
  const holdings = new Map<string, Holding[]>();
  const rows = (await Promise.all(skus.map((sku) => store.history.holdings(account, sku)))).flat();
  for (const [number, ofOrder] of Map.groupBy(rows, (row) => row.number)) {
    if (number !== null) holdings.set(number, holdingsFrom(ofOrder));
  }
  for (const [number, now] of await store.erp.holdings(account, listingId)) {
    if (now === null || now.countedSince === null || holdings.has(number)) continue;
    const quantity = sum(now.lines.filter((line) => skus.includes(line.sku)).map((line) => line.quantity));
    holdings.set(number, [{ quantity, since: now.countedSince }]);
  }
  const made = rows.filter(({ origin }) => origin === 'erp').flatMap(({ number }) => number ?? []);
  return { holdings, madeInErp: new Set(made) };
}

/** The ERP may have the order more than once, or under several SKUs. */
function holdingsFrom(rows: readonly HoldingRow[]): Holding[] {
  const parts = new Map<string, Decimal>();
  for (const { part, before } of rows) if (!parts.has(part)) parts.set(part, new Decimal(before ?? 0));
  const total = () => sum(parts.values());
  const holdings: Holding[] = [{ quantity: total(), since: null }];
  for (const { part, after, asOf } of rows) {
    parts.set(part, after === null ? ZERO : new Decimal(after));
    holdings.push({ quantity: total(), since: asOf });
  }
  return holdings;
}
