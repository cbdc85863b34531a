import type { Config } from '../config/resolve.ts';
import { NoRedisError } from '../core/state-redis.ts';
import { answering, connectForCalls } from '../daemon/redis/connect.ts';
import { describeRedis, type RedisTarget } from '../daemon/redis/target.ts';
import type { SideHealth } from '../daemon/worker/health.ts';
import { cause, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { standingOf } from '../flows/engine/strategy-change.ts';
import type { AccountRecords } from '../shadow/context.ts';
import { LockHeldError, lockHolder } from '../store/sqlite/lock.ts';
import type { FailedJob } from '../store/work.ts';
import { createHeldGroups, type HeldFor, heldByFlow } from './held-groups.ts';
import { type InvalidRows, invalidRowsOf, isCountedWithRows } from './invalid-rows.ts';
import { eachHeld } from './jobs/cases.ts';
import { divided, needsOf } from './needs.ts';
import type { LeftWrite, PlanPass } from './plan-pass.ts';
import { factsOf } from './status.ts';
import { type SyncProgress, type SyncResult, syncAccount, type Worker } from './sync.ts';
import { type Counts, countsOf } from './verdict.ts';

/** A pass over an account, for an operator. */
export interface SyncReport extends Omit<SyncResult, 'held' | 'failed'> {
  /** In mode dry-run, each entity's next write. */
  readonly wouldWrite: { readonly count: number; readonly actions: readonly WouldWrite[] };
  readonly invalidRows: InvalidRows;
  /** As counted by `status`. */
  readonly needYou: number;
  /** Why the configured strategy is not active; null: it is. */
  readonly strategy: ShownCause | null;
  /** A side that does not answer or rejects our credentials; null: none. */
  readonly away: SideHealth | null;
  /** Without those that only dry-run holds. */
  readonly held: { readonly count: number; readonly causes: readonly HeldFor[] };
  readonly failed: { readonly count: number; readonly causes: readonly FailedFor[] };
  /** What keeps the account out of step, except writes that only dry-run holds. */
  readonly counts: Counts;
  /** The plan's unmade writes; null: no plan. */
  readonly leftOfPlan: readonly LeftWrite[] | null;
}

/** Entities whose next write is of one kind, with the first target. */
interface WouldWrite {
  readonly action: string;
  readonly count: number;
  readonly first: string;
}

interface SyncHow {
  readonly signal: AbortSignal;
  readonly progress: (now: SyncProgress) => void;
  readonly plan?: PlanPass | undefined;
}

/** Failed jobs of one cause, with the first one's text. */
interface FailedFor extends ShownCause {
  readonly count: number;
}

type OnJournal = AccountContext['onJournal'];

interface Working {
  readonly core: Worker & { readonly accounts: ReadonlyMap<string, AccountContext> };
  stop(limitMs: number): Promise<void>;
}

/**
 * Brings both sides of these accounts into step once.
 * @param start starts only the daemon's workers
 * @throws NoRedisError or LockHeldError before anything is done
 */
export async function syncAll(
  config: Config,
  names: readonly string[],
  start: (onJournal: OnJournal) => Promise<Working>,
  { signal, progress, plan }: SyncHow,
): Promise<SyncReport[]> {
  if (config.state.redis !== null) await requireRedis(config.state.redis);
  // All accounts are worked from the start, also before their turn.
  const writes = new Map<string, number>();
  const onJournal: OnJournal = (entry) => {
    if (entry.outcome === 'written') writes.set(entry.account, (writes.get(entry.account) ?? 0) + 1);
    plan?.onJournal(entry);
  };
  const { core, stop } = await startAlone(config, () => start(onJournal));
  let current = '';
  try {
    const reports: SyncReport[] = [];
    for (const name of names) {
      const context = core.accounts.get(name);
      if (context === undefined) continue;
      current = name;
      const result = await syncAccount(core, context, signal, progress);
      signal.throwIfAborted();
      const leftOfPlan = (await plan?.left(name, context.store, result.failure === null)) ?? null;
      const written = writes.get(name) ?? 0;
      reports.push({ ...(await reportOf(core, context, { ...result, written })), leftOfPlan });
    }
    return reports;
  } finally {
    progress({ account: current, step: 'what is in progress ends', pending: 0 });
    await stop(config.shutdownTimeoutMs);
  }
}

/**
 * Unlike a daemon, a pass does not wait for Redis.
 * @throws NoRedisError
 */
async function requireRedis(target: RedisTarget): Promise<void> {
  const redis = connectForCalls(target, () => {});
  try {
    await answering(redis);
  } catch (error) {
    const why = `Redis (${describeRedis(target)}) does not answer: check the server, or state.redis. Nothing was done.`;
    throw new NoRedisError(why, { cause: error });
  } finally {
    redis.disconnect();
  }
}

/** @throws LockHeldError when a daemon is running */
async function startAlone({ state: { dir } }: Config, start: () => Promise<Working>): Promise<Working> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const who = `a daemon or another sync (process ${lockHolder(dir, 'work') ?? 'unknown'})`;
    throw new LockHeldError(
      `${who} already synchronizes ${dir}. Nothing was done. See its progress: stockbridge status`,
      { cause: error },
    );
  }
}

