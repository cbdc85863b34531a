import type { Decimal } from '../decimal.ts';
import type { MarketplacePayment } from '../payment.ts';
import { type Recorded, shows } from './row.ts';

/** The marketplace's payment. Its total is an exact text. */
export interface PaymentRow extends Omit<MarketplacePayment, 'total'> {
  readonly total: string;
  readonly seenAtMs: number;
}

/** @param erpId the ERP's payment to which this payment is linked */
export function withPayment(
  before: PaymentRow | undefined,
  payment: MarketplacePayment,
  { erpId, mended, nowMs }: { readonly erpId: string | null; readonly mended: boolean; readonly nowMs: number },
): Recorded<PaymentRow> {
  const { id, orderNumber, currency, type, paidAt } = payment;
  const total = payment.total.toFixed();
  if (before !== undefined && !mended && shows(before, { orderNumber, total, currency, type, paidAt }))
    return { row: null, due: [] };
  const why = before === undefined ? 'payment seen for the first time' : 'payment changed on the marketplace';
  const inErp = erpId === null ? [] : [{ flow: 'payment-out', key: erpId, why }];
  return { row: { ...payment, total, seenAtMs: nowMs }, due: [{ flow: 'payment-in', key: id, why }, ...inErp] };
}

/** A payment that was received for an order, as the connector gives it. */
export interface ErpPayment {
  readonly id: string;
  /** The reference that the ERP's order carries. */
  readonly reference: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly method: string | null;
  /** ISO 8601. */
  readonly receivedAt: string | null;
  /** null for a payment that did not come from the marketplace. */
  readonly marketplaceId: string | null;
  readonly voided: boolean;
  readonly changedAt: string;
}

/** The ERP's payment. Its amount is an exact text. */
export interface ErpPaymentRow extends Omit<ErpPayment, 'amount'> {
  readonly amount: string;
  readonly seenAtMs: number;
}

/** The content by which a payment is known under another id. */
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
 * The ids of the earlier payments that this one may be under another id, where an ERP imports its payments anew. An earlier payment that was
 * shown since, or that stands after a whole list that began since, is another one of the same content.
 * @param listedAtMs when the last whole list began
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
  const told = { reference, amount, currency, method, receivedAt, marketplaceId, voided };
  if (before !== undefined && !mended && shows(before, told)) return { row: null, due: [] };
  const how = before === undefined ? 'seen for the first time' : voided ? 'voided' : 'changed';
  const row = { ...payment, amount, seenAtMs: nowMs };
  return { row, due: [{ flow: 'payment-out', key: id, why: `payment ${how} in the ERP` }] };
}
