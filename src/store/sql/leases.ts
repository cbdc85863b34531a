import type { SQL } from 'drizzle-orm';
import { LeaseLost, type LeaseStore, type Standing } from '../leases.ts';
import { announced, configurationsOf, forgetEnded } from './configurations.ts';
import type { Database, Queryable, Readable, Scope } from './database.ts';
import { and, asc, eq, gt, lte, sql } from './orm.ts';
import { conflictKey, deleteWhere, updateWhere } from './queries.ts';
import { daemons, leases } from './tables/access.ts';

const REMEMBERED_MS = 60 * 60_000;

export interface Fence {
  readonly account: string;
  readonly fence: number;
}

/** These writes lock only their own rows, so they run at any moment. */
export const leaseSteps = (database: Database, now: () => number): LeaseStore => {
  const { clockMs, tryLock } = database.shared;
  const clock = () => clockMs(now());
  const standing = (db: Readable): Standing => {
    const instant = db.select({ nowMs: clock() }).from(sql`(select 1) as one`).get();
    const nowMs = instant?.nowMs ?? 0;
    const { id, name, works, livesUntilMs } = daemons;
    const alive = db.select({ id, name, works }).from(daemons).where(gt(livesUntilMs, nowMs)).orderBy(asc(id)).all();
    const { account, holder, fence, untilMs, sinceMs } = leases;
    const unexpired = db.select({ account, holder, fence, untilMs, sinceMs }).from(leases).where(gt(untilMs, nowMs));
    const rows = unexpired.orderBy(asc(account)).all();
    return {
      ...configurationsOf(db, new Set(['', ...alive.map((one) => one.id)])),
      daemons: alive,
      leases: rows.map(({ untilMs: until, ...row }) => ({ ...row, leftMs: until - nowMs })),
      nowMs,
    };
  };
  return {
    beat({ id, name, works }, ttlMs) {
      return database.note((tx) => {
        const until = sql<number>`${clock()} + ${ttlMs}`;
        const row = { name, works, livesUntilMs: until };
        tx.insert(daemons)
          .values({ id, ...row })
          .onConflictDoUpdate({ target: conflictKey(daemons.id), set: row })
          .run();
        updateWhere(tx, leases, { untilMs: until }, and(eq(leases.holder, id), gt(leases.untilMs, clock())));
        deleteWhere(tx, daemons, lte(daemons.livesUntilMs, sql`${clock()} - ${REMEMBERED_MS}`));
        forgetEnded(tx);
        return standing(tx);
      }, 'none');
    },

    announce: (daemon, configured) =>
      database.transaction((tx) => announced(tx, daemon, configured, standing(tx), now()), 'none'),

    take: (account, daemon, ttlMs) =>
      // A transaction begun under the previous lease must end first.
      database.transaction((tx) => (tryLock(tx, account) ? taken(tx, account, daemon, ttlMs, clock()) : null), 'none'),

    async release(account, daemon, fence) {
      const isIt = and(eq(leases.holder, daemon), eq(leases.account, account), eq(leases.fence, fence));
      await database.transaction((tx) => updateWhere(tx, leases, { untilMs: 0 }, isIt), 'none');
    },

    async leave(daemon) {
      await database.transaction((tx) => {
        updateWhere(tx, leases, { untilMs: 0 }, eq(leases.holder, daemon));
        tx.delete(daemons).where(eq(daemons.id, daemon)).run();
        forgetEnded(tx);
      }, 'none');
    },

    list: async () => database.snapshot(() => standing(database)),
  };
};

function taken(tx: Queryable, account: string, holder: string, ttlMs: number, clock: SQL<number>): number | null {
  const until = sql<number>`${clock} + ${ttlMs}`;
  const put = tx
    .insert(leases)
    .values({ account, holder, fence: 1, untilMs: until, sinceMs: clock })
    .onConflictDoUpdate({
      target: conflictKey(leases.account),
      set: { holder, fence: sql`${leases.fence} + 1`, untilMs: until, sinceMs: clock },
      setWhere: sql`${leases.untilMs} <= ${clock} or ${leases.holder} = ${holder}`,
    })
    .returning({ fence: leases.fence })
    .get() as { fence: number } | undefined;
  return put?.fence ?? null;
}

/**
 * A transaction takes the account's lock, then checks the lease. A lease is granted only while nobody holds that lock,
 * so a checked transaction can finish.
 */
export function fenced(database: Database, now: () => number, fence: Fence): Database {
  const guarded =
    <Result>(work: (tx: Queryable) => Result) =>
    (tx: Queryable): Result => {
      const ownLease = and(eq(leases.account, fence.account), eq(leases.fence, fence.fence));
      const holds = and(ownLease, gt(leases.untilMs, database.shared.clockMs(now())));
      if (tx.select({ fence: leases.fence }).from(leases).where(holds).get() === undefined) {
        throw new LeaseLost(fence.account, fence.fence);
      }
      return work(tx);
    };
  // The lease without an account belongs to the daemon that looks after all accounts.
  const within = (scope: Scope): Scope => (fence.account === '' ? scope : [fence.account]);
  return Object.assign(Object.create(database) as Database, {
    transaction: <Result>(work: (tx: Queryable) => Result, scope: Scope = 'all') =>
      database.transaction(guarded(work), within(scope)),
    note: <Result>(work: (tx: Queryable) => Result, scope: Scope = 'all') =>
      database.note(guarded(work), within(scope)),
  });
}
