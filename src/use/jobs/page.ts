import { alertsOf } from '../../shadow/alerts.ts';
import type { Intent } from '../../store/intents.ts';
import type { Store } from '../../store/store.ts';
import { accountNames } from '../accounts.ts';
import { eachRow } from '../each-row.ts';
import { UsageError } from '../faults.ts';
import type { Opened } from '../open.ts';
import { type Doubt, doubtOf, eachDoubt } from './doubts.ts';
import { eachHeld } from './held.ts';
import { isMeant, STATES, type State, type Stopped, stoppedOf } from './list.ts';
import type { Job, Selection } from './select.ts';

/** The key of the last case of a page: the next page begins after it. The state says what the parts mean. */
interface JobsKey {
  readonly state: State;
  readonly parts: readonly string[];
}

/** A page of everything that does not go on by itself. */
interface JobsPage {
  readonly jobs: readonly Job[];
  readonly doubts: readonly Doubt[];
  readonly stopped: readonly Stopped[];
  /** null: this is the last page. */
  readonly next: JobsKey | null;
}

type Case = Pick<JobsKey, 'parts'> &
  ({ readonly job: Job } | { readonly doubt: Intent } | { readonly stopped: Stopped });

interface Asked {
  readonly store: Store;
  readonly accounts: readonly string[];
  readonly selection: Selection;
}

const AT_ONCE = 1_000;

/** The cases of a state in the order of their keys, from after a key or from the first. */
const CASES: Readonly<Record<State, (asked: Asked, after: readonly string[] | null) => AsyncGenerator<Case>>> = {
  async *failed({ store, selection: { account, error } }, after) {
    const [failedAtMs, id] = after?.map(Number) ?? [];
    const begin = failedAtMs === undefined || id === undefined ? undefined : { failedAtMs, id };
    const failed = (last?: Job) => store.work.failed({ account, error, after: last ?? begin, limit: AT_ONCE });
    for await (const job of eachRow(failed)) yield { parts: [String(job.failedAtMs), String(job.id)], job };
  },
  async *'in-doubt'({ store, accounts }, after) {
    for await (const doubt of eachDoubt(store, accounts, Number(after?.[0] ?? 0)))
      yield { parts: [String(doubt.id)], doubt };
  },
  async *held({ store, accounts }, after) {
    for (const account of from(accounts, after)) {
      const [of, flow, key] = after ?? [];
      const last = of === account && flow !== undefined && key !== undefined ? { flow, key } : null;
      for await (const row of eachHeld(account, store, last))
        yield* stoppedOf(row).map((stopped) => ({ parts: [account, row.flow, row.key], stopped }));
    }
  },
  async *alert({ store, accounts }, after) {
    for (const account of from(accounts, after)) {
      const last = after?.[0] === account ? (after[1] ?? '') : '';
      const alerts = (await alertsOf({ account, store })).filter(({ name }) => name > last);
      for (const { name, causes } of alerts.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const [flow = '', ...key] = name.split(':');
        const about = { account, flow, key: key.join(':'), sinceMs: null };
        yield* causes.map((cause) => ({ parts: [account, name], stopped: { ...about, cause } }));
      }
    }
  },
};

function from(accounts: readonly string[], after: readonly string[] | null): readonly string[] {
  const [account] = after ?? [];
  if (account === undefined) return accounts;
  if (!accounts.includes(account))
    throw new UsageError(`the page before ended in account ${account}, which is not asked for`);
  return accounts.slice(accounts.indexOf(account));
}

/**
 * A page of everything that does not go on by itself. The cases of one entity stay together.
 * @param state undefined: failed jobs, then writes in doubt
 * @param after the `next` of the page before; null: the first page
 */
export async function jobsPage(
  { config, store }: Pick<Opened, 'config' | 'store'>,
  selection: Selection,
  state: State | undefined,
  after: JobsKey | null,
  limit: number,
): Promise<JobsPage> {
  const accounts = accountNames(config, selection.account);
  const states: readonly State[] = state === undefined ? ['failed', 'in-doubt'] : [state];
  const found: (Case & JobsKey)[] = [];
  let next: JobsKey | null = null;
  for await (const one of casesOf({ store, accounts, selection }, states, after)) {
    const last = found.at(-1);
    if (found.length >= limit && last !== undefined && !isSame(last, one)) {
      next = { state: last.state, parts: last.parts };
      break;
    }
    found.push(one);
  }
  const doubts: Doubt[] = [];
  for (const one of found) if ('doubt' in one) doubts.push(await doubtOf(store, one.doubt));
  return {
    jobs: found.flatMap((one) => ('job' in one ? [one.job] : [])),
    doubts,
    stopped: found.flatMap((one) => ('stopped' in one ? [one.stopped] : [])),
    next,
  };
}

async function* casesOf(asked: Asked, states: readonly State[], after: JobsKey | null): AsyncGenerator<Case & JobsKey> {
  const begun = after === null ? 0 : states.indexOf(after.state);
  if (begun < 0) throw new UsageError(`the page before was of another state than ${states.join(' and ')}`);
  const wanted = asked.selection.error?.toLowerCase() ?? '';
  for (const state of states.slice(begun)) {
    for await (const one of CASES[state](asked, after?.state === state ? after.parts : null)) {
      if (!('stopped' in one) || isMeant(one.stopped, wanted)) yield { ...one, state };
    }
  }
}

function isSame(one: JobsKey, other: JobsKey): boolean {
  return one.state === other.state && one.parts.every((part, at) => part === other.parts[at]);
}

/** A key as the API shows it. `parseKey` reads it again. */
export function keyText({ state, parts }: JobsKey): string {
  return new URLSearchParams([['state', state], ...parts.map((part) => ['key', part])]).toString();
}

/** null: this is no key. */
export function parseKey(text: string): JobsKey | null {
  const query = new URLSearchParams(text);
  const state = STATES.find((one) => one === query.get('state'));
  const parts = query.getAll('key');
  const places = { failed: 2, 'in-doubt': 1, held: 3, alert: 2 } as const;
  if (state === undefined || parts.length !== places[state]) return null;
  const isNumbered = state === 'failed' || state === 'in-doubt';
  return isNumbered && !parts.every((part) => /^\d{1,15}$/.test(part)) ? null : { state, parts };
}
