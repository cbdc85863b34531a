import { APPROVED } from '../../domain/brake.ts';
import { type Cause, cause, sentencesOf } from '../../domain/causes/cause.ts';
import { CallFailure } from '../../domain/failure.ts';
import { Superseded } from '../../domain/superseded.ts';
import { leavingIf } from '../../erp/leaving.ts';
import { setAlert } from '../../shadow/alerts.ts';
import { readsOf } from '../../shadow/collections.ts';
import type { Known, Look } from '../../shadow/context.ts';
import { noteInJournal } from '../../shadow/note.ts';
import type { ToldEntry } from '../../store/record.ts';
import { annotate, isTraced, step } from '../../tracing/spans.ts';
import { FLOWS, type FlowName } from '../flows.ts';
import { AfterWrite } from './after-write.ts';
import type { AccountContext } from './context.ts';
import type { Decision, Planned } from './decision.ts';
import { endOf, hadNoRoom } from './end-of-write.ts';
import type { Applied, Flow } from './flow.ts';
import { holdInPlan } from './hold-in-plan.ts';
import { pausedBy } from './paused.ts';
import { withPlansForgotten } from './plans-seen.ts';
import { type Braked, isCounted, judge, type Policy, plannedWrite } from './policy.ts';
import { refusedForNow, withoutNews } from './refused-for-now.ts';
import { enforceStrategy } from './strategy-change.ts';
import { isTargetGone } from './target-gone.ts';
import { isSameWrite, waitForNews, withoutEffect } from './wait-for-news.ts';
import { withoutNewsSince } from './without-news.ts';

/** The result of one look at one key. */
export type Result =
  | { readonly state: 'in-sync'; readonly written: number; readonly lookAgainMs: number | null }
  | { readonly state: 'held'; readonly written: number; readonly causes: readonly Cause[] }
  /** The rest follows as a job of the last lane; until then the worker is free. */
  | { readonly state: 'gives-way'; readonly written: number }
  | { readonly state: 'wait'; readonly written: number; readonly waitMs: number; readonly reason: string };

/** The policy for this write now. */
export type PolicyOf = (action: Planned & Braked) => Promise<Policy>;

export interface FlowRun {
  /** Looks at both sides, decides, applies, and looks again until nothing is left to do. */
  reconcile(context: AccountContext, look: Look, policy: PolicyOf): Promise<Result>;
  /** The writes that a reconcile would make now, and why, from the shadows alone. Calls neither side. */
  plan(context: Known, key: string): Promise<Decision<Planned & Braked>>;
}

/** An entity needs a few steps at most (create, mark, transition); more means that two rules disagree. */
const MAX_ROUNDS = 12;

export function runOf<Snapshot, Action extends Planned & Braked>(flow: Flow<Snapshot, Action>): FlowRun {
  return {
    plan: (context, key) => plan(flow, context, key),
    reconcile: (context, look, policy) =>
      withPlansForgotten(context, flow.name, look.key, () => reconcile(flow, context, look, policy)),
  };
}

async function plan<Snapshot, Action extends Planned & Braked>(
  flow: Flow<Snapshot, Action>,
  context: Known,
  key: string,
): Promise<Decision<Action>> {
  const decision = flow.decide(await flow.observe(context, key));
  if (decision.actions.length === 0) return decision;
  const row = await context.store.work.get({ account: context.account, flow: flow.name, key });
  return waitForNews(decision, await withoutNews(context, row?.heldFor ?? []));
}

