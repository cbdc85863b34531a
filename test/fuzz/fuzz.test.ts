import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';

const REQUESTS = 3_000;
/** Every kind of mutation, those of the admin server, torn ones, and sound ones. */
const KINDS = 27;

test('mutated requests crash neither the receiver nor the admin server, and none gets in; sound ones do', async () => {
  const { sent, accepted, stored, wrong } = await fuzz({ requests: REQUESTS, seed: 4711 });
  expect(wrong).toEqual([]);
  expect(sent.size).toBe(KINDS);
  expect(accepted).toBeGreaterThanOrEqual(sent.get('genuine') ?? Number.NaN);
  expect(stored).toBe(accepted);
}, 60_000);
