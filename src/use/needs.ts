import { SIDES } from '../daemon/worker/health.ts';
import { byCause, type Cause, cause, type ShownCause, sharedOf, shownCause } from '../domain/causes/cause.ts';
import { intentKind } from '../store/intent-kinds.ts';
import type { StoredInvalidRow } from '../store/reading.ts';
import type { OpenPlan } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { isWaitingCode, type StoppedState, type WorkKey } from '../store/work.ts';
import { type Away, awayOf } from './away.ts';
import { eachRow } from './each-row.ts';
import { PLAN_CODES } from './held-groups.ts';
import { type InvalidRows, invalidRowsOf, isCountedWithRows, shownInvalidRow } from './invalid-rows.ts';
import { type Case, casesOf, type Stopped } from './jobs/cases.ts';

/** All cases of one cause that are stopped or wait, with an example. */
export interface Need {
  readonly kind:
    | 'strategy'
    | 'pending'
    | 'held'
    | 'failed'
    | 'in doubt'
    | 'alert'
    | 'invalid row'
    | 'brake'
    | 'configuration';
  /** The cases' flow or collection; for a shared cause, several. */
  readonly about: string;
  /** The cases' shared cause: `payments: voucher`. null: each has its own. */
  readonly shared: string | null;
  readonly count: number;
  /** When the first and last case began, in epoch milliseconds; null: unknown. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly example: { readonly key: string } & ShownCause;
  /** The example's entity; null: none. */
  readonly first: Pick<WorkKey, 'flow' | 'key'> | null;
  /** The absent side that delays a new look, so cases may be outdated; null: none. */
  readonly away: Away | null;
  readonly all?: readonly OneOfAll[];
}

interface OneOfAll {
  readonly key: string;
  readonly text: string;
}

export function causesOf({ shared, count }: Pick<Need, 'shared' | 'count'>): number {
  return shared === null ? count : 1;
}

interface Divided {
  /** A person must act. */
  readonly needs: readonly Need[];
  /** They continue by themselves. */
  readonly waits: readonly Need[];
}

export function divided(all: readonly Need[]): Divided {
  const isWaiting = ({ example }: Need) => example.turn === 'nobody';
  return { needs: all.filter((need) => !isWaiting(need)), waits: all.filter(isWaiting) };
}

