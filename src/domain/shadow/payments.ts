import type { Decimal } from '../decimal.ts';
import type { MarketplacePayment } from '../payment.ts';
import { hasFields, type Recorded } from './row.ts';

/** The total is exact text. */
export interface PaymentRow extends Omit<MarketplacePayment, 'total'> {
  readonly total: string;
  readonly seenAtMs: number;
}

/** @param erpId the linked ERP payment */
export function withPayment(
  before: PaymentRow | undefined,
  payment: MarketplacePayment,
  { erpId, mended, nowMs }: { readonly erpId: string | null; readonly mended: boolean; readonly nowMs: number },
): Recorded<PaymentRow> {
  const { id, orderNumber, currency, type, paidAt } = payment;
  const total = payment.total.toFixed();
  if (before !== undefined && !mended && hasFields(before, { orderNumber, total, currency, type, paidAt }))
    return { row: null, due: [] };
  const why = before === undefined ? 'payment seen for the first time' : 'payment changed on the marketplace';
  const inErp = erpId === null ? [] : [{ flow: 'payment-out', key: erpId, why }];
  return { row: { ...payment, total, seenAtMs: nowMs }, due: [{ flow: 'payment-in', key: id, why }, ...inErp] };
}

export interface ErpPayment {
  readonly id: string;
  /** The reference of the ERP's order. */
  readonly reference: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly method: string | null;
  /** ISO 8601. */
  readonly receivedAt: string | null;
  /** null: the payment does not come from the marketplace. */
  readonly marketplaceId: string | null;
  readonly voided: boolean;
  readonly changedAt: string;
}

/** The amount is exact text. */
export interface ErpPaymentRow extends Omit<ErpPayment, 'amount'> {
  readonly amount: string;
  readonly seenAtMs: number;
}

/** The fields that identify a payment after its id has changed. */
export function contentOf({
  reference,
  amount,
  method,
  receivedAt,
}: Pick<ErpPayment, 'reference' | 'amount' | 'method' | 'receivedAt'>): string {
  return JSON.stringify([reference, amount.toFixed(), method, receivedAt]);
}

export interface SeenErpPayment {
  readonly payment: ErpPayment;
  readonly seenAtMs: number;
}

/**
 * Returns earlier payments with the same content, of which this one may be a reimport under a new id. An earlier
 * payment that was read since, or that a full list begun since still contains, is a separate payment.
 * @param listedAtMs when the last full list began
 */
export function formerIds(
  { payment, seenAtMs }: SeenErpPayment,
  others: readonly SeenErpPayment[],
  listedAtMs: number | null,
): string[] {
  if (listedAtMs !== null && listedAtMs > seenAtMs) return [];
  const content = contentOf(payment);
  const isFormer = (other: SeenErpPayment) =>
    other.seenAtMs < seenAtMs && !other.payment.voided && contentOf(other.payment) === content;
  return others.filter(isFormer).map((other) => other.payment.id);
}

export function withErpPayment(
  before: ErpPaymentRow | undefined,
  payment: ErpPayment,
  { mended, nowMs }: { readonly mended: boolean; readonly nowMs: number },
): Recorded<ErpPaymentRow> {
  const { id, reference, currency, method, receivedAt, marketplaceId, voided } = payment;
  const amount = payment.amount.toFixed();
  const content = { reference, amount, currency, method, receivedAt, marketplaceId, voided };
  if (before !== undefined && !mended && hasFields(before, content)) return { row: null, due: [] };
  const how = before === undefined ? 'seen for the first time' : voided ? 'voided' : 'changed';
  const row = { ...payment, amount, seenAtMs: nowMs };
  return { row, due: [{ flow: 'payment-out', key: id, why: `payment ${how} in the ERP` }] };
}
