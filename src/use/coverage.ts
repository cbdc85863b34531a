import { isCursorAhead } from '../domain/ahead.ts';
import { type Hole, type Interval, merged } from '../domain/coverage.ts';
import { isReadByTime } from '../shadow/collections.ts';
import { holesOf } from '../shadow/holes.ts';
import { intervalOf } from '../store/reading.ts';
import type { Store } from '../store/store.ts';

/** The coverage of one collection, as `status --coverage` shows it. */
export interface CollectionCoverage {
  readonly account: string;
  readonly collection: string;
  /** The intervals as the server wrote them. `from` null: from the beginning; `to` null: nothing was read yet. */
  readonly covered: readonly Interval[];
  readonly holes: readonly Hole[];
  /** The time since the last read. */
  readonly ageMs: number;
  /** The oddity of the last read: `hole`, `tie-group`, `unsorted` ... */
  readonly finding: string | null;
}

/** The instant from which changes are read, if it is still in the future; null: the instant is past. */
export async function cursorAhead(
  store: Pick<Store, 'cursors'>,
  account: string,
  collection: string,
  nowMs: number,
): Promise<string | null> {
  const cursor = (await store.cursors.get(account, collection))?.value ?? null;
  return cursor !== null && isCursorAhead(cursor, nowMs) ? cursor : null;
}

/** The coverage of every collection that is read by time, account by account. */
export async function gatherCoverage(
  accounts: readonly { readonly name: string }[],
  store: Store,
  nowMs: number,
): Promise<CollectionCoverage[]> {
  const found: CollectionCoverage[] = [];
  for (const { name: account } of accounts) {
    for (const collection of await store.cursors.collections(account)) {
      const windows = isReadByTime(collection) ? await store.cursors.windows(account, collection) : [];
      const [last] = windows;
      if (last === undefined) continue;
      found.push({
        account,
        collection,
        covered: merged(windows.map(intervalOf)),
        holes: await holesOf({ account, store }, collection),
        ageMs: Math.max(0, nowMs - last.readAtMs),
        finding:
          (await cursorAhead(store, account, collection, nowMs)) === null ? last.finding : 'cursor in the future',
      });
    }
  }
  return found;
}
