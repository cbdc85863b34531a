import type { HistoryChange } from '../../domain/shadow/stock-history.ts';
import type { StockHistoryStore } from '../stock.ts';
import type { Queryable } from './database.ts';
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, lte, notInArray, or, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, deleteWhere, insertCounted, matching } from './queries.ts';
import { erpOrders } from './tables/erp.ts';
import { stockHistory } from './tables/reading.ts';
import { journal } from './tables/record.ts';
import { mappings } from './tables/work.ts';

/** The most records kept: about 100 MB. */
const KEPT = 500_000;

export const stockHistoryReads = {
  productIds({ db }, account, after, limit) {
    return findProducts(db)
      .all({ account, after, limit })
      .flatMap(({ id }) => id ?? []);
  },

  readings({ db }, account, productId) {
    return findRows(db).all({ account, kind: 'reading', key: productId });
  },

  orders({ db }, account, listingId) {
    return findRows(db).all({ account, kind: 'order', key: String(listingId) });
  },

  holdings({ db }, account, sku) {
    return findHoldings(db).all({ account, sku });
  },

  isHeldBeside({ db }, account, skus, orderIds) {
    const { kind, key } = stockHistory;
    const isReserved = and(eq(erpOrders.account, account), eq(erpOrders.id, part), eq(erpOrders.status, 'reserved'));
    const isHolding = and(eq(stockHistory.account, account), eq(kind, 'holding'), inArray(key, [...skus]));
    const found = db
      .select({ id: part })
      .from(stockHistory)
      .innerJoin(erpOrders, isReserved)
      .where(and(isHolding, notInArray(part, [...orderIds])))
      .limit(1);
    return found.get() !== undefined;
  },

  statuses({ db }, account, side, key) {
    return findRows(db)
      .all({ account, kind: 'status', key })
      .filter(({ part: of }) => of === side);
  },

  span({ db }, account, sinceMs) {
    const { atMs, kind } = stockHistory;
    const found = db
      .select({
        fromMs: sql<number | null>`min(${atMs})`,
        toMs: sql<number | null>`max(${atMs})`,
        readings: sql<number>`count(*) filter (where ${kind} = 'reading')`,
        orders: sql<number>`count(*) filter (where ${kind} = 'order')`,
      })
      .from(stockHistory)
      .where(and(eq(stockHistory.account, account), gte(atMs, sinceMs)))
      .get();
    if (found === undefined || found.fromMs === null || found.toMs === null) return null;
    return { ...found, fromMs: found.fromMs, toMs: found.toMs };
  },

  strategyChangedAtMs({ db }, account) {
    const isChange = and(eq(journal.account, account), eq(journal.action, 'strategy'), isNotNull(journal.before));
    const latest = db.select({ atMs: journal.atMs }).from(journal).where(isChange).orderBy(desc(journal.atMs));
    return latest.limit(1).get()?.atMs ?? null;
  },
} satisfies Reads<StockHistoryStore>;

export const stockHistoryWrites = {
  prune({ tx }, beforeMs) {
    const { id, atMs } = stockHistory;
    const oldest = tx.select({ id }).from(stockHistory).orderBy(desc(id)).limit(1).offset(KEPT).get();
    deleteWhere(tx, stockHistory, or(lt(atMs, beforeMs), lte(id, oldest?.id ?? 0)));
  },
} satisfies Writes<StockHistoryStore>;

const insert = insertCounted(stockHistory);

export function saveHistory(tx: Queryable, account: string, changes: readonly HistoryChange[], nowMs: number): void {
  for (const change of changes) insert(tx, { account, atMs: nowMs, ...change });
}

const findProducts = built((db) => {
  const { account, kind, state, erpId, marketplaceId } = mappings;
  const isRecorded = (recorded: string, id: typeof erpId | typeof marketplaceId) =>
    sql`exists (select 1 from ${stockHistory} where ${stockHistory.account} = ${account}
      and ${stockHistory.kind} = ${sql.raw(`'${recorded}'`)} and ${stockHistory.key} = ${id})`;
  const isListed = and(eq(account, sql.placeholder('account')), eq(kind, 'product'), eq(state, 'linked'));
  return db
    .select({ id: erpId })
    .from(mappings)
    .where(
      and(
        isListed,
        gt(erpId, sql.placeholder('after')),
        or(isRecorded('reading', erpId), isRecorded('order', marketplaceId)),
      ),
    )
    .orderBy(asc(erpId))
    .limit(sql.placeholder('limit'))
    .prepare();
});

const { atMs, part, before, after, asOf } = stockHistory;
const CHANGE = { atMs, part, before, after, asOf };

const findRows = built((db) => {
  const is = matching(stockHistory, 'account', 'kind', 'key');
  return db.select(CHANGE).from(stockHistory).where(is).orderBy(asc(stockHistory.id)).prepare();
});

const findHoldings = built((db) => {
  const { account, kind, key, id } = stockHistory;
  const inErp = and(eq(erpOrders.account, account), eq(erpOrders.id, part));
  const link = and(eq(mappings.account, account), eq(mappings.kind, 'order'), eq(mappings.erpId, part));
  const number = sql<string | null>`coalesce(${mappings.marketplaceId},
    case when ${erpOrders.origin} = 'marketplace' then ${erpOrders.reference} end)`;
  return db
    .select({ ...CHANGE, number, origin: erpOrders.origin })
    .from(stockHistory)
    .leftJoin(erpOrders, inErp)
    .leftJoin(mappings, link)
    .where(and(eq(account, sql.placeholder('account')), eq(kind, 'holding'), eq(key, sql.placeholder('sku'))))
    .orderBy(asc(id))
    .prepare();
});
