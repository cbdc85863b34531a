import { intentKind } from '../../store/sqlite/intent-kinds.ts';
import { candidatesOf, type Intent } from '../../store/sqlite/intents.ts';
import type { Store } from '../../store/sqlite/store.ts';
import { shownInstant } from '../instant.ts';

/** A write that waits for an operator, with all that is known of it. */
export interface Doubt {
  readonly intent: Intent;
  /** What was to be written, as the journal has it; null when it tells nothing, or nothing was sent. */
  readonly sent: string | null;
  /** What was found when it was looked for; else why its job does not go on. */
  readonly found: string;
  /** What it is about is held, for this or for something else. */
  readonly isHeld: boolean;
}

const JOURNAL_LOOKED_AT = 100;

export async function doubtOf(store: Store, intent: Intent): Promise<Doubt> {
  const { account, kind, key, sentAtMs } = intent;
  const entries = await store.journal.of(account, intentKind(kind).flow, key, JOURNAL_LOOKED_AT);
  // The entry is on record before the intent, and stays when the answer was lost.
  const entry = entries.find(({ outcome, atMs }) => ['sent', 'unknown'].includes(outcome) && atMs <= sentAtMs);
  const sent = entry === undefined ? null : `${entry.action} ${entry.target}: ${entry.after ?? '-'}; ${entry.answer}`;
  const target = { account, flow: intentKind(kind).flow, key };
  const [failed] = await store.work.failed(target);
  const work = await store.work.get(target);
  const stopped = failed?.message ?? work?.holdReason ?? 'nothing';
  return { intent, sent, found: intent.evidence === '' ? stopped : intent.evidence, isHeld: work?.state === 'held' };
}

export async function doubtsOf(store: Store, account: string | undefined): Promise<Doubt[]> {
  const found: Doubt[] = [];
  for (const intent of await store.doubts.all()) {
    if (account === undefined || intent.account === account) found.push(await doubtOf(store, intent));
  }
  return found;
}

/** What an operator may say of it. */
export function choicesOf(intent: Intent): string[] {
  const resolve = `stockbridge jobs resolve ${intent.id}`;
  const named = candidatesOf(intent);
  const adopt = named.length === 0 ? ['ID'] : named;
  return [
    ...(intentKind(intent.kind).makes === 'nothing' ? [] : adopt.map((id) => `${resolve} --adopt ${id}`)),
    `${resolve} --retry`,
    ...(intent.state === 'dropped' ? [] : [`${resolve} --drop`]),
  ];
}

const STATES = { 'in-doubt': 'in doubt', open: 'not settled', dropped: 'dropped' } as const;

export function stateText({ state }: Intent): string {
  return Object.hasOwn(STATES, state) ? STATES[state as keyof typeof STATES] : state;
}

/** As paragraphs: what it is, what was sent, what was found. */
export function doubtTexts({ intent, sent, found }: Doubt, several: boolean): string[] {
  const { id, account, kind, key, sentAtMs } = intent;
  const where = several ? ` of ${account}` : '';
  return [
    `${id}: ${kind} ${key}${where}, begun ${shownInstant(sentAtMs)}, ${stateText(intent)}`,
    ...(sent === null ? [] : [`  sent: ${sent}`]),
    `  found: ${found}`,
  ];
}

export function doubtAsJson({ intent, sent, found }: Doubt) {
  const { id, account, kind, key, state, sentAtMs } = intent;
  return {
    id,
    account,
    flow: intentKind(kind).flow,
    kind,
    key,
    state,
    begun_at: new Date(sentAtMs).toISOString(),
    sent,
    evidence: found,
    candidates: candidatesOf(intent),
    choices: choicesOf(intent),
  };
}
