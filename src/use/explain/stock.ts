import { withoutBrake } from '../../domain/action.ts';
import { Decimal, type Figure, figure, ONE, ZERO } from '../../domain/decimal.ts';
import { isBefore, minusMs } from '../../domain/instant.ts';
import { type LedgerLine, stockTarget } from '../../domain/ledger.ts';
import type { Holding, StockPast } from '../../domain/stock-past.ts';
import type { StrategyName } from '../../domain/strategy.ts';
import { listedOf, type Multiplier, unitsOfErpStock } from '../../domain/units.ts';
import { observeStock } from '../../flows/stock/observe.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { capabilitiesNow } from '../../shadow/erp-capabilities.ts';
import type { HistoryRow } from '../../store/stock.ts';
import { recordedPast } from '../stock-past.ts';
import type { LedgerRow, StockSum } from './explanation.ts';

type Records = Pick<AccountRecords, 'account' | 'store'>;

const MOST_STATUSES = 200;
const WRITES = 50;

/** The current stock sum of a product; null: none. */
export async function stockNow(context: AccountRecords, productId: string): Promise<StockSum | null> {
  const { account, config, store } = context;
  if (config.facilities !== null) return null;
  const { listing, stock, lines, rules, unitsIn, multiplier: listed } = await observeStock(context, productId);
  const row = await store.erp.stock(account, productId);
  if (stock === null || listing?.managed !== true) return null;
  const multiplier = (await store.erp.product(account, productId))?.unitMultiplier ?? null;
  const inUnits = (stored: Figure<'erp stock'> | undefined) =>
    stored === undefined ? null : unitsOfErpStock(config.units, stored, multiplier);
  const shown = rules.write === 'quantity' ? listing.quantity : listing.available;
  return sumOfStock({
    strategy: rules.strategy.name,
    field: rules.write,
    erp: {
      onHand: inUnits(row?.onHand),
      reserved: inUnits(row?.reserved),
      available: stock.available,
      asOf: stock.asOf,
    },
    buffer: rules.buffer,
    lines,
    statuses: await statusesOf(context, lines),
    shown: shown && listedOf(shown, unitsIn),
    unitsIn,
    multiplier: listed,
    written: await writtenUntil(context, productId, undefined),
  });
}

async function statusesOf(
  { account, store }: AccountRecords,
  lines: readonly LedgerLine[],
): Promise<Map<string, string>> {
  const numbers = [...new Set(lines.flatMap(({ order }) => order ?? []))].slice(0, MOST_STATUSES);
  const found = await Promise.all(numbers.map((number) => store.orders.get(account, number)));
  return new Map(found.flatMap((stored) => (stored === null ? [] : [[stored.order.number, stored.order.status]])));
}

/** The last successful stock write until a moment. */
async function writtenUntil(
  { account, store }: Records,
  productId: string,
  untilMs: number | undefined,
): Promise<StockSum['written']> {
  const rows = await store.journal.of(account, 'stock', productId, WRITES, untilMs);
  const write = rows.find(({ action, outcome }) => withoutBrake(action) === 'stock.write' && outcome === 'written');
  if (write?.after == null) return null;
  return { figure: new Decimal(write.after).toFixed(), at: new Date(write.atMs).toISOString() };
}

/** The stock sum at a past moment; null: not recorded. */
export async function stockThen(context: AccountRecords, productId: string, atMs: number): Promise<StockSum | null> {
  const { account, config, store } = context;
  const past = (await recordedPast(context, productId, atMs + 1))?.past ?? null;
  const reading = past?.events.find((event) => event.kind === 'reading');
  if (past === null || reading?.kind !== 'reading' || reading.atMs > atMs + 1 || reading.available === null)
    return null;
  const { longestTransactionMs: believedMs } = await capabilitiesNow(context);
  return sumOfStock({
    strategy: config.inventory.strategy,
    field: config.inventory.write,
    // Only available units are recorded.
    erp: { onHand: null, reserved: null, available: figure(reading.available), asOf: reading.asOf },
    buffer: config.inventory.buffer,
    lines: linesThen(past, minusMs(reading.asOf, believedMs)),
    statuses: await statusesThen({ account, store }, past, atMs),
    shown: null,
    unitsIn: past.unitsIn,
    multiplier: (await store.erp.product(account, productId))?.unitMultiplier ?? null,
    written: await writtenUntil(context, productId, atMs),
  });
}

/** @param asOf lines that the ERP counted before this instant are in its figure */
function linesThen({ shares, holdings }: StockPast, asOf: string): LedgerLine[] {
  return [...shares].flatMap(([order, { effect, quantity }]) => {
    const counted = Decimal.min(heldBefore(holdings.get(order), asOf), quantity);
    const parts = [
      { order, quantity: figure<'units'>(counted), effect, counted: true },
      { order, quantity: figure<'units'>(quantity.minus(counted)), effect, counted: false },
    ];
    return parts.filter((part) => !part.quantity.isZero());
  });
}

