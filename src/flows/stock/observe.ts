import { type Cause, cause } from '../../domain/causes/cause.ts';
import { type Decimal, type Figure, figure, ONE, parseDecimal, ZERO } from '../../domain/decimal.ts';
import { knownReserved, type LedgerLine } from '../../domain/ledger.ts';
import { isGone } from '../../domain/product.ts';
import { STRATEGIES } from '../../domain/strategy.ts';
import {
  largerCase,
  type Multiplier,
  type Units,
  unitsInListed,
  unitsOfErpStock,
  unitsOfListed,
} from '../../domain/units.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { capabilitiesIn, STATED_CAPABILITIES } from '../../shadow/erp-capabilities.ts';
import { FIRST_START } from '../../shadow/orders-from.ts';
import type { KnownStock } from '../../store/erp.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { SoldRows } from '../../store/observe.ts';
import { invalidRowText } from '../../store/reading.ts';
import type { LatestWrite } from '../../store/record.ts';
import { comingBack } from './coming-back.ts';
import type { LostWrite, StockSnapshot } from './decide.ts';
import { type CountedLines, countLines, type ErpReading } from './lines.ts';
import type { ErpFigure, SoldSnapshot } from './sold.ts';

/**
 * @param asOf when the ERP's figures were read, by its clock
 * @param changedTick the tick at which the figures took their current values
 * @param reserved units that the ERP reserves by these figures
 * @param invalidRow the problem of a row that only one of the two flows reads
 */
export async function observeSold(
  context: AccountRecords,
  rows: SoldRows,
  {
    invalidRow,
    reserved,
    ...reading
  }: Pick<ErpReading, 'asOf' | 'changedTick'> & {
    readonly reserved: Figure<'erp stock'>;
    readonly invalidRow: Cause | null;
  },
): Promise<SoldSnapshot & Pick<CountedLines, 'lines'>> {
  const { product, listing, twins } = rows;
  const { longestTransactionMs: believedMs } = capabilitiesIn(context.config, rows.facts);
  const { units } = context.config;
  const inErp = product?.unitMultiplier ?? null;
  const listed = listing?.unitMultiplier ?? inErp;
  // Facility stock is lowered before a case becomes larger.
  const unitsIn = unitsInListed(units, isCaseKept(context) ? listed : largerCase(listed, inErp));
  const inUnits = unitsOfErpStock(units, reserved, inErp) ?? ZERO;
  return {
    sku: product?.sku ?? null,
    // A product that is no longer sold but still listed can be bought. While the ERP shows its stock, it is kept in
    // step.
    deleted: product !== null && isGone(product),
    twins,
    mayOnlyFall: rows.inherits !== null,
    listing: listing && { ...listing, comingBack: await comingBack(context, product, listing, reading.asOf) },
    invalidRow:
      invalidRowOf(rows) ??
      invalidRow ??
      (unitsIn === null ? cause('stock-cases-unknown', { sku: product?.sku ?? '' }) : null),
    unitsIn: unitsIn ?? ONE,
    multiplier: listed,
    ...countLines(context.config, rows, { ...reading, reserved: inUnits, believedMs, inErp, listed }),
    unread: null,
    asked: { figureTick: reading.changedTick, asOf: reading.asOf, withoutLines: [] },
  };
}

/** Returns whether a listing's case stays, or changes in one write with its stock. */
function isCaseKept({ config }: AccountRecords): boolean {
  return config.facilities === null || config.products.leftOut.includes('unit_multiplier');
}

function invalidRowOf({ product, listingId, invalidListing, invalidErpRow }: SoldRows): Cause | null {
  const [ofListing, ofErp] = [invalidRowText(invalidListing), invalidRowText(invalidErpRow)];
  if (ofListing !== null) return cause('listing-invalid', { listing: listingId ?? 0, problem: ofListing });
  return ofErp === null ? null : cause('stock-invalid', { product: `SKU ${product?.sku}`, problem: ofErp });
}

export const SOLD_FACTS = [FIRST_START, STATED_CAPABILITIES];