async function reportOf(
  { health }: Worker,
  context: AccountRecords,
  result: SyncResult,
): Promise<Omit<SyncReport, 'leftOfPlan'>> {
  const { store } = context;
  const { account, written, pending, failure } = result;
  const invalidRows = await invalidRowsOf(account, store);
  const { held, wouldWrite } = await heldOf(context, invalidRows);
  const failed = await store.work.failed({ account });
  const { needs } = divided(await needsOf(account, store));
  const counts = countsOf(await factsOf(context.config, store, context.now()), false);
  const standing = await standingOf(context, context.config.inventory.strategy);
  return {
    account,
    written,
    pending,
    counts: { ...counts, held: held.count },
    wouldWrite,
    held,
    invalidRows,
    needYou: needs.reduce((total, { count }) => total + count, 0),
    failed: { count: result.failed, causes: causesOf(failed) },
    strategy: standing.kind === 'waits' ? shownCause(standing.cause) : null,
    failure,
    away: health.away(account),
  };
}

/**
 * Held entities without those that only dry-run holds or that are counted elsewhere, why writes are held, and what the
 * mode holds, by action.
 */
async function heldOf(
  { account, store }: AccountRecords,
  invalidRows: InvalidRows,
): Promise<Pick<SyncReport, 'held' | 'wouldWrite'>> {
  const isToldWithRow = isCountedWithRows(invalidRows);
  const actions = new Map<string, WouldWrite>();
  const groups = createHeldGroups();
  let wouldWrite = 0;
  for await (const { flow, key, heldFor } of eachHeld(account, store)) {
    const causes = heldFor ?? [];
    const would = causes.find((one) => one.code === 'dry-run');
    if (would !== undefined) {
      wouldWrite += 1;
      const { action, target } = would.params;
      const { count: before = 0, first: its = target } = actions.get(action) ?? {};
      actions.set(action, { action, count: before + 1, first: its });
    }
    const rest = causes.filter(({ code }) => code !== 'dry-run' && !isToldWithRow(code));
    for (const one of rest) groups.add({ flow, key }, one);
  }
  const count = (await heldByFlow(account, store, ['dry-run'])).values().reduce((total, held) => total + held, 0);
  const largestFirst = [...actions.values()].toSorted((a, b) => b.count - a.count);
  return { held: { count, causes: groups.largestFirst() }, wouldWrite: { count: wouldWrite, actions: largestFirst } };
}

function causesOf(failed: readonly FailedJob[]): FailedFor[] {
  return [...Map.groupBy(failed, ({ cause: code }) => code)].map(([code, jobs]) => ({
    ...shownCause(cause(code, { message: jobs[0]?.message ?? '' })),
    count: jobs.length,
  }));
}
