import type { MarketplacePayment } from '../../domain/payment.ts';
import type { Answer } from '../request.ts';
import { checked, readDecimal } from './amounts.ts';

export type PaymentRow = Answer<'order-payments.list'>;

/** Spec 2, Order payment. */
export function readPayment(row: PaymentRow): MarketplacePayment {
  return {
    id: String(row.id),
    orderNumber: row.order,
    total: checked(readDecimal(row.total)),
    currency: row.currency ?? null,
    type: row.payment_type ?? 'other',
    paidAt: row.payment_date ?? null,
    createdAt: row.created_date ?? null,
  };
}
