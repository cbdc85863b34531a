import { expect, test } from 'vitest';
import { fuzzAnswers } from './answers.ts';
import { TWIST_NAMES } from './twists.ts';

test('changed answers of both sides crash nothing, lose and forge nothing, and afterwards both sides come into step', async () => {
  const { changed, wrong } = await fuzzAnswers({ answers: 300, seed: 4711 });
  expect(wrong).toEqual([]);
  expect(changed.size).toBeGreaterThan(TWIST_NAMES.length / 2);
});
