import { cause } from '../../../domain/causes/cause.ts';
import { ZERO } from '../../../domain/decimal.ts';
import type { OrderLine } from '../../../domain/order.ts';
import { listedOfLine, type Units } from '../../../domain/units.ts';
import type { StoredProduct } from '../../../store/marketplace.ts';
import { act, type Decision, hold } from '../../engine/decision.ts';
import type { OrderInAction, OrderInSnapshot } from './snapshot.ts';

export const BACKORDER = 'Backorder';

/**
 * Returns whether buyers could take all lines from the available stock. Lines of one product share it. Unknown stock
 * counts as none.
 * @param listingOf null: unknown listing
 */
export function isBackInStock(
  lines: readonly OrderLine[] | null,
  listingOf: (productId: number) => StoredProduct | null,
  units: Units,
): boolean {
  if (lines === null || lines.length === 0) return false;
  const left = new Map(lines.map(({ productId }) => [productId, listingOf(productId)?.figures.available ?? ZERO]));
  return lines.every(({ productId, quantity, unitMultiplier }) => {
    const listing = listingOf(productId);
    if (listing === null || listing.archived) return false;
    if (!listing.managed) return true;
    const taken = listedOfLine(units, quantity, unitMultiplier ?? listing.unitMultiplier ?? null);
    const rest = taken === null ? null : (left.get(productId) ?? ZERO).minus(taken);
    if (rest === null || rest.isNegative()) return false;
    left.set(productId, rest);
    return true;
  });
}

/** A Backorder order is accepted once its items are back in stock (spec 1, Order statuses). */
export function decideBackorder({ number, backInStock, rules }: OrderInSnapshot): Decision<OrderInAction> {
  const { accept } = rules.transitions;
  if (!backInStock || accept === undefined) return hold(cause('backorder', { order: number }));
  const change = { before: BACKORDER, after: 'Accepted', why: 'the stock for all its lines is there again' };
  const target = `order ${number}`;
  return act([{ action: 'order-in.transition', target, ...change, name: accept, from: BACKORDER, to: 'Accepted' }]);
}
