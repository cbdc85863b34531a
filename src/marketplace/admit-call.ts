import { CallFailure } from '../domain/failure.ts';
import { Superseded } from '../domain/superseded.ts';
import { urgently } from '../store/urgent.ts';
import { type Called, expiredGrant, notSent } from './failures.ts';
import type { Governor, Grant, Lane } from './quota.ts';

export interface CallOptions {
  /** The lane of the work that causes the call. */
  readonly lane: Lane;
  /** The lane of the call; default: the lane of the work. */
  readonly callLane?: Lane | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for the quota; default: that of the governor. */
  readonly patienceMs?: number | undefined;
  /** Called after each wait for the quota, before a write: the decision may be outdated by now. */
  readonly revalidate?: (() => Promise<boolean>) | undefined;
  /**
   * Called right before a write leaves, to record facts. If the write is then too late for its grant, it waits for
   * another one and calls again. Nothing is sent if this throws.
   */
  readonly sending?: (() => Promise<void>) | undefined;
}

const MAX_GRANTS = 3;

/**
 * Waits for the quota, then for `revalidate` and `sending`. If these took too long, all is repeated with a new grant:
 * nothing is sent after its date.
 */
export async function admitCall(governor: Governor, called: Called, options: CallOptions): Promise<void> {
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
    if (grants === MAX_GRANTS) throw expiredGrant(called, grants);
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
