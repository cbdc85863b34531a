import { expect, test, vi } from 'vitest';
import type * as Overwritten from '../../../src/flows/engine/overwritten.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/flows/engine/overwritten.ts', async (original) => ({
  ...(await original<typeof Overwritten>()),
  overwrittenValues: () => ({}),
}));

test('the simulation detects that an edit on the marketplace is overwritten without an alert', async () => {
  const isMeant = (seed: number) => worldOf(seed).happenings?.some((one) => OF_FIELDS.has(one)) ?? false;
  expect(await untilBroken({ first: 77, maxSeeds: 800, isMeant, law: 'I16: undone untold' })).not.toBe('');
});

const OF_FIELDS = new Set([
  'changed',
  'cleared',
  'renamed',
  'cut',
  'upper-cased',
  'trimmed',
  'rewritten',
  'beyond its range',
]);
