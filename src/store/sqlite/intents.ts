import type { Database, Queryable, Readable } from './database.ts';
import { entityMark } from './entity-marks.ts';
import { type IntentKind, intentKind } from './intent-kinds.ts';
import { type Link, linkEntities } from './mappings.ts';
import { and, asc, desc, eq, inArray, lt, sql } from './orm.ts';
import { built, insertInto, rowBy } from './queries.ts';
import { markLinked } from './relook.ts';
import { intents, mappings, reconciles } from './tables/work.ts';

export type Intent = typeof intents.$inferSelect;

/** Ids of what an intent in doubt may have made, as they were found when it came into doubt. */
export function candidatesOf({ candidates }: Intent): string[] {
  return JSON.parse(candidates) as string[];
}

/** A write without an idempotency key that is about to be sent. */
export interface NewIntent {
  readonly account: string;
  readonly kind: IntentKind;
  readonly key: string;
  readonly externalId: string;
  /** What is sent, where it is found again by nothing else. */
  readonly sent?: string;
}

const findIntent = rowBy(intents, 'id');

const isOpen = inArray(intents.state, ['open', 'in-doubt']);
const ofKind = and(eq(intents.account, sql.placeholder('account')), eq(intents.kind, sql.placeholder('kind')));

const findUnsettled = built((db) => {
  const where = and(ofKind, eq(intents.key, sql.placeholder('key')), isOpen);
  return db.select().from(intents).where(where).orderBy(asc(intents.id)).prepare();
});

const findDropped = built((db) => {
  const where = and(ofKind, eq(intents.key, sql.placeholder('key')), eq(intents.state, 'dropped'));
  return db.select().from(intents).where(where).orderBy(desc(intents.id)).limit(1).prepare();
});

const listUnsettled = built((db) =>
  db.select().from(intents).where(and(ofKind, isOpen)).orderBy(asc(intents.id)).limit(1000).prepare(),
);

const insertIntent = insertInto(intents);

const sendIntent = built((db) =>
  db
    .update(intents)
    .set({ sentAtMs: sql`${sql.placeholder('nowMs')}` })
    .where(eq(intents.id, sql.placeholder('id')))
    .prepare(),
);

const applyIntent = built((db) => {
  const set = {
    state: 'applied' as const,
    settledAtMs: sql`${sql.placeholder('nowMs')}`,
    evidence: sql`${sql.placeholder('evidence')}`,
  };
  const where = and(ofKind, eq(intents.key, sql.placeholder('key')), isOpen);
  return db.update(intents).set(set).where(where).prepare();
});

type Target = Pick<NewIntent, 'account' | 'kind' | 'key'>;

/** Those of one entity that are not settled, oldest first. */
export function unsettledOf(db: Readable, { account, kind, key }: Target): Intent[] {
  return findUnsettled(db).all({ account, kind, key });
}

/** Begins one, in the caller's transaction; answers its id. */
export function openIntent(tx: Queryable, intent: NewIntent, nowMs: number): number {
  markCreatePending(tx, intent, nowMs);
  const { account, kind, key, externalId, sent = '' } = intent;
  const nothingYet = { evidence: '', candidates: '[]', droppedAs: null, settledAtMs: null };
  return insertIntent(tx, { account, kind, key, externalId, sent, state: 'open', sentAtMs: nowMs, ...nothingYet });
}

