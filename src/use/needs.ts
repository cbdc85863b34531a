import { type Cause, cause, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { Intent } from '../store/intents.ts';
import type { BrakeItem, BrakePlan } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { targetOf } from './jobs/doubts.ts';
import { eachHeld } from './jobs/held.ts';
import { alertedOf } from './jobs/list.ts';
import { type Misfits, misfitsOf, shownMisfit, toldWithRows } from './misfits.ts';

/** Something that does not go on by itself, or waits: all cases of one code together, with an example. */
export interface Need {
  readonly kind: 'strategy' | 'held' | 'failed' | 'in doubt' | 'alert' | 'misfit' | 'brake';
  /** The flow or the collection that it is about. */
  readonly about: string;
  readonly count: number;
  /** Since when the first and the last of them are known: epoch milliseconds; null: nothing has a time. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** The first of them, with its cause. */
  readonly example: { readonly key: string } & ShownCause;
  /** Every case, where all were asked for. */
  readonly all?: readonly Case[];
}

interface Case {
  readonly key: string;
  readonly text: string;
}

/** The needs of an account, by whether somebody has to do something. */
export interface Divided {
  /** It is the turn of a person, on either side or here. */
  readonly needs: readonly Need[];
  /** It goes on by itself. */
  readonly waits: readonly Need[];
}

export function divided(all: readonly Need[]): Divided {
  const isWaiting = ({ example }: Need) => example.turn === 'nobody';
  return { needs: all.filter((need) => !isWaiting(need)), waits: all.filter(isWaiting) };
}

interface Finding {
  readonly about: string;
  readonly key: string;
  readonly cause: Cause;
  readonly atMs: number | null;
}

/** @param every with every case, not only the counts */
export async function needsOf(account: string, store: Store, every = false): Promise<Need[]> {
  const plans = (await store.brakes.list(account)).filter(({ plan }) => plan.state === 'open');
  const failed = await store.work.failed({ account });
  const inDoubt = (await store.intents.allInDoubt()).filter((intent) => intent.account === account);
  const alerts = await alertedOf(account, store);
  const misfits = await misfitsOf(account, store);
  return [
    ...plans.map(({ plan, items, hash }) => planNeed(plan, items, hash)),
    ...grouped(
      'in doubt',
      inDoubt.flatMap((doubt) => {
        return doubt.evidence === null
          ? []
          : { about: doubt.kind, key: nameOf(doubt), cause: doubt.evidence, atMs: doubt.sentAtMs };
      }),
      every,
    ),
    ...grouped(
      'failed',
      failed.map(({ flow, key, cause: code, message, failedAtMs: atMs }) => {
        return { about: flow, key, cause: cause(code, { message }), atMs };
      }),
      every,
    ),
    ...(await heldNeeds(account, store, misfits, every)),
    ...(await misfitNeeds(account, store, misfits, every)),
    ...grouped(
      'alert',
      alerts.map(({ flow, key, cause: why }) => ({ about: flow, key, cause: why, atMs: null })),
      every,
    ),
  ];
}

async function heldNeeds(account: string, store: Store, misfits: Misfits, every: boolean): Promise<Need[]> {
  const isToldWithRow = toldWithRows(misfits);
  // A hold in a plan is shown once, with the plan.
  const isTold = (code: string) => code === 'brake-plan' || isToldWithRow(code);
  const groups = (await store.work.heldGroups(account)).filter(({ code }) => !isTold(code));
  const cases = new Map<string, Case[]>(groups.map(({ flow, code }) => [`${flow} ${code}`, []]));
  if (every) {
    for await (const { flow, key, heldFor } of eachHeld(account, store)) {
      for (const why of heldFor ?? []) cases.get(`${flow} ${why.code}`)?.push({ key, text: shownCause(why).text });
    }
  }
  const needs = groups.map(({ flow, code, count, key, cause: why, firstMs, lastMs }): Need => {
    const all = cases.get(`${flow} ${code}`) ?? [];
    const example = { key, ...shownCause(why) };
    return { kind: 'held', about: flow, count, firstMs, lastMs, example, ...(every ? { all } : {}) };
  });
  return needs.toSorted(largestFirst);
}

async function misfitNeeds(account: string, store: Store, { collections }: Misfits, every: boolean): Promise<Need[]> {
  const cases = new Map<string, Case[]>(collections.map(({ collection }) => [collection, []]));
  if (every) {
    for await (const { collection, ...row } of eachMisfit(account, store)) {
      cases.get(collection)?.push({ key: row.what, text: shownMisfit(collection, row).text });
    }
  }
  const needs = collections.map(({ collection, count, example }): Need => {
    return {
      kind: 'misfit',
      about: collection,
      count,
      firstMs: null,
      lastMs: null,
      example,
      ...(every ? { all: cases.get(collection) ?? [] } : {}),
    };
  });
  return needs.toSorted(largestFirst);
}

async function* eachMisfit(account: string, store: Pick<Store, 'misfits'>) {
  let page = await store.misfits.list(account);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page;
    page = await store.misfits.list(account, last);
  }
}

/** As it can be typed for `jobs resolve` and `jobs show`. */
function nameOf(doubt: Intent): string {
  const { flow, key } = targetOf(doubt);
  return `${flow}/${key}`;
}

function planNeed(plan: BrakePlan, items: readonly BrakeItem[], hash: string): Need {
  const { id, flow, kind, holdsAll, reason, createdAtMs: firstMs } = plan;
  const [first] = items;
  const why =
    holdsAll || first === undefined
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
  return { kind: 'brake', about: `${flow}, ${kind}`, count: items.length, firstMs, lastMs: firstMs, example };
}

/** The largest group first. */
function grouped(kind: Need['kind'], findings: readonly Finding[], every: boolean): Need[] {
  const groups = Map.groupBy(findings, ({ about, cause: { code } }) => `${about}\n${code}`);
  const needs = [...groups.values()].flatMap((group): Need[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { about, key, cause: why } = first;
    const all = every ? { all: group.map((one) => ({ key: one.key, text: shownCause(one.cause).text })) } : {};
    const times = group.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
    const [firstMs, lastMs] = times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)];
    return [{ kind, about, count: group.length, firstMs, lastMs, example: { key, ...shownCause(why) }, ...all }];
  });
  return needs.toSorted(largestFirst);
}

function largestFirst(a: Need, b: Need): number {
  return b.count - a.count;
}
