import type { JournalEntry } from '../store/journal.ts';
import type { AccountContext } from './context.ts';

/** Puts on record what was found out, or would have been written, and tells those who follow the journal. */
export async function noteInJournal(
  { store, onJournal }: Pick<AccountContext, 'store' | 'onJournal'>,
  found: Omit<JournalEntry, 'outcome' | 'answer'>,
  outcome: 'noted' | 'dry-run' = 'noted',
): Promise<void> {
  const entry: JournalEntry = { ...found, outcome, answer: '' };
  await store.journal.add(entry);
  onJournal(entry);
}