function heldBefore(holdings: readonly Holding[] | undefined, asOf: string): Decimal {
  const held = holdings?.findLast(({ since }) => since === null || isBefore(since, asOf));
  return held?.quantity ?? new Decimal(0);
}

async function statusesThen(
  { account, store }: Records,
  { shares }: StockPast,
  atMs: number,
): Promise<Map<string, string>> {
  const numbers = [...shares.keys()];
  const rows = await Promise.all(numbers.map((number) => store.history.statuses(account, 'marketplace', number)));
  return new Map(
    numbers.flatMap((number, index) => {
      const status = valueAt(rows[index] ?? [], atMs);
      return status === null ? [] : [[number, status] as const];
    }),
  );
}

/** The recorded value at a moment; null: none. */
export function valueAt(rows: readonly HistoryRow[], atMs: number): string | null {
  const before = rows.findLast((row) => row.atMs <= atMs);
  return before === undefined ? (rows[0]?.before ?? null) : before.after;
}

export interface Ledger {
  readonly strategy: StrategyName;
  readonly field: StockSum['field'];
  readonly erp: {
    readonly onHand: Decimal | null;
    readonly reserved: Decimal | null;
    readonly available: Figure<'units'>;
    readonly asOf: string;
  };
  readonly buffer: Decimal;
  /** Live lines, and units without a known order. */
  readonly lines: readonly LedgerLine[];
  readonly statuses: ReadonlyMap<string, string>;
  /** In the marketplace's terms, as `written`. */
  readonly shown: Decimal | null;
  readonly unitsIn: Decimal;
  readonly multiplier: Multiplier;
  readonly written: StockSum['written'];
}

/** The stock sum, by the ledger's rule (`domain/ledger.ts`). */
export function sumOfStock({
  strategy,
  field,
  erp,
  buffer,
  lines,
  statuses,
  shown,
  unitsIn,
  multiplier,
  written,
}: Ledger): StockSum {
  const rows = lines.map((line) => rowOf(line, field, statuses));
  const target = stockTarget(field, erp.available, buffer, lines, unitsIn);
  return {
    strategy,
    field,
    erp: {
      onHand: erp.onHand?.toFixed() ?? null,
      reserved: erp.reserved?.toFixed() ?? null,
      available: erp.available.toFixed(),
      asOf: erp.asOf,
    },
    buffer: buffer.toFixed(),
    lines: rows,
    available: target.available.toFixed(),
    figure: listedOf(target.value, unitsIn).toFixed(),
    unitsIn: unitsIn.toFixed(),
    inCase: inCaseOf(multiplier),
    shown: shown?.toFixed() ?? null,
    written,
  };
}

/** null: no cases, or not known. */
export function inCaseOf(multiplier: Multiplier): string | null {
  return multiplier === null || multiplier.equals(ONE) ? null : multiplier.toFixed();
}

function isTaken({ effect, counted }: LedgerLine): boolean {
  return effect !== 'none' && !counted;
}

function rowOf(line: LedgerLine, field: StockSum['field'], statuses: ReadonlyMap<string, string>): LedgerRow {
  const { order, quantity, effect, counted } = line;
  const taken = isTaken(line) ? quantity : ZERO;
  const added = field === 'quantity' && effect === 'reserved' ? quantity : ZERO;
  return {
    order,
    status: order === null ? null : (statuses.get(order) ?? null),
    quantity: quantity.toFixed(),
    there: effect,
    counted,
    adds: added.minus(taken).toFixed(),
    why: whyOf(line, field),
  };
}

function whyOf({ order, effect, counted, quantity }: LedgerLine, field: StockSum['field']): string {
  const subtracted = field === 'quantity' ? ', and the marketplace itself subtracts it from a quantity' : '';
  if (order === null) {
    if (effect === 'consumed') return 'an order that no list shows took them: they are not sold again';
    return quantity.isNegative()
      ? 'the marketplace shows less reserved than the known orders have'
      : `the marketplace shows them as reserved, and no known order explains it${subtracted}`;
  }
  if (effect === 'none') return 'the marketplace counts it nowhere';
  if (!counted) return `the ERP does not count it yet${effect === 'reserved' ? subtracted : ''}`;
  if (effect === 'consumed') return "the ERP's figure counts it already";
  return `the ERP's figure counts it already${subtracted === '' ? '' : ', and the marketplace subtracts it from a quantity once more: it is added'}`;
}
