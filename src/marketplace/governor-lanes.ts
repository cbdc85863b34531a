import { LANES, type Lane } from './quota.ts';

export interface LaneTerms {
  /** Rank 0 is served first. */
  readonly rank: number;
  /** Calls per minute that stay free for earlier lanes: a third of a percent per lane, so 0 to 6 of 300 calls. */
  readonly reserve: number;
  /**
   * Share of a minute's calls that earlier lanes may need. While no call leaves the minute, this much stays free; the
   * rest is granted at once.
   */
  readonly kept: number;
  /** Calls that the lane may run ahead of the even pace, so that room for earlier lanes becomes free call by call. */
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
