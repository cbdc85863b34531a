import type { Lane } from './quota.ts';

/** What a lane may take of the quota. */
export interface LaneTerms {
  /** 0 is served first. */
  readonly rank: number;
  /** Calls of the minute that are kept free for the lanes before it: a third of a percent each, of 300 calls 0, 1, 2 and 3. */
  readonly reserve: number;
  /**
   * Calls that it may run ahead of the even pace. Those who can wait keep the pace, so that under load places come free
   * five times a second and not all at once every minute.
   */
  readonly burst: number;
}

export function laneTerms(lane: Lane, perMinute: number): LaneTerms {
  const share = (ranks: number) => Math.floor((perMinute * ranks) / 300);
  switch (lane) {
    case 'operator':
      return { rank: 0, reserve: 0, burst: perMinute };
    case 'webhook':
      return { rank: 1, reserve: share(1), burst: perMinute / 10 };
    case 'poll':
      return { rank: 2, reserve: share(2), burst: 3 };
    case 'backfill':
      return { rank: 3, reserve: share(3), burst: 1 };
  }
}
