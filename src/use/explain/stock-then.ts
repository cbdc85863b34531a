import { Decimal } from '../../domain/decimal.ts';
import { isBefore, minusMs } from '../../domain/instant.ts';
import type { LedgerLine } from '../../domain/ledger.ts';
import type { Holding, StockPast } from '../../domain/stock-past.ts';
import type { Known } from '../../shadow/context.ts';
import { capabilitiesNow } from '../../shadow/erp-capabilities.ts';
import type { HistoryRow } from '../../store/stock.ts';
import { recordedPast } from '../stock-past.ts';
import type { StockSum } from './explanation.ts';
import { sumOfStock } from './ledger.ts';
import { writtenUntil } from './stock-now.ts';

/** The stock sum of a product as of a moment of the past; null where the records do not tell it. */
export async function stockThen(context: Known, productId: string, atMs: number): Promise<StockSum | null> {
  const { account, config, store } = context;
  const past = (await recordedPast(context, productId, atMs + 1))?.past ?? null;
  const reading = past?.events.find((event) => event.kind === 'reading');
  if (past === null || reading?.kind !== 'reading' || reading.atMs > atMs + 1 || reading.available === null)
    return null;
  const { longestTransactionMs: believedMs } = await capabilitiesNow(context);
  return sumOfStock({
    strategy: config.inventory.strategy,
    field: config.inventory.write,
    // The history keeps only the available units, and neither the units on hand nor the reserved ones.
    erp: { onHand: null, reserved: null, available: reading.available, asOf: reading.asOf },
    buffer: config.inventory.buffer,
    lines: linesThen(past, minusMs(reading.asOf, believedMs)),
    statuses: await statusesThen({ account, store }, past, atMs),
    shown: null,
    written: await writtenUntil(context, productId, atMs),
  });
}

/** @param asOf lines that the ERP counted before this instant of its clock are in its figure */
function linesThen({ shares, holdings }: StockPast, asOf: string): LedgerLine[] {
  return [...shares].flatMap(([order, { effect, quantity }]) => {
    const counted = Decimal.min(heldBefore(holdings.get(order), asOf), quantity);
    const parts = [
      { order, quantity: counted, effect, counted: true },
      { order, quantity: quantity.minus(counted), effect, counted: false },
    ];
    return parts.filter((part) => !part.quantity.isZero());
  });
}

function heldBefore(holdings: readonly Holding[] | undefined, asOf: string): Decimal {
  const held = holdings?.findLast(({ since }) => since === null || isBefore(since, asOf));
  return held?.quantity ?? new Decimal(0);
}

async function statusesThen(
  { account, store }: Pick<Known, 'account' | 'store'>,
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

/** The value at a moment, from the record of changes; null: not on record, or no value. */
export function valueAt(rows: readonly HistoryRow[], atMs: number): string | null {
  const before = rows.findLast((row) => row.atMs <= atMs);
  return before === undefined ? (rows[0]?.before ?? null) : before.after;
}
