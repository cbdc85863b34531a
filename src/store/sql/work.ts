import type { SQL } from 'drizzle-orm';
import { type Cause, type Code } from '../../domain/causes/cause.ts';
import type { Due } from '../../domain/shadow/row.ts';
import {
  type HeldWork,
  hasReservedCapacity,
  LANES,
  type Lane,
  remembersWrite,
  WAITING_CODES,
  type WorkKey,
  type WorkRow,
  type WorkStore,
} from '../work.ts';
import { compiled, wholeRow } from './compiled-statement.ts';
import type { Queryable, Readable } from './database.ts';
import { and, asc, eq, exists, inArray, isNotNull, isNull, lte, ne, not, or, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, changeBy, conflictKey, matching, prepared, rowBy, unindexed, updateWhere } from './queries.ts';
import { endReplay, unsettledEnd } from './replays.ts';
import { erpProducts } from './tables/erp.ts';
import { products } from './tables/marketplace.ts';
import { failedJobs, mappings, work } from './tables/work.ts';

/** Lanes that share a limit. Follow-ups have their own. */
const TOGETHER: readonly (readonly Lane[])[] = [
  LANES.filter(hasReservedCapacity),
  LANES.filter((lane) => !hasReservedCapacity(lane) && lane !== 'follow-up'),
];

export function markWork(tx: Queryable, target: WorkKey, lane: Lane, reason: string, nowMs: number): void {
  markAll(tx, [target], lane, reason, nowMs);
}

/** @param afterMs delay, unless the key is due earlier */
export function markAll(
  tx: Queryable,
  targets: readonly WorkKey[],
  lane: Lane,
  reason: string,
  nowMs: number,
  afterMs = 0,
): void {
  const mark = markOne(tx);
  const notBeforeMs = afterMs === 0 ? 0 : nowMs + afterMs;
  const how = { lane, laneRank: LANES.indexOf(lane), reason, sinceMs: nowMs, notBeforeMs };
  for (const target of targets) mark.run({ ...target, ...how });
}

/** Also repeats writes that had no effect or that the ERP refuses for now. */
export function markAllAfresh(
  tx: Queryable,
  targets: readonly WorkKey[],
  lane: Lane,
  reason: string,
  nowMs: number,
): void {
  for (const { account, flow, key } of targets) {
    const heldFor = findWork(tx, { account, flow, key })?.heldFor ?? [];
    if (!heldFor.some(remembersWrite)) continue;
    changeHeldFor(tx, { account, flow, key, heldFor: heldFor.map(triedAgain) });
  }
  markAll(tx, targets, lane, reason, nowMs);
}

function triedAgain(one: Cause): Cause {
  return remembersWrite(one) ? ({ ...one, params: { ...one.params, again: true } } as Cause) : one;
}

export function markDue(tx: Queryable, account: string, due: readonly Due[], lane: Lane, nowMs: number): void {
  for (const { flow, key, why, isNewOrder, afterMs } of due) {
    const own = isNewOrder === true && lane !== 'operator' ? 'new-order' : lane;
    markAll(tx, [{ account, flow, key }], own, why, nowMs, afterMs);
  }
}

const markOne = prepared((db) => {
  const [lane, reason, sinceMs] = [sql.placeholder('lane'), sql.placeholder('reason'), sql.placeholder('sinceMs')];
  const [account, flow, key] = [sql.placeholder('account'), sql.placeholder('flow'), sql.placeholder('key')];
  const isPending = sql`${work.state} = 'pending'`;
  const notBeforeMs = sql.placeholder('notBeforeMs');
  const isDueBefore = sql`${work.state} = 'pending' and ${work.notBeforeMs} < ${notBeforeMs}`;
  const isUrgent = sql`${rank(sql`${work.lane}`)} < ${sql.placeholder('laneRank')}`;
  const set = {
    version: sql`${work.version} + 1`,
    lane: sql`case when ${isPending} and ${isUrgent} then ${work.lane} else ${lane} end`,
    reason: sql`${reason}`,
    state: sql`'pending'`,
    notBeforeMs: sql`case when ${isDueBefore} then ${work.notBeforeMs} else ${notBeforeMs} end`,
    sinceMs: sql`case when ${isPending} then ${work.sinceMs} else ${sinceMs} end`,
  };
  return db
    .insert(work)
    .values({ account, flow, key, version: 1, lane, reason, state: 'pending', notBeforeMs, sinceMs })
    .onConflictDoUpdate({ target: conflictKey(work.account, work.flow, work.key), set });
});

export const isOnHold = and(
  inArray(work.state, ['held', 'pending']),
  isNotNull(work.heldFor),
  isHeldForOther(WAITING_CODES),
);

