import { intentKind } from '../intent-kinds.ts';
import type { Intent, IntentStore, IntentTarget, NewIntent } from '../intents.ts';
import { putBase } from './bases.ts';
import type { Database, Queryable, Readable } from './database.ts';
import { entityMark } from './entity-marks.ts';
import { recordErpOrders } from './erp-orders.ts';
import { linkEntities } from './mappings.ts';
import { and, asc, desc, eq, getTableColumns, inArray, lt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import {
  changeBy,
  countsBy,
  deleteWhere,
  insertCounted,
  matching,
  prepared,
  rowBy,
  rowsBy,
  selecting,
  unindexed,
} from './queries.ts';
import { markLinked, releaseWaiting } from './relook.ts';
import { intents, mappings, reconciles } from './tables/work.ts';

export const findIntent = rowBy(intents, 'id');

const isOpen = inArray(intents.state, ['open', 'in-doubt']);
const isIt = matching(intents, 'account', 'kind', 'key');

const WHOLE = getTableColumns(intents);

export const findUnsettled = selecting(WHOLE, (db, fields) =>
  db.select(fields).from(intents).where(and(isIt, isOpen)).orderBy(asc(intents.id)),
);

const findDropped = selecting(WHOLE, (db, fields) => {
  const where = and(isIt, eq(intents.state, 'dropped'));
  return db.select(fields).from(intents).where(where).orderBy(desc(intents.id)).limit(1);
});

export const listUnsettled = selecting(WHOLE, (db, fields) => {
  // An account has many intents and few unsettled ones, so the index of states is used.
  const isOf = sql`${unindexed(intents.account)} = ${sql.placeholder('account')} and ${unindexed(intents.kind)} = ${sql.placeholder('kind')}`;
  return db.select(fields).from(intents).where(and(isOf, isOpen)).orderBy(asc(intents.id)).limit(1000);
});

export const findIntents = rowsBy(intents, ['account', 'kind', 'key'], { order: [desc(intents.id)], limit: 10 });

const insertIntent = insertCounted(intents);

const sendIntent = changeBy(intents, ['id'], ['sentAtMs', 'leftAtMs']);

const applyIntent = prepared((db) => {
  const set = {
    state: 'applied' as const,
    settledAtMs: sql`${sql.placeholder('nowMs')}`,
    evidence: sql`${sql.placeholder('evidence')}`,
  };
  return db.update(intents).set(set).where(and(isIt, isOpen));
});

export function unsettledOf(db: Readable, { account, kind, key }: IntentTarget): readonly Intent[] {
  return findUnsettled(db).all({ account, kind, key });
}

export function openIntent(tx: Queryable, intent: NewIntent, nowMs: number): number {
  markCreatePending(tx, intent, nowMs);
  const { account, kind, key, externalId, sent = '' } = intent;
  const nothingYet = { evidence: null, candidates: '[]', droppedAs: null, leftAtMs: null, settledAtMs: null };
  return insertIntent(tx, { account, kind, key, externalId, sent, state: 'open', sentAtMs: nowMs, ...nothingYet });
}

export const intentReads = {
  unsettled({ db }, target) {
    return unsettledOf(db, target).at(-1) ?? null;
  },

  listUnsettled({ db }, account, kind) {
    return listUnsettled(db).all({ account, kind });
  },

  of({ db }, target) {
    return findIntents(db, target);
  },

  inDoubtCounts({ db }) {
    return countsBy(db, intents, { account: intents.account }, eq(intents.state, 'in-doubt'));
  },
} satisfies Reads<IntentStore>;

export const intentWrites = {
  open({ tx, nowMs }, intent, leaving) {
    const id = openIntent(tx, intent, nowMs);
    if (leaving !== undefined) {
      sendIntent(tx, { id, sentAtMs: nowMs, leftAtMs: nowMs });
      putBase(tx, { account: intent.account, number: intent.key, record: { agreed: null, sent: leaving } });
    }
    return id;
  },

  applied(at, id, link, evidence, shown) {
    const { tx, nowMs } = at;
    const row = findIntent(tx, { id });
    if (row === undefined) return;
    const { account, kind, key } = row;
    if (shown !== undefined) recordErpOrders(at, account, [shown.order], shown);
    applyIntent(tx).run({ account, kind, key, evidence: JSON.stringify(evidence), nowMs });
    releaseWaiting(tx, account, [kind]);
    if (link === null) return;
    linkEntities(tx, link, nowMs);
    // The created entity may have been read and held before it was linked. An order that this create made in the ERP
    // was not.
    if (row.kind !== 'order-in' || link.how !== 'created') markLinked(tx, [link], `linked (${link.how})`, nowMs);
  },

  refused({ tx, nowMs }, id, evidence) {
    const set = { state: 'refused', settledAtMs: nowMs, evidence } as const;

    const row = findIntent(tx, { id });
    if (row === undefined) return;
    tx.update(intents).set(set).where(eq(intents.id, id)).run();
    dropCreatePending(tx, row);
    releaseWaiting(tx, row.account, [row.kind]);
  },

  taken({ tx }, id, evidence) {
    const still = and(eq(intents.id, id), eq(intents.state, 'open'));

    tx.update(intents).set({ evidence }).where(still).run();
  },

  inDoubt({ tx }, id, evidence, candidates = []) {
    const set = { state: 'in-doubt', evidence, candidates: JSON.stringify(candidates) } as const;

    tx.update(intents).set(set).where(eq(intents.id, id)).run();
  },

  prune({ tx }, settledBeforeMs) {
    const where = and(inArray(intents.state, ['applied', 'refused']), lt(intents.settledAtMs, settledBeforeMs));

    tx.delete(intents).where(where).run();
    tx.run(sql`delete from ${reconciles} where ${reconciles.intentId} not in (select ${intents.id} from ${intents})`);
  },
} satisfies Writes<IntentStore>;

export const intentSteps = (database: Database, now: () => number) => ({
  async sending(id: number): Promise<void> {
    await database.transaction((tx) => sendIntent(tx, { id, sentAtMs: now(), leftAtMs: now() }));
  },

  /** There is rarely such an intent, and even an empty transaction costs a commit. */
  async earlier(intent: NewIntent): Promise<Intent | null> {
    const { known, outdated } = database.snapshot(() => earlierOf(database, intent));
    if (outdated !== null)
      await database.transaction((tx) =>
        tx.update(intents).set({ state: 'refused' }).where(eq(intents.id, outdated.id)).run(),
      );
    return known;
  },
});

/** An earlier intent of the entity. `outdated`: one that was dropped for an earlier state of the entity. */
function earlierOf(
  db: Readable,
  intent: NewIntent,
): { readonly known: Intent | null; readonly outdated: Intent | null } {
  const { account, kind, key } = intent;
  const unsettled = unsettledOf(db, intent).at(-1);
  if (unsettled !== undefined) return { known: unsettled, outdated: null };
  const dropped = findDropped(db).get({ account, kind, key });
  if (dropped === undefined) return { known: null, outdated: null };
  const isSame = dropped.droppedAs === entityMark(db, intent);
  return isSame ? { known: dropped, outdated: null } : { known: null, outdated: dropped };
}

/** Stores the half of a link that is known before the create is answered. */
function markCreatePending(tx: Queryable, { account, kind, externalId }: NewIntent, nowMs: number): void {
  const { links, madeOn } = intentKind(kind);
  if (links === null) return;
  const [erpId, marketplaceId] = madeOn === 'marketplace' ? [externalId, null] : [null, externalId];
  insertPending(tx).run({ account, kind: links, erpId, marketplaceId, nowMs });
}

const insertPending = prepared((db) => {
  const [account, kind, nowMs] = [sql.placeholder('account'), sql.placeholder('kind'), sql.placeholder('nowMs')];
  const ids = { erpId: sql.placeholder('erpId'), marketplaceId: sql.placeholder('marketplaceId') };
  return db
    .insert(mappings)
    .values({ account, kind, ...ids, state: 'create-pending', how: 'created', createdAtMs: nowMs })
    .onConflictDoNothing();
});

export function dropCreatePending(tx: Queryable, { account, kind, externalId }: Intent): void {
  const { links, madeOn } = intentKind(kind);
  if (links === null) return;
  const half = madeOn === 'marketplace' ? mappings.erpId : mappings.marketplaceId;
  const isIts = and(eq(mappings.account, account), eq(mappings.kind, links), eq(half, externalId));
  deleteWhere(tx, mappings, and(isIts, eq(mappings.state, 'create-pending')));
}
