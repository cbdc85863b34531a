import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { casesOf } from './cases.ts';
import { countsOf, whenPage } from './page.ts';
import { play } from './play.ts';
import { HAPPENINGS, keysOf, SIDES, THINGS, TIMES } from './words.ts';

const GUIDE = join(import.meta.dirname, '../../src/guide');
/** Each commit plays another part of the table, so that all parts are played within so many commits. */
const PARTS = 20;

test('the guide page of the world is generated from the table', async () => {
  await expect(whenPage()).toMatchFileSnapshot(join(GUIDE, 'when.md'));
});

test('the world table has a cell for everything that can happen to each entity, on each side, at each time', () => {
  const { cells = 0, ...outcomes } = countsOf();
  const size = [THINGS, HAPPENINGS, SIDES, TIMES].reduce((all, words) => all * Object.keys(words).length, 1);
  expect(cells).toBe(size);
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(size);
});

test.each(keysOf(TIMES))(
  'a part of the cells of the world table is played %s, and the program does what the table says',
  async (judged) => {
    const part = partOfCommit();
    const wrong: string[] = [];
    for (const one of casesOf()
      .filter(({ time }) => time === judged)
      .filter((_, index) => index % PARTS === part)) {
      const found = await play(one);
      if (found === 'cannot happen') wrong.push(`${one.name}: it cannot happen, and the table says what follows`);
      else if (found.length > 0) wrong.push(`${one.name}: ${found.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  },
);

function partOfCommit(): number {
  const git = join(import.meta.dirname, '../../.git');
  try {
    const head = readFileSync(join(git, 'HEAD'), 'utf8').trim();
    const commit = head.startsWith('ref: ') ? readFileSync(join(git, head.slice('ref: '.length)), 'utf8') : head;
    return Number.parseInt(commit.slice(0, 8), 16) % PARTS;
  } catch {
    // A copy of the tree without its history plays the first part.
    return 0;
  }
}
