import { expect, test, vi } from 'vitest';
import type * as Journal from '../../../src/store/sql/journal.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/store/sql/journal.ts', async (original) => {
  const real = await original<typeof Journal>();
  const begin: typeof real.journalNotes.begin = (at, entry) =>
    entry.action.startsWith('product.price') ? 0 : real.journalNotes.begin(at, entry);
  return { ...real, journalNotes: { ...real.journalNotes, begin } };
});

test('the simulation detects a kind of write without an entry in the journal', async () => {
  expect(await untilBroken({ first: 9, maxSeeds: 400, law: /I10/ })).not.toBe('');
});
