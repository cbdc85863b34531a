import { CallFailure } from '../domain/failure.ts';
import { Superseded } from '../domain/superseded.ts';
import { urgently } from '../store/urgent.ts';
import { type Called, notSent, tooLate } from './failures.ts';
import type { Governor, Grant, Lane } from './quota.ts';

export interface CallOptions {
  /** The lane of the work that the call is made for. */
  readonly lane: Lane;
  /** The lane of the call itself; the lane of the work when left out. */
  readonly callLane?: Lane | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for room in the quota; by default the longest wait that the governor allows. */
  readonly patienceMs?: number | undefined;
  /** Asked each time that the quota has let a write through: the decision may have become wrong during the wait. */
  readonly revalidate?: (() => Promise<boolean>) | undefined;
  /**
   * Called right before a write leaves, to put facts on record that have to be there first. A write that is then too late for its
   * place in the quota waits for another place, and the function is called again. When the function throws, nothing is sent.
   */
  readonly sending?: (() => Promise<void>) | undefined;
}

/** How many places in the quota a call takes, when each place is over before the call can leave. */
const MAX_GRANTS = 3;

/**
 * Waits for the quota, then for the questions and notes of a write before it leaves. When those took too long, all of it is done
 * again with another grant: nothing is sent after the date of its grant.
 */
export async function letThrough(governor: Governor, called: Called, options: CallOptions): Promise<void> {
  const { revalidate, sending } = options;
  const { id, method } = called.operation;
  for (let grants = 1; ; grants += 1) {
    const grant = await acquire(governor, called, options);
    const mayLeave = async () => {
      if (revalidate !== undefined && !(await revalidate())) return false;
      await sending?.();
      return true;
    };
    if (method !== 'GET' && !(await urgently(mayLeave))) {
      await grant.giveBack();
      throw new Superseded(`${id} was not sent`);
    }
    if (!grant.isLate()) return;
    await grant.giveBack();
    if (grants === MAX_GRANTS) throw tooLate(called, grants);
  }
}

async function acquire(
  governor: Governor,
  called: Called,
  options: Pick<CallOptions, 'lane' | 'callLane' | 'signal' | 'patienceMs'>,
): Promise<Grant> {
  const { signal, patienceMs } = options;
  try {
    signal?.throwIfAborted();
    return await governor.acquire(laneOf(options), signal, patienceMs);
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    if (signal?.aborted) throw notSent(called, 'the call was stopped before its turn came.');
    throw notSent(called, `the quota could not be asked: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

export function laneOf({ lane, callLane }: Pick<CallOptions, 'lane' | 'callLane'>): Lane {
  return callLane ?? lane;
}
