import { Decimal, decimalOf, type Figure, sum, ZERO } from '../decimal.ts';
import type { Shift } from '../drift.ts';
import { figureShift, isForeseeable, type LineState } from '../ledger.ts';
import type { OrderLine } from '../order.ts';
import { type Effect, lineEffect } from '../status.ts';
import { type Listing, type ListingChange, movingFigures } from './listing.ts';
import { withMove } from './open-drift.ts';
import { type TakenUnits, withOrder } from './unseen-sales.ts';

export interface KnownLine extends OrderLine {
  /** The line was added after Accepted, so it is not counted (spec 1, Rule). */
  readonly late: boolean;
}

interface OrderState {
  readonly status: string;
  readonly lines: readonly KnownLine[];
}

export interface OrderMove {
  readonly number: string;
  /** null: the order is new. */
  readonly before: OrderState | null;
  readonly after: OrderState;
  /** The order may have moved the figures before a read that came since. */
  readonly late: boolean;
  /** The order may have existed for long without appearing in a read. */
  readonly wasHidden: boolean;
  /** Everything that happened before this tick had been read when the order was requested. */
  readonly knownBeforeTick: number;
  /** A read of the orders that began after this tick shows every order placed before the units were released. */
  readonly releasedTick: number;
  /** A line's quantity in the marketplace's stock units. */
  readonly stockQuantity: (line: OrderLine) => Figure<'marketplace stock'>;
}

/** How an order moves the marketplace's figures of one listing (spec 1, Inventory effects). */
export interface ListingMove {
  readonly shift: Shift;
  /** It is uncertain whether the order moved the figures by `shift`. */
  readonly doubtful: boolean;
  readonly knownBeforeTick: number;
  readonly releasedTick: number;
  readonly taken: TakenUnits;
}

/** Returns the moves by listing. Each listing of the order is included, even without a change. */
export function movesOf(order: OrderMove): Map<number, ListingMove> {
  const { before, after, late, knownBeforeTick, releasedTick } = order;
  const stateOf = ({ status }: OrderState, line: KnownLine): LineState => ({
    status,
    effect: lineEffect(status, line.late),
    quantity: order.stockQuantity(line),
  });
  const moves = new Map<number, ListingMove>();
  const add = (productId: number, old: LineState | null, fresh: LineState | null) => {
    const { quantity, reserved } = figureShift(old ?? GONE, fresh ?? GONE);
    const isMoved = !quantity.isZero() || !reserved.isZero();
    const isDoubtful = (isMoved && late) || !isForeseeable(old, fresh);
    const sofar = moves.get(productId) ?? { shift: UNMOVED, doubtful: false, taken: takenBy(order, productId) };
    moves.set(productId, {
      shift: { quantity: sofar.shift.quantity.plus(quantity), reserved: sofar.shift.reserved.plus(reserved) },
      doubtful: sofar.doubtful || isDoubtful,
      knownBeforeTick,
      releasedTick,
      taken: sofar.taken,
    });
  };
  const left = new Map(before?.lines.map((line) => [line.id, line]));
  for (const line of after.lines) {
    const old = left.get(line.id);
    const same = before !== null && old?.productId === line.productId;
    if (same) left.delete(line.id);
    add(line.productId, same ? stateOf(before, old) : null, stateOf(after, line));
  }
  if (before !== null) for (const old of left.values()) add(old.productId, stateOf(before, old), null);
  return moves;
}

const GONE = { effect: 'none', quantity: ZERO } as const;
const UNMOVED: Shift = { quantity: ZERO, reserved: ZERO };

/** The units of a listing that an order has taken or released, beyond those known before. */
function takenBy({ number, before, after, wasHidden, stockQuantity }: OrderMove, productId: number): TakenUnits {
  const of = ({ status, lines }: OrderState, isMeant: (effect: Effect) => boolean) =>
    sum(
      lines.filter((line) => line.productId === productId && isMeant(lineEffect(status, line.late))).map(stockQuantity),
    );
  // Released units are back. Only a long-hidden order may have been mistaken for one that took them.
  const gone = of(after, (effect) => effect === 'consumed' || (wasHidden && effect === 'none'));
  const known = before === null || gone.isZero() ? ZERO : of(before, (effect) => effect !== 'none');
  return { number, wasHidden, quantity: Decimal.max(gone.minus(known), ZERO) };
}

/** Applies the order's effect to the stored figures, as the marketplace did, and makes the stock work. */
export function withOrderMove({ erpId, unseenSales, ...of }: Listing, move: ListingMove): ListingChange {
  if (erpId === null) return { ...movedFigures(of, move), due: [] };
  return {
    ...movedFigures(of, move),
    unseenSales: withOrder(unseenSales, move.taken),
    due: [{ flow: 'stock', key: erpId, why: `order ${move.taken.number} moved` }],
  };
}

function movedFigures({ row, drift }: Pick<Listing, 'row' | 'drift'>, move: ListingMove): Omit<ListingChange, 'due'> {
  const { shift, knownBeforeTick } = move;
  const isMoved = !shift.quantity.isZero() || !shift.reserved.isZero();
  const figures = row === undefined ? null : movingFigures(row);
  if (row === undefined || !(isMoved || move.doubtful)) return {};
  const isReleased = shift.quantity.greaterThan(shift.reserved);
  const releasedTick = isReleased ? Math.max(row.releasedTick, move.releasedTick) : row.releasedTick;
  if (figures === null) return isReleased ? { figures: { ...row, releasedTick } } : {};
  const quantity = figures.quantity.plus(shift.quantity);
  const reserved = figures.reserved.plus(shift.reserved);
  // The observed stock may already include this order change. Marked uncertain, it is written again instead of assumed.
  const doubtful = move.doubtful || row.observedTick >= knownBeforeTick || !decimalOf(row.unexplained).isZero();
  return {
    figures: {
      quantity: quantity.toFixed(),
      reserved: reserved.toFixed(),
      available: quantity.minus(reserved).toFixed(),
      certain: row.certain && !doubtful,
      observedTick: row.observedTick,
      releasedTick,
      // An order of exactly this size explains the unexplained reservation.
      unexplained: shift.reserved.equals(row.unexplained) ? '0' : row.unexplained,
      // An order that reserves more than before may be the unknown one.
      unseen: Decimal.max(decimalOf(row.unseen).minus(Decimal.max(shift.reserved, 0)), 0).toFixed(),
    },
    drift: drift !== null && isMoved ? withMove(drift, shift, move.doubtful) : null,
  };
}
