import { eachKey, type KeysAfter } from '../../store/each-key.ts';
import type { Fields, Shadow } from './shown.ts';

/** For each filter, the values of a row by which the filter finds the row. */
export type Readers = Readonly<Record<string, (row: Fields) => readonly string[]>>;

/** The entities of one kind, by the values that they show. A search looks only at entities that it may find. */
export interface ShownIndex {
  /** Ids that showed one of the values at some time. The caller checks what they show now. */
  candidates(filter: string, values: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /** Adds the row with which a write was answered. */
  shows(row: Fields): void;
}

/**
 * @param keys the ids that the shadow knows
 * @param show the row of an id; null: the id is not known
 */
export function createShownIndex(
  { account }: Pick<Shadow, 'account'>,
  keys: KeysAfter,
  show: (id: string) => Promise<Fields | null>,
  readers: Readers,
): ShownIndex {
  const ids = new Map<string, Set<string>>();
  const add = (row: Fields): void => {
    for (const [filter, read] of Object.entries(readers))
      for (const value of read(row))
        ids.set(nameOf(filter, value), (ids.get(nameOf(filter, value)) ?? new Set()).add(String(row['id'])));
  };
  const readAll = async (): Promise<void> => {
    for await (const id of eachKey(account, keys, new AbortController().signal)) {
      const row = await show(id);
      if (row !== null) add(row);
    }
  };
  let read: Promise<void> | null = null;
  return {
    async candidates(filter, values) {
      await (read ??= readAll());
      return new Set([...values].flatMap((value) => [...(ids.get(nameOf(filter, value)) ?? [])]));
    },
    shows: add,
  };
}

function nameOf(filter: string, value: string): string {
  return `${filter} ${value}`;
}
