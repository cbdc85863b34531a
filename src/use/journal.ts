import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditRow, JournalChoice, JournalRow } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { eachRow } from './each-row.ts';
import { createFollowed } from './followed.ts';

/** A write, a link, a note or an alert. */
export type Entry = JournalRow;

export function shownEntry({ id, atMs, ...row }: Entry) {
  return { id, at: new Date(atMs).toISOString(), ...row };
}

export function shownAct({ id, atMs, resultOf, previousHash, ...act }: AuditRow) {
  return { id, at: new Date(atMs).toISOString(), ...act, result_of: resultOf, previous_hash: previousHash };
}

const AT_ONCE = 1_000;

/** Oldest first. */
export function journalOf(
  { journal }: Pick<Store, 'journal'>,
  choice: JournalChoice,
  afterId = 0,
): AsyncGenerator<Entry> {
  return eachRow((last) => journal.after(last?.id ?? afterId, AT_ONCE, choice));
}

/** The last `limit` entries before an id, oldest first, and whether there are older ones. */
export async function latestOf(
  { journal }: Pick<Store, 'journal'>,
  choice: JournalChoice,
  limit: number,
  beforeId: number | null = null,
): Promise<{ readonly entries: Entry[]; readonly more: boolean }> {
  const found = await journal.before(beforeId, limit + 1, choice);
  return { entries: found.slice(0, limit).toReversed(), more: found.length > limit };
}

const LOOK_EVERY_MS = 500;
const MOST_SENT = 1_000;

/**
 * New entries until `signal` aborts. A write's entry comes again when it has ended. With several daemons, ids may
 * arrive out of order.
 * @param known the newest entries, up to `KNOWN_ROWS`
 */
export async function* followJournal(
  store: Pick<Store, 'journal'>,
  choice: JournalChoice,
  known: readonly Entry[],
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  const followed = createFollowed(known);
  let sent: Entry[] = [];
  while (!signal.aborted) {
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    const now = await Promise.all(sent.map(async ({ id }) => (await store.journal.after(id - 1, 1))[0]));
    const ended = now.filter((row, index) => row?.id === sent[index]?.id && row?.outcome !== 'sent');
    for (const row of ended) if (row !== undefined) yield row;
    sent = sent.filter(({ id }) => now.some((row) => row?.id === id && row.outcome === 'sent'));
    for await (const row of journalOf(store, choice, followed.readFromId())) {
      if (!followed.isNew(row.id)) continue;
      if (row.outcome === 'sent') sent = [...sent, row].slice(-MOST_SENT);
      yield row;
    }
  }
}
