import type { Lane } from './quota.ts';

/** The share of the quota that a lane may take. */
export interface LaneTerms {
  /** 0 is served first. */
  readonly rank: number;
  /** Calls of the minute that are always free for the lanes before it: a third of a percent each, of 300 calls 0, 1, 2, 3 and 4. */
  readonly reserve: number;
  /**
   * The share of a minute's calls that the lanes before it may need. While no call leaves the minute, enough places stay free
   * for them until one does; all the others are given at once.
   */
  readonly kept: number;
  /** Calls that it may run ahead of the even pace: places for the lanes before it come free one by one, and not all at once. */
  readonly burst: number;
}

export function laneTerms(lane: Lane, perMinute: number): LaneTerms {
  const share = (ranks: number) => Math.floor((perMinute * ranks) / 300);
  switch (lane) {
    case 'operator':
      return { rank: 0, reserve: 0, kept: 0, burst: perMinute };
    case 'webhook':
      return { rank: 1, reserve: share(1), kept: 1 / 20, burst: perMinute / 10 };
    case 'poll':
      return { rank: 2, reserve: share(2), kept: 1 / 6, burst: 3 };
    case 'backfill':
      return { rank: 3, reserve: share(3), kept: 1 / 3, burst: 1 };
    case 'follow-up':
      return { rank: 4, reserve: share(4), kept: 1 / 3, burst: 1 };
  }
}
