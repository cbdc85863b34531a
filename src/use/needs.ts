import { type Cause, cause, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { Intent } from '../store/intents.ts';
import type { BrakeItem, BrakePlan } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { targetOf } from './jobs/doubts.ts';
import { alertedOf, heldOf, type Stopped } from './jobs/list.ts';

/** Something that an operator should look at: all cases of one code together, with an example. */
export interface Need {
  readonly kind: 'strategy' | 'held' | 'failed' | 'in doubt' | 'alert' | 'misfit' | 'brake';
  /** The flow or the collection that it is about. */
  readonly about: string;
  readonly count: number;
  /** The first of them, with its cause. */
  readonly example: { readonly key: string } & ShownCause;
}

interface Finding {
  readonly about: string;
  readonly key: string;
  readonly cause: Cause;
}

export async function needsOf(account: string, store: Store): Promise<Need[]> {
  const plans = (await store.brakes.list(account)).filter(({ plan }) => plan.state === 'open');
  const failed = await store.work.failed({ account });
  const inDoubt = (await store.intents.allInDoubt()).filter((intent) => intent.account === account);
  const held = await heldOf(account, store);
  const alerts = await alertedOf(account, store);
  const misfits = await store.misfits.list(account);
  return [
    ...plans.map(({ plan, items, hash }) => planNeed(plan, items, hash)),
    ...grouped(
      'in doubt',
      inDoubt.flatMap((doubt) => {
        return doubt.evidence === null ? [] : { about: doubt.kind, key: nameOf(doubt), cause: doubt.evidence };
      }),
    ),
    ...grouped(
      'failed',
      failed.map(({ flow, key, cause: code, message }) => ({ about: flow, key, cause: cause(code, { message }) })),
    ),
    // A hold in a plan is shown once, with the plan.
    ...grouped('held', held.filter((one) => one.cause.code !== 'brake-plan').map(findingOf)),
    ...grouped(
      'misfit',
      misfits.map(({ collection, what, path, message }) => {
        const params = { row: what, problem: `${path}: ${message}` };
        const isOfErp = collection.startsWith('erp-');
        return { about: collection, key: what, cause: cause(isOfErp ? 'erp-row-misfit' : 'row-misfit', params) };
      }),
    ),
    ...grouped('alert', alerts.map(findingOf)),
  ];
}

function findingOf({ flow, key, cause: why }: Stopped): Finding {
  return { about: flow, key, cause: why };
}

/** As it can be typed for `jobs resolve` and `jobs show`. */
function nameOf(doubt: Intent): string {
  const { flow, key } = targetOf(doubt);
  return `${flow}/${key}`;
}

function planNeed(plan: BrakePlan, items: readonly BrakeItem[], hash: string): Need {
  const { id, flow, kind, holdsAll, reason } = plan;
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
  return { kind: 'brake', about: `${flow}, ${kind}`, count: items.length, example };
}

/** The largest group first. */
function grouped(kind: Need['kind'], findings: readonly Finding[]): Need[] {
  const groups = Map.groupBy(findings, ({ about, cause: { code } }) => `${about}\n${code}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { about, key, cause: why } = first;
      return [{ kind, about, count: group.length, example: { key, ...shownCause(why) } }];
    })
    .toSorted((a, b) => b.count - a.count);
}