/** @param every include every case, not only counts */
export async function needsOf(account: string, store: Store, every = false): Promise<Need[]> {
  const plans = await store.brakes.open(account);
  const invalidRows = await invalidRowsOf(account, store);
  const isToldWithRow = isCountedWithRows(invalidRows);
  // A hold in a plan is shown once, with the plan.
  const isTold = (code: string) => PLAN_CODES.some((one) => one === code) || isToldWithRow(code);
  const of = (state: StoppedState, isLeftOut?: (code: string) => boolean) =>
    stoppedNeeds(account, store, state, every, isLeftOut);
  const away = await awayOf(account, store);
  const needs = [
    ...plans.map(planNeed),
    ...(await of('in-doubt')),
    ...(await of('failed')),
    ...(await of('held', isTold)),
    ...(await invalidRowNeeds(account, store, invalidRows, every)),
    ...(await of('alert')),
  ];
  const marked = needs.map((need) => ({ ...need, away: away !== null && isLookedAt(need) ? away : null }));
  return marked.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** A need's harm as a rank, lowest first, so that many small cases do not hide a single order. */
export function harmOf({
  kind,
  about,
  example,
}: Pick<Found, 'kind' | 'about'> & { readonly example: { readonly code: string } }): number {
  const stops = kind !== 'alert' && kind !== 'invalid row';
  const harms = [
    // Buyers can order what does not exist.
    example.code === 'oversold' || example.code === 'fall-refused' || (kind === 'brake' && about.endsWith(', zero')),
    stops && about.split(', ').some((flow) => flow.startsWith('order')),
    kind === 'brake' && about.endsWith(', price'),
    stops,
  ];
  const worst = harms.indexOf(true);
  return worst === -1 ? harms.length : worst;
}

type Found = Omit<Need, 'away'>;

/** An absent side stops everything else, so it is first. */
function rankOf(need: Need): number {
  return isOfSide(need) ? -1 : harmOf(need);
}

function isOfSide({ kind, about }: Found): boolean {
  return kind === 'alert' && SIDES.some((side) => side === about);
}

/** Whether a look finds out that it ended. A plan waits for a person, a side for itself. */
function isLookedAt(need: Found): boolean {
  return need.kind !== 'brake' && !isOfSide(need);
}

async function stoppedNeeds(
  account: string,
  store: Store,
  state: StoppedState,
  every: boolean,
  isLeftOut: (code: string) => boolean = () => false,
): Promise<Found[]> {
  const groups = (await store.work.groups(account, state)).filter(({ code }) => !isLeftOut(code));
  const cases: { readonly about: string; readonly cause: Cause; readonly one: OneOfAll }[] = [];
  if (every) {
    for await (const one of casesOf({ store, accounts: [account], selection: { account } }, [state])) {
      const found = caseOf(one);
      if (found === null) continue;
      const { about, key, cause: why } = found;
      cases.push({ about, cause: why, one: { key: nameOf(state, about, key), text: shownCause(why).text } });
    }
  }
  const needs = byCause([...groups, ...cases], (one) => one).flatMap((together): Found[] => {
    const counts = together.flatMap((one) => ('count' in one ? [one] : []));
    const [first] = counts.toSorted((one, other) => (one.firstMs ?? 0) - (other.firstMs ?? 0));
    if (first === undefined) return [];
    const all = together.flatMap((one) => ('one' in one ? [one.one] : []));
    const times = counts.flatMap(({ firstMs, lastMs }) => [firstMs ?? [], lastMs ?? []].flat());
    return [
      {
        kind: isWaitingCode(first.cause) ? 'pending' : KINDS[state],
        about: [...new Set(counts.map(({ about }) => about))].join(', '),
        shared: sharedOf(first.cause),
        count: counts.reduce((total, { count }) => total + count, 0),
        firstMs: times.length === 0 ? null : Math.min(...times),
        lastMs: times.length === 0 ? null : Math.max(...times),
        example: { key: nameOf(state, first.about, first.key), ...shownCause(first.cause) },
        first: { flow: flowOf(state, first.about), key: first.key },
        ...(every ? { all } : {}),
      },
    ];
  });
  return needs.toSorted(largestFirst);
}

const KINDS = { held: 'held', failed: 'failed', 'in-doubt': 'in doubt', alert: 'alert' } as const;

/** A doubt's name fits `jobs resolve` and `jobs show`. */
function nameOf(state: StoppedState, about: string, key: string): string {
  return state === 'in-doubt' ? `${flowOf(state, about)}/${key}` : key;
}

function flowOf(state: StoppedState, about: string): string {
  return state === 'in-doubt' ? intentKind(about).flow : about;
}

/** A case in the groups' terms; null: in no group. */
function caseOf(one: Case): (Pick<Stopped, 'key' | 'cause'> & { readonly about: string }) | null {
  if ('stopped' in one) return { about: one.stopped.flow, ...one.stopped };
  if ('job' in one)
    return { about: one.job.flow, key: one.job.key, cause: cause(one.job.cause, { message: one.job.message }) };
  const { state, kind, key, evidence } = one.doubt;
  return state === 'in-doubt' && evidence !== null ? { about: kind, key, cause: evidence } : null;
}

async function invalidRowNeeds(
  account: string,
  store: Store,
  { collections }: InvalidRows,
  every: boolean,
): Promise<Found[]> {
  const cases = new Map<string, OneOfAll[]>(collections.map(({ collection }) => [collection, []]));
  if (every) {
    for await (const { collection, ...row } of eachRow<StoredInvalidRow>((last) =>
      store.invalidRows.list(account, last),
    )) {
      cases.get(collection)?.push({ key: row.what, text: shownInvalidRow(collection, row).text });
    }
  }
  const needs = collections.map(({ collection, count, example }): Found => {
    return {
      kind: 'invalid row',
      about: collection,
      shared: null,
      count,
      firstMs: null,
      lastMs: null,
      example,
      first: null,
      ...(every ? { all: cases.get(collection) ?? [] } : {}),
    };
  });
  return needs.toSorted(largestFirst);
}

function planNeed({ plan, first, count, hash }: OpenPlan): Found {
  const { id, flow, kind, holdsAll, reason, createdAtMs: firstMs } = plan;
  const why =
    holdsAll || first === null
      ? cause('brake-kind-waits', { brake: kind, exceeds: reason })
      : cause('brake-plan', {
          brake: kind,
          action: first.action,
          target: first.target,
          before: first.before,
          after: first.after,
          exceeds: first.reason,
          waits: true,
          plan: id,
        });
  const example = { key: `plan ${id} (${hash})`, ...shownCause(why) };
  const about = `${flow}, ${kind}`;
  return {
    kind: 'brake',
    about,
    shared: sharedOf(why),
    count,
    firstMs,
    lastMs: firstMs,
    example,
    first: first && { flow, key: first.key },
  };
}

function largestFirst(a: Found, b: Found): number {
  return b.count - a.count;
}
