import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrakedWrite } from '../../store/record.ts';
import { FLOWS, type FlowName } from '../flows.ts';
import { FLOW_RUNS } from '../runs.ts';
import type { AccountContext } from './context.ts';
import type { Planned } from './decision.ts';
import type { Braked, BrakeKind } from './policy.ts';

export interface WaitingWrite extends BrakedWrite {
  readonly kind: BrakeKind;
}

const TURN_EVERY_KEYS = 20;
const NEVER = new AbortController().signal;

interface Seen {
  readonly version: string;
  readonly writes: readonly WaitingWrite[];
}

/** The plan of each waiting key as it is now: a large catalogue is not compared anew for each write. */
const seenBy = new WeakMap<AccountContext, Map<FlowName, Map<string, Seen>>>();

/** The braked writes that the waiting keys of a flow would make, as far as the shadows show. Costs no call. */
export async function waitingWrites(context: AccountContext, flow: FlowName): Promise<WaitingWrite[]> {
  const flows = seenBy.get(context) ?? new Map<FlowName, Map<string, Seen>>();
  seenBy.set(context, flows);
  const known = flows.get(flow);
  const now = new Map<string, Seen>();
  let looked = 0;
  const waitsIn = [...(FLOWS[flow].waitsIn ?? []), flow];
  for (const { key, version } of await context.store.brakes.waitingKeys(context.account, waitsIn)) {
    const before = known?.get(key);
    if (before?.version === version) {
      now.set(key, before);
      continue;
    }
    looked += 1;
    if (looked % TURN_EVERY_KEYS === 0) await nextTurn();
    now.set(key, { version, writes: await writesOf(context, flow, key) });
  }
  flows.set(flow, now);
  return [...now.values()].flatMap(({ writes }) => writes);
}

async function writesOf(context: AccountContext, flow: FlowName, key: string): Promise<WaitingWrite[]> {
  const look = { key, lane: 'backfill', signal: NEVER } as const;
  return brakedOf(key, (await FLOW_RUNS[flow].plan(context, look)).actions);
}

/** The planned writes of a key that a brake watches. */
export function brakedOf(key: string, actions: readonly (Planned & Braked)[]): WaitingWrite[] {
  return actions.flatMap(({ brake, action, target, before, after, why }) =>
    brake === undefined ? [] : [{ kind: brake, key, action, target, before, after, why }],
  );
}