export function intentStore(db: Database, now: () => number) {
  const is = (target: Target) =>
    and(eq(intents.account, target.account), eq(intents.kind, target.kind), eq(intents.key, target.key));

  return {
    /** Committed before the request is sent; answers the id to settle it by. */
    async open(intent: NewIntent): Promise<number> {
      return db.transaction((tx) => openIntent(tx, intent, now()));
    },

    /** It waited until now: from here on it may be applied. */
    async sending(id: number): Promise<void> {
      await db.transaction((tx) => sendIntent(tx).run({ id, nowMs: now() }));
    },

    /** The write that may or may not have been applied, or that waits for an operator. */
    async unsettled(target: Target): Promise<Intent | null> {
      return unsettledOf(db, target).at(-1) ?? null;
    },

    /** The answer, and the link it gives, in one transaction. */
    async applied(id: number, link: Link | null, evidence: string): Promise<void> {
      await db.transaction((tx) => {
        const row = findIntent(tx, { id });
        if (row === undefined) return;
        const { account, kind, key } = row;
        applyIntent(tx).run({ account, kind, key, evidence, nowMs: now() });
        if (link === null) return;
        linkEntities(tx, link, now());
        // What was made may have been seen before it was linked, and been held. An order made in the ERP has not been.
        if (row.kind !== 'order-in' || link.how !== 'created') markLinked(tx, [link], `linked (${link.how})`, now());
      });
    },

    /** A definite no, or looked up after the settle time and not there: nothing is being created any more. */
    async refused(id: number, evidence: string): Promise<void> {
      const set = { state: 'refused', settledAtMs: now(), evidence } as const;
      await db.transaction((tx) => {
        const row = findIntent(tx, { id });
        if (row === undefined) return;
        tx.update(intents).set(set).where(eq(intents.id, id)).run();
        dropCreatePending(tx, row);
      });
    },

    /** The other side took it, and its answer does not say what was made: it is never sent again unless an operator says so. */
    async taken(id: number, evidence: string): Promise<void> {
      const still = and(eq(intents.id, id), eq(intents.state, 'open'));
      await db.transaction((tx) => tx.update(intents).set({ evidence }).where(still).run());
    },

    /** @param candidates ids of what may be it */
    async inDoubt(id: number, evidence: string, candidates: readonly string[] = []): Promise<void> {
      const set = { state: 'in-doubt', evidence, candidates: JSON.stringify(candidates) } as const;
      await db.transaction((tx) => tx.update(intents).set(set).where(eq(intents.id, id)).run());
    },

    /** What an operator dropped and is still as it was then; what has changed since may be tried again. */
    async dropped(intent: NewIntent): Promise<Intent | null> {
      const { account, kind, key } = intent;
      const found = findDropped(db).get({ account, kind, key });
      if (found === undefined) return null;
      if (found.droppedAs === entityMark(db, intent)) return found;
      await db.transaction((tx) => tx.update(intents).set({ state: 'refused' }).where(eq(intents.id, found.id)).run());
      return null;
    },

    async listUnsettled(account: string, kind: NewIntent['kind']): Promise<Intent[]> {
      return listUnsettled(db).all({ account, kind });
    },

    /** The newest creates of one entity, whatever became of them. */
    async of(target: Target): Promise<Intent[]> {
      return db.select().from(intents).where(is(target)).orderBy(desc(intents.id)).limit(10).all();
    },

    async allInDoubt(): Promise<Intent[]> {
      return db.select().from(intents).where(eq(intents.state, 'in-doubt')).orderBy(asc(intents.id)).limit(1000).all();
    },

    async prune(settledBeforeMs: number): Promise<void> {
      const where = and(inArray(intents.state, ['applied', 'refused']), lt(intents.settledAtMs, settledBeforeMs));
      await db.transaction((tx) => {
        tx.delete(intents).where(where).run();
        tx.run(
          sql`delete from ${reconciles} where ${reconciles.intentId} not in (select ${intents.id} from ${intents})`,
        );
      });
    },
  };
}

/** The half of a mapping that is known before the create is answered. */
function markCreatePending(tx: Queryable, { account, kind, externalId }: NewIntent, nowMs: number): void {
  const { links, madeOn } = intentKind(kind);
  if (links === null) return;
  const [erpId, marketplaceId] = madeOn === 'marketplace' ? [externalId, null] : [null, externalId];
  insertPending(tx).run({ account, kind: links, erpId, marketplaceId, nowMs });
}

const insertPending = built((db) => {
  const [account, kind, nowMs] = [sql.placeholder('account'), sql.placeholder('kind'), sql.placeholder('nowMs')];
  const ids = { erpId: sql.placeholder('erpId'), marketplaceId: sql.placeholder('marketplaceId') };
  return db
    .insert(mappings)
    .values({ account, kind, ...ids, state: 'create-pending', how: 'created', createdAtMs: nowMs })
    .onConflictDoNothing()
    .prepare();
});

/** The other way round: what was not created is half a mapping of nothing. */
export function dropCreatePending(tx: Queryable, { account, kind, externalId }: Intent): void {
  const { links, madeOn } = intentKind(kind);
  if (links === null) return;
  const half = madeOn === 'marketplace' ? mappings.erpId : mappings.marketplaceId;
  const isPending = eq(mappings.state, 'create-pending');
  tx.delete(mappings)
    .where(and(eq(mappings.account, account), eq(mappings.kind, links), eq(half, externalId), isPending))
    .run();
}
