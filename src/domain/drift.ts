import { type Decimal, sum, ZERO } from './decimal.ts';

/** A change of, or difference in, a listing's quantity and reserved units. Available follows from both. */
export interface Shift {
  readonly quantity: Decimal;
  readonly reserved: Decimal;
}

/**
 * Why a listing shows other figures than expected.
 * - `edited`: a person set its quantity on the marketplace.
 * - `unknown-order`: an order that no list shows reserved, released or took units.
 * - `late-line`: a line added after Accepted is counted, or a line that seemed older is not.
 * - `own-write`: our write was applied late, or overlapped the read.
 */
export const DRIFT_KINDS = ['edited', 'unknown-order', 'late-line', 'own-write'] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

/**
 * The most order moves of one listing that are compared per read of the orders, newest first. All 2^8 subsets are
 * tried.
 */
export const MAX_MOVES = 8;

/**
 * Returns what newly known orders leave unexplained. Each may have moved the figures before or after they were read. So
 * the subset of orders that leaves the least is chosen: first by reserved units, then by quantity, then by the fewest
 * orders.
 */
export function unexplainedShift(difference: Shift, moves: readonly Shift[]): Shift {
  const newest = moves.slice(-MAX_MOVES);
  const choices = Array.from({ length: 2 ** newest.length }, (_, bits) =>
    newest.filter((_move, index) => Math.floor(bits / 2 ** index) % 2 === 1),
  );
  let best = { rest: difference, rank: rankOf(difference), orders: 0 };
  for (const chosen of choices) {
    const rest = {
      quantity: difference.quantity.minus(sum(chosen.map(({ quantity }) => quantity))),
      reserved: difference.reserved.minus(sum(chosen.map(({ reserved }) => reserved))),
    };
    const [rank, orders] = [rankOf(rest), chosen.length];
    if (rank < best.rank || (rank === best.rank && orders < best.orders)) best = { rest, rank, orders };
  }
  return best.rest;
}

function rankOf({ quantity, reserved }: Shift): number {
  if (!reserved.isZero()) return 2;
  return quantity.isZero() ? 0 : 1;
}

export interface DriftFacts {
  /** The shown minus the expected figures, less what known orders explain. */
  readonly difference: Shift;
  readonly shown: Shift;
  /** False if the expected figures were uncertain. Only an unambiguous difference is then reported. */
  readonly certain: boolean;
  readonly field: 'quantity' | 'available_inventory';
  /** Values that our recent writes set in that field, and the values that they replaced. */
  readonly written: readonly Decimal[];
  /** Lines probably added after Accepted, which the marketplace should not count. */
  readonly lateLines: readonly Decimal[];
  readonly consumedLines: readonly Decimal[];
}

/** Returns the kind of a difference. null: there is none, or the uncertainty alone may explain it. */
export function classifyDrift(facts: DriftFacts): DriftKind | null {
  const { difference, shown, certain, field, written } = facts;
  const { quantity, reserved } = difference;
  if (quantity.isZero() && reserved.isZero()) return null;
  const figure = field === 'quantity' ? shown.quantity : shown.quantity.minus(shown.reserved);
  if (reserved.isZero() && written.some((value) => value.equals(figure))) return 'own-write';
  if (isLateLine(facts)) return 'late-line';
  if (!certain) return null;
  return reserved.isZero() ? 'edited' : 'unknown-order';
}

function isLateLine({ difference: { quantity, reserved }, certain, lateLines, consumedLines }: DriftFacts): boolean {
  const is = (lines: readonly Decimal[], value: Decimal) => lines.some((line) => line.equals(value));
  if (quantity.isZero()) return is(lateLines, reserved);
  if (!reserved.isZero()) return false;
  return is(lateLines, ZERO.minus(quantity)) || (!certain && is(consumedLines, quantity));
}
