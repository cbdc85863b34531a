import { cause, type ShownCause, shownCause } from '../../domain/causes/cause.ts';
import type { Intent } from '../../store/intents.ts';
import { isHeld, type WorkRow } from '../../store/work.ts';
import type { Stopped } from './cases.ts';
import type { Dossier } from './dossier.ts';
import { choicesOf, type Doubt, targetOf } from './doubts.ts';
import type { Job } from './select.ts';

export function shownJob(job: Job) {
  const { id, account, flow, key, attempts, failedAtMs } = job;
  return { id, account, flow, key, ...causeOfJob(job), attempts, failed_at: asInstant(failedAtMs) };
}

export function causeOfJob({ cause: code, message }: Job): ShownCause {
  return shownCause(cause(code, { message }));
}

export function shownStopped({ cause: stops, sinceMs, ...about }: Stopped) {
  return { ...about, ...shownCause(stops), since: sinceMs === null ? null : asInstant(sinceMs) };
}

/** Work is held until a look finds another result. */
export function stateOf(work: WorkRow): WorkRow['state'] {
  return isHeld(work) ? 'held' : work.state;
}

export function choiceTexts(intent: Intent): string[] {
  const resolve = `stockbridge jobs resolve ${intent.id}`;
  const { adopt, candidates, drop } = choicesOf(intent);
  const ids = candidates.length === 0 ? ['ID'] : candidates;
  return [
    ...(adopt ? ids.map((id) => `${resolve} --adopt ${id}`) : []),
    `${resolve} --retry`,
    ...(drop ? [`${resolve} --drop`] : []),
  ];
}

export function shownDoubt({ intent, sent, found }: Doubt) {
  const { id, account, kind, key, state, sentAtMs } = intent;
  return {
    id,
    account,
    flow: targetOf(intent).flow,
    kind,
    key,
    state,
    begun_at: asInstant(sentAtMs),
    sent,
    evidence: found.map(shownCause),
    candidates: choicesOf(intent).candidates,
    choices: choiceTexts(intent),
  };
}

export function shownDossier({ target, failed, work, creates, journal, link, alerts, ...rest }: Dossier) {
  return {
    account: target.account,
    flow: target.flow,
    key: target.key,
    failed: failed === null ? null : shownJob(failed),
    work:
      work === null
        ? null
        : {
            state: stateOf(work),
            reason: work.reason,
            held_for: isHeld(work) ? (work.heldFor ?? []).map(shownCause) : [],
            since: asInstant(isHeld(work) ? (work.heldSinceMs ?? work.sinceMs) : work.sinceMs),
          },
    link:
      link === null
        ? null
        : { marketplace_id: link.marketplaceId, erp_id: link.erpId, state: link.state, how: link.how },
    ...rest,
    alerts: alerts.map(shownCause),
    creates: creates.map((intent) => ({
      id: intent.id,
      kind: intent.kind,
      key: intent.key,
      state: intent.state,
      evidence: intent.evidence === null ? null : shownCause(intent.evidence),
      sent_at: asInstant(intent.sentAtMs),
      candidates: choicesOf(intent).candidates,
      choices: isDoubt(intent, work) ? choiceTexts(intent) : [],
    })),
    journal: journal.map(({ atMs, action, target: of, before, after, why, outcome, answer }) => {
      return { at: asInstant(atMs), action, target: of, before, after, why, outcome, answer };
    }),
  };
}

function asInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Whether the write waits for a person. */
export function isDoubt({ state }: Intent, work: Dossier['work']): boolean {
  if (state === 'open') return work !== null && (isHeld(work) || work.state === 'failed');
  return state === 'in-doubt' || state === 'dropped';
}
