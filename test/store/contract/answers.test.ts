import { expect, test } from 'vitest';
import { ANSWERS_KEPT_MS } from '../../../src/store/answers.ts';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();
const kept = { most: 10 };

test('an idempotent act is recorded once, and a repeated request gets its answer as soon as there is one', async () => {
  const { answers } = shelf().store;
  const act = { hash: 'a', requestHash: 'pause' };
  const noted = { ...act, askedAtMs: shelf().nowMs, answer: null };
  expect(await answers.begin(act, kept)).toBeNull();
  expect(await answers.begin({ ...act, requestHash: 'resume' }, kept)).toEqual(noted);
  await answers.end('a', '{"status":200}');
  expect(await answers.begin(act, kept)).toEqual({ ...noted, answer: '{"status":200}' });
});

test('an idempotent act that did nothing may be requested again', async () => {
  const { answers } = shelf().store;
  const act = { hash: 'a', requestHash: 'pause' };
  await answers.begin(act, kept);
  await answers.forget('a');
  expect(await answers.begin(act, kept)).toBeNull();
});

test('answers of idempotent acts are kept for a limited time and in a limited number', async () => {
  const { answers } = shelf().store;
  for (const hash of ['a', 'b', 'c']) {
    shelf().nowMs += 1_000;
    await answers.begin({ hash, requestHash: 'pause' }, { ...kept, most: 2 });
  }
  const isKnown = async (hash: string) => (await answers.begin({ hash, requestHash: 'pause' }, kept)) !== null;
  expect([await isKnown('b'), await isKnown('c'), await isKnown('a')]).toEqual([true, true, false]);
  shelf().nowMs += ANSWERS_KEPT_MS;
  expect([await isKnown('c'), await isKnown('a')]).toEqual([true, true]);
  shelf().nowMs += 1;
  expect([await isKnown('c'), await isKnown('a')]).toEqual([false, false]);
});

test('answers that nobody can request any more are removed', async () => {
  const { answers } = shelf().store;
  const act = { hash: 'a', requestHash: 'pause' };
  await answers.begin(act, kept);
  await answers.end('a', '{"status":200}');
  await answers.prune(shelf().nowMs);
  expect(await answers.begin(act, kept)).not.toBeNull();
  await answers.prune(shelf().nowMs + 1);
  expect(await answers.begin(act, kept)).toBeNull();
});
