import { Decimal, sum, ZERO } from '../../domain/decimal.ts';
import { figureShift, isForeseeable, type LineState } from '../../domain/ledger.ts';
import type { OrderLine } from '../../domain/order.ts';
import { type Effect, lineEffect } from '../../domain/status.ts';
import type { Lane } from '../work.ts';
import type { Queryable } from './database.ts';
import { erpProductOf, moveFigures } from './record-products.ts';
import { explainUnseen } from './unseen-sales.ts';
import { markWork } from './work.ts';

interface Line extends OrderLine {
  readonly late: boolean;
}

interface OrderState {
  readonly status: string;
  readonly lines: readonly Line[];
}

/** An order as it was known, and as it is now. */
export interface OrderMove {
  readonly number: string;
  /** null: it was not known. */
  readonly before: OrderState | null;
  readonly after: OrderState;
  /** It may have moved before anything that was read since. */
  readonly late: boolean;
  /** It may have been there for long, and no read showed it. */
  readonly wasHidden: boolean;
}

interface Reading {
  readonly account: string;
  readonly lane: Lane;
  readonly knownBeforeTick: number;
  readonly stockQuantity: (line: OrderLine) => Decimal;
}

interface Touched {
  quantity: Decimal;
  reserved: Decimal;
  /** A line is counted elsewhere, or with another quantity, than before. */
  moved: boolean;
  foreseeable: boolean;
}

/** Moves the shadow's figures as the marketplace moved its own, and has the stock of these products looked at. */
export function moveStock(tx: Queryable, reading: Reading, move: OrderMove, nowMs: number): void {
  const { account, lane, knownBeforeTick } = reading;
  for (const [productId, { moved, foreseeable, ...shift }] of touchedBy(reading, move)) {
    moveFigures(tx, account, productId, shift, { knownBeforeTick, doubtful: (moved && move.late) || !foreseeable });
    const erpId = erpProductOf(tx, account, String(productId));
    if (erpId !== null)
      explainUnseen(tx, { account, erpId }, { number: move.number, ...tookUnseen(reading, move, productId) }, nowMs);
    const target = { account, flow: 'stock', key: erpId ?? '' };
    if (erpId !== null) markWork(tx, target, lane, `order ${move.number} moved`, nowMs);
  }
}

/** How much more of a product an order has taken, or let go of, than was known before. */
function tookUnseen({ stockQuantity }: Reading, { before, after, wasHidden }: OrderMove, productId: number) {
  const of = ({ status, lines }: OrderState, isMeant: (effect: Effect) => boolean) =>
    sum(
      lines.filter((line) => line.productId === productId && isMeant(lineEffect(status, line.late))).map(stockQuantity),
    );
  // Units that an order lets go of are back; only an order that shows late may have been taken for one that took them.
  const gone = of(after, (effect) => effect === 'consumed' || (wasHidden && effect === 'none'));
  const known = before === null || gone.isZero() ? ZERO : of(before, (effect) => effect !== 'none');
  return { wasHidden, quantity: Decimal.max(gone.minus(known), ZERO) };
}

function touchedBy(reading: Reading, { before, after }: OrderMove): Map<number, Touched> {
  const touched = new Map<number, Touched>();
  const add = (productId: number, old: LineState | null, fresh: LineState | null) => {
    const shift = figureShift(old ?? GONE, fresh ?? GONE);
    const sofar = touched.get(productId) ?? { quantity: ZERO, reserved: ZERO, moved: false, foreseeable: true };
    touched.set(productId, {
      quantity: sofar.quantity.plus(shift.quantity),
      reserved: sofar.reserved.plus(shift.reserved),
      moved: sofar.moved || !shift.quantity.isZero() || !shift.reserved.isZero(),
      foreseeable: sofar.foreseeable && isForeseeable(old, fresh),
    });
  };
  const stateOf = (order: OrderState, line: Line) => ({
    status: order.status,
    effect: lineEffect(order.status, line.late),
    quantity: reading.stockQuantity(line),
  });
  const left = new Map(before?.lines.map((line) => [line.id, line]));
  for (const line of after.lines) {
    const old = left.get(line.id);
    const same = before !== null && old?.productId === line.productId;
    if (same) left.delete(line.id);
    add(line.productId, same ? stateOf(before, old) : null, stateOf(after, line));
  }
  if (before !== null) for (const old of left.values()) add(old.productId, stateOf(before, old), null);
  return touched;
}

const GONE = { effect: 'none', quantity: ZERO } as const;
