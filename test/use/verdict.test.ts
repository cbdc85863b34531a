import { expect, test } from 'vitest';
import type { Need } from '../../src/use/needs.ts';
import type { AccountStatus, DaemonStatus } from '../../src/use/status.ts';
import { verdictOf, verdictSentences } from '../../src/use/verdict.ts';

const NOW = 1_000_000;
const RUNNING: DaemonStatus = { roles: [{ role: 'work', process: '1' }], notReady: null };
const STOPPED: DaemonStatus = { roles: [], notReady: null };

const read = (collection: string, ageMs: number | null, late = false) => ({ collection, ageMs, late });
const flow = (pending: number, oldestPendingMs: number | null) => ({
  flow: 'stock',
  pending,
  held: 0,
  failed: 0,
  oldestPendingMs,
});
const need = (turn: string, code = 'row-misfit') => ({ example: { turn, code } }) as unknown as Need;

/** An account that is in step, except for the changes of the test. */
function account(changed: object = {}): AccountStatus {
  const reads = [read('orders', 4_000), read('erp-products', 9_000)];
  return { reads, flows: [flow(0, null)], paused: [], needs: [], ...changed } as unknown as AccountStatus;
}

const told = (changed: object, daemon = RUNNING) =>
  verdictSentences(verdictOf(account(changed), daemon, NOW)).join(' ');

test('the figures are as of the list that was read longest ago', () => {
  expect(verdictOf(account(), RUNNING, NOW)).toMatchObject({ state: 'in-step', asOfMs: NOW - 9_000, waiting: 0 });
});

test.each<[string, object, DaemonStatus, string]>([
  ['all is well', {}, RUNNING, 'In step as of {time}. Nothing needs you.'],
  [
    'much waits',
    { flows: [flow(3_000, 60_000)], quota: { perMinute: { limit: 300 } } },
    RUNNING,
    'Catching up: 3000 changes wait, the first for 1 min. At least 10 min are left, by the quota. Nothing needs you.',
  ],
  [
    'something waits',
    { flows: [flow(2, 60_000), flow(1, 5_000)] },
    RUNNING,
    'Catching up: 3 changes wait, the first for 1 min. Nothing needs you.',
  ],
  [
    'a list was never read',
    { reads: [read('orders', null)] },
    RUNNING,
    'The first reads are not complete yet. Nothing needs you.',
  ],
  ['no list is known', { reads: [] }, RUNNING, 'The first reads are not complete yet. Nothing needs you.'],
  [
    'a flow is paused',
    { paused: [{ flow: 'stock', reason: 'x' }], flows: [flow(1, null)] },
    RUNNING,
    'Paused by a person. 1 change waits. Nothing needs you.',
  ],
  [
    'nothing runs',
    { reads: [read('orders', 4_000, true)] },
    STOPPED,
    'Nothing runs: start it with "stockbridge run". The figures are as of {time}. Nothing needs you.',
  ],
  [
    'lists are late, and no answer was slow',
    { reads: [read('orders', 1, true), read('erp-stock', 1, true)] },
    RUNNING,
    'In step as of {time}. Nothing needs you.',
  ],
  [
    'the answers of both sides are slow',
    { needs: [need('marketplace', 'marketplace-slow'), need('erp', 'erp-slow')] },
    RUNNING,
    'In step as of {time}. The marketplace is slow. The ERP is slow. Nothing needs you. 1 thing waits for the ERP. 1 thing waits for the marketplace.',
  ],
  [
    'things are whose turn',
    { needs: ['operator', 'operator', 'erp', 'marketplace'].map((turn) => need(turn)) },
    RUNNING,
    'In step as of {time}. 2 things need you. 1 thing waits for the ERP. 1 thing waits for the marketplace.',
  ],
])('when %s', (_, changed, daemon, sentences) => {
  expect(told(changed, daemon)).toBe(sentences);
});
