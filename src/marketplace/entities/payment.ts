import type { MarketplacePayment } from '../../domain/payment.ts';
import type { Answer } from '../request.ts';
import { readDecimal } from './amounts.ts';

export type PaymentRow = Answer<'order-payments.list'>;

/** The payment in a row that fits the table (spec 2, Order payment). */
export function readPayment(row: PaymentRow): MarketplacePayment {
  const total = readDecimal(row.total);
  if (total === null) throw new Error('invariant: a row that fits the table has a total that cannot be read');
  return {
    id: String(row.id),
    orderNumber: row.order,
    total,
    currency: row.currency ?? null,
    type: row.payment_type ?? 'other',
    paidAt: row.payment_date ?? null,
    createdAt: row.created_date ?? null,
  };
}
