import type { AccountConfig } from '../config/resolve.ts';
import { isLate } from '../domain/freshness.ts';
import { sideOfList } from '../domain/lists.ts';
import { COLLECTIONS, type CollectionName } from '../shadow/collections.ts';
import type { Store } from '../store/store.ts';
import { collectionsRead } from './flows.ts';

export interface ListAge {
  readonly collection: CollectionName;
  readonly side: 'marketplace' | 'erp';
  /** Time since the last read. null: never read. */
  readonly ageMs: number | null;
  readonly everyMs: number;
  readonly late: boolean;
}

const SIDES_IN_ORDER = ['marketplace', 'erp'] as const;

/** Marketplace lists first. */
export async function listAges(config: AccountConfig, store: Store, nowMs: number): Promise<ListAge[]> {
  return ageLists(config, store, (_collection, times) => {
    const readAtMs = latest(times);
    return readAtMs === null ? null : Math.max(0, nowMs - readAtMs);
  });
}

/** As `listAges`. @param ageOf a list's age in ms from the times of its reads; null: unknown */
export async function ageLists(
  config: AccountConfig,
  store: Store,
  ageOf: (collection: CollectionName, times: readonly number[]) => number | null,
): Promise<ListAge[]> {
  const read = collectionsRead(config).filter((name) => !COLLECTIONS[name].byRow);
  const inOrder = SIDES_IN_ORDER.flatMap((side) => read.filter((name) => sideOfList(name) === side));
  return Promise.all(
    inOrder.map(async (collection) => {
      const side = sideOfList(collection);
      const { timeoutMs } = config[side];
      const everyMs = COLLECTIONS[collection].everyMs(config);
      const ageMs = ageOf(collection, await timesOfReads(store, config.name, collection));
      return { collection, side, ageMs, everyMs, late: isLate(ageMs, everyMs, timeoutMs) };
    }),
  );
}

/** The time of the last read of a collection, by changes or in full. null: never read. */
export async function lastRead(store: Store, account: string, collection: string): Promise<number | null> {
  return latest(await timesOfReads(store, account, collection));
}

const latest = (times: readonly number[]): number | null => Math.max(...times) || null;

/** The times of the last read of a collection, by changes and in full. 0: never. */
async function timesOfReads(store: Store, account: string, collection: string): Promise<number[]> {
  return Promise.all([collection, `all-${collection}`].map((list) => readAt(store, account, list)));
}

/** 0: never. An empty collection has no cursor, but a read window. */
async function readAt(store: Store, account: string, collection: string): Promise<number> {
  const cursor = await store.cursors.get(account, collection);
  const [window] = await store.cursors.windows(account, collection);
  const readAtMs = window?.finding == null ? window?.readAtMs : undefined;
  return Math.max(cursor?.updatedAtMs ?? 0, readAtMs ?? 0);
}
