import { Decimal } from '../../domain/decimal.ts';
import type { MarketplacePayment } from '../../domain/payment.ts';
import type { PaymentStore } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import type { Queryable } from './database.ts';
import { findByMarketplaceId } from './mappings.ts';
import { dropMisfit, saveMisfit } from './misfits.ts';
import { asc } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { keysAfter, putInto, rowBy, rowsBy } from './queries.ts';
import { payments } from './tables/marketplace.ts';
import { markWork } from './work.ts';

type PaymentRow = typeof payments.$inferSelect;

export const paymentReads = {
  get({ db }, account, id) {
    const row = findPayment(db, { account, id });
    return row === undefined ? null : toPayment(row);
  },

  ids: keysAfter(payments, 'id'),
} satisfies Reads<PaymentStore>;

export const paymentWrites = {
  record({ tx, nowMs }, { account, rows, misfits, lane }) {
    for (const row of rows) recordPayment(tx, account, row, lane, nowMs);
    for (const misfit of misfits) {
      saveMisfit(tx, account, 'payments', misfit, nowMs);
      markWork(tx, { account, flow: 'payment-in', key: misfit.what }, lane, 'does not fit', nowMs);
    }
  },
} satisfies Writes<PaymentStore>;

const findOfOrder = rowsBy(payments, ['account', 'orderNumber'], { order: [asc(payments.createdAt)], limit: 1_000 });

/** Oldest first. */
export function paymentsOfOrder({ db }: ReadAt, account: string, orderNumber: string): MarketplacePayment[] {
  return findOfOrder(db, { account, orderNumber }).map(toPayment);
}

const findPayment = rowBy(payments, 'account', 'id');
const putPayment = putInto(payments, 'account', 'id');

function recordPayment(tx: Queryable, account: string, payment: MarketplacePayment, lane: Lane, nowMs: number): void {
  const before = findPayment(tx, { account, id: payment.id });
  const row = { account, ...payment, total: payment.total.toFixed(), seenAtMs: nowMs };
  const mended = dropMisfit(tx, account, 'payments', payment.id);
  if (before !== undefined && !mended && isSame(before, row)) return;
  putPayment(tx, row);
  const why = before === undefined ? 'payment seen for the first time' : 'payment changed on the marketplace';
  markWork(tx, { account, flow: 'payment-in', key: payment.id }, lane, why, nowMs);
  const erpId = findByMarketplaceId(tx, { account, kind: 'payment', marketplaceId: payment.id })?.erpId;
  if (erpId != null) markWork(tx, { account, flow: 'payment-out', key: erpId }, lane, why, nowMs);
}

function isSame(before: PaymentRow, row: PaymentRow): boolean {
  return (['orderNumber', 'total', 'currency', 'type', 'paidAt'] as const).every((name) => before[name] === row[name]);
}

function toPayment({ id, orderNumber, total, currency, type, paidAt, createdAt }: PaymentRow): MarketplacePayment {
  return { id, orderNumber, total: new Decimal(total), currency, type, paidAt, createdAt };
}
