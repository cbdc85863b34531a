import { expect, test } from 'vitest';
import { SOAK_FAULTS } from './faults.ts';
import { KILLS, soak } from './soak.ts';
import { judge } from './verdict.ts';

const LIMIT_MS = 400_000;
const RETENTION_MS = 5_000;
const EVERY_MS = 1_200;
const FAULTS = SOAK_FAULTS.map(({ name }) => name).filter((name) => name !== 'disk full');
/** Long enough for every fault and every kill. */
const LASTS_MS = (FAULTS.length + KILLS.length + 1) * EVERY_MS;
/** Figures that need a warm-up are not judged in so short a time. */
const LIMITS = { retentionMs: RETENTION_MS, pruneEveryMs: RETENTION_MS / 4, warmUpMs: LIMIT_MS };

/*
 * About twenty seconds of `npm run soak`, with its kills and faults in quick succession. Slow growth shows only within an
 * hour. A part that does not recover from a fault, or never lets go of something, shows here.
 */
test(
  'after a short soak both sides agree, in bounded space, and expired records are gone',
  async ({ signal }) => {
    const { samples, struck, disagreements, orders } = await soak({
      lastsMs: LASTS_MS,
      everyMs: EVERY_MS,
      speed: 20,
      sampleEveryMs: 1_000,
      retentionMs: RETENTION_MS,
      diskBytes: null,
      signal,
      tell: () => {},
    });
    expect(disagreements).toEqual([]);
    expect(judge(samples, LIMITS).filter(({ met }) => met === false)).toEqual([]);
    expect([...struck.keys()].toSorted()).toEqual([...FAULTS, 'daemon killed'].toSorted());
    expect(orders).toBeGreaterThan(0);
    const [first, last] = [samples[0], samples.at(-1)];
    const lastedMs = (last?.atMs ?? 0) - (first?.atMs ?? 0);
    expect(last?.oldestJournalMs).toBeLessThan(lastedMs);
    expect(last?.oldestInboxMs).toBeLessThan(lastedMs);
  },
  LIMIT_MS,
);
