import type { Cause } from '../../domain/causes/cause.ts';
import { Superseded } from '../../domain/superseded.ts';
import { withSendGuard } from '../../erp/send-guard.ts';
import { readsOf } from '../../shadow/collections.ts';
import type { Look } from '../../shadow/context.ts';
import { step } from '../../tracing/spans.ts';
import { FLOWS } from '../flows.ts';
import { AfterWrite } from './after-write.ts';
import type { AccountContext } from './context.ts';
import type { Planned } from './decision.ts';
import { endOf } from './end-of-write.ts';
import type { AnyFlow, Applied, WriteLook } from './flow.ts';
import { holdInPlan } from './hold-in-plan.ts';
import { pausedBy } from './paused.ts';
import { type Braked, isCounted, judge, type Policy, type Verdict } from './policy.ts';
import { refusedForNow } from './refused-for-now.ts';
import { withoutRepeats } from './repeats.ts';
import { enforceStrategy } from './strategy-change.ts';
import { isTargetGone } from './target-gone.ts';
import { beginWrite, noteDryRun, type WriteRecord } from './write-record.ts';

/** The policy for this write now. */
export type PolicyOf = (action: Planned & Braked) => Promise<Policy>;

/** One write, from its decision to its answer. */
export interface WriteAttempt {
  readonly flow: AnyFlow;
  readonly context: AccountContext;
  readonly look: Look;
  readonly action: Planned & Braked;
  readonly policy: PolicyOf;
  /** The writes before this one that brakes hold, by `repeatOf`. */
  readonly passed: ReadonlySet<string>;
  /** Had the key no news since it was observed? */
  readonly isUnchanged: () => Promise<boolean>;
}

/** Why a write was not made. `inPlan`: it waits for an operator, and nothing else waits with it. */
export type Stopped =
  | { readonly state: 'held'; readonly causes: readonly Cause[]; readonly inPlan?: true }
  | { readonly state: 'wait'; readonly waitMs: number; readonly reason: string };

/** Judges the write, puts it on record, sends it, and puts its answer on record. */
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

/** The same words as another write: it is that write once more. */
export function repeatOf({ action, target, after, confirms }: Planned): string {
  return `${action} ${target} ${after} ${confirms ?? false}`;
}

const subjectOf = ({ flow, look }: WriteAttempt) => ({ flow: flow.name, key: look.key });

/**
 * Writes that a brake counts are made one at a time: if several were made at once, each would count as the last allowed one.
 * No such write is made while a list that brings them is being read, because all writes from one read are judged together.
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
  // A write that is no longer right after the read must not be judged: it would hold the others.
  return exclusively([`brake ${brake}`], async () =>
    (await isStillDecided(attempt)) ? make() : { outcome: 'superseded', answer: 'it is not decided any more' },
  );
}

/** The write is not allowed: it waits in a plan, or is held, and a dry run shows it. */
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

/** A pause may have come meanwhile. Some writes pass it. */
async function mayGoOn({ context, flow, policy, action }: WriteAttempt): Promise<boolean> {
  return (await pausedBy(context, flow.name)) === null || (await policy(action)).paused === null;
}

/**
 * A write may have waited for the quota. A braked write may also have waited for others of its kind, and for a read of the
 * ERP, which may change the decision. So each write is decided once more before it leaves.
 */
async function isStillDecided({ flow, context, look, action, passed }: WriteAttempt): Promise<boolean> {
  const { actions } = withoutRepeats(flow.decide(await flow.observe(context, look.key)), look.heldFor);
  const first = actions.find((one) => !passed.has(repeatOf(one)));
  return first !== undefined && repeatOf(first) === repeatOf(action);
}

/** @param approval the approved item of a plan that the write uses up */
async function conclude(
  attempt: WriteAttempt,
  record: WriteRecord,
  approval: number | null,
  sent: Sent,
): Promise<Applied | Stopped> {
  const ended = 'applied' in sent ? entryEnd(sent.applied) : endOf(sent.error);
  if (ended === null) await record.drop();
  else await record.end(ended);
  const isMade = ended?.outcome === 'written' || ended?.outcome === 'noted';
  if (isMade && approval !== null) await attempt.context.store.brakes.used(approval);
  return 'applied' in sent ? resultOf(sent.applied) : afterFailure(attempt, sent.error);
}

type Ended = Extract<Applied, { outcome: 'written' | 'refused' | 'noted' }>;

/** The write was sent and answered, or needed no sending. null: it leaves no entry in the journal. */
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

/** @throws the failure, where the look cannot go on after it */
async function afterFailure({ flow, context, look, action }: WriteAttempt, error: unknown): Promise<Applied | Stopped> {
  if (error instanceof Superseded) return { outcome: 'superseded', answer: error.message };
  const refused = await refusedForNow(context, look, action, error);
  if (refused !== null) return { state: 'held', causes: [refused] };
  if (await isTargetGone(context, look, flow.name, action, error))
    return { outcome: 'superseded', answer: `${action.target} is gone` };
  throw error instanceof AfterWrite ? error.reason : error;
}
