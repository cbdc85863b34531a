import { CallFailure } from '../../domain/failure.ts';
import type { Look } from '../../shadow/context.ts';
import type { Decision, Planned } from './decision.ts';
import { lackedCapacity } from './end-of-write.ts';
import type { FollowUps } from './follow-ups.ts';

/**
 * Does the work of a decision. A follow-up runs only if it takes no capacity from waiting work. An operator's request
 * always runs.
 */
export async function withFollowUpSlot<T>(
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
    if (!(error instanceof CallFailure) || !lackedCapacity(error)) throw error;
    followUps.refused();
    return 'gives-way';
  } finally {
    followUps.leave();
  }
}
