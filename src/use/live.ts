import type { JournalChoice } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { KNOWN_ROWS } from './followed.ts';
import { type Entry, followJournal, journalOf } from './journal.ts';

/** New entries of the journal, sent to many listeners at once. The journal is read once for all of them. */
export interface Live {
  /**
   * Tells every entry after `afterId`, and then each new entry; null: only new entries. The entry of a write comes again when the
   * write has ended. Answers a function that ends the listening.
   * @throws TooManyListen
   */
  listen(afterId: number | null, tell: Listener): Promise<() => void>;
  stop(): void;
}

/**
 * `isBehind`: an entry with a higher id was told before, because this entry comes again or was committed late. `missed`: there were
 * more entries than a listener is told afterwards.
 */
export type LiveEvent = { readonly entry: Entry; readonly isBehind: boolean } | 'missed';
export type Listener = (told: readonly LiveEvent[]) => void;

class TooManyListen extends Error {
  override readonly name = 'TooManyListen';
}

const MOST_LISTENERS = 200;
/** The most missed entries that are sent to a listener that connects again. */
const MOST_MISSED = 1_000;

export function createLive(store: Pick<Store, 'journal'>, choice: Pick<JournalChoice, 'accounts'>): Live {
  const listeners = new Set<Listener>();
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
    for (const tell of listeners) tell(told);
  };
  const follow = async (known: readonly Entry[], signal: AbortSignal): Promise<void> => {
    for await (const entry of followJournal(store, choice, known, signal)) {
      const isBehind = entry.id <= lastId;
      lastId = Math.max(lastId, entry.id);
      // Entries that are read together are sent together.
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
    // Everything else reports a database that cannot be read. The next listener begins anew.
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
    async listen(afterId, tell) {
      if (listeners.size >= MOST_LISTENERS) {
        throw new TooManyListen(`${MOST_LISTENERS} listen already: close a page, or ask GET /journal`);
      }
      const meanwhile: LiveEvent[] = [];
      const wait: Listener = (told) => void meanwhile.push(...told);
      listeners.add(wait);
      let missed: LiveEvent[] = [];
      try {
        await (began ??= begin());
        if (afterId !== null) missed = await missedSince(afterId, toldId);
      } finally {
        listeners.delete(wait);
      }
      tell([...missed, ...meanwhile]);
      listeners.add(tell);
      return () => {
        listeners.delete(tell);
        if (listeners.size === 0) end();
      };
    },
    stop: end,
  };
}
