import { type Cause, shownCause } from '../../domain/causes/cause.ts';
import type { Decision, Planned } from '../../flows/engine/decision.ts';
import { observePolicy } from '../../flows/engine/observe-policy.ts';
import { type Braked, judge } from '../../flows/engine/policy.ts';
import { strategyWait } from '../../flows/engine/strategy-change.ts';
import { FLOWS, type FlowName, isFlow } from '../../flows/flows.ts';
import { planOf } from '../../flows/plan-of.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { isHeld, isWaitingCode } from '../../store/work.ts';
import type { Dossier } from '../jobs/dossier.ts';
import { causeOfJob, choiceTexts, isDoubt } from '../jobs/shown.ts';
import type { FlowNow, WriteNow } from './explanation.ts';

/** A flow's next writes for an entity, and what stops them. */
export async function flowNow(context: AccountRecords, dryRun: boolean, dossier: Dossier): Promise<FlowNow> {
  const { target, work, failed, creates } = dossier;
  const { flow, key } = target;
  const decision = isFlow(flow) && FLOWS[flow].isOn(context.config) ? await planOf(context, flow, key) : null;
  const writes = isFlow(flow) && decision !== null ? await writesOf(context, dryRun, { flow, key }, decision) : [];
  const doubts = creates.filter((intent) => isDoubt(intent, work));
  const isOnHold = work !== null && isHeld(work);
  const heldFor = work === null || work.state === 'failed' ? [] : (work.heldFor ?? []);
  const holds = [...(decision?.holds ?? []), ...heldFor];
  const sinceMs = isOnHold ? (work.heldSinceMs ?? work.sinceMs) : (failed?.failedAtMs ?? null);
  return {
    flow,
    key,
    state: stateOf({
      isDoubt: doubts.length > 0,
      isFailed: failed !== null,
      isHeld: !holds.every(isWaitingCode),
      writes,
    }),
    isWaiting: work?.state === 'pending' && !isOnHold,
    writes,
    holds: [...onlyOnce(holds).map(shownCause), ...(failed === null ? [] : [causeOfJob(failed)])],
    alerts: onlyOnce([...dossier.alerts, ...(decision?.alerts ?? [])]).map(shownCause),
    since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
    job: failed?.id ?? null,
    plan: await planOfBrake(context, target),
    doubts: doubts.map((intent) => ({
      id: intent.id,
      evidence: intent.evidence === null ? null : shownCause(intent.evidence),
      choices: choiceTexts(intent),
    })),
  };
}

/** The plan in which a write waits, was dropped or was left out. */
async function planOfBrake(
  { account, store }: AccountRecords,
  { flow, key }: Dossier['target'],
): Promise<number | null> {
  const items = (await store.brakes.itemsOf(account, flow, key)).filter(({ state }) => state !== 'approved');
  return (items.find(({ state }) => state === 'held') ?? items[0])?.planId ?? null;
}

function stateOf(found: { isDoubt: boolean; isFailed: boolean; isHeld: boolean; writes: readonly WriteNow[] }) {
  if (found.isDoubt) return 'in-doubt';
  if (found.isFailed) return 'failed';
  if (found.isHeld || found.writes.some(({ stoppedBy }) => stoppedBy !== null)) return 'held';
  return found.writes.length > 0 ? 'to-write' : 'in-step';
}

/** A hold of the last look usually still applies, so a code is shown once. */
function onlyOnce(causes: readonly Cause[]): Cause[] {
  return [...new Map(causes.toReversed().map((one) => [one.code, one])).values()].toReversed();
}

async function writesOf(
  context: AccountRecords,
  dryRun: boolean,
  subject: { readonly flow: FlowName; readonly key: string },
  { actions }: Decision<Planned & Braked>,
): Promise<WriteNow[]> {
  const writes: WriteNow[] = [];
  for (const planned of actions) {
    // A brake's hold on a whole plan is recorded. Other entities' waiting writes do not count.
    const policy = await observePolicy(context, subject, dryRun, planned, async () => []);
    const verdict = judge(planned, policy);
    const { action, target, before, after, why } = planned;
    const waits = verdict.allowed ? await strategyWait(context, planned) : verdict.cause;
    writes.push({ action, target, before, after, why, stoppedBy: waits === null ? null : shownCause(waits) });
  }
  return writes;
}
