import type { Cause } from '../../domain/causes/cause.ts';
import { Superseded } from '../../domain/superseded.ts';
import { withSendGuard } from '../../erp/send-guard.ts';
import { readsOf } from '../../shadow/collections.ts';
import type { Look } from '../../shadow/context.ts';
import { step } from '../../tracing/spans.ts';
import { FLOWS } from '../flows.ts';
import { AfterWriteError } from './after-write.ts';
import type { AccountContext } from './context.ts';
import type { Planned } from './decision.ts';
import { failedEntry } from './end-of-write.ts';
import type { AnyFlow, Applied, WriteLook } from './flow.ts';
import { holdInPlan } from './hold-in-plan.ts';
import { pausedBy } from './paused.ts';
import { type Braked, isCounted, judge, type Policy, type Verdict } from './policy.ts';
import { refusedForNow } from './refused-for-now.ts';
import { withoutRepeats } from './repeats.ts';
import { enforceStrategy } from './strategy-change.ts';
import { isTargetGone } from './target-gone.ts';
import { beginWrite, noteDryRun, type WriteRecord } from './write-record.ts';

export type PolicyOf = (action: Planned & Braked) => Promise<Policy>;

export interface WriteAttempt {
  readonly flow: AnyFlow;
  readonly context: AccountContext;
  readonly look: Look;
  readonly action: Planned & Braked;
  readonly policy: PolicyOf;
  /** Earlier writes of this look that brakes hold, by `repeatOf`. */
  readonly passed: ReadonlySet<string>;
  /** Returns whether the key has had no news since it was observed. */
  readonly isUnchanged: () => Promise<boolean>;
}

/** Why a write was not made. `inPlan`: it waits for an operator, without blocking other writes. */
export type Stopped =
  | { readonly state: 'held'; readonly causes: readonly Cause[]; readonly inPlan?: true }
  | { readonly state: 'wait'; readonly waitMs: number; readonly reason: string };

/** Judges the write, journals it, sends it and journals the answer. */
export async function attemptWrite(attempt: WriteAttempt): Promise<Applied | Stopped> {
  const { context, action } = attempt;
  return inTurnOfBrake(attempt, async () => {
    const policy = await attempt.policy(action);
    const verdict = judge(action, policy);
    if (!verdict.allowed) return stop(attempt, verdict, policy);
    const waits = await enforceStrategy(context, action);
    if (waits !== null) return { state: 'held', causes: [waits] };
    const record = await beginWrite(context, subjectOf(attempt), action, verdict.approval !== null);
    const sent = await send(attempt, record);
    return conclude(attempt, record, verdict.approval, sent);
  });
}

/** Equal texts mean that two writes are the same. */
export function repeatOf({ action, target, after, confirms }: Planned): string {
  return `${action} ${target} ${after} ${confirms ?? false}`;
}

const subjectOf = ({ flow, look }: WriteAttempt) => ({ flow: flow.name, key: look.key });

/**
 * Writes that a brake counts run one at a time, so that the limit is checked against all earlier ones. None runs while
 * a list that causes them is being read, because all writes from one read are judged together.
 */
async function inTurnOfBrake(
  attempt: WriteAttempt,
  make: () => Promise<Applied | Stopped>,
): Promise<Applied | Stopped> {
  const { config, exclusively } = attempt.context;
  const { brake } = attempt.action;
  if (brake === undefined || !isCounted(brake, config.brakes[brake])) return make();
  const { brakes } = FLOWS[attempt.flow.name];
  await exclusively(brakes === undefined ? [] : brakes.lists.flatMap(readsOf), async () => {});
  // A write that is outdated after the read must not be judged, since it would hold the others.
  return exclusively([`brake ${brake}`], async () =>
    (await isStillDecided(attempt)) ? make() : { outcome: 'superseded', answer: 'it is not decided any more' },
  );
}

