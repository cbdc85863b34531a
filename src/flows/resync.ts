import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { alertsOf } from '../shadow/alerts.ts';
import { COLLECTIONS } from '../shadow/collections.ts';
import { eachKey } from '../store/each-key.ts';
import { remembersWrite, type WorkKey, type WorkRow } from '../store/work.ts';
import type { AccountContext } from './engine/context.ts';
import type { Decision, Planned } from './engine/decision.ts';
import type { Braked } from './engine/policy.ts';
import { endRewritten } from './engine/rewritten.ts';
import { FLOWS, type FlowName, flowsOn, isFlow } from './flows.ts';
import { isBroken, planOf } from './plan-of.ts';

export interface FlowKey {
  readonly flow: FlowName;
  readonly key: string;
}

export interface PlannedKey extends FlowKey {
  readonly decision: Decision<Planned & Braked>;
}

const FOUND = 'found by a pass over everything';

/**
 * All entities of the account that are not in step, from the shadow alone.
 * @param onLook called for every entity compared
 */
export async function* findDifferences(
  context: AccountContext,
  signal: AbortSignal,
  onLook: (flow: FlowName) => void = () => {},
): AsyncGenerator<PlannedKey> {
  for (const flow of flowsOn(context.config)) {
    const keys = COLLECTIONS[FLOWS[flow].keys].keys?.(context.store);
    if (keys === undefined) throw new Error(`invariant: ${FLOWS[flow].keys} has keys for ${flow}`);
    const named = nameKeys(flow, eachKey(context.account, keys, signal));
    yield* differencesOf(context, named, onLook);
  }
}

export async function* differencesOf(
  context: AccountContext,
  keys: AsyncIterable<FlowKey> | Iterable<FlowKey>,
  onLook: (flow: FlowName) => void = () => {},
): AsyncGenerator<PlannedKey> {
  for await (const { flow, key } of keys) {
    onLook(flow);
    const decision = await planOf(context, flow, key);
    if (decision.actions.length > 0 || decision.holds.length > 0 || decision.alerts.length > 0)
      yield { flow, key, decision };
  }
}

async function* nameKeys(flow: FlowName, keys: AsyncIterable<string>): AsyncGenerator<FlowKey> {
  for await (const key of keys) yield { flow, key };
}

/** Tries of earlier passes of the same run. */
export interface EarlierTries {
  /** Start of the run, in epoch milliseconds. */
  readonly sinceMs: number;
  /** Digests of the plans, because every entity may have one. */
  readonly plans: Set<string>;
}

/**
 * Marks every entity that is not in step, or whose hold has changed. Returns how many are not in step. An entity on
 * which our own code fails is marked too, and its look records the failure.
 * @param tried plans that are not repeated, because a refused or useless write would fail again
 * @param differences the entities that are not in step
 */
export async function resync(
  context: AccountContext,
  signal: AbortSignal,
  tried: EarlierTries | null = null,
  differences: AsyncIterable<PlannedKey> = findDifferences(context, signal),
): Promise<number> {
  const { account, store } = context;
  let found = 0;
  // Writes that brakes count are marked together, because they are judged together.
  const braked: WorkKey[] = [];
  for await (const { flow, key, decision } of differences) {
    const [next] = decision.actions;
    const target = { account, flow, key };
    if (next === undefined && !isBroken(decision)) {
      if (isRemembered(decision) && isNew(digestOf([flow, key, 'without effect']), tried)) {
        found += 1;
        // A running look would record the write as tried.
        await context.exclusively([`${flow}/${key}`], () => store.work.markAfresh([target], 'backfill', FOUND));
      } else if (isHeldOtherwise(await store.work.get(target), decision)) {
        await store.work.mark([target], 'backfill', FOUND);
      }
      continue;
    }
    const plan = digestOf([flow, key, next?.action, next?.target, next?.after]);
    const row = await store.work.get(target);
    if (tried !== null && isInVain(row, plan, tried)) continue;
    tried?.plans.add(plan);
    found += 1;
    if (isDue(row, context.now())) continue;
    if (decision.actions.some(({ brake }) => brake !== undefined)) braked.push(target);
    else await store.work.mark([target], 'backfill', FOUND);
  }
  if (braked.length > 0) await store.work.mark(braked, 'backfill', FOUND);
  await markEndedAlerts(context);
  await endRewritten(context);
  return found;
}

/** A look ends alerts whose cause another entity may have ended, such as a customer's changed address. */
async function markEndedAlerts(context: AccountContext): Promise<void> {
  const { account, config, store } = context;
  const on = new Set<string>(flowsOn(config));
  for (const { name } of await alertsOf(context)) {
    const at = name.indexOf(':');
    const [flow, key] = [name.slice(0, at), name.slice(at + 1)] as const;
    if (!isFlow(flow) || !on.has(flow)) continue;
    const { alerts } = await planOf(context, flow, key);
    if (alerts.length === 0) await store.work.mark([{ account, flow, key }], 'backfill', FOUND);
  }
}

/** The last look may be older than the last reads. The hold must show the current cause. */
function isHeldOtherwise(row: WorkRow | null, { holds }: Decision<Planned>): boolean {
  return row?.state === 'held' && holds.length > 0 && !isDeepStrictEqual(row.heldFor, holds);
}

/** The daily pass and a manual pass retry writes that had no effect or were refused for now. */
function isRemembered({ holds }: Decision<Planned>): boolean {
  return holds.some(remembersWrite);
}

/** The entity is already due. Marking it again would repeat a write that is refused meanwhile. */
function isDue(row: WorkRow | null, nowMs: number): boolean {
  return row?.state === 'pending' && row.notBeforeMs <= nowMs;
}

/** This run has tried the plan before. An entity whose hold ended has another plan. */
function isInVain(row: WorkRow | null, plan: string, { sinceMs, plans }: EarlierTries): boolean {
  if (row?.state === 'failed') return row.sinceMs >= sinceMs;
  return row?.state === 'held' && plans.has(plan);
}

/** Returns false if the try was already recorded. */
function isNew(plan: string, tried: EarlierTries | null): boolean {
  if (tried === null) return true;
  if (tried.plans.has(plan)) return false;
  tried.plans.add(plan);
  return true;
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
