import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import { and, asc, eq, isNotNull, isNull, lt, sql } from './orm.ts';
import { built } from './queries.ts';
import { inbox } from './tables/reading.ts';

export type InboxRow = typeof inbox.$inferSelect;

export interface Delivery {
  readonly account: string;
  readonly kind: 'orders' | 'products';
  readonly body: Buffer;
  readonly receivedAtMs: number;
}

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

export function inboxStore(db: Database, now: () => number) {
  return {
    /** Durable when it answers: one transaction for all of them. */
    async store(deliveries: readonly Delivery[]): Promise<('stored' | 'duplicate')[]> {
      return db.transaction((tx) =>
        deliveries.map((delivery) => {
          const inserted = insertDelivery(tx).run({ ...delivery, bodyHash: hashOf(delivery.body) });
          return inserted.changes > 0 ? 'stored' : 'duplicate';
        }),
      );
    },

    /** Has a delivery that was stored before looked at once more; false when it still waits, or is not there. */
    async reopen({ account, kind, body, receivedAtMs }: Delivery): Promise<boolean> {
      const same = and(eq(inbox.account, account), eq(inbox.kind, kind), eq(inbox.bodyHash, hashOf(body)));
      return db.transaction((tx) => {
        const set = { processedAtMs: null, receivedAtMs };
        const opened = tx
          .update(inbox)
          .set(set)
          .where(and(same, isNotNull(inbox.processedAtMs)))
          .run();
        return opened.changes > 0;
      });
    },

    async unprocessed(account: string, kind: InboxRow['kind'], limit: number): Promise<InboxRow[]> {
      return findUnprocessed(db).all({ account, kind, limit });
    },

    /** Accounts and kinds with deliveries nobody has looked at. */
    async waiting(): Promise<{ account: string; kind: InboxRow['kind']; count: number }[]> {
      return db
        .select({ account: inbox.account, kind: inbox.kind, count: sql<number>`count(*)` })
        .from(inbox)
        .where(isNull(inbox.processedAtMs))
        .groupBy(inbox.account, inbox.kind)
        .all();
    },

    async processed(ids: readonly number[]): Promise<void> {
      if (ids.length === 0) return;
      await db.transaction((tx) => {
        for (const id of ids) markProcessed(tx).run({ id, nowMs: now() });
      });
    },

    async prune(processedBeforeMs: number): Promise<void> {
      await db.transaction((tx) =>
        tx
          .delete(inbox)
          .where(and(isNotNull(inbox.processedAtMs), lt(inbox.processedAtMs, processedBeforeMs)))
          .run(),
      );
    },
  };
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}
