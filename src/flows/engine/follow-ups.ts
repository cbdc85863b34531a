import { CallFailure } from '../../domain/failure.ts';
import type { Look } from '../../shadow/context.ts';
import type { Decision, Planned } from './decision.ts';
import { hadNoRoom } from './end-of-write.ts';

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

/**
 * Does the work of a decision. A follow-up that is done in an earlier lane takes no room for which others wait. A request of an
 * operator is done to its end.
 */
export async function inItsTurn<T>(
  { followUps }: { readonly followUps: FollowUps },
  look: Look,
  { actions }: Decision<Planned>,
  work: (turn: Look) => Promise<T>,
): Promise<T | 'gives-way'> {
  const isEarly = actions[0]?.follows === true && look.lane !== 'follow-up' && look.lane !== 'operator';
  if (!isEarly) return work(look);
  if (!followUps.enter()) return 'gives-way';
  try {
    return await work({ ...look, lane: 'follow-up', callLane: 'follow-up', patienceMs: 0 });
  } catch (error) {
    if (!(error instanceof CallFailure) || !hadNoRoom(error)) throw error;
    followUps.refused();
    return 'gives-way';
  } finally {
    followUps.leave();
  }
}
