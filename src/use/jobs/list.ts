import { setTimeout as sleep } from 'node:timers/promises';
import { type Cause, sentenceOf } from '../../domain/causes/cause.ts';
import { alertsOf } from '../../shadow/alerts.ts';
import type { AuditRow, ReplayState } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';
import type { WorkKey } from '../../store/work.ts';
import { accountsFor } from '../accounts.ts';
import type { Opened } from '../open.ts';
import { type Doubt, doubtsOf } from './doubts.ts';
import { type Job, type Selection, selectJobs } from './select.ts';

/** Why something does not go on by itself. */
export const STATES = ['held', 'failed', 'in-doubt', 'alert'] as const;
export type State = (typeof STATES)[number];

/** Something that is held, or that an alert is about, with one cause of it. */
export interface Stopped extends WorkKey {
  readonly cause: Cause;
  /** Epoch milliseconds; null for an alert. */
  readonly sinceMs: number | null;
}

/** Everything that does not go on by itself, or what is in one state. */
export interface JobList {
  /** Those that failed for good, oldest first. */
  readonly jobs: readonly Job[];
  readonly doubts: readonly Doubt[];
  /** Those that are held or under an alert, when that state was asked for. */
  readonly stopped: readonly Stopped[];
  /** The number of held ones; 0 when another state was asked for. */
  readonly held: number;
}

/** @param state undefined: those that failed for good or are in doubt, with the number of held ones */
export async function listJobs(opened: Opened, selection: Selection, state?: State): Promise<JobList> {
  const { config, store } = opened;
  const { account, error = '' } = selection;
  const is = (wanted: State) => state === undefined || state === wanted;
  const accounts = accountsFor(config, account).map(({ name }) => name);
  const isMeant = ({ cause }: Stopped) =>
    [cause.code, sentenceOf(cause)].some((text) => text.toLowerCase().includes(error.toLowerCase()));
  const stopped: Stopped[] = [];
  for (const name of accounts) {
    if (state === 'held') stopped.push(...(await heldOf(name, store)));
    if (state === 'alert') stopped.push(...(await alertedOf(name, store)));
  }
  const counts = (await store.work.counts()).filter((row) => row.state === 'held' && accounts.includes(row.account));
  return {
    jobs: is('failed') ? (await selectJobs(opened, [], selection)).jobs : [],
    doubts: is('in-doubt') ? await doubtsOf(store, account) : [],
    stopped: stopped.filter(isMeant),
    held: is('held') ? counts.reduce((total, { count }) => total + count, 0) : 0,
  };
}

/** Everything that is held, once for each of its causes. */
export async function heldOf(account: string, store: Store): Promise<Stopped[]> {
  const rows = await store.work.held(account);
  return rows.flatMap(({ flow, key, heldFor, heldSinceMs, sinceMs }) =>
    (heldFor ?? []).map((cause) => ({ account, flow, key, cause, sinceMs: heldSinceMs ?? sinceMs })),
  );
}

/** Everything that an alert is about, once for each of its causes. */
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

/** Follows the audit log until it has the result of each of these replays, for ten minutes at most. Answers these acts. */
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
