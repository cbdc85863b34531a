import { expect, onTestFinished, test } from 'vitest';
import { fuzzReading } from './reading.ts';
import { recordSides } from './record.ts';
import { TWIST_NAMES } from './twists.ts';

test('after hundreds of changed answers of every list, the shadow equals the sides, no cursor is ahead, and no log leaks', async () => {
  const sides = await recordSides();
  onTestFinished(async () => {
    for (const side of Object.values(sides)) await side.close();
  });
  const { changed, lists, wrong } = await fuzzReading({ answers: 400, seed: 4712, sides });
  expect(wrong).toEqual([]);
  expect(changed.size).toBeGreaterThan(TWIST_NAMES.length / 2);
  expect(lists.size).toBeGreaterThan(12);
});
