import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountRecords } from '../../shadow/context.ts';
import { FLOWS, type FlowName } from '../flows.ts';
import { planOf } from '../plan-of.ts';
import type { Planned } from './decision.ts';
import { plansSeen, type WaitingWrite } from './plan-cache.ts';
import { type Braked, plannedWrite } from './policy.ts';

const TURN_EVERY_KEYS = 20;

/** The braked writes of a flow's waiting keys, from the shadow alone. */
export async function waitingWrites(context: AccountRecords, flow: FlowName): Promise<WaitingWrite[]> {
  const { seen, planning, looking } = plansSeen(context, flow);
  const waitsIn = [...(FLOWS[flow].waitsIn ?? []), flow];
  const waiting = await context.store.brakes.waitingKeys(context.account, waitsIn);
  const keys = new Set(waiting.map(({ key }) => key));
  for (const key of seen.keys()) if (!keys.has(key)) seen.delete(key);
  const found: WaitingWrite[] = [];
  let looked = 0;
  for (const { key, version } of waiting) {
    const before = seen.get(key);
    if (before?.version === version && !looking.has(key)) {
      found.push(...before.writes);
      continue;
    }
    looked += 1;
    if (looked % TURN_EVERY_KEYS === 0) await nextTurn();
    planning.add(key);
    const writes = await writesOf(context, flow, key);
    // A concurrent look at this key may have changed the plan.
    if (planning.delete(key) && !looking.has(key)) seen.set(key, { version, writes });
    found.push(...writes);
  }
  return found;
}

async function writesOf(context: AccountRecords, flow: FlowName, key: string): Promise<WaitingWrite[]> {
  return brakedOf(key, (await planOf(context, flow, key)).actions);
}

export function brakedOf(key: string, actions: readonly (Planned & Braked)[]): WaitingWrite[] {
  return actions.flatMap((action) =>
    action.brake === undefined ? [] : [{ kind: action.brake, key, ...plannedWrite(action), why: action.why }],
  );
}
