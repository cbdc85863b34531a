import { IN_PLAN } from '../flows/engine/hold-in-plan.ts';
import type { Intent } from '../store/intents.ts';
import type { BrakeItem, BrakePlan } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { targetOf } from './jobs/doubts.ts';

/** Something that an operator should look at: alike ones are one, with an example. */
export interface Need extends Group {
  readonly kind: 'strategy' | 'held' | 'failed' | 'in doubt' | 'alert' | 'misfit' | 'brake';
}

const ALERT = 'alert:';

export async function needsOf(account: string, store: Store): Promise<Need[]> {
  const plans = (await store.brakes.list(account)).filter(({ plan }) => plan.state === 'open');
  // A hold in a plan is told once, by the plan.
  const held = (await store.work.held(account)).filter(({ holdReason }) => !holdReason?.endsWith(IN_PLAN));
  const failed = await store.work.failed({ account });
  const inDoubt = (await store.intents.allInDoubt()).filter((intent) => intent.account === account);
  const alerts = await store.facts.startingWith(account, ALERT);
  const misfits = await store.misfits.list(account);
  const needs = (kind: Need['kind'], groups: readonly Group[]) => groups.map((group) => ({ kind, ...group }));
  return [
    ...plans.map(({ plan, items, hash }) => ({
      kind: 'brake' as const,
      about: `${plan.flow}, ${plan.kind}`,
      count: items.length,
      example: { key: `plan ${plan.id} (${hash})`, text: whyPlan(plan, items) },
    })),
    ...needs(
      'in doubt',
      groupAlike(inDoubt.map((doubt) => ({ about: doubt.kind, key: nameOf(doubt), text: doubt.evidence }))),
    ),
    ...needs(
      'failed',
      groupAlike(failed.map(({ flow, key, cause, message }) => ({ about: `${flow}, ${cause}`, key, text: message }))),
    ),
    ...needs(
      'held',
      groupAlike(held.map(({ flow, key, holdReason }) => ({ about: flow, key, text: holdReason ?? '' }))),
    ),
    ...needs(
      'misfit',
      groupAlike(
        misfits.map(({ collection, what, path, message }) => ({
          about: collection,
          key: what,
          text: `${path}: ${message}`,
        })),
      ),
    ),
    ...needs('alert', groupAlike(alerts.map(({ name, value }) => ({ ...alertOf(name), text: value })))),
  ];
}

/** As it can be typed for `jobs resolve` and `jobs show`. */
function nameOf(doubt: Intent): string {
  const { flow, key } = targetOf(doubt);
  return `${flow}/${key}`;
}

function whyPlan({ holdsAll, reason }: BrakePlan, [first]: readonly BrakeItem[]): string {
  if (holdsAll || first === undefined) return `everything of this kind waits: each ${reason}`;
  return `each for itself, such as ${first.target} (${first.before} -> ${first.after}): ${first.reason}`;
}

/** `alert:stock:P-17` is about the stock of P-17. */
function alertOf(name: string): { about: string; key: string } {
  const [about = '', ...key] = name.slice(ALERT.length).split(':');
  return { about, key: key.join(':') };
}

/** One thing that was found, and what is said of it. */
export interface Finding {
  /** The kind of thing it is said of: a flow, a collection. */
  readonly about: string;
  readonly key: string;
  readonly text: string;
}

/** Findings that differ in nothing but which entity they name. */
export interface Group {
  readonly about: string;
  readonly count: number;
  /** The first of them. */
  readonly example: { readonly key: string; readonly text: string };
}

/** Groups what is said alike, the largest group first: words with a digit in them are names and figures. */
export function groupAlike(findings: readonly Finding[]): Group[] {
  const groups = Map.groupBy(findings, ({ about, text }) => `${about}\n${text.replaceAll(/\S+/g, withoutNames)}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      return [{ about: first.about, count: group.length, example: { key: first.key, text: first.text } }];
    })
    .toSorted((a, b) => b.count - a.count);
}

function withoutNames(word: string): string {
  return /\d/.test(word) ? '…' : word;
}
