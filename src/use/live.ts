import type { JournalChoice } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { KNOWN_ROWS } from './followed.ts';
import { type Entry, followJournal, journalOf } from './journal.ts';

/** Sends new journal entries to many listeners with one read. */
export interface Live {
  /**
   * Sends entries after `afterId`, then new ones; null: only new ones. A write's entry comes again when it has ended.
   * Returns a function that stops it.
   * @param by the listener's name, under which only a part of all streams may be open
   * @throws TooManyListen
   */
  listen(by: string, afterId: number | null, tell: Listener): Promise<() => void>;
  stop(): void;
}

/**
 * `isBehind`: a higher id was sent before, since this entry comes again or was committed late. `missed`: too many
 * entries were missed to send them.
 */
export type LiveEvent = { readonly entry: Entry; readonly isBehind: boolean } | 'missed';
export type Listener = (told: readonly LiveEvent[]) => void;

class TooManyListen extends Error {
  override readonly name = 'TooManyListen';
}

const MOST_LISTENERS = 200;
/** Of one name, so that nobody keeps the others out. */
const MOST_OF_ONE = 50;
/** The most missed entries sent to a reconnecting listener. */
const MOST_MISSED = 1_000;

/** @throws TooManyListen */
function checkRoom(open: readonly string[], by: string): void {
  const isFull = open.length >= MOST_LISTENERS;
  if (!isFull && open.filter((one) => one === by).length < MOST_OF_ONE) return;
  const who = isFull ? `${MOST_LISTENERS} listen` : `${MOST_OF_ONE} listen as ${by}`;
  throw new TooManyListen(`${who} already: close a page, or ask GET /journal`);
}

export function createLive(store: Pick<Store, 'journal'>, choice: Pick<JournalChoice, 'accounts'>): Live {
  const listeners = new Map<Listener, string>();
  let following: AbortController | null = null;
  let began: Promise<void> | null = null;
  let lastId = 0;
  let gathered: LiveEvent[] = [];
  /** All entries up to this id were sent. */
  let toldId = 0;
  const tellAll = (): void => {
    const told = gathered;
    gathered = [];
    toldId = lastId;
    for (const tell of listeners.keys()) tell(told);
  };
  const follow = async (known: readonly Entry[], signal: AbortSignal): Promise<void> => {
    for await (const entry of followJournal(store, choice, known, signal)) {
      const isBehind = entry.id <= lastId;
      lastId = Math.max(lastId, entry.id);
      // Entries read together are sent together.
      if (gathered.length === 0) setImmediate(tellAll);
      gathered.push({ entry, isBehind });
    }
  };
  const end = (): void => {
    following?.abort();
    following = null;
    began = null;
  };
  const begin = async (): Promise<void> => {
    following = new AbortController();
    const { signal } = following;
    const known = await store.journal.before(null, KNOWN_ROWS);
    lastId = known[0]?.id ?? 0;
    toldId = lastId;
    // An unreadable database is reported elsewhere. The next listener starts again.
    follow(known, signal).catch(end);
  };
  const missedSince = async (afterId: number, untilId: number): Promise<LiveEvent[]> => {
    const missed: LiveEvent[] = [];
    for await (const entry of journalOf(store, choice, afterId)) {
      if (missed.length >= MOST_MISSED) return [...missed, 'missed'];
      if (entry.id > untilId) break;
      missed.push({ entry, isBehind: false });
    }
    return missed;
  };
  return {
    async listen(by, afterId, tell) {
      checkRoom([...listeners.values()], by);
      const meanwhile: LiveEvent[] = [];
      const wait: Listener = (told) => void meanwhile.push(...told);
      listeners.set(wait, by);
      let missed: LiveEvent[] = [];
      try {
        await (began ??= begin());
        if (afterId !== null) missed = await missedSince(afterId, toldId);
      } finally {
        listeners.delete(wait);
      }
      tell([...missed, ...meanwhile]);
      listeners.set(tell, by);
      return () => {
        listeners.delete(tell);
        if (listeners.size === 0) end();
      };
    },
    stop: end,
  };
}