/** The displayed state of a key: held or failed until a look finds another result. `row` names a table row. */
export const shownState = (row = 'work') => {
  const of = (column: string) => sql.raw(`${row}.${column}`);
  const isFailed = sql`exists (select 1 from failed_jobs f where f.account = ${of('account')} and f.flow = ${of('flow')} and f.key = ${of('key')})`;
  return sql<'pending' | 'held' | 'failed'>`case when ${of('state')} = 'failed' or ${isFailed} then 'failed'
    when exists (select 1 from json_each(${of('hold_reason')}) as one
      where json_extract(one.value, '$.code') not in ${[...WAITING_CODES]}) then 'held' else ${of('state')} end`;
};

export const NOT_HELD = { heldFor: sql`null`, heldSinceMs: sql`null` };

/** Ends the holds of keys that are held only for these codes, which no longer apply. */
export function endHolds(tx: Queryable, codes: readonly Code[], keys: SQL | undefined): void {
  updateWhere(tx, work, NOT_HELD, and(isOnHold, keys, not(isHeldForOther([...codes, ...WAITING_CODES]))));
}

/** Releases held keys in the caller's transaction. Returns how many. */
export function releaseWork(tx: Queryable, { account, flow, codes, alike, skus, isOver }: HeldWork): number {
  const keys = and(ofAccount(account), ofFlow(flow));
  const isMeant = and(
    codes === undefined ? undefined : isHeldFor(codes),
    alike === undefined ? undefined : waitsForOneOf(alike),
    skus === undefined ? undefined : waitsForProduct(skus),
  );
  // The primary key finds a flow's keys. SQLite would use the index of states.
  const waits = flow === undefined ? eq(work.state, 'held') : sql`${unindexed(work.state)} = 'held'`;
  const again = { state: 'pending', notBeforeMs: 0, lane: 'backfill', version: sql`${work.version} + 1` } as const;
  const released = updateWhere(tx, work, again, and(waits, keys, isMeant));
  if (codes !== undefined && !codes.includes('backorder')) newOrdersFirst(tx, and(keys, isMeant));
  if (isOver && codes !== undefined) endHolds(tx, codes, keys);
  return released;
}

/** An order that was held on its way into the ERP gets the first lane again. */
export function newOrdersFirst(tx: Queryable, keys: SQL | undefined): void {
  const ofOrder = and(eq(mappings.account, work.account), eq(mappings.kind, 'order'));
  const link = sql`select 1 from ${mappings} where ${and(ofOrder, eq(mappings.marketplaceId, work.key), eq(mappings.state, 'linked'))}`;
  const wasHeld = and(eq(work.flow, 'order-in'), eq(work.state, 'pending'), isNotNull(work.heldFor));
  updateWhere(
    tx,
    work,
    { lane: 'new-order' },
    and(wasHeld, ne(work.lane, 'operator'), sql`not exists (${link})`, keys),
  );
}

const ofAccount = (account: string | undefined) => (account === undefined ? undefined : eq(work.account, account));
const ofFlow = (flow: string | undefined) => (flow === undefined ? undefined : eq(work.flow, flow));

export function isHeldFor(codes: readonly Code[]) {
  return sql`exists (select 1 from json_each(${work.heldFor}) where json_extract(json_each.value, '$.code') in ${[...codes]})`;
}

function isHeldForOther(codes: readonly Code[]) {
  return sql`exists (select 1 from json_each(${work.heldFor}) where json_extract(json_each.value, '$.code') not in ${[...codes]})`;
}

function waitsForOneOf(listings: readonly number[]) {
  const named = sql`json_each(json_extract(held.value, '$.params.listings'))`;
  return and(
    isHeldFor(['could-be-listed']),
    sql`exists (select 1 from json_each(${work.heldFor}) held, ${named} listing where json_extract(listing.value, '$.id') in ${[...listings]})`,
  );
}

function waitsForProduct(skus: readonly string[]) {
  const named = sql`json_each(json_extract(held.value, '$.params.skus'))`;
  return and(
    isHeldFor(['erp-refuses-for-now']),
    sql`exists (select 1 from json_each(${work.heldFor}) held, ${named} sku where sku.value in ${[...skus]})`,
  );
}

function rank(lane: ReturnType<typeof sql>) {
  const ranks = LANES.map((name, index) => sql.raw(`when '${name}' then ${index}`));
  return sql`case ${lane} ${sql.join(ranks, sql.raw(' '))} end`;
}

export const findWork = rowBy(work, 'account', 'flow', 'key');

const isDue = and(eq(work.state, 'pending'), lte(work.notBeforeMs, sql.placeholder('nowMs')));
/** Usually no key is due, or only keys of one lane. */
const findLanesDue = built((db) => {
  const asked = sql`json_each(${JSON.stringify(LANES)}) asked`;
  const isOfAsked = and(isDue, matching(work, 'account'), sql`${work.lane} = asked.value`);
  const some = db.select({ key: work.key }).from(work).where(isOfAsked);
  return db.select({ lane: sql<Lane>`asked.value` }).from(asked).where(exists(some)).prepare();
});

