import type { Config } from '../config/resolve.ts';
import { type Core, eachAccount, openCore } from '../core/core.ts';
import { isLink, withoutBrake } from '../domain/action.ts';
import { shownCause } from '../domain/causes/cause.ts';
import type { StrategyName } from '../domain/strategy.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { createHoldForecast, type Foresee } from '../flows/engine/hold-forecast.ts';
import type { WaitingWrite } from '../flows/engine/plan-cache.ts';
import { BRAKE_KINDS, isCounted } from '../flows/engine/policy.ts';
import { brakedOf } from '../flows/engine/waiting-writes.ts';
import { type FlowName, isFlow } from '../flows/flows.ts';
import type { FlowKey, PlannedKey } from '../flows/resync.ts';
import type { Log } from '../logging/logging.ts';
import { ALL_FLOWS, type JournalEvent } from '../store/record.ts';
import { acquireLocks, type Lock, LockHeldError, lockHolder } from '../store/sqlite/lock.ts';
import { openScratch, type Scratch } from '../store/sqlite/scratch.ts';
import type { UnlinkedCounts } from '../store/unlinked.ts';
import { withDatabaseCopy } from './folder-copy.ts';
import { type InvalidRows, invalidRowsOf } from './invalid-rows.ts';
import { type HistoryStatus, historyStatus } from './orders-from.ts';
import type { PlanItem, PlannedWrite } from './plan-item.ts';
import type { NewIds } from './rehearsal/new-ids.ts';
import { createRehearsalClock, type RehearsalClock, type Rehearsed, rehearse } from './rehearsal/rehearse.ts';
import { approveStrategy, withStrategy } from './strategy.ts';
import { readBothSides, readChanges, type SyncProgress } from './sync.ts';

export interface PlannedAccount extends AccountContext {
  readonly onScratch: <T>(now: () => number, work: (scratch: Scratch) => Promise<T>) => Promise<T>;
}

interface PlanWatch {
  readonly signal: AbortSignal;
  /** Called with the process of a running daemon, whose reads are used. */
  readonly onDaemon: (process: string) => void;
  readonly onStep: (now: SyncProgress) => void;
  /** For one entity, a list that was read before needs only its changes. */
  readonly isOfOne: boolean;
}

/** Yields each account after reading both sides, and closes all at the end. Writes nothing to either side. */
export async function* accountsToPlan(
  config: Config,
  log: Log,
  { signal, onDaemon, onStep, isOfOne }: PlanWatch,
): AsyncGenerator<PlannedAccount> {
  const lock = lockForReading(config, onDaemon);
  try {
    const core = await openCore({ config, log });
    try {
      for await (const context of eachAccount(core)) {
        if (lock !== null) await (isOfOne ? readChanges : readBothSides)(context, signal, onStep);
        yield toPlan(core, context);
      }
    } finally {
      await core.close();
    }
  } finally {
    lock?.release();
  }
}

export function toPlan({ config: { state: place }, state }: Core, context: AccountContext): PlannedAccount {
  const inFolder = async <T>(dir: string, now: () => number, work: (scratch: Scratch) => Promise<T>) => {
    const scratch = await openScratch(dir, now);
    try {
      return await work(scratch);
    } finally {
      scratch.close();
    }
  };
  const { postgres } = place;
  const onScratch: PlannedAccount['onScratch'] = (now, work) =>
    postgres === null ? inFolder(state.dir, now, work) : withDatabaseCopy(postgres, (dir) => inFolder(dir, now, work));
  return { ...context, onScratch };
}

/** Only one process may read into the shadow. null: a daemon does. */
function lockForReading({ state }: Config, onDaemon: PlanWatch['onDaemon']): Lock | null {
  try {
    return acquireLocks(state.dir, ['poll', 'work']);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    onDaemon(lockHolder(state.dir, 'work') ?? lockHolder(state.dir, 'poll') ?? 'unknown');
    return null;
  }
}

export interface Plan {
  readonly items: readonly PlanItem[];
  /** Listings and products unlinked after the plan; null: only a part was planned. */
  readonly unlinked: UnlinkedCounts | null;
  /** Orders of the past; null: only a part was planned. */
  readonly history: HistoryStatus | null;
  /** Unreadable rows, which the plan does not include. */
  readonly invalidRows: InvalidRows;
  /** Other waiting entities. A brake counts their writes with the planned ones. */
  readonly beside: number;
}

/** All writes until the passes over an account are done, by entity. The passes run on a copy of the store. */
export async function planAccount(configured: PlannedAccount, planning: Planning): Promise<Plan> {
  const { strategy } = planning;
  const context = strategy === undefined ? configured : withStrategy(configured, strategy);
  const clock = createRehearsalClock(context.now);
  return configured.onScratch(clock.now, (scratch) => planOn(scratch, clock, context, planning));
}

