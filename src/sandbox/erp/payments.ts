import type { z } from 'zod';
import type { ErpDatabase } from './database.ts';
import { type Orders, orderId } from './orders.ts';
import type { ownPayment, PaymentChange, PaymentDraft, PaymentRecord } from './records.ts';
import { Refusal } from './refusal.ts';

export interface PaymentRow extends Omit<PaymentRecord, 'id' | 'voided' | 'changed_at'> {
  n: number;
  voided: number;
  changed_ms: number;
}

export interface Payments {
  /** Not deduplicated. The order that carries the reference must be there (422). */
  create(draft: PaymentDraft): PaymentRecord;
  receive(payment: z.output<typeof ownPayment>): PaymentRecord;
  change(id: string, change: PaymentChange): PaymentRecord;
}

/** Payments received for orders. */
export function createPayments(db: ErpDatabase, nowMs: () => number, orders: Orders): Payments {
  const insert = db.prepare(`
    INSERT INTO payments (order_id, reference, amount, currency, method, received_at, marketplace_id, voided, changed_ms)
    VALUES (@order_id, @reference, @amount, @currency, @method, @received_at, @marketplace_id, @voided, @changed_ms)`);
  const update = db.prepare(
    'UPDATE payments SET amount = @amount, voided = @voided, changed_ms = @changed_ms WHERE n = @n',
  );
  const byNumber = db.prepare<[number], PaymentRow>('SELECT * FROM payments WHERE n = ?');
  const orderOf = db.prepare<[string], { n: number }>('SELECT n FROM orders WHERE reference = ? ORDER BY n LIMIT 1');

  function add(draft: PaymentDraft & { order_id: string }): PaymentRecord {
    const row = { ...draft, voided: 0, changed_ms: nowMs() };
    return paymentRecord({ n: Number(insert.run(row).lastInsertRowid), ...row });
  }

  return {
    create(draft) {
      const order = orderOf.get(draft.reference);
      if (order === undefined) throw new Refusal(422, `There is no order with reference ${draft.reference}`);
      return add({ ...draft, order_id: orderId(order.n) });
    },
    receive({ received_at = new Date(nowMs()).toISOString(), ...payment }) {
      const { reference, currency } = orders.get(payment.order_id);
      return add({ ...payment, reference, currency: payment.currency ?? currency, received_at, marketplace_id: null });
    },
    change(id, { amount, voided }) {
      const row = byNumber.get(Number(id.replace(/^PAY-/, '')));
      if (row === undefined) throw new Refusal(404, `There is no payment ${id}`);
      const now = { amount: amount ?? row.amount, voided: Number(voided ?? row.voided === 1), changed_ms: nowMs() };
      update.run({ n: row.n, ...now });
      return paymentRecord({ ...row, ...now });
    },
  };
}

export function paymentRecord({ n, changed_ms, voided, ...same }: PaymentRow): PaymentRecord {
  const id = `PAY-${String(n).padStart(6, '0')}`;
  return { id, ...same, voided: voided === 1, changed_at: new Date(changed_ms).toISOString() };
}
