import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { beginGeneration, cachedInSnapshot, endGeneration } from '../../src/store/sql/snapshot-cache.ts';

test('a read snapshot asks the database each question once', () => {
  const connection = {};
  const asked: unknown[] = [];
  const ask = cachedInSnapshot(connection, (values) => asked.push(values));
  beginGeneration(connection);
  for (const values of [
    ['main', 'a'],
    ['main', 'a'],
    ['main', null],
    ['main', 'null'],
    ['main', ''],
    ['maina', ''],
  ])
    ask(values);
  expect(asked).toEqual([
    ['main', 'a'],
    ['main', null],
    ['main', 'null'],
    ['main', ''],
    ['maina', ''],
  ]);
});

test('a question is asked again in the next read snapshot, outside of one, and on another connection', async () => {
  const [one, other] = [{}, {}];
  let asked = 0;
  const count = () => (asked += 1);
  const [ofOne, ofOther] = [cachedInSnapshot(one, count), cachedInSnapshot(other, count)];
  beginGeneration(one);
  expect([ofOne(['a']), ofOne(['a'])]).toEqual([1, 1]);
  endGeneration(one);
  expect([ofOne(['a']), ofOne(['a'])]).toEqual([2, 3]);
  beginGeneration(one);
  beginGeneration(other);
  await nextTurn();
  expect([ofOne(['a']), ofOther(['a']), ofOne(['a']), ofOther(['a'])]).toEqual([4, 5, 4, 5]);
});

test('a read snapshot caches an empty answer too', () => {
  const connection = {};
  let asked = 0;
  const ask = cachedInSnapshot(connection, () => void (asked += 1));
  beginGeneration(connection);
  for (let times = 0; times < 3; times += 1) ask(['a']);
  expect(asked).toBe(1);
});
