import { type Cause, sentenceOf } from '../../domain/causes/cause.ts';
import { alertsOf } from '../../shadow/alerts.ts';
import type { Intent } from '../../store/intents.ts';
import type { Store } from '../../store/store.ts';
import { STOPPED_STATES, type StoppedState, type WorkKey, type WorkRow } from '../../store/work.ts';
import { eachRow } from '../each-row.ts';
import { UsageError } from '../faults.ts';
import { eachDoubt } from './doubts.ts';
import type { Job, Selection } from './select.ts';

export const STATES = STOPPED_STATES;
export type State = StoppedState;

/** A held entity or an alert, with one cause. */
export interface Stopped extends WorkKey {
  readonly cause: Cause;
  /** Epoch milliseconds; null: an alert. */
  readonly sinceMs: number | null;
}

/** Where to continue a list of cases. The state gives the parts their meaning. */
export interface CaseKey {
  readonly state: State;
  readonly parts: readonly string[];
}

type Found = { readonly job: Job } | { readonly doubt: Intent } | { readonly stopped: Stopped };

/** A failed job, a doubtful write, or a held or alerted entity. */
export type Case = CaseKey & Found;

interface Asked {
  readonly store: Store;
  readonly accounts: readonly string[];
  readonly selection: Pick<Selection, 'account' | 'error'>;
}

export async function* casesOf(
  asked: Asked,
  states: readonly State[],
  after: CaseKey | null = null,
): AsyncGenerator<Case> {
  const begun = after === null ? 0 : states.indexOf(after.state);
  if (begun < 0) throw new UsageError(`the page before was of another state than ${states.join(' and ')}`);
  const wanted = asked.selection.error?.toLowerCase() ?? '';
  for (const state of states.slice(begun)) {
    for await (const one of CASES[state](asked, after?.state === state ? after.parts : null)) {
      if (!('stopped' in one) || isMeant(one.stopped, wanted)) yield { ...one, state };
    }
  }
}

/** Whether the cause's code or sentence contains this lower-case text. */
function isMeant({ cause }: Stopped, wanted: string): boolean {
  return [cause.code, sentenceOf(cause)].some((text) => text.toLowerCase().includes(wanted));
}

const AT_ONCE = 1_000;

export function eachHeld(
  account: string,
  { work }: Pick<Store, 'work'>,
  after: Pick<WorkRow, 'flow' | 'key'> | null = null,
): AsyncGenerator<WorkRow> {
  return eachRow((last) => work.heldAfter(account, last ?? after, AT_ONCE));
}

type Each = (asked: Asked, after: readonly string[] | null) => AsyncGenerator<Pick<CaseKey, 'parts'> & Found>;

/** A key with several causes occurs once for each. */
const CASES: Readonly<Record<State, Each>> = {
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
      const [of, afterFlow, afterKey] = after ?? [];
      const isBegun = of === account && afterFlow !== undefined && afterKey !== undefined;
      const last = isBegun ? { flow: afterFlow, key: afterKey } : null;
      for await (const { flow, key, heldFor, heldSinceMs, sinceMs } of eachHeld(account, store, last)) {
        const about = { account, flow, key, sinceMs: heldSinceMs ?? sinceMs };
        yield* (heldFor ?? []).map((cause) => ({ parts: [account, flow, key], stopped: { ...about, cause } }));
      }
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
    throw new UsageError(`the previous page ended in account ${account}, which this request leaves out`);
  return accounts.slice(accounts.indexOf(account));
}
