import type { Decimal, Figure } from '../../domain/decimal.ts';
import { CallFailure } from '../../domain/failure.ts';
import { quantityProblem } from '../../domain/quantity.ts';
import type { Price } from '../../domain/units.ts';
import type { Body } from '../request.ts';
import { writeDecimal, writeMoney } from './amounts.ts';

/** Spec 1, Inventory setting rules 2 and 3. */
export function quantityBody(
  written: 'quantity' | 'available_inventory',
  amount: Figure<'marketplace stock'>,
): Body<'products.patch'> {
  return { [written]: writeDecimal(amount) };
}

export interface OrderDraft {
  readonly sellerId: number;
  readonly customerId: number;
  readonly status: Body<'orders.create'>['status'];
  readonly lines: readonly LineDraft[];
  readonly discountAmount?: Decimal;
  readonly externalId: string;
}

export interface LineDraft {
  readonly productId: number;
  readonly quantity: Figure<'marketplace line'>;
  readonly orderedUnitPrice: Price<'marketplace price'>;
  /** Default: the ordered price, because the spec's create has a sale price and deployments may require one. */
  readonly salePrice?: Price<'marketplace price'>;
}

/**
 * Spec 1, Orders: the body of a seller-generated order.
 * @throws CallFailure `refused`, `not-applied`, when a quantity needs more than four fractional digits.
 */
export function orderCreateBody(draft: OrderDraft): Body<'orders.create'> {
  return {
    seller: draft.sellerId,
    customer: { id: draft.customerId },
    status: draft.status,
    line_items: draft.lines.map((line, index) => ({
      product: line.productId,
      quantity: lineQuantity(line.quantity, `line_items[${index}].quantity`),
      ordered_unit_price: writeMoney(line.orderedUnitPrice),
      sale_price: writeMoney(line.salePrice ?? line.orderedUnitPrice),
    })),
    ...(draft.discountAmount === undefined ? {} : discountBody(draft.discountAmount)),
    external_id: draft.externalId,
  };
}

/**
 * Spec 1 has the discount. Deployments with a shipping charge accept one too.
 * @param shipping null: unchanged
 */
export function chargesBody(discount: Decimal, shipping: Decimal | null): Body<'orders.patch'> {
  return {
    ...discountBody(discount),
    ...(shipping === null ? {} : { shipping_charge: writeDecimal(shipping) }),
  };
}

/** A discount is always written as an amount. Its type is sent only to a deployment that has a field for it. */
function discountBody(discount: Decimal) {
  return { discount_amount: writeDecimal(discount), discount_type: 'amount' };
}

export interface ChangedLine {
  /** null: a new line. */
  readonly id: number | null;
  readonly productId: number;
  readonly quantity: Figure<'marketplace line'>;
  /** null: unchanged. */
  readonly price: Price<'marketplace price'> | null;
}

/** Spec 1, Line item: an entry with an id changes that line, one without adds a line. */
export function lineChangesBody(lines: readonly ChangedLine[]): Body<'orders.patch'> {
  return {
    line_items: lines.map(({ id, productId, quantity, price }, index) => ({
      ...(id === null ? { product: productId } : { id }),
      quantity: lineQuantity(quantity, `line_items[${index}].quantity`),
      ...(price === null ? {} : { ordered_unit_price: writeMoney(price), sale_price: writeMoney(price) }),
    })),
  };
}

/** Spec 1, Line item: a string with four fractional digits. Never rounded. */
function lineQuantity(quantity: Decimal, path: string): string {
  const problem = quantityProblem(quantity);
  if (problem === null) return quantity.toFixed(4);
  const message = `marketplace orders.create was not sent: ${path} ${problem}`;
  throw new CallFailure(message, { side: 'marketplace', kind: 'refused', outcome: 'not-applied', path });
}

/** Spec 1, External-system synchronisation 3. */
export function externalIdBody(externalId: string): Body<'orders.patch'> {
  return { external_id: externalId };
}
