import { type Cause, cause } from '../../domain/causes/cause.ts';
import { type Decimal, parseDecimal, ZERO } from '../../domain/decimal.ts';
import { knownReserved, type LedgerLine } from '../../domain/ledger.ts';
import { STRATEGIES } from '../../domain/strategy.ts';
import type { Known } from '../../shadow/context.ts';
import { capabilitiesNow } from '../../shadow/erp-capabilities.ts';
import { FIRST_START } from '../../shadow/orders-from.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { SoldRows } from '../../store/observe.ts';
import { misfitText } from '../../store/reading.ts';
import type { LatestWrite } from '../../store/record.ts';
import { comingBack } from './coming-back.ts';
import type { LostWrite, StockSnapshot } from './decide.ts';
import { type CountedLines, countLines, type Figure } from './lines.ts';
import type { SoldSnapshot } from './sold.ts';

/**
 * Observes the part of a product that both flows of stock share.
 * @param asOf when the ERP's figures were read, on its own clock
 * @param changedTick this installation's count of reads when the figures took their present values
 * @param reserved the units that the ERP holds back by these figures
 * @param misfit the problem of a row that only one of the two flows reads
 */
export async function observeSold(
  context: Known,
  rows: SoldRows,
  { misfit, ...figure }: Pick<Figure, 'asOf' | 'changedTick' | 'reserved'> & { readonly misfit: Cause | null },
): Promise<SoldSnapshot & Pick<CountedLines, 'lines'>> {
  const { product, listing, twins } = rows;
  const { longestTransactionMs: believedMs } = await capabilitiesNow(context);
  const unitMultiplier = listing?.unitMultiplier ?? product?.unitMultiplier ?? null;
  return {
    sku: product?.sku ?? null,
    // A product that is not sold any more but still listed can be bought: as long as the ERP shows its stock, it is kept in
    // step.
    deleted: product?.deleted === true,
    twins,
    listing: listing && { ...listing, comingBack: await comingBack(context, product, listing, figure.asOf) },
    misfit: misfitOf(rows) ?? misfit,
    ...countLines(context.config, rows, { ...figure, believedMs, unitMultiplier }),
    unread: null,
    withoutLines: [],
  };
}

function misfitOf({ product, listingId, listingMisfit, erpMisfit }: SoldRows): Cause | null {
  const [ofListing, ofErp] = [misfitText(listingMisfit), misfitText(erpMisfit)];
  if (ofListing !== null) return cause('listing-misfit', { listing: listingId ?? 0, problem: ofListing });
  return ofErp === null ? null : cause('stock-misfit', { product: `SKU ${product?.sku}`, problem: ofErp });
}

/**
 * Both sides as the shadows have them.
 * @param lostWrite the facts of an earlier lost write; looked up when left out
 */
export async function observeStock(
  context: Known,
  key: string,
  lostWrite?: StockSnapshot['lostWrite'],
): Promise<StockSnapshot> {
  const { account, config, store } = context;
  const rows = await store.observe.stock(account, key, [FIRST_START]);
  const { listing, stock } = rows;
  const { asOf = null, changedTick = 0, reserved = ZERO } = stock ?? {};
  const figure = { asOf, changedTick, reserved };
  const { lines, ...sold } = await observeSold(context, rows, { ...figure, misfit: null });
  return {
    ...sold,
    stock,
    listing: listing && sold.listing && { ...listing, ...listing.figures, comingBack: sold.listing.comingBack },
    lines: [...lines, ...unknownReservation(listing, lines), ...unseenSale(rows.unseen)],
    lostWrite: lostWrite === undefined ? lostWriteIn(context, rows.latestWrites) : lostWrite,
    lately: writtenLately(context, rows.latestWrites),
    rules: {
      strategy: STRATEGIES[config.inventory.strategy],
      write: config.inventory.write,
      buffer: config.inventory.buffer,
    },
  };
}

/** Units of an order that no list shows: the ERP does not count them. */
function unseenSale(quantity: Decimal): LedgerLine[] {
  return quantity.isZero() ? [] : [{ order: null, quantity, effect: 'consumed', counted: false }];
}

/**
 * Units that the listing shows as reserved beyond its known orders are not offered again, such as those of an order that
 * cannot be read. When the listing shows less reserved than its known orders, only the shown reservation is added to a
 * quantity.
 */
function unknownReservation(listing: StoredProduct | null, lines: readonly LedgerLine[]): LedgerLine[] {
  if (listing?.figures.reserved == null) return [];
  const quantity = listing.certain ? listing.figures.reserved.minus(knownReserved(lines)) : listing.unexplained;
  if (quantity.isZero()) return [];
  return [{ order: null, quantity, effect: 'reserved', counted: quantity.isNegative() }];
}

/** A write may cross a read within this time. */
const CROSSING_MS = 10 * 60 * 1000;

export function mayHaveCrossed({ now }: Pick<Known, 'now'>, { atMs }: LatestWrite): boolean {
  return Math.abs(now() - atMs) <= CROSSING_MS;
}

function writtenLately(context: Pick<Known, 'now'>, writes: readonly LatestWrite[]): Decimal | null {
  const last = writes.find(({ outcome }) => outcome === 'written');
  return last !== undefined && mayHaveCrossed(context, last) ? parseDecimal(last.after ?? '') : null;
}

/**
 * The latest write of this product's stock whose answer was lost, unless a later write has replaced it. For twice the client's
 * time-out the lost write may still be applied, and overwrite later writes.
 */
export function lostWriteIn(
  { config, now }: Pick<Known, 'config' | 'now'>,
  writes: readonly LatestWrite[],
): LostWrite | null {
  const settleMs = 2 * config.marketplace.timeoutMs;
  const lostAt = writes.findIndex(({ outcome }) => outcome !== 'written');
  const lost = writes[lostAt];
  if (lost === undefined) return null;
  const overMs = lost.atMs + settleMs;
  if (writes.slice(0, lostAt).some(({ atMs }) => atMs >= overMs)) return null;
  // A date later than now counts as now, until it is set right (`store/sql/set-back.ts`).
  return { mayComeIn: Math.min(Math.max(overMs - now(), 0), settleMs) };
}

export async function lostWriteOf(context: Known, key: string): Promise<LostWrite | null> {
  return lostWriteIn(context, await context.store.journal.latestWrites(context.account, 'stock', key));
}
