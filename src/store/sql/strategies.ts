import { STRATEGIES, type StrategyName } from '../../domain/strategy.ts';
import type { StrategyStore } from '../record.ts';
import { deleteFact, findFact, putFact } from './cursors.ts';
import type { Readable } from './database.ts';
import { addActs } from './journal.ts';
import { and, eq, inArray, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { countOf } from './queries.ts';
import { erpOrders } from './tables/erp.ts';
import { orders } from './tables/marketplace.ts';
import { releaseWork } from './work.ts';

const IN_FORCE = 'strategy';
const APPROVED = 'strategy-approved';
/** How long an approval counts. Orders come and go, so an old view says little about later ones. */
const APPROVAL_HOLDS_MS = 24 * 60 * 60 * 1000;

const act = (account: string, action: string, before: string | null, after: string) => ({
  account,
  flow: 'strategy',
  key: '*',
  action,
  target: `inventory.strategy of ${account}`,
  before,
  after,
});
const nameOf = (db: Readable, account: string, name: string): StrategyName | null => {
  const value = findFact(db, { account, name })?.value;
  return value !== undefined && Object.hasOwn(STRATEGIES, value) ? (value as StrategyName) : null;
};

/**
 * How many of the orders `these` are open in the ERP. The cross join starts with the orders, because they have an
 * index.
 */
function exportedOrders(db: Readable, account: string, these: ReturnType<typeof and>): number {
  const isLink = sql`m.account = ${orders.account} and m.kind = 'order' and m.marketplace_id = ${orders.number}`;
  const inErp = and(eq(erpOrders.account, account), eq(erpOrders.id, sql`m.erp_id`));
  const counting = db
    .select({ count: sql<number>`count(*)` })
    .from(sql`${orders} cross join mappings m`)
    .leftJoin(erpOrders, inErp)
    .where(
      and(
        these,
        isLink,
        sql`m.erp_id is not null`,
        sql`coalesce(${erpOrders.status}, '') not in ('shipped', 'cancelled')`,
      ),
    );
  return counting.get()?.count ?? 0;
}

export const strategyReads = {
  inForce({ db }, account) {
    return nameOf(db, account, IN_FORCE);
  },

  approved({ db, nowMs }, account) {
    const atMs = findFact(db, { account, name: APPROVED })?.updatedAtMs ?? 0;
    return nowMs - atMs <= APPROVAL_HOLDS_MS ? nameOf(db, account, APPROVED) : null;
  },

  openOrders({ db }, account) {
    const is = (...statuses: readonly string[]) => and(eq(orders.account, account), inArray(orders.status, statuses));
    return countOf(db, orders, is('Submitted', 'Accepted')) + exportedOrders(db, account, is('Fulfilled', 'Backorder'));
  },
} satisfies Reads<StrategyStore>;

export const strategyWrites = {
  comeIntoForce({ tx, nowMs }, account, strategy, by) {
    const before = nameOf(tx, account, IN_FORCE);
    if (before === strategy) return false;
    putFact(tx, { account, name: IN_FORCE, value: strategy, updatedAtMs: nowMs });
    deleteFact(tx, { account, name: APPROVED });
    addActs(tx, [{ ...act(account, 'strategy', before, strategy), by }], nowMs);
    return true;
  },

  approve({ tx, nowMs }, account, strategy, by) {
    const before = nameOf(tx, account, IN_FORCE);
    putFact(tx, { account, name: APPROVED, value: strategy, updatedAtMs: nowMs });
    addActs(tx, [{ ...act(account, 'strategy.approve', before, strategy), by }], nowMs);
    releaseWork(tx, { account, codes: ['strategy-waits'], isOver: true });
  },
} satisfies Writes<StrategyStore>;
