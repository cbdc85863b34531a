import type { Decimal, Figure } from './decimal.ts';
import type { Price } from './units.ts';

/** An order as the marketplace shows it (spec 1, Order). */
export interface MarketplaceOrder {
  readonly number: string;
  /** As sent; may be a status the spec does not know. */
  readonly status: string;
  /** As sent by the server; never reformatted. */
  readonly modified: string;
  readonly externalId: string | null;
  readonly customer: { readonly id: number | null; readonly name: string | null };
  readonly discountAmount: Decimal;
  /** In place of the amount: percent of the worth of the lines. */
  readonly discountPercent?: Decimal | undefined;
  /** null where the marketplace does not say. */
  readonly shippingAmount: Decimal | null;
  /** The marketplace's own tax and total, where it gives them. */
  readonly taxAmount: Decimal | null;
  readonly total: Decimal | null;
  /** State of delivery ("CA", "California"), where the marketplace gives one. */
  readonly deliveryState: string | null;
  /** null when the answer did not include line items. */
  readonly lines: readonly OrderLine[] | null;
}

/** A line item (spec 1, Line item), in the terms of the marketplace. */
export interface OrderLine {
  readonly id: number;
  readonly productId: number;
  readonly quantity: Figure<'marketplace line'>;
  readonly orderedUnitPrice: Price<'marketplace price'>;
  /** The discounted price; used when greater than 0.00. */
  readonly salesPrice: Price<'marketplace price'> | null;
  readonly unitMultiplier: Decimal | null;
}
