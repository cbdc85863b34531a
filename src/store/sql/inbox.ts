import { createHash } from 'node:crypto';
import type { EventChoice, InboxStore } from '../reading.ts';
import { appendAudit } from './audit.ts';
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, changeBy, deleteWhere, matching, updateWhere } from './queries.ts';
import { inbox } from './tables/reading.ts';

const insertDelivery = built((db) => {
  const values = {
    account: sql.placeholder('account'),
    kind: sql.placeholder('kind'),
    body: sql.placeholder('body'),
    bodyHash: sql.placeholder('bodyHash'),
    receivedAtMs: sql.placeholder('receivedAtMs'),
  };
  return db.insert(inbox).values(values).onConflictDoNothing().prepare();
});

const findUnprocessed = built((db) =>
  db
    .select()
    .from(inbox)
    .where(and(matching(inbox, 'account', 'kind'), isNull(inbox.processedAtMs)))
    .orderBy(asc(inbox.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
);

const markProcessed = changeBy(inbox, ['id'], ['processedAtMs', 'entity']);

const EVENT = {
  id: inbox.id,
  account: inbox.account,
  kind: inbox.kind,
  receivedAtMs: inbox.receivedAtMs,
  processedAtMs: inbox.processedAtMs,
  entity: inbox.entity,
  bytes: sql<number>`length(${inbox.body})`,
};

function chosen({ accounts, kind, entities }: EventChoice) {
  return and(
    accounts === undefined ? undefined : inArray(inbox.account, [...accounts]),
    kind === undefined ? undefined : eq(inbox.kind, kind),
    entities === undefined ? undefined : inArray(inbox.entity, [...entities]),
  );
}

export const inboxReads = {
  unprocessed({ db }, account, kind, limit) {
    return findUnprocessed(db).all({ account, kind, limit });
  },

  get({ db }, id) {
    return db.select().from(inbox).where(eq(inbox.id, id)).get() ?? null;
  },

  latest({ db }, limit, of, beforeId) {
    const where = and(chosen(of), beforeId === undefined ? undefined : lt(inbox.id, beforeId));
    return db.select(EVENT).from(inbox).where(where).orderBy(desc(inbox.id)).limit(limit).all();
  },

  after({ db }, afterId, limit, of) {
    const where = and(chosen(of), gt(inbox.id, afterId));
    return db.select(EVENT).from(inbox).where(where).orderBy(asc(inbox.id)).limit(limit).all();
  },
} satisfies Reads<InboxStore>;

export const inboxWrites = {
  store({ tx }, deliveries) {
    return deliveries.map((delivery) => {
      const inserted = insertDelivery(tx).run({ ...delivery, bodyHash: hashOf(delivery.body) });
      return inserted.changes > 0 ? 'stored' : 'duplicate';
    });
  },

  reopen({ tx }, { account, kind, body, receivedAtMs }) {
    const same = and(eq(inbox.account, account), eq(inbox.kind, kind), eq(inbox.bodyHash, hashOf(body)));
    return updateWhere(tx, inbox, { processedAtMs: null, receivedAtMs }, and(same, isNotNull(inbox.processedAtMs))) > 0;
  },

  processed({ tx, nowMs }, looked) {
    for (const one of looked) markProcessed(tx, { id: one.id, entity: one.entity, processedAtMs: nowMs });
  },

  resend({ tx, nowMs }, id, by) {
    const row = tx.select(EVENT).from(inbox).where(eq(inbox.id, id)).get();
    if (row === undefined || row.processedAtMs === null) return false;
    tx.update(inbox).set({ processedAtMs: null, receivedAtMs: nowMs }).where(eq(inbox.id, id)).run();
    const about = { account: row.account, flow: '', key: row.entity ?? '' };
    const act = { action: 'events.resend', target: `webhook ${id} of ${row.kind}`, before: null, after: null };
    appendAudit(tx, [{ ...about, ...act, who: by, outcome: 'done', resultOf: null }], nowMs);
    return true;
  },

  prune({ tx }, processedBeforeMs) {
    deleteWhere(tx, inbox, and(isNotNull(inbox.processedAtMs), lt(inbox.processedAtMs, processedBeforeMs)));
  },
} satisfies Writes<InboxStore>;

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}
