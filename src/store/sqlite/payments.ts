import { Decimal } from '../../domain/decimal.ts';
import type { MarketplacePayment } from '../../domain/payment.ts';
import type { Database, Queryable } from './database.ts';
import { findByMarketplaceId } from './mappings.ts';
import { dropMisfit, type FoundMisfit, saveMisfit } from './misfits.ts';
import { and, asc, eq } from './orm.ts';
import { keysAfter, putInto, rowBy } from './queries.ts';
import { payments } from './tables/marketplace.ts';
import { type Lane, markWork } from './work.ts';

type PaymentRow = typeof payments.$inferSelect;

export interface RecordPayments {
  readonly account: string;
  readonly rows: readonly MarketplacePayment[];
  readonly misfits: readonly FoundMisfit[];
  readonly lane: Lane;
}

/** Payments as the marketplace has them. */
export function paymentStore(db: Database, now: () => number) {
  return {
    async record({ account, rows, misfits, lane }: RecordPayments): Promise<void> {
      await db.transaction((tx) => {
        for (const row of rows) recordPayment(tx, account, row, lane, now());
        for (const misfit of misfits) {
          saveMisfit(tx, account, 'payments', misfit, now());
          markWork(tx, { account, flow: 'payment-in', key: misfit.what }, lane, 'does not fit', now());
        }
      });
    },

    async get(account: string, id: string): Promise<MarketplacePayment | null> {
      const row = findPayment(db, { account, id });
      return row === undefined ? null : toPayment(row);
    },

    /** Oldest first. */
    async ofOrder(account: string, orderNumber: string): Promise<MarketplacePayment[]> {
      const where = and(eq(payments.account, account), eq(payments.orderNumber, orderNumber));
      const rows = db.select().from(payments).where(where).orderBy(asc(payments.createdAt)).limit(1000).all();
      return rows.map(toPayment);
    },

    async ids(account: string, after: string, limit: number): Promise<string[]> {
      return idsAfter(db, account, after, limit);
    },
  };
}

const findPayment = rowBy(payments, 'account', 'id');
const idsAfter = keysAfter(payments, 'id');
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