/** `accounts` is JSON. */
const findAccountsDue = built((db) => {
  const asked = sql`json_each(${sql.placeholder('accounts')}) asked`;
  const ofAsked = sql`${work.account} = asked.value`;
  const some = db.select({ key: work.key }).from(work).where(and(isDue, ofAsked));
  return db.select({ account: sql<string>`asked.value` }).from(asked).where(exists(some)).prepare();
});

/** The due keys of one lane of an account, in index order, because many keys may wait. */
const findDue = (() => {
  const { fields, read } = wholeRow(work);
  const query = built((db) => {
    const found = db.select(fields).from<typeof work>(work);
    const ordered = found.where(and(isDue, matching(work, 'account', 'lane'))).orderBy(asc(work.sinceMs));
    return compiled(db, ordered.limit(sql.placeholder('limit')), read);
  });
  type Asked = { readonly account: string; readonly lane: Lane; readonly nowMs: number; readonly limit: number };
  return (db: Readable, of: Asked): readonly WorkRow[] => query(db).all(of);
})();

const findLinking = built((db) => {
  const isProduct = and(matching(work, 'account'), eq(work.flow, 'product'));
  const isUnread = and(eq(work.state, 'held'), isHeldFor(['listings-unread']));
  const isSold = and(eq(erpProducts.account, work.account), eq(erpProducts.id, work.key));
  const isLinked = and(eq(mappings.account, work.account), eq(mappings.kind, 'product'), eq(mappings.erpId, work.key));
  const isListed = (by: ReturnType<typeof eq>) =>
    exists(
      db
        .select({ id: products.id })
        .from(products)
        .where(and(eq(products.account, work.account), by)),
    );
  return db
    .select({ key: work.key })
    .from(work)
    .innerJoin(erpProducts, isSold)
    .leftJoin(mappings, isLinked)
    .where(
      and(
        isProduct,
        or(eq(work.state, 'pending'), isUnread),
        isNull(mappings.id),
        or(isListed(eq(products.sku, erpProducts.sku)), isListed(eq(products.externalId, erpProducts.id))),
      ),
    )
    .limit(1)
    .prepare();
});

export const changeHeldFor = changeBy(work, ['account', 'flow', 'key'], ['heldFor']);
export const VERSION = ['account', 'flow', 'key', 'version'] as const;
const failWork = prepared((db) =>
  db
    .update(work)
    .set({ ...NOT_HELD, state: 'failed' })
    .where(matching(work, ...VERSION)),
);

export function isWork(target: WorkKey) {
  return and(eq(work.account, target.account), eq(work.flow, target.flow), eq(work.key, target.key));
}

export const workReads = {
  get({ db }, target) {
    return findWork(db, target) ?? null;
  },

  due({ db, nowMs }, account, limit, followUps = limit) {
    const due: WorkRow[] = [];
    const waiting = findLanesDue(db).all({ account, nowMs });
    const isAny = (lane: Lane) => waiting.some((one) => one.lane === lane);
    for (const lanes of TOGETHER) {
      let remaining = limit;
      for (const lane of lanes.filter(isAny)) {
        const found = findDue(db, { account, lane, nowMs, limit: remaining });
        remaining -= found.length;
        due.push(...found);
      }
    }
    if (!isAny('follow-up')) return due;
    return [...due, ...findDue(db, { account, lane: 'follow-up', nowMs, limit: followUps })];
  },

  accountsDue({ db, nowMs }, accounts) {
    const found = findAccountsDue(db).all({ accounts: JSON.stringify(accounts), nowMs });
    return found.map(({ account }) => account);
  },

  isLinking({ db }, account) {
    return findLinking(db).get({ account }) !== undefined;
  },
} satisfies Reads<WorkStore>;

export const workWrites = {
  mark({ tx, nowMs }, targets, lane, reason) {
    markAll(tx, targets, lane, reason, nowMs);
  },

  markAfresh({ tx, nowMs }, targets, lane, reason) {
    markAllAfresh(tx, targets, lane, reason, nowMs);
  },

  release({ tx }, where) {
    return releaseWork(tx, where);
  },

  fail({ tx, nowMs }, target, version, cause, message, attempts) {
    const { account, flow, key } = target;
    const wasLast = failWork(tx).run({ account, flow, key, version }).changes > 0;
    const facts = { cause, message, attempts, failedAtMs: nowMs };
    tx.insert(failedJobs)
      .values({ account, flow, key, ...facts })
      .onConflictDoUpdate({
        target: conflictKey(failedJobs.account, failedJobs.flow, failedJobs.key),
        set: { ...facts, attempts: sql`${failedJobs.attempts} + ${attempts}` },
      })
      .run();
    if (wasLast) endReplay(tx, target, unsettledEnd('failed', `failed again: ${cause}: ${message}`), nowMs);
  },
} satisfies Writes<WorkStore>;
