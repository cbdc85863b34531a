import { decimalOf } from '../../domain/decimal.ts';
import type { MarketplacePayment } from '../../domain/payment.ts';
import {
  type ErpPaymentRow,
  type PaymentRow,
  type SeenErpPayment,
  withErpPayment,
  withPayment,
} from '../../domain/shadow/payments.ts';
import { isOutdatedInErp } from '../../domain/shadow/row.ts';
import type { ErpPayment } from '../../erp/connector.ts';
import type { ErpPaymentStore } from '../erp.ts';
import type { PaymentStore } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import type { Queryable } from './database.ts';
import { dropInvalidRow, saveInvalidRow, saveUnstored } from './invalid-rows.ts';
import { findByMarketplaceId } from './mappings.ts';
import { asc } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { keysAfter, putInto, rowBy, rowsBy, unindexed } from './queries.ts';
import { eachOf, storeRows, UNSTORED } from './row-by-row.ts';
import { erpPayments } from './tables/erp.ts';
import { payments } from './tables/marketplace.ts';
import { markDue } from './work.ts';

export const paymentReads = {
  get({ db }, account, id) {
    const row = findPayment(db, { account, id });
    return row === undefined ? null : toPayment(row);
  },

  ids: keysAfter(payments, 'id'),
} satisfies Reads<PaymentStore>;

export const paymentWrites = {
  record(at, { account, rows, invalidRows, lane }) {
    const { tx, nowMs } = at;
    const hold = (key: string) => markDue(tx, account, [{ flow: 'payment-in', key, why: 'does not fit' }], lane, nowMs);
    storeRows(at, rows, {
      store: eachOf((row) => recordPayment(tx, account, row, lane, nowMs)),
      setAside: ({ id }, problem) => hold(saveUnstored(at, account, 'payments', id, problem)),
    });
    for (const invalidRow of invalidRows) hold(saveInvalidRow(tx, account, 'payments', invalidRow, nowMs));
  },
} satisfies Writes<PaymentStore>;

export const findPaymentsOfOrder = rowsBy(payments, ['account', 'orderNumber'], {
  order: [asc(payments.createdAt)],
  limit: 1_000,
});

export function paymentsOfOrder({ db }: ReadAt, account: string, orderNumber: string): MarketplacePayment[] {
  return findPaymentsOfOrder(db, { account, orderNumber }).map(toPayment);
}

export const findPayment = rowBy(payments, 'account', 'id');
const putPayment = putInto(payments, 'account', 'id');

function recordPayment(tx: Queryable, account: string, payment: MarketplacePayment, lane: Lane, nowMs: number): void {
  const { id } = payment;
  const before = findPayment(tx, { account, id });
  const mended = dropInvalidRow(tx, account, 'payments', id);
  const erpId = findByMarketplaceId(tx, { account, kind: 'payment', marketplaceId: id })?.erpId ?? null;
  const { row, due } = withPayment(before, payment, { erpId, mended, nowMs });
  if (row !== null) putPayment(tx, { account, ...row });
  markDue(tx, account, due, lane, nowMs);
}

function toPayment({ id, orderNumber, total, currency, type, paidAt, createdAt }: PaymentRow): MarketplacePayment {
  return { id, orderNumber, total: decimalOf(total), currency, type, paidAt, createdAt };
}

export const erpPaymentReads = {
  payment({ db }, account, id) {
    const row = findErpPayment(db, { account, id });
    return row === undefined ? null : toErpPayment(row);
  },

  paymentIds: keysAfter(erpPayments, 'id'),
} satisfies Reads<ErpPaymentStore>;

export const erpPaymentWrites = {
  recordPayments(at, account, items, lane) {
    const { tx, nowMs } = at;
    storeRows(at, items, {
      store: eachOf((item) => recordErpPayment(tx, account, item, lane, nowMs)),
      setAside({ id }, problem) {
        const key = saveUnstored(at, account, 'erp-payments', id, problem);
        markDue(tx, account, [{ flow: 'payment-out', key, why: UNSTORED }], lane, nowMs);
      },
    });
  },
} satisfies Writes<ErpPaymentStore>;

export function erpPaymentsByReference({ db }: ReadAt, account: string, references: readonly string[]): ErpPayment[] {
  const found = [...new Set(references)].flatMap((reference) => findErpPaymentsByReference(db, { account, reference }));
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(toErpPayment);
}

/** An ERP payment, and since when it has been shown unchanged. */
export function seenErpPayment({ db }: ReadAt, account: string, id: string): SeenErpPayment | null {
  const row = findErpPayment(db, { account, id });
  return row === undefined ? null : toSeen(row);
}

export function seenErpPaymentsByReference({ db }: ReadAt, account: string, reference: string): SeenErpPayment[] {
  return findErpPaymentsByReference(db, { account, reference }).map(toSeen);
}

function toSeen(row: ErpPaymentRow): SeenErpPayment {
  return { payment: toErpPayment(row), seenAtMs: row.seenAtMs };
}

export const findErpPaymentsByReference = rowsBy(erpPayments, ['account', 'reference'], {
  order: [unindexed(erpPayments.id)],
  limit: 1_000,
});

export const findErpPayment = rowBy(erpPayments, 'account', 'id');
const putErpPayment = putInto(erpPayments, 'account', 'id');

function recordErpPayment(tx: Queryable, account: string, item: ErpPayment, lane: Lane, nowMs: number): void {
  const before = findErpPayment(tx, { account, id: item.id });
  if (isOutdatedInErp(before, item)) return;
  const mended = dropInvalidRow(tx, account, 'erp-payments', item.id);
  const { row, due } = withErpPayment(before, item, { mended, nowMs });
  if (row !== null) putErpPayment(tx, { account, ...row });
  markDue(tx, account, due, lane, nowMs);
}

function toErpPayment(row: ErpPaymentRow): ErpPayment {
  const { id, reference, amount, currency, method, receivedAt, marketplaceId, voided, changedAt } = row;
  const facts = { id, reference, currency, method, receivedAt, marketplaceId, voided, changedAt };
  return { ...facts, amount: decimalOf(amount) };
}