async function reconcile<Snapshot, Action extends Planned & Braked>(
  flow: Flow<Snapshot, Action>,
  context: AccountContext,
  asked: Look,
  policy: PolicyOf,
): Promise<Result> {
  const look = { ...asked, heldFor: await withoutNews(context, asked.heldFor ?? []) };
  let done: readonly Planned[] = [];
  let written = 0;
  let noted: string | null = null;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    look.signal.throwIfAborted();
    const hasNoNews = await withoutNewsSince(context, flow.name, look.key, round === 0 ? look.version : undefined);
    const snapshot = await step(
      'observe',
      {},
      () => flow.observeFresh?.(context, look) ?? flow.observe(context, look.key),
    );
    await flow.remember?.(context, look, snapshot);
    const decision = step('decide', {}, () => decide(flow, look, snapshot));
    const alerts = JSON.stringify(decision.alerts);
    if (alerts !== noted) await noteAlerts(context, flow.name, look.key, decision.alerts);
    noted = alerts;
    const tried = await inItsTurn(context, look, decision, (turn) =>
      firstOf(flow, context, turn, decision, { done, policy, hasNoNews }),
    );
    if (tried === 'gives-way') return { state: 'gives-way', written };
    const { step: made, action, held } = tried;
    if (made === null) return settled(decision, held, written);
    if ('state' in made) return { ...made, written };
    if (made.outcome === 'written') written += 1;
    if (made.outcome !== 'superseded') done = [...done.filter((earlier) => !showed(earlier, action)), action];
  }
  return { state: 'held', written, causes: [cause('rules-disagree', { steps: MAX_ROUNDS })] };
}

/**
 * A follow-up that is done in an earlier lane takes no room for which others wait. A request of an operator is done to its
 * end.
 */
