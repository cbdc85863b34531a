import { noticesAfter } from '../../domain/notices.ts';
import { LONGEST_WAIT_MS, MAX_WAITING, type NoticeStore } from '../notices.ts';
import type { Queryable } from './database.ts';
import { and, asc, desc, eq, lte, notInArray, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { messages, notices } from './tables/notices.ts';

export const noticeReads = {
  next({ db, nowMs }, channel) {
    const oldest = db
      .select()
      .from(messages)
      .where(eq(messages.channel, channel))
      .orderBy(asc(messages.id))
      .limit(1)
      .get();
    if (oldest === undefined) return null;
    const waitMs = oldest.notBeforeMs - nowMs;
    return waitMs > 0 && waitMs <= LONGEST_WAIT_MS ? null : oldest;
  },
} satisfies Reads<NoticeStore>;

export const noticeWrites = {
  standing({ tx, nowMs }, account, concerns, channels) {
    const before = tx.select().from(notices).where(eq(notices.account, account)).all();
    const after = noticesAfter(before, concerns, nowMs);
    tx.delete(notices).where(eq(notices.account, account)).run();
    for (const notice of after.notices)
      tx.insert(notices)
        .values({ ...notice, account })
        .run();
    for (const channel of channels) {
      for (const { event, concern } of after.told) {
        const { kind, about, code, count } = concern;
        put(tx, { channel, event, account, kind, about, code, count }, nowMs);
      }
    }
    return channels.reduce((dropped, channel) => dropped + dropOldest(tx, channel), 0);
  },

  digest({ tx, nowMs }, channel) {
    const waits = tx
      .select()
      .from(messages)
      .where(and(eq(messages.channel, channel), eq(messages.event, 'digest')))
      .get();
    if (waits !== undefined) return;
    put(tx, { channel, event: 'digest', account: '', kind: '', about: '', code: '', count: 0 }, nowMs);
    dropOldest(tx, channel);
  },

  done({ tx }, id) {
    tx.delete(messages).where(eq(messages.id, id)).run();
  },

  retry({ tx }, id, notBeforeMs) {
    tx.update(messages)
      .set({ notBeforeMs, attempts: sql`${messages.attempts} + 1` })
      .where(eq(messages.id, id))
      .run();
  },

  keepChannels({ tx }, channels) {
    tx.delete(messages)
      .where(notInArray(messages.channel, [...channels]))
      .run();
  },
} satisfies Writes<NoticeStore>;

type New = Omit<typeof messages.$inferInsert, 'id' | 'atMs' | 'attempts' | 'notBeforeMs'>;

function put(tx: Queryable, message: New, nowMs: number): void {
  tx.insert(messages)
    .values({ ...message, atMs: nowMs, notBeforeMs: nowMs })
    .run();
}

function dropOldest(tx: Queryable, channel: string): number {
  const mine = eq(messages.channel, channel);
  const newest = tx.select({ id: messages.id }).from(messages).where(mine).orderBy(desc(messages.id));
  const beyond = newest.limit(1).offset(MAX_WAITING).get();
  return beyond === undefined
    ? 0
    : tx
        .delete(messages)
        .where(and(mine, lte(messages.id, beyond.id)))
        .run().changes;
}
