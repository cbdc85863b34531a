import { Exact, ZERO } from '../../exact.ts';
import type { Micros } from '../instants.ts';
import type { Actor, Market } from '../market.ts';
import { figures, findProduct, isProduct } from '../product-rows.ts';
import {
  changeAt,
  isSamePlace,
  type Place,
  placedStock,
  type Stock,
  saveFigures,
  saveStock,
  takenFrom,
} from './stock.ts';

/** The figure in which a line counts. */
export type Counted = 'none' | 'reserved' | 'consumed';

/** What a line holds now, in the product's units. */
export interface Holding {
  readonly counted: Counted;
  readonly quantity: Exact;
}

export const NOTHING_HELD: Holding = { counted: 'none', quantity: ZERO };

/** Other statuses (Backorder, Canceled, Draft, ...) have no inventory effect in the spec. */
const COUNTED_AT: ReadonlyMap<string, Counted> = new Map([
  ['Submitted', 'reserved'],
  ['Accepted', 'reserved'],
  ['Fulfilled', 'consumed'],
  ['Shipped', 'consumed'],
  ['Complete', 'consumed'],
]);

const AFTER_ACCEPTED = new Set(['Fulfilled', 'Shipped', 'Complete', 'Rejected', 'Canceled', 'Cancelled']);

/** Spec 1: a product added after Accepted neither reserves nor consumes inventory. */
export function isLate(statusWhenAdded: string): boolean {
  return AFTER_ACCEPTED.has(statusWhenAdded);
}

/**
 * The units that a line holds at a status. Reserved units follow the line's quantity; consumed ones stay, so that a
 * rejection returns exactly those taken.
 */
export function holdingAt(status: string, line: { late: boolean; held: Holding; units: Exact }): Holding {
  const counted = line.late ? 'none' : (COUNTED_AT.get(status) ?? 'none');
  if (counted === 'none') return NOTHING_HELD;
  if (counted === 'consumed' && line.held.counted !== 'none') return { counted, quantity: line.held.quantity };
  return { counted, quantity: line.units };
}

/** Spec 1, Inventory effects: applies a line to its product's figures and places. */
export function applyHolding(
  market: Market,
  line: { readonly id: number; readonly product: number },
  from: Holding,
  to: Holding,
  by: Actor,
): void {
  // Covers every row of the spec's table.
  const consumed = unitsAs('consumed', to).minus(unitsAs('consumed', from));
  const reserved = unitsAs('reserved', to).minus(unitsAs('reserved', from));
  if (consumed.isZero() && reserved.isZero()) return;
  // A deleted listing has no figures, but its orders go on.
  if (!isProduct(market, line.product)) return;
  const row = findProduct(market, line.product);
  const stock = placedStock(market, row.id);
  if (stock.length === 0) {
    const before = figures(row);
    const after = { quantity: before.quantity.minus(consumed), reserved: before.reserved.plus(reserved) };
    return saveFigures(market, row, after, 'order', by);
  }
  const placed = { stock, held: heldOf(market, line.id, from) };
  const moved = moveHolding(placed, from, to, market.settings().implicitPlace);
  saveHeld(market, line.id, moved.held);
  saveStock(market, row, moved.stock, 'order', by);
}

const unitsAs = (wanted: Counted, { counted, quantity }: Holding) => (counted === wanted ? quantity : ZERO);

/** A line's units at one place: `quantity` includes those `fulfilled`. */
interface Held extends Place {
  readonly quantity: Exact;
  readonly fulfilled: Exact;
  /** null: not stored yet. */
  readonly created_at: Micros | null;
}

/** A line's units by place; of a product without places, all at the implicit one. */
export function heldOf(market: Market, line: number, holding: Holding): Held[] {
  const rows = market.sql.all<Held & Readonly<Record<'quantity' | 'fulfilled', string>>>(
    'SELECT facility, batch, quantity, fulfilled, created_at FROM reservations WHERE line = ? ORDER BY facility, batch',
    line,
  );
  if (rows.length > 0 || holding.counted === 'none' || holding.quantity.isZero()) {
    return rows.map((row) => ({ ...row, quantity: new Exact(row.quantity), fulfilled: new Exact(row.fulfilled) }));
  }
  const { counted, quantity } = holding;
  const fulfilled = counted === 'consumed' ? quantity : ZERO;
  return [{ ...market.settings().implicitPlace, quantity, fulfilled, created_at: null }];
}

