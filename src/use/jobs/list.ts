import { byCause } from '../../domain/causes/cause.ts';
import type { Intent } from '../../store/intents.ts';
import { accountNames, onlyRecords } from '../accounts.ts';
import { type Away, awayOf } from '../away.ts';
import { isDaemonRunning } from '../daemon-status.ts';
import { heldByFlow } from '../held-groups.ts';
import type { Opened } from '../open.ts';
import { allCounts } from '../status.ts';
import type { Counts } from '../verdict.ts';
import { type Case, type CaseKey, casesOf, STATES, type State, type Stopped } from './cases.ts';
import { type Doubt, doubtOf } from './doubts.ts';
import type { Job, Selection } from './select.ts';

export interface Part {
  readonly from: number;
  readonly count: number;
}

/** All stopped work, or that in one state. */
export interface JobList {
  /** Failed for good, oldest first. */
  readonly jobs: readonly Job[];
  readonly doubts: readonly Doubt[];
  readonly stopped: readonly Stopped[];
  /** By cause, the most frequent first. */
  readonly causes: readonly (readonly Stopped[])[];
  /** As counted by `status`; 0 if another state was requested. */
  readonly held: number;
  /** What keeps each account out of step. */
  readonly left: ReadonlyMap<string, Counts>;
  /** The side that stops each account's work. */
  readonly away: ReadonlyMap<string, Away>;
  /** There are more than `stopped` has. */
  readonly isCut: boolean;
  readonly counts: Readonly<Record<'jobs' | 'doubts' | 'stopped', number>>;
}

/** The default is failed jobs, then doubtful writes. */
function statesOf(state: State | undefined): readonly State[] {
  return state === undefined ? ['failed', 'in-doubt'] : [state];
}

/** The most held or alerted entities of an account shown. */
const MOST_STOPPED = 10_000;

/**
 * @param state undefined: failed jobs and doubts, with the number of held entities
 * @param part of each list; by default all
 */
export async function listJobs(
  opened: Opened,
  selection: Selection,
  state?: State,
  { from, count }: Part = { from: 0, count: Number.POSITIVE_INFINITY },
): Promise<JobList> {
  const { config, store } = opened;
  const accounts = accountNames(config, selection.account);
  const [jobs, intents, stopped]: [Job[], Intent[], Stopped[]] = [[], [], []];
  const asked = { store, accounts, selection };
  let isCut = false;
  if (state === 'held' || state === 'alert') {
    for (const account of accounts) {
      const found = await stoppedOf({ ...asked, accounts: [account] }, state);
      isCut ||= found.length >= MOST_STOPPED;
      stopped.push(...found);
    }
  } else {
    for await (const one of casesOf(asked, statesOf(state))) {
      if ('job' in one) jobs.push(one.job);
      else if ('doubt' in one) intents.push(one.doubt);
    }
  }
  const doubts: Doubt[] = [];
  for (const intent of intents.slice(from, from + count)) doubts.push(await doubtOf(store, intent));
  const left = await allCounts(onlyRecords(config, selection.account), store, Date.now(), isDaemonRunning(config));
  const away = await Promise.all(accounts.map(async (account) => [account, await awayOf(account, store)] as const));
  return {
    jobs: jobs.slice(from, from + count),
    left,
    away: new Map(away.flatMap(([account, side]) => (side === null ? [] : [[account, side]]))),
    doubts,
    stopped: stopped.slice(from, from + count),
    causes: byCause(stopped, ({ flow: about, cause }) => ({ about, cause })).toSorted((a, b) => b.length - a.length),
    held: asksForHeld(state) ? [...left.values()].reduce((total, { held }) => total + held, 0) : 0,
    isCut,
    counts: { jobs: jobs.length, doubts: intents.length, stopped: stopped.length },
  };
}

/** Longest wait first. */
async function stoppedOf(asked: Parameters<typeof casesOf>[0], state: State): Promise<Stopped[]> {
  const stopped: Stopped[] = [];
  for await (const one of casesOf(asked, [state])) {
    if ('stopped' in one) stopped.push(one.stopped);
    if (stopped.length >= MOST_STOPPED) break;
  }
  return stopped.toSorted((a, b) => (a.sinceMs ?? 0) - (b.sinceMs ?? 0));
}

/** 0 if another state was requested. */
export async function heldCount({ config, store }: Pick<Opened, 'config' | 'store'>, account?: string, state?: State) {
  if (!asksForHeld(state)) return 0;
  const held = await Promise.all(accountNames(config, account).map((name) => heldByFlow(name, store)));
  return held.flatMap((flows) => [...flows.values()]).reduce((total, count) => total + count, 0);
}

function asksForHeld(state: State | undefined): boolean {
  return state === undefined || state === 'held';
}

/** A case with all that is shown of it. */
export type CaseShown = { readonly state: State } & (
  | { readonly job: Job }
  | { readonly doubt: Doubt }
  | { readonly stopped: Stopped }
);

interface JobsPage {
  readonly cases: readonly CaseShown[];
  /** null: the last page. */
  readonly next: CaseKey | null;
}

/**
 * A page of stopped work. An entity's cases stay together.
 * @param state undefined: failed jobs, then doubtful writes
 * @param after the previous page's `next`; null: the first page
 */
export async function jobsPage(
  { config, store }: Pick<Opened, 'config' | 'store'>,
  selection: Selection,
  state: State | undefined,
  after: CaseKey | null,
  limit: number,
): Promise<JobsPage> {
  const accounts = accountNames(config, selection.account);
  const found: Case[] = [];
  let next: CaseKey | null = null;
  for await (const one of casesOf({ store, accounts, selection }, statesOf(state), after)) {
    const last = found.at(-1);
    if (found.length >= limit && last !== undefined && !isSame(last, one)) {
      next = { state: last.state, parts: last.parts };
      break;
    }
    found.push(one);
  }
  const cases: CaseShown[] = [];
  for (const one of found) cases.push('doubt' in one ? { ...one, doubt: await doubtOf(store, one.doubt) } : one);
  return { cases, next };
}

function isSame(one: CaseKey, other: CaseKey): boolean {
  return one.state === other.state && one.parts.every((part, at) => part === other.parts[at]);
}

/** As in the API; `parseKey` reads it. */
export function keyText({ state, parts }: CaseKey): string {
  return new URLSearchParams([['state', state], ...parts.map((part) => ['key', part])]).toString();
}

/** null: invalid. */
export function parseKey(text: string): CaseKey | null {
  const query = new URLSearchParams(text);
  const state = STATES.find((one) => one === query.get('state'));
  const parts = query.getAll('key');
  const places = { failed: 2, 'in-doubt': 1, held: 3, alert: 2 } as const;
  if (state === undefined || parts.length !== places[state]) return null;
  const isNumbered = state === 'failed' || state === 'in-doubt';
  return isNumbered && !parts.every((part) => /^\d{1,15}$/.test(part)) ? null : { state, parts };
}
