import type { JournalEntry, JournalEvent } from '../store/record.ts';
import type { Recording } from './context.ts';

export async function noteInJournal(
  { store, onJournal }: Pick<Recording, 'store' | 'onJournal'>,
  found: Omit<JournalEntry, 'outcome' | 'answer'>,
  { outcome = 'noted', ...told }: Pick<JournalEvent, 'fields' | 'codes'> & { outcome?: 'noted' | 'dry-run' } = {},
): Promise<void> {
  const entry: JournalEntry = { ...found, outcome, answer: '' };
  await store.journal.add(entry);
  onJournal({ ...entry, ...told });
}
