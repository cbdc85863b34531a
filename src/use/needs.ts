import { SIDES } from '../daemon/worker/health.ts';
import { byCause, type Cause, cause, type ShownCause, sharedOf, shownCause } from '../domain/causes/cause.ts';
import { intentKind } from '../store/intent-kinds.ts';
import type { StoredInvalidRow } from '../store/reading.ts';
import type { OpenPlan } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { onlyWaits, type StoppedState, type WorkKey } from '../store/work.ts';
import { type Away, awayOf } from './away.ts';
import { eachRow } from './each-row.ts';
import { PLAN_CODES } from './held-groups.ts';
import { type InvalidRows, invalidRowsOf, shownInvalidRow, toldWithRows } from './invalid-rows.ts';
import { type Case, casesOf, type Stopped } from './jobs/cases.ts';

/** All cases of one cause that do not go on by themselves or wait, with an example. */
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
  /** The flow or the collection of the cases; of a shared cause, each of them. */
  readonly about: string;
  /** The shared cause of the cases: `payments: voucher`. null: each of them has its own cause. */
  readonly shared: string | null;
  readonly count: number;
  /** The times since when the first and the last case are known, in epoch milliseconds; null: no case has a time. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** The first case, with its cause. */
  readonly example: { readonly key: string } & ShownCause;
  /** The entity of the example; null: it is about none. */
  readonly first: Pick<WorkKey, 'flow' | 'key'> | null;
  /** The side whose absence keeps the cases from being looked at: they stand as they were found last. null: none does. */
  readonly away: Away | null;
  /** Every case, where all were asked for. */
  readonly all?: readonly OneOfAll[];
}

interface OneOfAll {
  readonly key: string;
  readonly text: string;
}

/** How many causes are behind a need. */
export function causesOf({ shared, count }: Pick<Need, 'shared' | 'count'>): number {
  return shared === null ? count : 1;
}

/** The needs of an account, by whether somebody has to do something. */
interface Divided {
  /** A person has to act, on either side or here. */
  readonly needs: readonly Need[];
  /** These go on by themselves. */
  readonly waits: readonly Need[];
}

export function divided(all: readonly Need[]): Divided {
  const isWaiting = ({ example }: Need) => example.turn === 'nobody';
  return { needs: all.filter((need) => !isWaiting(need)), waits: all.filter(isWaiting) };
}

/** @param every include every case, and not only the counts */
export async function needsOf(account: string, store: Store, every = false): Promise<Need[]> {
  const plans = await store.brakes.open(account);
  const invalidRows = await invalidRowsOf(account, store);
  const isToldWithRow = toldWithRows(invalidRows);
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

/** How much harm a need does: of many cases of one cause, none buries a single order. The most harm has the lowest number. */
export function harmOf({
  kind,
  about,
  example,
}: Pick<Found, 'kind' | 'about'> & { readonly example: { readonly code: string } }): number {
  const stops = kind !== 'alert' && kind !== 'invalid row';
  const harms = [
    // Buyers can order what is not there.
    example.code === 'oversold' || example.code === 'fall-refused' || (kind === 'brake' && about.endsWith(', zero')),
    stops && about.split(', ').some((flow) => flow.startsWith('order')),
    kind === 'brake' && about.endsWith(', price'),
    stops,
  ];
  const worst = harms.indexOf(true);
  return worst === -1 ? harms.length : worst;
}

type Found = Omit<Need, 'away'>;

/** A side that is away stops all the rest, so it comes first. */
function rankOf(need: Need): number {
  return isOfSide(need) ? -1 : harmOf(need);
}

function isOfSide({ kind, about }: Found): boolean {
  return kind === 'alert' && SIDES.some((side) => side === about);
}

/** Does a look of the program find out whether it is over? A plan waits for a person, and a side that is away for itself. */
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
        kind: onlyWaits(first.cause) ? 'pending' : KINDS[state],
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

/** The name of a case. A doubt is named as it can be typed for `jobs resolve` and `jobs show`. */
function nameOf(state: StoppedState, about: string, key: string): string {
  return state === 'in-doubt' ? `${flowOf(state, about)}/${key}` : key;
}

function flowOf(state: StoppedState, about: string): string {
  return state === 'in-doubt' ? intentKind(about).flow : about;
}

/** The flow, the key and the cause of a case, as the groups name them. null: it is in no group. */
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