async function inItsTurn<T>(
  { followUps }: Pick<AccountContext, 'followUps'>,
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

function decide<Snapshot, Action extends Planned & Braked>(
  flow: Flow<Snapshot, Action>,
  { heldFor }: Look,
  snapshot: Snapshot,
) {
  const decision = waitForNews(flow.decide(snapshot), heldFor);
  if (isTraced()) {
    const { actions, holds } = decision;
    const [first] = actions;
    annotate({ actions: actions.length, ...(first === undefined ? {} : { action: first.action }) });
    annotate({ held: holds.map(({ code }) => code).join(' ') });
  }
  return decision;
}

type Tried<Action> =
  | { readonly step: Applied | Stopped; readonly action: Action; readonly held: readonly Cause[] }
  /** Nothing is left to do, or everything that is left is held. */
  | { readonly step: null; readonly action: null; readonly held: readonly Cause[] };

interface First {
  /** The writes of this look whose effect did not show yet. */
  readonly done: readonly Planned[];
  readonly policy: PolicyOf;
  readonly hasNoNews: () => Promise<boolean>;
}

/** Makes the first write that no brake holds. A write that waits in a plan keeps no other write back. */
async function firstOf<Snapshot, Action extends Planned & Braked>(
  flow: Flow<Snapshot, Action>,
  context: AccountContext,
  look: Look,
  { actions, holds }: Decision<Action>,
  { done, policy, hasNoNews }: First,
): Promise<Tried<Action>> {
  const [first] = actions;
  // A braked write that is no longer decided leaves its plan, here or when the key is settled. A step that has to come first
  // does not show whether the write is still decided.
  if (holds.length === 0 && first?.brake !== undefined) {
    await context.store.brakes.keepOnly(context.account, flow.name, look.key, actions.map(plannedWrite));
  }
  const passed = new Set<string>();
  const held: Cause[] = [];
  for (const action of actions) {
    if (done.some((earlier) => isAgain(action, earlier))) {
      const causes = [...held, withoutEffect(action), ...holds];
      return { step: { state: 'held', causes }, action, held };
    }
    const isDecided = () => isStillDecided(flow, context, look, action, passed);
    // A pause may have come meanwhile. Some writes pass it.
    const mayGoOn = async () => (await pausedBy(context, flow.name)) === null || (await policy(action)).paused === null;
    const revalidate = async (again = isDecided) => (await mayGoOn()) && again();
    const made = await countedAlone(context, flow.name, action, isDecided, async () =>
      applyOne(flow, context, { ...look, revalidate, hasNoNews }, action, await policy(action)),
    );
    if (!('inPlan' in made)) return { step: made, action, held };
    held.push(...made.causes);
    passed.add(repeatOf(action));
  }
  return { step: null, action: null, held };
}

/**
 * Writes that a brake counts are made one at a time: if several were made at once, each would count as the last allowed one.
 * No such write is made while a list that brings them is being read, because all writes from one read are judged together.
 */
async function countedAlone(
  { config, exclusively }: AccountContext,
  flow: FlowName,
  { brake }: Braked,
  isDecided: () => Promise<boolean>,
  work: () => Promise<Applied | Stopped>,
): Promise<Applied | Stopped> {
  if (brake === undefined || !isCounted(brake, config.brakes[brake])) return work();
  const { brakes } = FLOWS[flow];
  await exclusively(brakes === undefined ? [] : brakes.lists.flatMap(readsOf), async () => {});
  // A write that is no longer right after the read must not be judged: it would hold the others.
  return exclusively([`brake ${brake}`], async () =>
    (await isDecided()) ? work() : { outcome: 'superseded', answer: 'it is not decided any more' },
  );
}

/** @param inPlan why writes wait in a plan */
function settled({ holds, lookAgainMs }: Decision<Planned>, inPlan: readonly Cause[], written: number): Result {
  const causes = [...inPlan, ...holds];
  if (causes.length > 0) return { state: 'held', written, causes };
  return { state: 'in-sync', written, lookAgainMs };
}

/** `inPlan`: the write waits for an operator, and nothing else waits with it. */
type Stopped =
  | { state: 'held'; causes: readonly Cause[]; inPlan?: true }
  | { state: 'wait'; waitMs: number; reason: string };

async function applyOne<Snapshot, Action extends Planned & Braked>(
  flow: Flow<Snapshot, Action>,
  context: AccountContext,
  look: Look & Required<Pick<Look, 'revalidate'>> & Pick<First, 'hasNoNews'>,
  action: Action,
  policy: Policy,
): Promise<Applied | Stopped> {
  const verdict = judge(action, policy);
  if (!verdict.allowed) {
    if (policy.dryRun) {
      const entry = entryOf(context.account, flow.name, look.key, action);
      await noteInJournal(context, entry, { outcome: 'dry-run', ...toldOf(action) });
    }
    const why =
      'exceeds' in verdict
        ? await holdInPlan(context, { flow: flow.name, key: look.key }, action, verdict, policy)
        : verdict.cause;
    return verdict.hold === null ? { state: 'held', causes: [why] } : { state: 'held', causes: [why], inPlan: true };
  }
  const waits = await enforceStrategy(context, action);
  if (waits !== null) return { state: 'held', causes: [waits] };
  const { approval } = verdict;
  const entry = entryOf(context.account, flow.name, look.key, action);
  const named = approval === null ? entry : { ...entry, action: `${entry.action}${APPROVED}` };
  const written = await begin(context, named, toldOf(action));
  let applied: Applied;
  try {
    const { revalidate, hasNoNews } = look;
    const apply = () =>
      leavingIf(
        () => revalidate(hasNoNews),
        () => flow.apply(context, { ...look, sending: written.sending }, action),
      );
    applied = await step('apply', { action: action.action }, apply);
  } catch (error) {
    const ended = endOf(error);
    if (ended === null) await written.drop();
    else await written.end(ended);
    if (ended?.outcome === 'written' && approval !== null) await context.store.brakes.used(approval);
    if (error instanceof Superseded) return { outcome: 'superseded', answer: error.message };
    const refused = await refusedForNow(context, look, action, error);
    if (refused !== null) return { state: 'held', causes: [refused] };
    if (await isTargetGone(context, look, flow.name, action, error))
      return { outcome: 'superseded', answer: `${action.target} is gone` };
    throw error instanceof AfterWrite ? error.reason : error;
  }
  if (isEnded(applied)) await written.end(applied);
  else await written.drop();
  const isMade = applied.outcome === 'written' || applied.outcome === 'noted';
  if (isMade && approval !== null) await context.store.brakes.used(approval);
  if (applied.outcome === 'wait') return { state: 'wait', waitMs: applied.waitMs, reason: applied.answer };
  if (applied.outcome === 'in-doubt' || applied.outcome === 'dropped')
    return { state: 'held', causes: [applied.doubt] };
  return applied;
}

/**
 * A write may have waited for the quota. A braked write may also have waited for others of its kind, and for a read of the
 * ERP, which may change the decision. So each write is decided once more before it leaves.
 * @param passed the writes before this one that are held
 */
async function isStillDecided<Snapshot, Action extends Planned & Braked>(
  flow: Flow<Snapshot, Action>,
  context: AccountContext,
  look: Look,
  action: Action,
  passed: ReadonlySet<string>,
): Promise<boolean> {
  const { actions } = waitForNews(flow.decide(await flow.observe(context, look.key)), look.heldFor);
  const first = actions.find((one) => !passed.has(repeatOf(one)));
  return first !== undefined && repeatOf(first) === repeatOf(action);
}

function repeatOf({ action, target, after, confirms }: Planned): string {
  return `${action} ${target} ${after} ${confirms ?? false}`;
}

/** The later write begins from the value of the earlier one: the earlier one had its effect, and may be made again. */
function showed(earlier: Planned, { action, target, before }: Planned): boolean {
  return earlier.action === action && earlier.target === target && earlier.after === before;
}

/** A write that confirms an earlier one is that write as well. */
function isAgain(action: Planned, earlier: Planned): boolean {
  return isSameWrite(earlier, action) && (action.confirms !== true || earlier.confirms === true);
}

type Ended = Extract<Applied, { outcome: 'written' | 'refused' | 'noted' }>;

/** The write was sent and answered, or needed no sending. Everything else leaves no entry in the journal. */
function isEnded(applied: Applied): applied is Ended {
  return ['written', 'refused', 'noted'].includes(applied.outcome);
}

function entryOf(account: string, flow: FlowName, key: string, action: Planned & Braked) {
  const { target, before, after, why } = action;
  // Brakes count by their kind: a price change and an archive are different things to an operator.
  const name = action.brake === undefined ? action.action : `${action.action}:${action.brake}`;
  return { account, flow, key, action: name, target, before, after, why };
}

type Told = Pick<ToldEntry, 'fields' | 'replaces'>;

/** The facts about a write that the followers of the journal get beside its entry. */
function toldOf(action: Planned): Told {
  const { replaces } = action;
  return { fields: 'fields' in action ? Object.keys(action.fields as object) : undefined, replaces };
}

/** A write is on record before it is sent. So every write has its reason on record, even if the program is killed. */
async function begin({ store, onJournal }: AccountContext, entry: ReturnType<typeof entryOf>, told: Told) {
  const id = await store.journal.begin(entry);
  return {
    async end(ended: Pick<ToldEntry, 'outcome' | 'answer' | 'adopted'>): Promise<void> {
      await store.journal.end(id, ended.outcome, ended.answer);
      onJournal({ id, ...entry, ...ended, ...told });
    },
    sending: () => store.journal.sending(id),
    drop: () => store.journal.drop(id),
  };
}

/** An alert stands until a look finds that its cause is gone. */
async function noteAlerts(
  context: AccountContext,
  flow: FlowName,
  key: string,
  alerts: readonly Cause[],
): Promise<void> {
  const isNews = await setAlert(context, `${flow}:${key}`, alerts);
  if (!isNews || alerts.length === 0) return;
  const found = { flow, key, action: 'alert', target: key, before: null, after: null, why: sentencesOf(alerts) };
  await noteInJournal(context, { account: context.account, ...found }, { codes: alerts.map(({ code }) => code) });
}
