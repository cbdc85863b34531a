import { Exact, ZERO } from '../../exact.ts';
import type { Holding } from '../inventory-effects.ts';
import { changeAt, isSamePlace, type Place, type Stock, takenFrom } from './stock.ts';

/** The units that an order's line holds at one place: `quantity` in all, of which `fulfilled` have left. */
export interface Held {
  readonly place: Place;
  readonly quantity: Exact;
  readonly fulfilled: Exact;
}

/** A product's stock, and what one line holds of it. */
export interface Placed {
  readonly stock: Stock;
  readonly held: readonly Held[];
}

/** Changes what a line holds from one holding to another, with the effects of spec 1, place by place. */
export function moveHolding(placed: Placed, from: Holding, to: Holding, otherwise: Place): Placed {
  // Units that left are not sent again, even when a command brought a part of them back.
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
    stock: taken.reduce((after, portion) => changeAt(after, portion.place, { reserved: portion.quantity }), stock),
    held: taken.reduce<readonly Held[]>((after, { place: { facility, batch }, quantity: more }) => {
      const place = { facility, batch };
      const known = after.find((each) => isSamePlace(each.place, place));
      if (!known) return [...after, { place, quantity: more, fulfilled: ZERO }];
      return after.map((each) => (each === known ? { ...each, quantity: each.quantity.plus(more) } : each));
    }, held),
  };
}

/** Gives back so many of the units that have not left, the last place first. */
export function release(placed: Placed, quantity: Exact): Placed {
  return walk(placed, quantity, {
    reversed: true,
    upTo: (each) => each.quantity.minus(each.fulfilled),
    change: (part) => ({ reserved: part.negated() }),
    after: (each, part) => ({ ...each, quantity: each.quantity.minus(part) }),
  });
}

/** Sends so many units out, from the first place first. */
export function fulfill(placed: Placed, quantity: Exact): Placed {
  return walk(placed, quantity, {
    reversed: false,
    upTo: (each) => each.quantity.minus(each.fulfilled),
    change: (part) => ({ reserved: part.negated(), onHand: part.negated() }),
    after: (each, part) => ({ ...each, fulfilled: each.fulfilled.plus(part) }),
  });
}

/** Takes back so many of the units that left, the last place first, and reserves them again. */
export function unfulfill(placed: Placed, quantity: Exact): Placed {
  return walk(placed, quantity, {
    reversed: true,
    upTo: (each) => each.fulfilled,
    change: (part) => ({ reserved: part, onHand: part }),
    after: (each, part) => ({ ...each, fulfilled: each.fulfilled.minus(part) }),
  });
}

interface Step {
  readonly reversed: boolean;
  readonly upTo: (each: Held) => Exact;
  readonly change: (part: Exact) => Parameters<typeof changeAt>[2];
  readonly after: (each: Held, part: Exact) => Held;
}

/** Spreads a quantity over the places that a line holds. A quantity beyond them is left out. Empty places are dropped. */
function walk(placed: Placed, quantity: Exact, step: Step): Placed {
  let { stock } = placed;
  let left = quantity;
  const order = step.reversed ? placed.held.toReversed() : placed.held;
  const walked = order.map((each) => {
    const part = Exact.min(left, step.upTo(each));
    if (!part.greaterThan(0)) return each;
    left = left.minus(part);
    stock = changeAt(stock, each.place, step.change(part));
    return step.after(each, part);
  });
  const held = step.reversed ? walked.toReversed() : walked;
  return { stock, held: held.filter((each) => !each.quantity.isZero()) };
}
