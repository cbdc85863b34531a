import { LANES, type Lane } from './quota.ts';

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
  const rank = LANES.indexOf(lane);
  const terms = {
    operator: { kept: 0, burst: perMinute },
    webhook: { kept: 1 / 20, burst: perMinute / 10 },
    poll: { kept: 1 / 6, burst: 3 },
    backfill: { kept: 1 / 3, burst: 1 },
    'follow-up': { kept: 1 / 3, burst: 1 },
  }[lane];
  return { rank, reserve: Math.floor((perMinute * rank) / 300), ...terms };
}
