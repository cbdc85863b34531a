import type { JournalRow } from '../store/record.ts';
import type { Store } from '../store/store.ts';

/** What was written, linked, noticed or told of one entity. */
export type Entry = JournalRow;

/** A choice among the entries of the journal. */
export interface JournalChoice {
  readonly accounts: readonly string[];
  /** Epoch milliseconds; null: from the beginning. */
  readonly sinceMs: number | null;
  readonly flow?: string | undefined;
  readonly key?: string | undefined;
}

const AT_ONCE = 1_000;

/** What was written, linked, noticed and told, oldest first. */
export async function* journalOf(
  { journal }: Pick<Store, 'journal'>,
  { accounts, sinceMs, flow, key }: JournalChoice,
): AsyncGenerator<Entry> {
  let page = await journal.after(0, AT_ONCE);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page.filter(
      (row) =>
        accounts.includes(row.account) &&
        row.atMs >= (sinceMs ?? 0) &&
        (flow === undefined || row.flow === flow) &&
        (key === undefined || row.key === key),
    );
    page = await journal.after(last.id, AT_ONCE);
  }
}
