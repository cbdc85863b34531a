import { type Decimal, sum, ZERO } from './decimal.ts';

/** A change of a listing's quantity and reserved units, or a difference in them. The third figure, available, follows. */
export interface Shift {
  readonly quantity: Decimal;
  readonly reserved: Decimal;
}

/**
 * Why a listing shows other figures than the program expected.
 * - `edited`: somebody set its quantity there.
 * - `unknown-order`: an order reserved, released or took something, and no list of orders shows it.
 * - `late-line`: a line that was added after Accepted is counted, or a line that seemed to be there before is not.
 * - `own-write`: a write of ours was applied late, or crossed the read.
 */
export const DRIFT_KINDS = ['edited', 'unknown-order', 'late-line', 'own-write'] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

/** At most this many moves of one listing within one read of the orders are compared: the newest ones. */
export const MAX_MOVES = 8;

/**
 * The rest of a difference after the orders that became known since have explained their part. An order may have moved the
 * figures before or after they were shown. So this function takes the choice of orders that leaves the least unexplained. The
 * reservations count before the quantity. Between two equal choices, the choice with fewer orders is taken.
 */
export function leftUnexplained(difference: Shift, moves: readonly Shift[]): Shift {
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
  /** The shown figures minus the expected figures: the part that no known order explains. */
  readonly difference: Shift;
  readonly shown: Shift;
  /** False when the expected figures were in doubt themselves: then only a difference of a certain kind is reported. */
  readonly certain: boolean;
  readonly field: 'quantity' | 'available_inventory';
  /** The figures that our own writes set in that field a short while ago, and the figures that those writes replaced. */
  readonly written: readonly Decimal[];
  /** Lines of the listing that were probably added after Accepted: the marketplace should count them nowhere. */
  readonly lateLines: readonly Decimal[];
  /** Lines that were probably consumed. */
  readonly consumedLines: readonly Decimal[];
}

/** The kind of the difference; null when there is no difference, or when the doubt alone may explain it. */
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
