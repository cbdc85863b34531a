import { isEndedByLink } from '../domain/causes/on-screen.ts';
import { type Concern, SETTLE_MS } from '../domain/notices.ts';
import { isFlow } from '../flows/flows.ts';
import { intentKind, isIntentKind } from '../store/intent-kinds.ts';
import type { AuditRow } from '../store/record.ts';
import type { Store } from '../store/store.ts';

/* Who or what ended a concern, for the message that it is over. */

const LINKING = ['map.link', 'map.unlink', 'map.refuse'];

/** Acts that end cases, by kind. */
const ACTS: Readonly<Record<string, readonly string[]>> = {
  brake: ['brake.approve', 'brake.drop'],
  'in doubt': ['job.resolve', ...LINKING],
  failed: ['job.replay', 'job.discard'],
  strategy: ['strategy.approve'],
};
const ACTS_OF_CODES: Readonly<Record<string, readonly string[]>> = {
  paused: ['resume'],
  'product-paused': ['resume'],
  'archived-by-hand': ['product.leave-archived', 'product.ask-back'],
};

const DONE: Readonly<Record<string, string>> = {
  'brake.approve': 'approved it',
  'brake.drop': 'dropped it',
  'job.resolve': 'said what became of it',
  'job.replay': 'had it looked at afresh',
  'job.discard': 'discarded it',
  'map.link': 'linked it',
  'map.unlink': 'unlinked it',
  'map.refuse': 'said that it is another one',
  'product.leave-archived': 'left it archived',
  'product.ask-back': 'had it brought back',
  'strategy.approve': 'approved it',
  resume: 'ended the pause',
};

/** How cases end without an act, by kind. */
const BY_ITSELF: Readonly<Record<string, string>> = {
  brake: 'by itself: the writes are not due any more',
  'in doubt': 'by itself: the other side now shows the result',
  failed: 'by itself: a later attempt succeeded',
  'invalid row': 'by itself: the list has no such row any more',
  configuration: 'by a change of the configuration',
  strategy: 'by a change of the configuration',
};
const FOUND = 'by itself: both sides were compared, and it is gone';

/** A concern is over within a few reads of the act. */
const SOON_MS = 15 * 60_000;
const MOST = 500;

interface Ended extends Pick<Concern, 'kind' | 'about' | 'code'> {
  readonly account: string;
  /** When its end was recorded, some time later. */
  readonly atMs: number;
}

/** `by maria, who linked it at 10:02 UTC`, or what ended it otherwise. */
export async function endedBy({ audit }: Pick<Store, 'audit'>, ended: Ended): Promise<string> {
  const { account, kind, atMs } = ended;
  const acts = actsFor(ended);
  const isIts = (row: AuditRow) =>
    acts.includes(row.action) && atMs - row.atMs <= SETTLE_MS + SOON_MS && isAbout(row, ended);
  const act = acts.length === 0 ? undefined : (await audit.latest(MOST, account)).findLast(isIts);
  if (act === undefined) return BY_ITSELF[kind] ?? FOUND;
  const time = new Date(act.atMs).toISOString().slice(11, 16);
  return `by ${act.who}, who ${DONE[act.action] ?? 'acted'} at ${time} UTC`;
}

/** A link ends only needs whose next step is a link. */
function actsFor({ kind, code }: Ended): readonly string[] {
  return ACTS_OF_CODES[code] ?? ACTS[kind] ?? (isEndedByLink(code) ? LINKING : []);
}

/**
 * A link is recorded under one flow but helps others, a pause may be of all flows, and a shared cause names no flow.
 */
function isAbout({ action, flow, target }: AuditRow, { kind, about }: Ended): boolean {
  const [first = '', brake] = about.split(', ');
  if (kind === 'brake') return flow === first && target.endsWith(`: ${brake}`);
  const named = kind === 'in doubt' && isIntentKind(first) ? intentKind(first).flow : first;
  if (LINKING.includes(action) || !isFlow(named)) return true;
  return flow === named || (action === 'resume' && flow === 'all');
}
