import { setTimeout as sleep } from 'node:timers/promises';
import { type Cause, sentenceOf } from '../../domain/causes/cause.ts';
import { alertsOf } from '../../shadow/alerts.ts';
import type { AuditRow, ReplayState } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';
import { STOPPED_STATES, type StoppedState, type WorkKey, type WorkRow } from '../../store/work.ts';
import { accountNames } from '../accounts.ts';
import type { Opened } from '../open.ts';
import { type Doubt, doubtOf, eachDoubt } from './doubts.ts';
import { eachHeld } from './held.ts';
import { type Job, type Selection, selectJobs } from './select.ts';

/** The states in which something does not go on by itself. */
export const STATES = STOPPED_STATES;
export type State = StoppedState;

/** Something that is held, or that an alert is about, with one cause of it. */
export interface Stopped extends WorkKey {
  readonly cause: Cause;
  /** Epoch milliseconds; null for an alert. */
  readonly sinceMs: number | null;
}

interface Held extends Stopped {
  readonly sinceMs: number;
}

/** A part of each list. */
export interface Part {
  readonly from: number;
  readonly count: number;
}

/** Everything that does not go on by itself, or the part of it that is in one state. */
export interface JobList {
  /** The jobs that failed for good, oldest first. */
  readonly jobs: readonly Job[];
  readonly doubts: readonly Doubt[];
  /** The entities that are held or under an alert, when that state was asked for. */
  readonly stopped: readonly Stopped[];
  /** The number of held entities; 0 when another state was asked for. */
  readonly held: number;
  /** The whole length of each list, of which the result may hold a part. */
  readonly counts: Readonly<Record<'jobs' | 'doubts' | 'stopped', number>>;
}

/**
 * @param state undefined: jobs that failed for good and writes in doubt, with the number of held entities
 * @param part of each list; all of it when left out
 */
export async function listJobs(
  opened: Opened,
  selection: Selection,
  state?: State,
  { from, count }: Part = { from: 0, count: Number.POSITIVE_INFINITY },
): Promise<JobList> {
  const { config, store } = opened;
  const { account, error = '' } = selection;
  const wanted = error.toLowerCase();
  const is = (one: State) => state === undefined || state === one;
  const accounts = accountNames(config, account);
  const found: Stopped[] = [];
  for (const name of accounts) {
    if (state === 'held') found.push(...(await heldOf(name, store)));
    if (state === 'alert') found.push(...(await alertedOf(name, store)));
  }
  const jobs = is('failed') ? (await selectJobs(opened, [], selection)).jobs : [];
  const intents = is('in-doubt') ? await Array.fromAsync(eachDoubt(store, accounts)) : [];
  const stopped = found.filter((one) => isMeant(one, wanted));
  const doubts: Doubt[] = [];
  for (const intent of intents.slice(from, from + count)) doubts.push(await doubtOf(store, intent));
  return {
    jobs: jobs.slice(from, from + count),
    doubts,
    stopped: stopped.slice(from, from + count),
    held: await heldCount(opened, account, state),
    counts: { jobs: jobs.length, doubts: intents.length, stopped: stopped.length },
  };
}

/** How many are held; 0 when another state was asked for. */
export async function heldCount({ config, store }: Pick<Opened, 'config' | 'store'>, account?: string, state?: State) {
  if (state !== undefined && state !== 'held') return 0;
  const accounts = accountNames(config, account);
  const rows = (await store.work.counts()).filter((row) => row.state === 'held' && accounts.includes(row.account));
  return rows.reduce((total, { count }) => total + count, 0);
}

/** Does the code or the sentence of the cause contain this text, which is in small letters? */
export function isMeant({ cause }: Stopped, wanted: string): boolean {
  return [cause.code, sentenceOf(cause)].some((text) => text.toLowerCase().includes(wanted));
}

/** A held key, once for each of its causes. */
export function stoppedOf({ account, flow, key, heldFor, heldSinceMs, sinceMs }: WorkRow): Held[] {
  return (heldFor ?? []).map((cause) => ({ account, flow, key, cause, sinceMs: heldSinceMs ?? sinceMs }));
}

const MOST_HELD = 10_000;

/** The held keys, once for each cause, those that wait longest first. */
async function heldOf(account: string, store: Store): Promise<Held[]> {
  const held: Held[] = [];
  for await (const row of eachHeld(account, store)) {
    held.push(...stoppedOf(row));
    if (held.length >= MOST_HELD) break;
  }
  return held.toSorted((one, other) => one.sinceMs - other.sinceMs);
}

/** The keys under an alert, once for each cause. */
export async function alertedOf(account: string, store: Store): Promise<Stopped[]> {
  const alerts = await alertsOf({ account, store });
  return alerts.flatMap(({ name, causes }) => {
    const [flow = '', ...key] = name.split(':');
    return causes.map((cause) => ({ account, flow, key: key.join(':'), cause, sinceMs: null }));
  });
}

/** The result of one replayed job, as the audit log has it. */
export interface ReplayResult extends AuditRow {
  readonly state: ReplayState;
}

const WAIT_LIMIT_MS = 600_000;
const ASK_EVERY_MS = 200;

/** Follows the audit log until it has the result of each of these replays, for ten minutes at most. Answers these results. */
export async function awaitResults(
  store: Store,
  ids: readonly number[],
  signal: AbortSignal,
  tell: (result: ReplayResult) => void,
): Promise<ReplayResult[]> {
  const results: ReplayResult[] = [];
  const open = new Set(ids);
  const deadlineMs = performance.now() + WAIT_LIMIT_MS;
  while (open.size > 0 && performance.now() < deadlineMs) {
    for (const act of await store.audit.resultsOf([...open])) {
      const result = { ...act, state: act.after as ReplayState };
      open.delete(act.resultOf ?? 0);
      results.push(result);
      tell(result);
    }
    if (open.size > 0) await sleep(ASK_EVERY_MS, undefined, { signal });
  }
  return results;
}