/** @param lostWrite facts of an earlier lost write; read if omitted */
export async function observeStock(
  context: AccountRecords,
  key: string,
  lostWrite?: StockSnapshot['lostWrite'],
): Promise<StockSnapshot> {
  const { account, config, store } = context;
  const rows = await store.observe.stock(account, key, SOLD_FACTS);
  const { listing, stock } = rows;
  const { asOf = null, changedTick = 0, reserved = ZERO } = stock ?? {};
  const { lines, ...sold } = await observeSold(context, rows, { asOf, changedTick, reserved, invalidRow: null });
  const { unitsIn } = sold;
  const inUnits = listing && listingInUnits(listing, unitsIn);
  return {
    ...sold,
    stock: stock && erpInUnits(context.config.units, stock, rows.product?.unitMultiplier ?? null),
    listing: inUnits && sold.listing && { ...inUnits, comingBack: sold.listing.comingBack },
    lines: [...lines, ...unknownReservation(inUnits, lines), ...unseenSale(unitsOfListed(rows.unseen, unitsIn))],
    lostWrite: lostWrite === undefined ? lostWriteIn(context, rows.latestWrites) : lostWrite,
    hasDrift: rows.hasDrift,
    lately: writtenLately(context, rows.latestWrites)?.times(unitsIn) ?? null,
    rules: {
      strategy: STRATEGIES[config.inventory.strategy],
      write: config.inventory.write,
      buffer: config.inventory.buffer,
    },
  };
}

/** Converts the ERP's figure to ERP units. Stock in cases of unknown size is unusable: unknown is never zero. */
export function erpInUnits(units: Units, stock: KnownStock, multiplier: Multiplier): ErpFigure {
  const { asOf, problem, changedTick } = stock;
  const available = unitsOfErpStock(units, stock.available, multiplier);
  const unknown = available === null ? 'counts cases, and the ERP does not say how many units are in a case' : null;
  return { asOf, changedTick, problem: problem ?? unknown, available: available ?? figure(stock.available) };
}

function listingInUnits({ figures, unexplained, ...listing }: StoredProduct, unitsIn: Decimal) {
  const inUnits = (value: Figure<'marketplace stock'> | null) => value && unitsOfListed(value, unitsIn);
  return {
    ...listing,
    quantity: inUnits(figures.quantity),
    reserved: inUnits(figures.reserved),
    available: inUnits(figures.available),
    unexplained: unitsOfListed(figure(unexplained), unitsIn),
  };
}

/** Units of an order that no list shows. The ERP does not count them. */
function unseenSale(quantity: Figure<'units'>): LedgerLine[] {
  return quantity.isZero() ? [] : [{ order: null, quantity, effect: 'consumed', counted: false }];
}

/**
 * Units reserved beyond the known orders, such as those of an unreadable order, are not offered again. If fewer units
 * are reserved than known orders have, only those shown are added to `quantity`.
 */
function unknownReservation(
  listing: ReturnType<typeof listingInUnits> | null,
  lines: readonly LedgerLine[],
): LedgerLine[] {
  if (listing?.reserved == null) return [];
  const quantity = listing.certain ? listing.reserved.minus(knownReserved(lines)) : listing.unexplained;
  if (quantity.isZero()) return [];
  return [{ order: null, quantity, effect: 'reserved', counted: quantity.isNegative() }];
}

/** A write may overlap a read within this time. */
const CROSSING_MS = 10 * 60 * 1000;

export function mayHaveCrossed({ now }: Pick<AccountRecords, 'now'>, { atMs }: LatestWrite): boolean {
  return Math.abs(now() - atMs) <= CROSSING_MS;
}

function writtenLately(context: Pick<AccountRecords, 'now'>, writes: readonly LatestWrite[]): Decimal | null {
  const last = writes.find(({ outcome }) => outcome === 'written');
  return last !== undefined && mayHaveCrossed(context, last) ? parseDecimal(last.after ?? '') : null;
}

/**
 * The latest stock write whose answer was lost, unless a later write replaced it. It may still be applied, and
 * overwrite later writes, for twice the client's time-out.
 */
export function lostWriteIn(
  { config, now }: Pick<AccountRecords, 'config' | 'now'>,
  writes: readonly LatestWrite[],
): LostWrite | null {
  const settleMs = 2 * config.marketplace.timeoutMs;
  const lostAt = writes.findIndex(({ outcome }) => outcome !== 'written');
  const lost = writes[lostAt];
  if (lost === undefined) return null;
  const overMs = lost.atMs + settleMs;
  if (writes.slice(0, lostAt).some(({ atMs }) => atMs >= overMs)) return null;
  // A time in the future is treated as now until it is corrected (`store/sql/clock-set-back.ts`).
  return { mayComeIn: Math.min(Math.max(overMs - now(), 0), settleMs) };
}

export async function lostWriteOf(context: AccountRecords, key: string): Promise<LostWrite | null> {
  return lostWriteIn(context, await context.store.journal.latestWrites(context.account, 'stock', key));
}
