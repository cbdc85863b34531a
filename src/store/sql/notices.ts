import { isDeepStrictEqual } from 'node:util';
import { noticesAfter, same } from '../../domain/notices.ts';
import { LONGEST_WAIT_MS, MAX_WAITING, type NoticeStore } from '../notices.ts';
import { findFact, putFact } from './cursors.ts';
import type { Queryable } from './database.ts';
import { and, asc, desc, eq, lte, notInArray, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { deleteBy, deleteWhere, insertCounted, putInto, rowsBy, updateWhere } from './queries.ts';
import { messages, notices } from './tables/notices.ts';

const noticesOf = rowsBy(notices, ['account']);
const putNotice = putInto(notices, 'account', 'kind', 'about', 'code');
const dropNotice = deleteBy(notices, 'account', 'kind', 'about', 'code');
const oldest = rowsBy(messages, ['channel'], { order: [asc(messages.id)], limit: 1 });
const addMessage = insertCounted(messages);
const dropMessage = deleteBy(messages, 'id');
const digestsOf = rowsBy(messages, ['channel', 'event'], { limit: 1 });

export const noticeReads = {
  next({ db, nowMs }, channel) {
    const [first] = oldest(db, { channel });
    if (first === undefined) return null;
    const waitMs = first.notBeforeMs - nowMs;
    return waitMs > 0 && waitMs <= LONGEST_WAIT_MS ? null : first;
  },
} satisfies Reads<NoticeStore>;

export const noticeWrites = {
  standing({ tx, nowMs }, account, { concerns, sight }, channels) {
    const before = noticesOf(tx, { account });
    const after = noticesAfter(before, concerns, sight, nowMs);
    for (const row of before) if (!after.notices.some(same(row))) dropNotice(tx, row);
    // Usually nothing has changed since the last check, so nothing is written.
    for (const { kind, about, code, count, sinceMs, told, goneSinceMs } of after.notices) {
      const row = { account, kind, about, code, count, sinceMs, told, goneSinceMs };
      if (!isDeepStrictEqual(before.find(same(row)), row)) putNotice(tx, row);
    }
    for (const channel of channels) {
      for (const { event, concern } of after.told) {
        const { kind, about, code, count } = concern;
        put(tx, { channel, event, account, kind, about, code, count }, nowMs);
      }
    }
    return channels.reduce((dropped, channel) => dropped + dropOldest(tx, channel), 0);
  },

  digest({ tx, nowMs }, channel, dueMs) {
    const fact = { account: '', name: `digest:${channel}` };
    const lastMs = Number(findFact(tx, fact)?.value ?? 0);
    // A future date dates from before the clock was set back and means now.
    if (lastMs >= dueMs && lastMs <= nowMs) return;
    putFact(tx, { ...fact, value: String(dueMs), updatedAtMs: nowMs });
    if (digestsOf(tx, { channel, event: 'digest' }).length > 0) return;
    put(tx, { channel, event: 'digest', account: '', kind: '', about: '', code: '', count: 0 }, nowMs);
    dropOldest(tx, channel);
  },

  done({ tx }, id) {
    dropMessage(tx, { id });
  },

  retry({ tx }, id, notBeforeMs) {
    updateWhere(tx, messages, { notBeforeMs, attempts: sql`${messages.attempts} + 1` }, eq(messages.id, id));
  },

  keepChannels({ tx }, channels) {
    deleteWhere(tx, messages, notInArray(messages.channel, [...channels]));
  },
} satisfies Writes<NoticeStore>;

type New = Omit<typeof messages.$inferSelect, 'id' | 'atMs' | 'attempts' | 'notBeforeMs'>;

function put(tx: Queryable, message: New, nowMs: number): void {
  addMessage(tx, { ...message, atMs: nowMs, attempts: 0, notBeforeMs: nowMs });
}

function dropOldest(tx: Queryable, channel: string): number {
  const ofChannel = eq(messages.channel, channel);
  const newest = tx.select({ id: messages.id }).from(messages).where(ofChannel).orderBy(desc(messages.id));
  const beyond = newest.limit(1).offset(MAX_WAITING).get();
  return beyond === undefined ? 0 : deleteWhere(tx, messages, and(ofChannel, lte(messages.id, beyond.id)));
}
