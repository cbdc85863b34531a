import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import { and, asc, inArray, isNotNull, isNull, lt, sql } from './orm.ts';
import { inbox } from './schema.ts';

export type InboxRow = typeof inbox.$inferSelect;

export interface Delivery {
  readonly account: string;
  readonly kind: 'orders' | 'products';
  readonly body: Buffer;
  readonly receivedAtMs: number;
}

export function inboxStore(db: Database, now: () => number) {
  return {
    /** Durable when it answers: one transaction for all of them. */
    async store(deliveries: readonly Delivery[]): Promise<('stored' | 'duplicate')[]> {
      return db.transaction((tx) =>
        deliveries.map((delivery) => {
          const bodyHash = createHash('sha256').update(delivery.body).digest('base64url');
          const inserted = tx
            .insert(inbox)
            .values({ ...delivery, bodyHash })
            .onConflictDoNothing()
            .run();
          return inserted.changes > 0 ? 'stored' : 'duplicate';
        }),
      );
    },

    async unprocessed(account: string, kind: InboxRow['kind'], limit: number): Promise<InboxRow[]> {
      return db
        .select()
        .from(inbox)
        .where(and(sql`${inbox.account} = ${account}`, sql`${inbox.kind} = ${kind}`, isNull(inbox.processedAtMs)))
        .orderBy(asc(inbox.id))
        .limit(limit)
        .all();
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
      await db.transaction((tx) =>
        tx
          .update(inbox)
          .set({ processedAtMs: now() })
          .where(inArray(inbox.id, [...ids]))
          .run(),
      );
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