/** Puts a write that is not allowed into a plan or on hold, or journals it in a dry run. */
async function stop(
  attempt: WriteAttempt,
  verdict: Exclude<Verdict, { readonly allowed: true }>,
  policy: Policy,
): Promise<Stopped> {
  const { context, action } = attempt;
  if (policy.dryRun) await noteDryRun(context, subjectOf(attempt), action);
  const why =
    'exceeds' in verdict ? await holdInPlan(context, subjectOf(attempt), action, verdict, policy) : verdict.cause;
  return verdict.hold === null ? { state: 'held', causes: [why] } : { state: 'held', causes: [why], inPlan: true };
}

type Sent = { readonly applied: Applied } | { readonly error: unknown };

async function send(attempt: WriteAttempt, { sending }: WriteRecord): Promise<Sent> {
  const { flow, context, look, action, isUnchanged } = attempt;
  const revalidate: WriteLook['revalidate'] = async (again = () => isStillDecided(attempt)) =>
    (await mayGoOn(attempt)) && again();
  const apply = () => flow.apply(context, { ...look, revalidate, isUnchanged, sending }, action);
  try {
    return {
      applied: await step('apply', { action: action.action }, () =>
        withSendGuard(() => revalidate(isUnchanged), apply),
      ),
    };
  } catch (error) {
    return { error };
  }
}

/** The flow may have been paused since the decision. Some writes ignore pauses. */
async function mayGoOn({ context, flow, policy, action }: WriteAttempt): Promise<boolean> {
  return (await pausedBy(context, flow.name)) === null || (await policy(action)).paused === null;
}

/**
 * Decides again right before sending. The write may have waited for the quota, for other braked writes, or for a read
 * that changed the decision.
 */
async function isStillDecided({ flow, context, look, action, passed }: WriteAttempt): Promise<boolean> {
  const { actions } = withoutRepeats(flow.decide(await flow.observe(context, look.key)), look.heldFor);
  const first = actions.find((one) => !passed.has(repeatOf(one)));
  return first !== undefined && repeatOf(first) === repeatOf(action);
}

/** @param approval the approved plan item that the write uses up */
async function conclude(
  attempt: WriteAttempt,
  record: WriteRecord,
  approval: number | null,
  sent: Sent,
): Promise<Applied | Stopped> {
  const ended = 'applied' in sent ? entryEnd(sent.applied) : failedEntry(sent.error);
  if (ended === null) await record.drop();
  else await record.end(ended);
  const isMade = ended?.outcome === 'written' || ended?.outcome === 'noted';
  if (isMade && approval !== null) await attempt.context.store.brakes.used(approval);
  return 'applied' in sent ? resultOf(sent.applied) : afterFailure(attempt, sent.error);
}

type Ended = Extract<Applied, { outcome: 'written' | 'refused' | 'noted' }>;

/** The journal's final entry for a write. null: the write leaves no entry. */
function entryEnd(applied: Applied): Ended | null {
  switch (applied.outcome) {
    case 'written':
    case 'refused':
    case 'noted':
      return applied;
    default:
      return null;
  }
}

function resultOf(applied: Applied): Applied | Stopped {
  if (applied.outcome === 'wait') return { state: 'wait', waitMs: applied.waitMs, reason: applied.answer };
  if (applied.outcome === 'in-doubt' || applied.outcome === 'dropped')
    return { state: 'held', causes: [applied.doubt] };
  return applied;
}

/**
 * Returns how the look goes on after a failure.
 * @throws the failure if the look cannot go on
 */
async function afterFailure({ flow, context, look, action }: WriteAttempt, error: unknown): Promise<Applied | Stopped> {
  if (error instanceof Superseded) return { outcome: 'superseded', answer: error.message };
  const refused = await refusedForNow(context, look, action, error);
  if (refused !== null) return { state: 'held', causes: [refused] };
  if (await isTargetGone(context, look, flow.name, action, error))
    return { outcome: 'superseded', answer: `${action.target} is gone` };
  throw error instanceof AfterWriteError ? error.reason : error;
}
