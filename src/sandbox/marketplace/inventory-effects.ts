import { type Exact, ZERO } from '../exact.ts';

/** The figure of the product in which an order line counts. */
export type Counted = 'none' | 'reserved' | 'consumed';

/** The units that one line holds of its product right now, in the product's units. */
export interface Holding {
  readonly counted: Counted;
  readonly quantity: Exact;
}

export const NOTHING_HELD: Holding = { counted: 'none', quantity: ZERO };

/** A status that the spec's inventory effects do not name (Backorder, Canceled, Draft, ...) counts nowhere. */
const COUNTED_AT: Readonly<Record<string, Counted>> = {
  Submitted: 'reserved',
  Accepted: 'reserved',
  Fulfilled: 'consumed',
  Shipped: 'consumed',
  Complete: 'consumed',
};

const AFTER_ACCEPTED = new Set(['Fulfilled', 'Shipped', 'Complete', 'Rejected', 'Canceled', 'Cancelled']);

/** Spec 1: a product added at any status after Accepted neither reserves nor consumes inventory. */
export function isLate(statusWhenAdded: string): boolean {
  return AFTER_ACCEPTED.has(statusWhenAdded);
}

/**
 * The units that a line holds once its order has the status `status`. Reserved units follow the line's quantity. Consumed
 * units stay as they are: a rejection gives back exactly the units that were taken.
 */
export function holdingAt(status: string, line: { late: boolean; held: Holding; units: Exact }): Holding {
  const counted = line.late ? 'none' : (COUNTED_AT[status] ?? 'none');
  if (counted === 'none') return NOTHING_HELD;
  if (counted === 'consumed' && line.held.counted !== 'none') return { counted, quantity: line.held.quantity };
  return { counted, quantity: line.units };
}

/** The effect on the product of going from one holding to another. Every row of the spec's table follows from this. */
export function figuresChange(from: Holding, to: Holding) {
  return {
    quantity: consumed(from).minus(consumed(to)),
    reserved: reserved(to).minus(reserved(from)),
  };
}

const reserved = (holding: Holding) => (holding.counted === 'reserved' ? holding.quantity : NOTHING_HELD.quantity);
const consumed = (holding: Holding) => (holding.counted === 'consumed' ? holding.quantity : NOTHING_HELD.quantity);
