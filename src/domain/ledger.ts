import { type Decimal, type Figure, figure, sum, ZERO } from './decimal.ts';
import type { Effect } from './status.ts';
import { inWholeCases } from './units.ts';

/** One marketplace line of a SKU, as the ledger sees it. */
export interface LedgerLine {
  /** null: the marketplace shows these units as reserved or taken, and no known order explains them. */
  readonly order: string | null;
  readonly quantity: Figure<'units'>;
  /** The figure in which the marketplace counts the line. */
  readonly effect: Effect;
  /** Does the ERP's available figure, as read, count this line already? */
  readonly counted: boolean;
}

export interface StockTarget {
  readonly field: 'quantity' | 'available_inventory';
  /** The units that the figure to write stands for; never below zero. */
  readonly value: Figure<'units'>;
  /** The units that buyers may take. The figure may be below zero: 0 is then written, and an alert raised. */
  readonly available: Decimal;
  /** The `reserved_qty` that the ledger expects in the marketplace's answer. */
  readonly reserved: Decimal;
}

/**
 * The stock ledger. After any write, buyers can take
 *
 * available = ERP available − buffer − every live line the ERP does not count
 *
 * `available_inventory` writes that figure. `quantity` writes it plus every line the marketplace itself still subtracts as
 * reserved. With nothing in flight these are the recommended procedures of spec 1, Inventory setting rules, 5.
 * @param unitsIn the ERP units that a figure of 1 stands for: a case that is not full is not offered
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
  const whole = exact.isNegative() ? inWholeCases(wanted, unitsIn) : wanted;
  return { field, value: figure(whole.isNegative() ? ZERO : whole), available, reserved };
}

/** The reservations that the marketplace should show for known orders. */
export function knownReserved(lines: readonly LedgerLine[]): Figure<'units'> {
  return sumOf(lines, ({ order, effect }) => order !== null && effect === 'reserved');
}

export function sumOf(lines: readonly LedgerLine[], takes: (line: LedgerLine) => boolean): Figure<'units'> {
  return sum(lines.filter(takes).map((line) => line.quantity));
}

/** A line at one moment: the status of its order, the figure in which the marketplace counted the line, and the quantity. */
export interface LineState {
  readonly status: string;
  readonly effect: Effect;
  readonly quantity: Decimal;
}

type Counted = Pick<LineState, 'effect' | 'quantity'>;

/** The change of a product's three figures when the effect of one line changes (spec 1, Inventory effects). */
export function figureShift(before: Counted, after: Counted): { quantity: Decimal; reserved: Decimal } {
  const share = (line: Counted, effect: Effect) => (line.effect === effect ? line.quantity : ZERO);
  return {
    quantity: share(before, 'consumed').minus(share(after, 'consumed')),
    reserved: share(after, 'reserved').minus(share(before, 'reserved')),
  };
}

/**
 * Does spec 1 say how this change of a line moves the figures? The spec is silent on three things: edits after Accepted,
 * lines that may have come before or after Accepted, and every change of status that is not in its table.
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
