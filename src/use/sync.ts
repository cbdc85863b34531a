import type { JobQueue } from '../daemon/queue/queue.ts';
import type { Health } from '../daemon/worker/health.ts';
import { CallFailure } from '../domain/failure.ts';
import { finishComparison } from '../flows/compared.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { collectionsRead } from '../flows/flows.ts';
import { type EarlierTries, resync } from '../flows/resync.ts';
import { causeOfRead, noteSide, setReadAlert } from '../shadow/alerts.ts';
import { type CollectionName, changesOf, firstReads, READS, type ReadName } from '../shadow/collections.ts';
import type { AccountRecords, ReadContext } from '../shadow/context.ts';
import { untilStable } from './until-stable.ts';

export interface SyncResult {
  readonly account: string;
  readonly written: number;
  readonly pending: number;
  readonly held: number;
  readonly failed: number;
  /** Why a side was not read; null: both were. */
  readonly failure: CallFailure | null;
}

export interface SyncProgress {
  readonly account: string;
  readonly step: string;
  readonly pending: number;
  /** Calls within the quota, while keys wait for calls. */
  readonly perMinute?: number;
}

/** Works the queue during a pass. */
export interface Worker {
  readonly known: ReadonlyMap<string, { readonly queue: Pick<JobQueue, 'active'> }>;
  readonly health: Pick<Health, 'away'>;
}

/** A pass handles the effects of the one before; two sides in step need two. */
export const MAX_PASSES = 6;
const LOOK_EVERY_MS = 50;
/** A key that waits longer is left for the next pass. */
const WAIT_AT_MOST_MS = 75_000;

/** Reads both sides, works the differences and reads again, until a pass writes nothing. Needs a worker. */
export async function syncAccount(
  worker: Worker,
  context: AccountContext,
  signal: AbortSignal,
  progress: (now: SyncProgress) => void,
): Promise<SyncResult> {
  const before = await writes(context);
  const tried: EarlierTries = { sinceMs: context.now(), plans: new Set() };
  let failure: CallFailure | null = null;
  let mayBeNews = true;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const atStart = await writes(context);
    try {
      const collections = collectionsRead(context.config);
      const reads = pass === 0 ? firstReads(collections) : collections.map(changesOf);
      await readAll(reads, context, signal, progress);
      progress({ account: context.account, step: 'comparing', pending: 0 });
      await resync(context, signal, tried);
      await finishComparison(context);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      failure = error;
      break;
    }
    const left = await drain(worker, context, signal, progress, mayBeNews);
    const isQuiet = (await writes(context)) === atStart;
    if (isQuiet && left !== 'postponed') break;
    mayBeNews = !isQuiet;
  }
  const counts = await countsOf(context);
  return { account: context.account, written: (await writes(context)) - before, ...counts, failure };
}

/**
 * Reads both sides from the start.
 * @throws CallFailure when a side could not be read
 */
export function readBothSides(
  context: ReadContext,
  signal: AbortSignal,
  progress: (now: SyncProgress) => void,
): Promise<void> {
  return readAll(firstReads(collectionsRead(context.config)), context, signal, progress);
}

/** Reads both sides' changes. A new list is read from the start. */
export async function readChanges(
  context: ReadContext,
  signal: AbortSignal,
  progress: (now: SyncProgress) => void,
): Promise<void> {
  const known = new Set(await context.store.cursors.collections(context.account));
  const isKnown = (name: CollectionName) => known.has(name) || known.has(`all-${name}`);
  const reads = collectionsRead(context.config).flatMap((name) =>
    isKnown(name) ? [changesOf(name)] : firstReads([name]),
  );
  await readAll(reads, context, signal, progress);
}

async function readAll(
  names: readonly ReadName[],
  context: ReadContext,
  signal: AbortSignal,
  progress: (now: SyncProgress) => void,
): Promise<void> {
  for (const name of names) {
    progress({ account: context.account, step: name.replace('read:', 'reading '), pending: 0 });
    try {
      await context.exclusively<unknown>([name], () => READS[name](context, { key: 'all', lane: 'poll', signal }));
      await setReadAlert(context, name, null);
    } catch (error) {
      if (error instanceof CallFailure) await noteFailure(context, name, error);
      throw error;
    }
  }
}

/** The read is not repeated soon, so its failure is shown until then. */
async function noteFailure(context: AccountRecords, name: ReadName, failure: CallFailure): Promise<void> {
  const { side, kind, message } = failure;
  if (kind === 'unavailable' || kind === 'credentials') await noteSide(context, side, { kind, message });
  else await setReadAlert(context, name, causeOfRead(failure));
}

/**
 * Waits until nothing is left, or the rest would take too long.
 * @param mayBeNews the next pass may bring what postponed keys wait for, so they are not waited for
 */
async function drain(
  { known, health }: Worker,
  { account, store, config }: AccountRecords,
  signal: AbortSignal,
  progress: (now: SyncProgress) => void,
  mayBeNews: boolean,
): Promise<'postponed' | null> {
  let left: 'postponed' | null = null;
  const look = async () => {
    const pending = await store.work.pending(account);
    const isPostponed = mayBeNews && pending > 0 && !(await isAnyDue(store, account));
    if ((isPostponed || pending === 0) && (await known.get(account)?.queue.active()) === 0) {
      left = isPostponed ? 'postponed' : null;
      return null;
    }
    progress({ account, step: 'working', pending, perMinute: config.marketplace.limits.perMinute });
    // Nothing goes on while a side is away.
    return health.away(account) === null ? pending : null;
  };
  await untilStable(look, { everyMs: LOOK_EVERY_MS, idleMs: WAIT_AT_MOST_MS, signal });
  return left;
}

const isAnyDue = async (store: AccountRecords['store'], account: string) =>
  (await store.work.accountsDue([account])).length > 0;

async function writes({ account, store }: AccountRecords): Promise<number> {
  const counts = await store.journal.countsByAction(account);
  return counts.filter(({ outcome }) => outcome === 'written').reduce((total, { count }) => total + count, 0);
}

async function countsOf({ account, store }: AccountRecords) {
  const counts = (await store.work.counts()).filter((row) => row.account === account);
  const of = (kind: string) => counts.filter((row) => row.state === kind).reduce((total, row) => total + row.count, 0);
  return { pending: of('pending'), held: of('held'), failed: of('failed') };
}
