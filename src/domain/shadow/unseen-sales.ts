import { type Cause, cause } from '../causes/cause.ts';
import { Decimal, ZERO } from '../decimal.ts';

/**
 * Units of a product that were reserved by no known order, and have gone without having come back. They are kept back until
 * an order shows them, or an operator says so.
 */
export interface UnseenSale {
  /** null: it is new. */
  readonly id: number | null;
  /** open: the orders were not read again since. in-doubt: it waits for an operator. applied: orders show it. */
  readonly state: 'open' | 'in-doubt' | 'applied';
  readonly quantity: Decimal;
  readonly evidence: Cause | null;
}

/** An order has taken, or let go of, so much more than was known of it: it may be the one. */
export interface TakenUnits {
  readonly number: string;
  readonly quantity: Decimal;
  /** It may have been there for long. Any other has come since the orders were read again for this judgement. */
  readonly wasHidden: boolean;
}

/* Each rule takes the unseen sales of one product that are open or in doubt, and answers those that have changed. */

/** So much more has gone. */
export function withGone(sales: readonly UnseenSale[], quantity: Decimal): UnseenSale[] {
  const open = openOne(sales) ?? { id: null, state: 'open', quantity: ZERO, evidence: null };
  return [{ ...open, quantity: open.quantity.plus(quantity) }];
}

export function withOrder(sales: readonly UnseenSale[], order: TakenUnits): UnseenSale[] {
  let { quantity } = order;
  const changed: UnseenSale[] = [];
  for (const sale of sales) {
    if (quantity.isZero()) break;
    if (!order.wasHidden && sale.state !== 'open') continue;
    const left = Decimal.max(sale.quantity.minus(quantity), ZERO);
    quantity = quantity.minus(sale.quantity.minus(left));
    changed.push(left.isZero() ? shownBy(sale, [order.number]) : { ...sale, quantity: left });
  }
  return changed;
}

/**
 * The orders were read again: those that are known explain so many of the units, and an operator is asked about the rest.
 * @param listing of which they were
 */
export function withJudgement(sales: readonly UnseenSale[], explained: Decimal, listing: number): UnseenSale[] {
  const open = openOne(sales);
  if (open === undefined) return [];
  const left = open.quantity.minus(explained);
  if (left.lessThanOrEqualTo(0)) return [shownBy(open, [])];
  const evidence = cause('unseen-sale', { listing, quantity: left.toFixed() });
  return [{ ...open, state: 'in-doubt', quantity: left, evidence }];
}

function openOne(sales: readonly UnseenSale[]): UnseenSale | undefined {
  return sales.find(({ state }) => state === 'open');
}

function shownBy(sale: UnseenSale, orders: string[]): UnseenSale {
  return { ...sale, state: 'applied', evidence: cause('order-shows-it', { orders }) };
}
