import { Decimal } from '../../domain/decimal.ts';
import { type ErpPaymentRow, withErpPayment } from '../../domain/shadow/payments.ts';
import { isOutdatedInErp } from '../../domain/shadow/row.ts';
import type { ErpPayment } from '../../erp/connector.ts';
import type { ErpPaymentStore } from '../erp.ts';
import type { Lane } from '../work.ts';
import type { Queryable } from './database.ts';
import { dropMisfit } from './misfits.ts';
import { and, asc, eq, inArray } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { keysAfter, putInto, rowBy } from './queries.ts';
import { erpPayments } from './tables/erp.ts';
import { markDue } from './work.ts';

export const erpPaymentReads = {
  payment({ db }, account, id) {
    const row = findPayment(db, { account, id });
    return row === undefined ? null : toPayment(row);
  },

  paymentIds: keysAfter(erpPayments, 'id'),
} satisfies Reads<ErpPaymentStore>;

export const erpPaymentWrites = {
  recordPayments({ tx, nowMs }, account, items, lane) {
    for (const item of items) recordPayment(tx, account, item, lane, nowMs);
  },
} satisfies Writes<ErpPaymentStore>;

export function erpPaymentsByReference({ db }: ReadAt, account: string, references: readonly string[]): ErpPayment[] {
  const where = and(eq(erpPayments.account, account), inArray(erpPayments.reference, [...references]));
  const rows = db.select().from(erpPayments).where(where).orderBy(asc(erpPayments.id)).limit(1000).all();
  return rows.map(toPayment);
}

const findPayment = rowBy(erpPayments, 'account', 'id');
const putPayment = putInto(erpPayments, 'account', 'id');

function recordPayment(tx: Queryable, account: string, item: ErpPayment, lane: Lane, nowMs: number): void {
  const before = findPayment(tx, { account, id: item.id });
  if (isOutdatedInErp(before, item)) return;
  const mended = dropMisfit(tx, account, 'erp-payments', item.id);
  const { row, due } = withErpPayment(before, item, { mended, nowMs });
  if (row !== null) putPayment(tx, { account, ...row });
  markDue(tx, account, due, lane, nowMs);
}

function toPayment(row: ErpPaymentRow): ErpPayment {
  const { id, reference, amount, currency, method, receivedAt, marketplaceId, voided, changedAt } = row;
  const facts = { id, reference, currency, method, receivedAt, marketplaceId, voided, changedAt };
  return { ...facts, amount: new Decimal(amount) };
}
