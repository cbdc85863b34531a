import type { z } from 'zod';
import type { Sql } from '../sql.ts';
import { type Orders, orderId } from './orders.ts';
import type { ownPayment, PaymentChange, PaymentDraft, PaymentRecord } from './records.ts';
import { Refusal } from './refusal.ts';

export interface PaymentRow extends Omit<PaymentRecord, 'id' | 'voided' | 'changed_at'> {
  n: number;
  voided: number;
  changed_ms: number;
}

const OF_REFERENCE = 'SELECT n FROM orders WHERE reference = ? ORDER BY n LIMIT 1';

export function createPayments(sql: Sql, nowMs: () => number, orders: Orders) {
  function add(draft: PaymentDraft & { order_id: string }): PaymentRecord {
    const row = { ...draft, voided: 0, changed_ms: nowMs() };
    return paymentRecord({ n: sql.insert('payments', row), ...row });
  }

  return {
    /** May add a duplicate. @throws Refusal 422 without an order of that reference */
    create(draft: PaymentDraft): PaymentRecord {
      const order = sql.get<{ n: number }>(OF_REFERENCE, draft.reference);
      if (order === undefined) throw new Refusal(422, `There is no order with reference ${draft.reference}`);
      return add({ ...draft, order_id: orderId(order.n) });
    },
    receive({ received_at = new Date(nowMs()).toISOString(), ...payment }: z.output<typeof ownPayment>): PaymentRecord {
      const { reference, currency } = orders.get(payment.order_id);
      return add({ ...payment, reference, currency: payment.currency ?? currency, received_at, marketplace_id: null });
    },
    /** Removes the payment without a trace. */
    remove(id: string): void {
      sql.run('DELETE FROM payments WHERE n = ?', Number(id.replace(/^PAY-/, '')));
    },
    change(id: string, { amount, voided }: PaymentChange): PaymentRecord {
      const row = sql.get<PaymentRow>('SELECT * FROM payments WHERE n = ?', Number(id.replace(/^PAY-/, '')));
      if (row === undefined) throw new Refusal(404, `There is no payment ${id}`);
      const now = { amount: amount ?? row.amount, voided: Number(voided ?? row.voided === 1), changed_ms: nowMs() };
      sql.update('payments', 'n', { n: row.n, ...now });
      return paymentRecord({ ...row, ...now });
    },
  };
}

export function paymentRecord({ n, changed_ms, voided, ...same }: PaymentRow): PaymentRecord {
  const id = `PAY-${String(n).padStart(6, '0')}`;
  return { id, ...same, voided: voided === 1, changed_at: new Date(changed_ms).toISOString() };
}
