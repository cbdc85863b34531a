import { LANES, type Lane } from './quota.ts';

/** The share of the quota that a lane may take. */
export interface LaneTerms {
  /** The lane with rank 0 is served first. */
  readonly rank: number;
  /** Calls of each minute that stay free for the lanes before it: a third of a percent a lane, so 0 to 6 of 300 calls. */
  readonly reserve: number;
  /**
   * The share of a minute's calls that the lanes before it may need. While no call leaves the minute, enough places stay free
   * for them until one does; all the others are given at once.
   */
  readonly kept: number;
  /** Calls that the lane may run ahead of the even pace. So places for earlier lanes come free one by one. */
  readonly burst: number;
}

export function laneTerms(lane: Lane, perMinute: number): LaneTerms {
  const rank = LANES.indexOf(lane);
  const terms = {
    operator: { kept: 0, burst: perMinute },
    read: { kept: 1 / 20, burst: perMinute / 10 },
    'new-order': { kept: 1 / 12, burst: perMinute / 10 },
    webhook: { kept: 1 / 10, burst: perMinute / 10 },
    poll: { kept: 1 / 6, burst: 3 },
    backfill: { kept: 1 / 3, burst: 1 },
    'follow-up': { kept: 1 / 3, burst: 1 },
  }[lane];
  return { rank, reserve: Math.floor((perMinute * rank) / 300), ...terms };
}
