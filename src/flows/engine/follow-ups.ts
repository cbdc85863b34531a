/** The most looks of an account that do their own follow-up at once. */
const PLACES = 24;
/** After the quota had no room, it is not asked for this long. */
const REST_MS = 1_000;

/**
 * A follow-up tells the marketplace what the ERP has. The look that finds a follow-up also does it, as long as nobody has to
 * wait for that: a place is free, and the quota has room at once. Every other follow-up becomes a job of the last lane.
 */
export interface FollowUps {
  /** Takes a place. false: the follow-up has to give way. */
  enter(): boolean;
  leave(): void;
  /** The quota had no room. */
  refused(): void;
}

export function createFollowUps(now: () => number): FollowUps {
  let running = 0;
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  return {
    enter() {
      // After the clock was set back, the difference is no elapsed time.
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
