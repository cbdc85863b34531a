import { z } from 'zod';
import { nonEmpty, wireDate } from './limits.ts';
import { operation } from './operation.ts';

/** Spec 2, Endpoints, Create an invoice's recorded payment. */
const fields = z.strictObject({
  /** In US dollars. */
  amount: nonEmpty.regex(/^-?\d+(\.\d+)?$/, 'expected an amount in US dollars, such as 12.50'),
  payment_date: wireDate,
  payment_reason: z.enum([
    'invoice_purchase',
    'reversal',
    'adjustment',
    'principal',
    'extension_fee',
    'factor_fee',
    'direct_pay_fee',
    'direct_pay_fee_reversal',
    'direct_pay_fee_batch',
    'cashback_reward',
    'standard',
    'ach_error',
    'marketplace_payment',
    'other',
    'sell_through',
  ]),
  payment_method: z.enum(['ach', 'wire', 'money_order', 'cash_pickup', 'check', 'other']),
  /** When the method is check. */
  check_number: nonEmpty.optional(),
  /** The payment's id in the caller's own system. */
  source_id: nonEmpty,
});

export const invoicePaymentOperations = {
  'invoice-payments.create': operation({
    id: 'invoice-payments.create',
    summary: 'Record a payment of an invoice',
    method: 'POST',
    path: '/payments/',
    provenance: 'assumed',
    permission: null,
    section: '2, Endpoints, Payments and contracts',
    body: fields.refine((payment) => payment.payment_method !== 'check' || payment.check_number !== undefined, {
      path: ['check_number'],
      message: 'expected the number of the check',
    }),
    answer: z.looseObject({}).nullable(),
  }),
} as const;
