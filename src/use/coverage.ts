import { isCursorAhead } from '../domain/ahead.ts';
import { type Hole, type Interval, merged } from '../domain/coverage.ts';
import { isReadByTime } from '../shadow/collections.ts';
import { holesOf } from '../shadow/holes.ts';
import { intervalOf } from '../store/reading.ts';
import type { Store } from '../store/store.ts';

export interface CollectionCoverage {
  readonly account: string;
  readonly collection: string;
  /** As written by the server. `from` null: from the beginning; `to` null: nothing read yet. */
  readonly covered: readonly Interval[];
  readonly holes: readonly Hole[];
  readonly ageMs: number;
  /** What the last read noticed: `hole`, `tie-group`, `unsorted` ... */
  readonly finding: string | null;
}

/** Where the next read of changes starts, if that is in the future; null: it is not. */
export async function cursorAhead(
  store: Pick<Store, 'cursors'>,
  account: string,
  collection: string,
  nowMs: number,
): Promise<string | null> {
  const cursor = (await store.cursors.get(account, collection))?.value ?? null;
  return cursor !== null && isCursorAhead(cursor, nowMs) ? cursor : null;
}

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
