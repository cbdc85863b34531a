import { expect, test } from 'vitest';
import { SETTLE_MS } from '../../../src/domain/notices.ts';
import { LONGEST_WAIT_MS, MAX_WAITING } from '../../../src/store/notices.ts';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();
const SEEN = { seen: [], unseen: [], isAway: false };
const told = { kind: 'held', about: 'product', code: 'price-finer', count: 3 };
const held = { ...told, of: ['product'] };

/** The concern has stood for long enough to be told. */
async function open(channels: readonly string[], account = 'main', concern = held): Promise<number> {
  const { notices } = shelf().store;
  await notices.standing(account, { concerns: [concern], sight: SEEN }, channels);
  shelf().nowMs += SETTLE_MS;
  return notices.standing(account, { concerns: [concern], sight: SEEN }, channels);
}

test('each channel gets its own message when a concern opens, and when it ends', async () => {
  const { notices } = shelf().store;
  await open(['chat', 'mail']);
  await notices.standing('main', { concerns: [], sight: SEEN }, ['chat', 'mail']);
  shelf().nowMs += SETTLE_MS;
  await notices.standing('main', { concerns: [], sight: SEEN }, ['chat', 'mail']);
  const first = await notices.next('chat');
  expect(first).toMatchObject({ channel: 'chat', event: 'opened', account: 'main', ...told, attempts: 0 });
  expect(await notices.next('mail')).toMatchObject({ channel: 'mail', event: 'opened' });
  await notices.done(first?.id ?? 0);
  const second = await notices.next('chat');
  expect(second).toMatchObject({ event: 'closed', ...told });
  await notices.done(second?.id ?? 0);
  expect(await notices.next('chat')).toBeNull();
  expect(await notices.next('mail')).toMatchObject({ event: 'opened' });
});

test('a message that could not be sent keeps its place, waits, and counts its attempts', async () => {
  const { notices } = shelf().store;
  await open(['chat']);
  await notices.digest('chat', shelf().nowMs);
  const { id = 0 } = (await notices.next('chat')) ?? {};
  await notices.retry(id, shelf().nowMs + 1_000);
  expect(await notices.next('chat')).toBeNull();
  shelf().nowMs += 1_000;
  expect(await notices.next('chat')).toMatchObject({ id, attempts: 1 });
  // The clock was set back.
  await notices.retry(id, shelf().nowMs + LONGEST_WAIT_MS + 1);
  expect(await notices.next('chat')).toMatchObject({ id, attempts: 2 });
});

test('one digest waits at a time, and a digest of the same period is not queued again after it was sent', async () => {
  const { notices } = shelf().store;
  const dueMs = shelf().nowMs;
  await notices.digest('mail', dueMs - 1_000);
  await notices.digest('mail', dueMs);
  const { id = 0, event } = (await notices.next('mail')) ?? {};
  expect(event).toBe('digest');
  await notices.done(id);
  expect(await notices.next('mail')).toBeNull();
  await notices.digest('mail', dueMs);
  expect(await notices.next('mail')).toBeNull();
  await notices.digest('chat', dueMs);
  expect(await notices.next('chat')).toMatchObject({ event: 'digest' });
  // The clock was ahead when that message was added, and was set back since.
  shelf().nowMs = dueMs - 60_000;
  await notices.digest('mail', dueMs - 90_000);
  expect(await notices.next('mail')).toMatchObject({ event: 'digest' });
});

test('the waiting messages of a channel are bounded: the oldest are dropped and counted', async () => {
  const { notices } = shelf().store;
  const many = Array.from({ length: MAX_WAITING + 5 }, (_, index) => ({ ...held, code: `code-${index}` }));
  await notices.standing('main', { concerns: many, sight: SEEN }, ['chat']);
  shelf().nowMs += SETTLE_MS;
  expect(await notices.standing('main', { concerns: many, sight: SEEN }, ['chat'])).toBe(5);
  expect(await notices.next('chat')).toMatchObject({ code: 'code-5' });
});

test('the messages of a channel that is no longer configured are dropped', async () => {
  const { notices } = shelf().store;
  await open(['chat', 'mail']);
  await notices.keepChannels(['mail']);
  expect(await notices.next('chat')).toBeNull();
  expect(await notices.next('mail')).not.toBeNull();
  await notices.keepChannels([]);
  expect(await notices.next('mail')).toBeNull();
});

test('each account has its own concerns', async () => {
  const { notices } = shelf().store;
  await open(['chat'], 'one');
  await notices.standing('two', { concerns: [], sight: SEEN }, ['chat']);
  shelf().nowMs += SETTLE_MS;
  await notices.standing('two', { concerns: [], sight: SEEN }, ['chat']);
  const { id = 0 } = (await notices.next('chat')) ?? {};
  await notices.done(id);
  expect(await notices.next('chat')).toBeNull();
});
