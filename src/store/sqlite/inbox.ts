import { createHash } from 'node:crypto';
import type { InboxStore } from '../reading.ts';
import { and, asc, eq, isNotNull, isNull, lt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, changeBy, matching } from './queries.ts';
import { inbox } from './tables/reading.ts';

const insertDelivery = built((db) => {
  const [account, kind, body] = [sql.placeholder('account'), sql.placeholder('kind'), sql.placeholder('body')];
  const [bodyHash, receivedAtMs] = [sql.placeholder('bodyHash'), sql.placeholder('receivedAtMs')];
  return db.insert(inbox).values({ account, kind, body, bodyHash, receivedAtMs }).onConflictDoNothing().prepare();
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

const markProcessed = changeBy(inbox, ['id'], ['processedAtMs']);

export const inboxReads = {
  unprocessed({ db }, account, kind, limit) {
    return findUnprocessed(db).all({ account, kind, limit });
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
    const opened = tx
      .update(inbox)
      .set({ processedAtMs: null, receivedAtMs })
      .where(and(same, isNotNull(inbox.processedAtMs)))
      .run();
    return opened.changes > 0;
  },

  processed({ tx, nowMs }, ids) {
    for (const id of ids) markProcessed(tx, { id, processedAtMs: nowMs });
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
