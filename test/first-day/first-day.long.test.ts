import { expect, test } from 'vitest';
import { playDay } from './day.ts';

const LIMIT_MS = 900_000;

/** A small first day at twenty times the limits. `npm run first-day` plays the whole one. */
test(
  'a first day ends with both sides in step, nothing lost, no list late and nothing hidden',
  async ({ signal }) => {
    const rows = await playDay({
      products: 60,
      customers: 10,
      orders: 21,
      speed: 20,
      orderEveryMs: 1_000,
      outageMs: 8_000,
      signal,
      tell: () => {},
    });
    expect(rows.filter(({ met }) => !met)).toEqual([]);
  },
  LIMIT_MS,
);
