import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';
import { drawRequests } from './requests.ts';

const REQUESTS = 3_000;
/** The number of kinds: mutations of webhooks and of admin requests, torn requests, and sound requests. */
const KINDS = 27;
/** Statuses that only an accepted request gets. */
const BEHIND = { receiver: [202, 409, 503], admin: [200, 404, 405, 503] };

test('mutated requests crash neither the receiver nor the admin server, and none is accepted; valid ones are', async () => {
  const { sent, accepted, stored, wrong } = await fuzz({ requests: REQUESTS, seed: 4711 });
  expect(wrong).toEqual([]);
  expect(sent.size).toBe(KINDS);
  expect(accepted).toBeGreaterThanOrEqual(sent.get('genuine') ?? Number.NaN);
  expect(stored).toBe(accepted);
});

test('an answer that accepts a forbidden request is an error', () => {
  const barred = drawRequests(4711, REQUESTS).filter(({ expected }) => expected === 'refused');
  expect(barred.some(({ to }) => to === 'admin')).toBe(true);
  const allowed = barred.filter(({ to, answers }) => BEHIND[to].some((status) => answers.includes(status)));
  expect(allowed).toEqual([]);
});
