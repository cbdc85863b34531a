import { STRATEGIES, type StrategyName } from '../../domain/strategy.ts';
import type { StrategyStore } from '../record.ts';
import { deleteFact, findFact, putFact } from './cursors.ts';
import type { Readable } from './database.ts';
import { addActs } from './journal.ts';
import { and, eq, inArray, isNotNull, or, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { erpOrders } from './tables/erp.ts';
import { orders } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';
import { releaseWork } from './work.ts';

const IN_FORCE = 'strategy';
const APPROVED = 'strategy-approved';
/** Orders come and go: an old look says little about the orders that are open later. */
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

export const strategyReads = {
  inForce({ db }, account) {
    return nameOf(db, account, IN_FORCE);
  },

  approved({ db, nowMs }, account) {
    const atMs = findFact(db, { account, name: APPROVED })?.updatedAtMs ?? 0;
    return nowMs - atMs <= APPROVAL_HOLDS_MS ? nameOf(db, account, APPROVED) : null;
  },

  openOrders({ db }, account) {
    const link = and(
      eq(mappings.account, account),
      eq(mappings.kind, 'order'),
      eq(mappings.marketplaceId, orders.number),
    );
    const inErp = and(eq(erpOrders.account, account), eq(erpOrders.id, mappings.erpId));
    const isExported = and(
      inArray(orders.status, ['Fulfilled', 'Backorder']),
      isNotNull(mappings.erpId),
      sql`coalesce(${erpOrders.status}, '') not in ('shipped', 'cancelled')`,
    );
    const isOpen = or(inArray(orders.status, ['Submitted', 'Accepted']), isExported);
    const counting = db
      .select({ count: sql<number>`count(*)` })
      .from(orders)
      .leftJoin(mappings, link)
      .leftJoin(erpOrders, inErp)
      .where(and(eq(orders.account, account), isOpen));
    return counting.get()?.count ?? 0;
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
    releaseWork(tx, { account, codes: ['strategy-waits'] });
  },
} satisfies Writes<StrategyStore>;
