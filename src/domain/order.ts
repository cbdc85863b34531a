import type { Decimal, Figure } from './decimal.ts';
import type { Price } from './units.ts';

/** Spec 1, Order. */
export interface MarketplaceOrder {
  readonly number: string;
  /** As sent. May be a status that the spec does not define. */
  readonly status: string;
  /** As sent by the server, never reformatted. */
  readonly modified: string;
  readonly externalId: string | null;
  readonly customer: { readonly id: number | null; readonly name: string | null };
  readonly discountAmount: Decimal;
  /** Replaces the amount: percent of the lines' worth. */
  readonly discountPercent?: Decimal | undefined;
  /** null: not shown. */
  readonly shippingAmount: Decimal | null;
  /** The marketplace's own tax and total. null: not shown. */
  readonly taxAmount: Decimal | null;
  readonly total: Decimal | null;
  /** State of delivery ("CA", "California"). null: not shown. */
  readonly deliveryState: string | null;
  /** null: the answer contained no line items. */
  readonly lines: readonly OrderLine[] | null;
}

/** Spec 1, Line item. */
export interface OrderLine {
  readonly id: number;
  readonly productId: number;
  readonly quantity: Figure<'marketplace line'>;
  readonly orderedUnitPrice: Price<'marketplace price'>;
  /** The discounted price; used if above 0.00. */
  readonly salesPrice: Price<'marketplace price'> | null;
  readonly unitMultiplier: Decimal | null;
}
