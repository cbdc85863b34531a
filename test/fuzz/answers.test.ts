import { expect, test } from 'vitest';
import { fuzzAnswers } from './answers.ts';
import { TWIST_NAMES } from './twists.ts';

test('altered answers of both sides neither crash the daemon nor lose or invent data, and both sides come into step afterwards', async () => {
  const { changed, wrong } = await fuzzAnswers({ answers: 300, seed: 4711 });
  expect(wrong).toEqual([]);
  expect(changed.size).toBeGreaterThan(TWIST_NAMES.length / 2);
});
