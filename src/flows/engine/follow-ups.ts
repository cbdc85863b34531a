/** The most concurrent looks of an account that do their own follow-up. */
const PLACES = 24;
/** How long no follow-up is tried after the quota was full. */
const REST_MS = 1_000;

/**
 * A follow-up reports to the marketplace what the ERP has done. The look that decides it also does it if a slot is free
 * and the quota has room. Otherwise it becomes a job of the last lane.
 */
export interface FollowUps {
  /** Takes a slot. false: none is free. */
  enter(): boolean;
  leave(): void;
  refused(): void;
}

export function createFollowUps(now: () => number): FollowUps {
  let running = 0;
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  return {
    enter() {
      // If the clock was set back, the difference is no elapsed time.
      if (running >= PLACES || Math.abs(now() - refusedAtMs) < REST_MS) return false;
      running += 1;
      return true;
    },
    leave() {
      running -= 1;
    },
    refused() {
      refusedAtMs = now();
    },
  };
}