export function saveHeld(market: Market, line: number, held: readonly Held[]): void {
  forgetHeld(market, line);
  for (const { quantity, fulfilled, created_at, ...place } of held) {
    const figuresHeld = { quantity: quantity.toFixed(), fulfilled: fulfilled.toFixed() };
    market.sql.insert('reservations', { line, ...place, ...figuresHeld, created_at: created_at ?? market.now() });
  }
}

export function forgetHeld(market: Market, line: number): void {
  market.sql.run('DELETE FROM reservations WHERE line = ?', line);
}

/** A product's stock, and a line's part of it. */
export interface Placed {
  readonly stock: Stock;
  readonly held: readonly Held[];
}

/** Moves a line between two holdings, place by place (spec 1). */
function moveHolding(placed: Placed, from: Holding, to: Holding, otherwise: Place): Placed {
  // Shipped units do not ship again, even if a command brought some back.
  if (from.counted === 'consumed' && to.counted === 'consumed') return placed;
  const back =
    from.counted === 'consumed' || to.counted === 'none' ? unfulfill(placed, totalFulfilled(placed)) : placed;
  if (to.counted === 'none') return release(back, totalHeld(back));
  const missing = to.quantity.minus(totalHeld(back));
  const resized = missing.isNegative() ? release(back, missing.negated()) : reserve(back, missing, otherwise);
  return to.counted === 'consumed' ? fulfill(resized, totalHeld(resized)) : resized;
}

export function totalHeld({ held }: Placed): Exact {
  return held.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
}

export function totalFulfilled({ held }: Placed): Exact {
  return held.reduce((sum, { fulfilled }) => sum.plus(fulfilled), ZERO);
}

function reserve({ stock, held }: Placed, quantity: Exact, otherwise: Place): Placed {
  const taken = takenFrom(stock, quantity, otherwise);
  return {
    stock: taken.reduce((after, portion) => changeAt(after, portion, { reserved: portion.quantity }), stock),
    held: taken.reduce<readonly Held[]>((after, portion) => {
      const known = after.find((each) => isSamePlace(each, portion));
      if (!known) return [...after, { ...portion, fulfilled: ZERO, created_at: null }];
      return after.map((each) => (each === known ? { ...each, quantity: each.quantity.plus(portion.quantity) } : each));
    }, held),
  };
}

/** Returns unshipped units, last place first. */
export function release(placed: Placed, quantity: Exact): Placed {
  return walk(placed, quantity, {
    reversed: true,
    upTo: (each) => each.quantity.minus(each.fulfilled),
    change: (part) => ({ reserved: part.negated() }),
    after: (each, part) => ({ ...each, quantity: each.quantity.minus(part) }),
  });
}

/** Ships units, first place first. */
export function fulfill(placed: Placed, quantity: Exact): Placed {
  return walk(placed, quantity, {
    reversed: false,
    upTo: (each) => each.quantity.minus(each.fulfilled),
    change: (part) => ({ reserved: part.negated(), on_hand: part.negated() }),
    after: (each, part) => ({ ...each, fulfilled: each.fulfilled.plus(part) }),
  });
}

/** Takes shipped units back, last place first, and reserves them. */
export function unfulfill(placed: Placed, quantity: Exact): Placed {
  return walk(placed, quantity, {
    reversed: true,
    upTo: (each) => each.fulfilled,
    change: (part) => ({ reserved: part, on_hand: part }),
    after: (each, part) => ({ ...each, fulfilled: each.fulfilled.minus(part) }),
  });
}

interface Step {
  readonly reversed: boolean;
  readonly upTo: (each: Held) => Exact;
  readonly change: (part: Exact) => Parameters<typeof changeAt>[2];
  readonly after: (each: Held, part: Exact) => Held;
}

/** Spreads a quantity over a line's places. The excess and empty places are dropped. */
function walk(placed: Placed, quantity: Exact, step: Step): Placed {
  let { stock } = placed;
  let left = quantity;
  const order = step.reversed ? placed.held.toReversed() : placed.held;
  const walked = order.map((each) => {
    const part = Exact.min(left, step.upTo(each));
    if (!part.greaterThan(0)) return each;
    left = left.minus(part);
    stock = changeAt(stock, each, step.change(part));
    return step.after(each, part);
  });
  const held = step.reversed ? walked.toReversed() : walked;
  return { stock, held: held.filter((each) => !each.quantity.isZero()) };
}
