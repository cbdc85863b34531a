import { hasFields } from '../../domain/shadow/row.ts';
import type { StoredTransport, TransportStore } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import type { Queryable } from './database.ts';
import { dropInvalidRow, saveUnstored } from './invalid-rows.ts';
import { and, asc, eq, gt } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { putInto, rowBy, rowsBy, unindexed } from './queries.ts';
import { eachOf, storeRows } from './row-by-row.ts';
import { transportOrders } from './tables/marketplace.ts';
import { markDue } from './work.ts';

export const transportReads = {
  orderKeys({ db }, account, after, limit) {
    const { orderKey } = transportOrders;
    const where = and(eq(transportOrders.account, account), gt(orderKey, after));
    const rows = db.selectDistinct({ orderKey }).from(transportOrders).where(where).orderBy(asc(orderKey)).limit(limit);
    return rows.all().flatMap((row) => row.orderKey ?? []);
  },
} satisfies Reads<TransportStore>;

export const transportWrites = {
  record(at, account, rows, lane) {
    const { tx, nowMs } = at;
    storeRows(at, rows, {
      store: eachOf((row) => recordTransport(tx, account, row, lane, nowMs)),
      setAside: ({ id }, problem) => saveUnstored(at, account, 'transport-orders', id, problem),
    });
  },
} satisfies Writes<TransportStore>;

const findTransport = rowBy(transportOrders, 'account', 'id');
const putTransport = putInto(transportOrders, 'account', 'id');
export const findOfOrder = rowsBy(transportOrders, ['account', 'orderKey'], {
  order: [unindexed(transportOrders.id)],
  limit: 1_000,
});

export function transportsOfOrder({ db }: ReadAt, account: string, orderKey: string): StoredTransport[] {
  return findOfOrder(db, { account, orderKey }).map((found) => {
    const { account: _, seenAtMs: __, ...row } = found;
    return row;
  });
}

function recordTransport(tx: Queryable, account: string, row: StoredTransport, lane: Lane, nowMs: number): void {
  const before = findTransport(tx, { account, id: row.id });
  dropInvalidRow(tx, account, 'transport-orders', row.id);
  if (before !== undefined && hasFields(before, row)) return;
  putTransport(tx, { account, ...row, seenAtMs: nowMs });
  const why = `transport ${row.id} is ${row.status}`;
  const keys = new Set([row.orderKey, before?.orderKey ?? null].filter((key) => key !== null));
  const due = [...keys].map((key) => ({ flow: 'transport-in', key, why }));
  markDue(tx, account, due, lane, nowMs);
}
