import { expect, test, vi } from 'vitest';
import type * as Journal from '../../../src/store/sqlite/journal.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/store/sqlite/journal.ts', async (original) => {
  const real = await original<typeof Journal>();
  const journalStore: typeof real.journalStore = (db, now) => {
    const journal = real.journalStore(db, now);
    const begin: typeof journal.begin = (entry) =>
      entry.action.startsWith('product.price') ? Promise.resolve(0) : journal.begin(entry);
    return { ...journal, begin };
  };
  return { ...real, journalStore };
});

test('a kind of write that leaves no entry in the journal is caught', async () => {
  expect(await untilBroken(400)).toMatch(/I10/);
});
