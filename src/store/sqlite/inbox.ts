import { createHash } from 'node:crypto';
import type { InboxStore } from '../reading.ts';
import { and, asc, eq, isNotNull, isNull, lt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built } from './queries.ts';
import { inbox } from './tables/reading.ts';

const insertDelivery = built((db) => {
  const [account, kind, body] = [sql.placeholder('account'), sql.placeholder('kind'), sql.placeholder('body')];
  const [bodyHash, receivedAtMs] = [sql.placeholder('bodyHash'), sql.placeholder('receivedAtMs')];
  return db.insert(inbox).values({ account, kind, body, bodyHash, receivedAtMs }).onConflictDoNothing().prepare();
});

const findUnprocessed = built((db) => {
  const ofKind = and(eq(inbox.account, sql.placeholder('account')), eq(inbox.kind, sql.placeholder('kind')));
  return db
    .select()
    .from(inbox)
    .where(and(ofKind, isNull(inbox.processedAtMs)))
    .orderBy(asc(inbox.id))
    .limit(sql.placeholder('limit'))
    .prepare();
});

const markProcessed = built((db) =>
  db
    .update(inbox)
    .set({ processedAtMs: sql`${sql.placeholder('nowMs')}` })
    .where(eq(inbox.id, sql.placeholder('id')))
    .prepare(),
);

export const inboxReads = {
  unprocessed({ db }, account, kind, limit) {
    return findUnprocessed(db).all({ account, kind, limit });
  },

  waiting({ db }) {
    return db
      .select({ account: inbox.account, kind: inbox.kind, count: sql<number>`count(*)` })
      .from(inbox)
      .where(isNull(inbox.processedAtMs))
      .groupBy(inbox.account, inbox.kind)
      .all();
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

    const set = { processedAtMs: null, receivedAtMs };
    const opened = tx
      .update(inbox)
      .set(set)
      .where(and(same, isNotNull(inbox.processedAtMs)))
      .run();
    return opened.changes > 0;
  },

  processed({ tx, nowMs }, ids) {
    if (ids.length === 0) return;

    for (const id of ids) markProcessed(tx).run({ id, nowMs });
  },

  prune({ tx }, processedBeforeMs) {
    tx.delete(inbox)
      .where(and(isNotNull(inbox.processedAtMs), lt(inbox.processedAtMs, processedBeforeMs)))
      .run();
  },
} satisfies Writes<InboxStore>;

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}