interface Planning {
  /** Instead of the configured strategy. */
  readonly strategy?: StrategyName | undefined;
  /** Only these entities and what follows; null or undefined: all. */
  readonly only?: readonly FlowKey[] | null;
  /** Plan as if nothing were paused. */
  readonly liftsPauses?: boolean;
  readonly signal: AbortSignal;
  /** Called for every look and write. */
  readonly onLook: (flow: string) => void;
  /** Called with the number of keys left. */
  readonly onPending?: (pending: number) => void;
}

/** @param scratch a writable copy of the account's store */
export async function planOn(
  { store, keepWork }: Scratch,
  clock: RehearsalClock,
  context: AccountContext,
  { strategy, only = null, liftsPauses = false, signal, onLook, onPending = () => {} }: Planning,
): Promise<Plan> {
  const { account } = context;
  if (liftsPauses) await store.pauses.resume(account, ALL_FLOWS, 'a plan');
  // The plan shows another strategy's writes; its approval is separate.
  if (strategy !== undefined) await approveStrategy({ account, store }, strategy);
  const dropped = only === null ? 0 : keepWork(account, only);
  const onWrite = ({ flow }: JournalEvent) => onLook(flow);
  const rehearsed = await rehearse(context, { store, clock, signal, onWrite, onLook, onPending, only });
  const items = await itemsOf(rehearsed);
  const beside = isAnyCounted(rehearsed) ? dropped : 0;
  const unlinked = only === null ? await store.unlinked.counts(account) : null;
  const history = only === null ? await historyStatus(context.config, store) : null;
  return { items, beside, unlinked, history, invalidRows: await invalidRowsOf(account, store) };
}

/** Whether a brake counts one of these with others. */
function isAnyCounted({ context, entries, left }: Rehearsed): boolean {
  const { brakes } = context.config;
  const kinds = [
    ...entries.map(({ action }) => action.split(':')[1]),
    ...left.flatMap(({ decision }) => decision.actions.map(({ brake }) => brake)),
  ];
  return BRAKE_KINDS.some((kind) => kinds.includes(kind) && isCounted(kind, brakes[kind]));
}

/** With its writes, and the remaining writes and holds. */
async function itemsOf(rehearsed: Rehearsed): Promise<PlanItem[]> {
  const { context } = rehearsed;
  const items = new Map<string, PlanItem>();
  for (const entry of rehearsed.entries) {
    const write = writeOf(rehearsed, entry);
    if (write === null || !isFlow(entry.flow)) continue;
    const name = `${entry.flow}/${entry.key}`;
    const before = items.get(name);
    const { account, key } = entry;
    const actions = [...(before?.actions ?? []), write];
    items.set(name, { account, flow: entry.flow, key: rehearsed.newIds.shown(key), holds: [], alerts: [], actions });
  }
  const foresee = createHoldForecast(context, brakedWrites(rehearsed));
  for (const left of rehearsed.left) {
    const name = `${left.flow}/${left.key}`;
    const { actions, ...rest } = await leftOf(rehearsed, left, foresee);
    items.set(name, { ...rest, actions: [...(items.get(name)?.actions ?? []), ...actions] });
  }
  return [...items.values()];
}

type Texts = Pick<PlannedWrite, 'target' | 'before' | 'after' | 'why'>;

/** null: neither a write nor a link. */
function writeOf({ newIds }: Rehearsed, entry: JournalEvent): PlannedWrite | null {
  const { outcome, adopted } = entry;
  const action = withoutBrake(entry.action);
  if (outcome !== 'written' && !(outcome === 'noted' && isLink(action))) return null;
  if (adopted !== undefined && !isLink(action)) return null;
  return { action, ...shownTexts(newIds, entry), replaces: entry.replaces ?? [], stoppedBy: null };
}

function shownTexts({ shown }: NewIds, { target, before, after, why }: Texts): Texts {
  return { target: shown(target), before: shown(before), after: shown(after), why: shown(why) };
}

/** What the brakes would count. A brake judges a pass as a whole. */
function brakedWrites({ left }: Rehearsed): ReadonlyMap<FlowName, WaitingWrite[]> {
  const found = new Map<FlowName, WaitingWrite[]>();
  for (const { flow, key, decision } of left) {
    const writes = brakedOf(key, decision.actions);
    if (writes.length > 0) found.set(flow, [...(found.get(flow) ?? []), ...writes]);
  }
  return found;
}

async function leftOf(
  { context, newIds }: Rehearsed,
  { flow, key, decision }: PlannedKey,
  foresee: Foresee,
): Promise<PlanItem> {
  const { account, store } = context;
  const heldFor = (await store.work.get({ account, flow, key }))?.heldFor ?? [];
  const actions: PlannedWrite[] = [];
  for (const planned of decision.actions) {
    const stopped = (await foresee(flow, key, planned)) ?? heldFor[0] ?? null;
    const stoppedBy = stopped === null ? null : shownCause(stopped);
    const { action, replaces = [] } = planned;
    actions.push({ action, ...shownTexts(newIds, planned), replaces, stoppedBy });
  }
  const [holds, alerts] = [decision.holds.map(shownCause), decision.alerts.map(shownCause)];
  return { account, flow, key: newIds.shown(key), actions, holds, alerts };
}
