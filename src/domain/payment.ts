import type { Decimal } from './decimal.ts';
import { instantNs } from './instant.ts';
import { inCurrency } from './money-text.ts';

/** Spec 2, Order payment. */
export interface MarketplacePayment {
  readonly id: string;
  readonly orderNumber: string;
  readonly total: Decimal;
  /** null: not shown. */
  readonly currency: string | null;
  /** As sent. `other`: not shown. */
  readonly type: string;
  readonly paidAt: string | null;
  /** As sent by the server, never reformatted. */
  readonly createdAt: string | null;
}

/** The facts that match payments of both sides. Neither side has a field that reliably keeps the other side's id. */
export interface PaymentFacts {
  readonly orderNumber: string;
  readonly amount: Decimal;
  /** The marketplace's payment type. null: unknown. */
  readonly type: string | null;
  readonly paidAt: string | null;
}

/** A side may store only the day of a payment, in its own time zone. */
const DAY_NS = 24n * 60n * 60n * 1_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/**
 * Returns the payments that may be the same: equal order, amount and type, within a day. If some have the same instant,
 * returns only those.
 */
export function alike<Payment extends PaymentFacts>(payment: PaymentFacts, among: readonly Payment[]): Payment[] {
  const found = among.filter((other) => isAlike(payment, other));
  const atOnce = found.filter((other) => apartNs(payment, other) < SECOND_NS);
  return atOnce.length > 0 ? atOnce : found;
}

function isAlike(payment: PaymentFacts, other: PaymentFacts): boolean {
  return (
    payment.orderNumber === other.orderNumber &&
    payment.amount.equals(other.amount) &&
    (payment.type === null || other.type === null || payment.type === other.type) &&
    apartNs(payment, other) <= DAY_NS
  );
}

/** Without an exact instant, a day. */
function apartNs(payment: PaymentFacts, other: PaymentFacts): bigint {
  const [first, second] = [instantNs(payment.paidAt ?? ''), instantNs(other.paidAt ?? '')];
  if (first === null || second === null) return DAY_NS;
  return first < second ? second - first : first - second;
}

/**
 * Returns why an amount cannot be recorded, or null. Spec 2, Order payment: up to eight digits before the point and two
 * after it.
 */
export function paymentAmountProblem(amount: Decimal, currency: string): string | null {
  const shown = `its amount ${inCurrency(amount, currency)}`;
  if (amount.lessThanOrEqualTo(0)) return `${shown} is not above zero`;
  if (amount.decimalPlaces() > 2) return `${shown} has more than two decimals`;
  return amount.lessThan('100000000') ? null : `${shown} has more than eight digits`;
}
