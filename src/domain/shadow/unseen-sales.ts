import { type Cause, cause } from '../causes/cause.ts';
import { Decimal, ZERO } from '../decimal.ts';

/**
 * Units of a product that disappeared although no known order had reserved them. They are kept back until an order
 * explains them, or an operator decides.
 */
export interface UnseenSale {
  /** null: the sale is new. */
  readonly id: number | null;
  /**
   * `open`: the orders have not been read since. `in-doubt`: an operator has to decide. `applied`: orders explain the
   * units.
   */
  readonly state: 'open' | 'in-doubt' | 'applied';
  readonly quantity: Decimal;
  readonly evidence: Cause | null;
}

/** Units that an order has taken or released, beyond those known before. The order may explain an unseen sale. */
export interface TakenUnits {
  readonly number: string;
  readonly quantity: Decimal;
  /** The order may have existed for long. Any other order arrived after the orders were read for this judgement. */
  readonly wasHidden: boolean;
}

/* The rules below take a product's open and doubtful sales, and return only the changed ones. */

/** Adds units that disappeared to the open sale. */
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
 * Judges the open sale after a read of the orders. An operator is asked about the units that no known order explains.
 * @param explained the units that known orders explain
 * @param listing the listing that had the units
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
