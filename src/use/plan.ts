import type { Config } from '../config/resolve.ts';
import { openCore } from '../core.ts';
import { type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { StrategyName } from '../domain/strategy.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { createForesight, type Foresee } from '../flows/engine/foresee.ts';
import type { WaitingWrite } from '../flows/engine/plans-seen.ts';
import { strategyHold } from '../flows/engine/strategy-change.ts';
import { brakedOf } from '../flows/engine/waiting-writes.ts';
import type { FlowName } from '../flows/flows.ts';
import { findDifferences, type PlannedKey } from '../flows/resync.ts';
import type { Log } from '../logging.ts';
import { acquireLocks, type Lock, LockHeldError, lockHolder } from '../store/sqlite/lock.ts';
import { withStrategy } from './strategy.ts';
import { readBothSides, type SyncProgress } from './sync.ts';

/** One account, ready to be planned. */
export type PlannedAccount = AccountContext;

/** One entity that is not in step. */
export interface PlanItem {
  readonly account: string;
  readonly flow: FlowName;
  readonly key: string;
  readonly actions: readonly PlannedWrite[];
  /** Why nothing (more) can be done for it. */
  readonly holds: readonly ShownCause[];
  readonly alerts: readonly ShownCause[];
}

export interface PlannedWrite {
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  /** The pause or the brake that would hold it. */
  readonly stoppedBy: ShownCause | null;
}

export interface PlanSummary {
  readonly account: string;
  /** To either side. */
  readonly writes: number;
  /** Entities that are on both sides and would be linked; what differs between them is written afterwards. */
  readonly links: number;
  /** The number, among both, that a pause or a brake would hold. */
  readonly stopped: number;
  readonly held: number;
  readonly alerts: number;
  /** Writes and links by their kind. */
  readonly actions: Readonly<Record<string, number>>;
}

export interface PlanWatch {
  readonly signal: AbortSignal;
  /** A daemon runs in this process, so its reads are used. */
  readonly onDaemon: (process: string) => void;
  readonly onStep: (now: SyncProgress) => void;
}

/** Each account with both sides read; everything is closed after the last one. Writes nothing to either side. */
export async function* accountsToPlan(
  config: Config,
  log: Log,
  { signal, onDaemon, onStep }: PlanWatch,
): AsyncGenerator<PlannedAccount> {
  const lock = lockForReading(config, onDaemon);
  try {
    const core = await openCore({ config, log });
    try {
      for (const context of core.accounts.values()) {
        if (lock !== null) await readBothSides(context, signal, onStep);
        yield context;
      }
    } finally {
      await core.close();
    }
  } finally {
    lock?.release();
  }
}

/** Only one process reads into the shadow at a time. null while a daemon does. */
function lockForReading({ state }: Config, onDaemon: PlanWatch['onDaemon']): Lock | null {
  try {
    return acquireLocks(state.dir, ['poll', 'work']);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    onDaemon(lockHolder(state.dir, 'work') ?? lockHolder(state.dir, 'poll') ?? 'unknown');
    return null;
  }
}

/**
 * The writes of a pass over an account and their reasons: each entity that is not in step, and then the totals.
 * @param strategy as if the account had another strategy than that of the configuration
 */
export async function* planAccount(
  configured: PlannedAccount,
  strategy: StrategyName | undefined,
  signal: AbortSignal,
  onLook: (flow: string) => void,
): AsyncGenerator<PlanItem | PlanSummary> {
  const context = strategy === undefined ? configured : withStrategy(configured, strategy);
  const { account } = context;
  const counts = { writes: 0, links: 0, stopped: 0, held: 0, alerts: 0 };
  const actions: Record<string, number> = {};
  const foreseen = createForesight(context, await brakedWrites(context, signal, onLook));
  const foresee: Foresee = async (flow, key, action) => {
    // Whether another strategy may come into force at all is no matter of a single write.
    const waits = strategy === undefined ? await strategyHold(context, action) : null;
    return waits ?? foreseen(flow, key, action);
  };
  for await (const planned of findDifferences(context, signal, onLook)) {
    const item = await itemOf(account, planned, foresee);
    for (const { action, stoppedBy } of item.actions) {
      actions[action] = (actions[action] ?? 0) + 1;
      if (isLink(action)) counts.links += 1;
      else counts.writes += 1;
      if (stoppedBy !== null) counts.stopped += 1;
    }
    if (item.holds.length > 0) counts.held += 1;
    counts.alerts += item.alerts.length;
    yield item;
  }
  yield { account, ...counts, actions };
}

/** The writes that brakes would count in this pass: they judge it as a whole, so these are looked for first. */
async function brakedWrites(
  context: AccountContext,
  signal: AbortSignal,
  onLook: (flow: string) => void,
): Promise<ReadonlyMap<FlowName, WaitingWrite[]>> {
  const found = new Map<FlowName, WaitingWrite[]>();
  for await (const { flow, key, decision } of findDifferences(context, signal, onLook)) {
    const writes = brakedOf(key, decision.actions);
    if (writes.length > 0) found.set(flow, (found.get(flow) ?? []).concat(writes));
  }
  return found;
}

/** Writes to neither side. */
function isLink(action: string): boolean {
  return action.endsWith('.link');
}

async function itemOf(account: string, { flow, key, decision }: PlannedKey, foresee: Foresee): Promise<PlanItem> {
  const actions: PlanItem['actions'][number][] = [];
  for (const planned of decision.actions) {
    const { action, target, before, after, why } = planned;
    const stopped = await foresee(flow, key, planned);
    actions.push({ action, target, before, after, why, stoppedBy: stopped === null ? null : shownCause(stopped) });
  }
  const [holds, alerts] = [decision.holds.map(shownCause), decision.alerts.map(shownCause)];
  return { account, flow, key, actions, holds, alerts };
}
