import { type Decimal, type Figure, figure, sum, ZERO } from './decimal.ts';
import type { Effect } from './status.ts';
import { inWholeCases } from './units.ts';

export interface LedgerLine {
  /** null: units that the marketplace shows as reserved or taken without a known order. */
  readonly order: string | null;
  readonly quantity: Figure<'units'>;
  /** The figure in which the marketplace counts the line. */
  readonly effect: Effect;
  /** Whether the ERP's available figure includes this line. */
  readonly counted: boolean;
}

export interface StockTarget {
  readonly field: 'quantity' | 'available_inventory';
  /** The figure to write, in ERP units; at least zero. */
  readonly value: Figure<'units'>;
  /** Units that buyers may take. If negative, 0 is written and an alert is raised. */
  readonly available: Decimal;
  /** The expected `reserved_qty` of the marketplace's answer. */
  readonly reserved: Decimal;
}

/**
 * The stock ledger. After any write, buyers can take
 * available = ERP available − buffer − every live line that the ERP does not count.
 * Field `available_inventory`: that figure is written. Field `quantity`: plus every line that the marketplace still
 * subtracts as reserved. Without orders in progress, these are the procedures of spec 1, Inventory setting rules, 5.
 * @param unitsIn ERP units per 1 of the figure: a partial case is not offered
 */
export function stockTarget(
  field: StockTarget['field'],
  erpAvailable: Figure<'units'>,
  buffer: Decimal,
  lines: readonly LedgerLine[],
  unitsIn: Decimal,
): StockTarget {
  const uncounted = sumOf(lines, (line) => line.effect !== 'none' && !line.counted);
  const reserved = sumOf(lines, (line) => line.effect === 'reserved');
  const exact = erpAvailable.minus(buffer).minus(uncounted);
  const available = exact.isNegative() ? exact : inWholeCases(exact, unitsIn);
  const wanted = field === 'quantity' ? available.plus(reserved) : available;
  const offered = exact.isNegative() ? inWholeCases(wanted, unitsIn) : wanted;
  return { field, value: figure(offered.isNegative() ? ZERO : offered), available, reserved };
}

/** Reservations that the marketplace should show for known orders. */
export function knownReserved(lines: readonly LedgerLine[]): Figure<'units'> {
  return sumOf(lines, ({ order, effect }) => order !== null && effect === 'reserved');
}

export function sumOf(lines: readonly LedgerLine[], takes: (line: LedgerLine) => boolean): Figure<'units'> {
  return sum(lines.filter(takes).map((line) => line.quantity));
}

export interface LineState {
  readonly status: string;
  readonly effect: Effect;
  readonly quantity: Decimal;
}

type Counted = Pick<LineState, 'effect' | 'quantity'>;

/** The change of a listing's figures when a line's effect changes (spec 1, Inventory effects). */
export function figureShift(before: Counted, after: Counted): { quantity: Decimal; reserved: Decimal } {
  const share = (line: Counted, effect: Effect) => (line.effect === effect ? line.quantity : ZERO);
  return {
    quantity: share(before, 'consumed').minus(share(after, 'consumed')),
    reserved: share(after, 'reserved').minus(share(before, 'reserved')),
  };
}

/**
 * Returns whether spec 1 defines how this change moves the figures. It does not for edits after Accepted, lines that
 * may be older or newer than Accepted, and status changes outside its table.
 * @param before null: the line is new
 * @param after null: the line is gone
 */
export function isForeseeable(before: LineState | null, after: LineState | null): boolean {
  if (before === null) return after?.effect !== 'consumed';
  if (after === null) return before.effect !== 'consumed';
  const same = before.quantity.equals(after.quantity);
  if (before.effect === 'none') return after.effect === 'none';
  if (before.effect === 'reserved') return after.effect !== 'consumed' || same;
  if (after.effect === 'consumed') return same;
  return same && after.status === 'Rejected' && ['Fulfilled', 'Shipped'].includes(before.status);
}
