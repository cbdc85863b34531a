import { cause } from '../../domain/causes/cause.ts';
import type { FailureCode } from '../../domain/causes/reads.ts';
import { CallFailure, type MetLock, needsMending } from '../../domain/failure.ts';
import { finishComparison } from '../../flows/compared.ts';
import type { AccountContext } from '../../flows/engine/context.ts';
import type { Planned } from '../../flows/engine/decision.ts';
import { lackedCapacity } from '../../flows/engine/end-of-write.ts';
import { completeFirstLinks } from '../../flows/engine/first-links.ts';
import type { Result } from '../../flows/engine/flow.ts';
import { lockMet, waitForLockMs } from '../../flows/engine/locks.ts';
import { observePolicy } from '../../flows/engine/observe-policy.ts';
import { storeResult } from '../../flows/engine/store-result.ts';
import { FLOWS, type FlowName, isFlow } from '../../flows/flows.ts';
import { resync } from '../../flows/resync.ts';
import { FLOW_RUNS } from '../../flows/runs.ts';
import type { Log } from '../../logging/logging.ts';
import { laneOfRead } from '../../marketplace/quota.ts';
import { causeOfRead, setReadAlert } from '../../shadow/alerts.ts';
import { READS } from '../../shadow/collections.ts';
import type { AccountRecords, Look } from '../../shadow/context.ts';
import { LeaseLost } from '../../store/leases.ts';
import { MappingConflict } from '../../store/links.ts';
import { StoreError } from '../../store/store-error.ts';
import type { WorkKey, WorkRow } from '../../store/work.ts';
import { type Job, type JobResult, UnretryableError } from '../queue/queue.ts';
import type { Health } from './health.ts';

export interface Attempt {
  readonly signal: AbortSignal;
  /** From 1. */
  readonly number: number;
  readonly isLast: boolean;
}

export interface Handling {
  readonly accounts: ReadonlyMap<string, AccountContext>;
  readonly dryRun: boolean;
  readonly health: Health;
  readonly log: Log;
  /** The keys that the job marked are queued, and this key too if still pending. */
  readonly ended: (key: { account: string; flow: string; key: string }) => void;
  readonly isPlanned?: IsPlanned | undefined;
  /** Did an operator request this write although its flow is paused? */
  readonly passesPauses?: IsPlanned | undefined;
  readonly onResult: (job: Job, outcome: (typeof JOB_OUTCOMES)[number]) => void;
}

export const JOB_OUTCOMES = ['in-sync', 'held', 'waiting', 'failed', 'retried', 'handed-back'] as const;

export type IsPlanned = (target: WorkKey, action: Planned) => boolean;

const PASSES = {
  ...READS,
  /** Marks every entity that is not in step. Reads only the shadows. */
  'read:everything': async (context: AccountContext, look: Look) => {
    await resync(context, look.signal);
    await finishComparison(context);
  },
};

function isRead(name: string): name is keyof typeof PASSES {
  return Object.hasOwn(PASSES, name);
}

/** The delay of a job while a side is down. It uses up no attempt. */
const OUTAGE_DELAY_MS = 3_000;
const STORE_DELAY_MS = 10_000;
/** A change during a job is processed at once, up to this many looks. Then the key returns to the queue. */
const MAX_LOOKS = 3;

/** The store decides what is done, not the job. */
export async function handleJob(handling: Handling, job: Job, attempt: Attempt): Promise<JobResult> {
  const context = handling.accounts.get(job.account);
  if (context === undefined) return 'done';
  const look: Look = { key: job.key, lane: job.lane, signal: attempt.signal };
  // A failure is recorded for the version that was processed: a change during the failed look needs another look.
  let version = 0;
  const onLook = (row: WorkRow) => {
    version = row.version;
  };
  try {
    if (handling.health.isStoreInTrouble()) await probeStore(handling, context);
    if (isRead(job.name)) {
      const read = PASSES[job.name];
      await context.exclusively([job.name], async () => read(context, { ...look, callLane: laneOfRead(job.lane) }));
      await setReadAlert(context, job.name, null);
      await completeFirstLinks(context);
      return 'done';
    }
    if (!isFlow(job.name)) return 'done';
    // While a side is down, only reads call it, and notice when it is back. A job for each key would spend the quota on
    // refusals.
    if (handling.health.away(job.account) !== null) {
      handling.onResult(job, 'handed-back');
      return { delayMs: OUTAGE_DELAY_MS };
    }
    // After Redis was wiped, the queue may return a key that is still being processed. Two concurrent looks could
    // create twice.
    const handled = await context.exclusively([`${job.name}/${job.key}`], () =>
      lookAt(handling, context, job, look, onLook),
    );
    if (FLOWS[job.name].makesFirstLinks) await completeFirstLinks(context);
    return handled;
  } catch (error) {
    return await afterError(handling, context, job, { ...attempt, version }, error);
  } finally {
    handling.ended({ account: job.account, flow: job.name, key: job.key });
  }
}

async function lookAt(
  handling: Handling,
  context: AccountContext,
  job: Job,
  look: Look,
  onLook: (row: WorkRow) => void,
): Promise<JobResult> {
  const flow = job.name as FlowName;
  const target = { account: job.account, flow, key: job.key };
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const row = await context.store.work.get(target);
    if (row === null || row.state !== 'pending' || row.notBeforeMs > context.now()) return 'done';
    // This job was queued before the key gave way. The key comes in its turn, among the limited follow-ups.
    if (row.lane === 'follow-up' && job.lane !== 'follow-up') return 'done';
    onLook(row);
    const result = await FLOW_RUNS[flow].reconcile(context, lookOf(look, row), async (action) => ({
      ...(await observePolicy(
        context,
        { flow, key: job.key, passesPauses: handling.passesPauses?.(target, action) },
        handling.dryRun,
        action,
      )),
      isOutsidePlan: handling.isPlanned?.(target, action) === false,
    }));
    // The work has ended, and other work may have started with other settings, so the key is processed once more.
    look.signal.throwIfAborted();
    if (await noteResult(handling, context, job, row, result)) return 'done';
  }
  return 'done';
}

/** A new order goes first. What it causes has the lane of other changes, so it does not delay the next order. */
function lanesOf({ lane }: WorkRow): Pick<Look, 'lane' | 'callLane'> {
  return lane === 'new-order' ? { lane: 'poll', callLane: lane } : { lane };
}

function lookOf(look: Look, row: WorkRow): Look {
  return { ...look, ...lanesOf(row), heldFor: row.heldFor ?? [], version: row.version };
}

/** Returns false when the entity changed meanwhile and needs another look. */
async function noteResult(
  { log, onResult }: Handling,
  context: AccountRecords,
  job: Job,
  row: WorkRow,
  result: Result,
): Promise<boolean> {
  const { outcome, isStored, newlyHeldFor } = await storeResult(context, row, result);
  onResult(job, outcome);
  const { account, flow, key } = row;
  if (newlyHeldFor.length > 0) log.warn({ account, flow, key, codes: newlyHeldFor.map(({ code }) => code) }, 'held');
  return isStored;
}

/** An attempt with the key's version that it processed. */
interface VersionedAttempt extends Attempt {
  readonly version: number;
}

async function afterError(
  handling: Handling,
  context: AccountRecords,
  job: Job,
  attempt: VersionedAttempt,
  error: unknown,
): Promise<JobResult> {
  const { log, onResult } = handling;
  const facts = { account: job.account, flow: job.name, key: job.key };
  if (attempt.signal.aborted) return { delayMs: 0 };
  const lock = error instanceof CallFailure && error.lock !== null ? await lockOf(context, job) : null;
  const delayMs = handBackMs(handling, job, error, lock);
  if (delayMs !== null) {
    onResult(job, 'handed-back');
    log.debug({ ...facts, delayMs, err: error }, 'handed back');
    if (!isRead(job.name)) {
      if (isRefusedForMore(error)) await noteTried(context, job, attempt, error, lock).catch(() => {});
      return { delayMs };
    }
    // A database that cannot be written stores no alert either. Readiness reports it.
    if (error instanceof StoreError && !(error instanceof LeaseLost))
      await setReadAlert(context, job.name, causeOfRead(error)).catch(() => {});
    return 'done';
  }
  if (isRead(job.name)) {
    log.warn({ ...facts, err: error }, 'a read did not succeed');
    // The next read is due soon anyway, and health reports an outage.
    if (!(error instanceof CallFailure) || needsMending(error))
      await setReadAlert(context, job.name, causeOfRead(error));
    return 'done';
  }
  if (error instanceof MappingConflict) {
    await context.store.work.hold({ ...facts, flow: job.name }, attempt.version, [error.conflict]);
    onResult(job, 'held');
    return 'done';
  }
  if (!isUnretryable(error) && !attempt.isLast) {
    onResult(job, 'retried');
    await noteTried(context, job, attempt, error, null);
    log.warn({ ...facts, attempt: attempt.number, err: error }, 'will be tried again');
    throw error;
  }
  await recordFailure(context, job, attempt, error);
  onResult(job, 'failed');
  log.error({ ...facts, attempt: attempt.number, err: error }, 'failed: it waits for "stockbridge jobs replay"');
  throw new UnretryableError(messageOf(error));
}

async function recordFailure(
  { store }: AccountRecords,
  job: Job,
  attempt: VersionedAttempt,
  error: unknown,
): Promise<void> {
  const target = { account: job.account, flow: job.name, key: job.key };
  const code: FailureCode = error instanceof CallFailure ? `${error.side}-${error.kind}` : 'program-error';
  await store.work.fail(target, attempt.version, code, messageOf(error), attempt.number);
}

/** Until the next attempt has ended, people see why the last one failed. */
async function noteTried(
  { store }: AccountRecords,
  job: Job,
  attempt: VersionedAttempt,
  error: unknown,
  lock: MetLock | null,
): Promise<void> {
  const target = { account: job.account, flow: job.name, key: job.key };
  await store.work.tried(target, attempt.version, cause('tried-again', { message: messageOf(error), lock }));
}

async function lockOf({ store, now }: AccountRecords, { account, name, key }: Job): Promise<MetLock> {
  return lockMet((await store.work.get({ account, flow: name, key }))?.heldFor ?? [], now());
}

/** The other side answered 429, or a record was locked. Without room in our own quota, nothing was tried. */
const isRefusedForMore = (error: unknown) =>
  error instanceof CallFailure && (error.lock !== null || (error.kind === 'rate-limited' && !lackedCapacity(error)));

/** How long to wait when the failure is not the job's fault; null: it is. */
function handBackMs({ health }: Handling, job: Job, error: unknown, lock: MetLock | null): number | null {
  if (error instanceof CallFailure) {
    if (lock !== null) return waitForLockMs(error.retryAfterMs ?? 1_000, lock);
    if (error.kind === 'rate-limited') return error.retryAfterMs ?? 1_000;
    if (error.kind === 'credentials') return OUTAGE_DELAY_MS;
    if (error.kind === 'unavailable' && health.get(job.account, error.side).state !== 'ok') {
      return Math.max(error.retryAfterMs ?? 0, OUTAGE_DELAY_MS);
    }
    return null;
  }
  // Another daemon works the account now.
  if (error instanceof LeaseLost) return OUTAGE_DELAY_MS;
  // The disk is full or failing, or the database is away. Nothing can be recorded, so nothing is done.
  if (!(error instanceof StoreError && error.passes)) return null;
  health.storeFailed();
  return STORE_DELAY_MS;
}

/** After the database failed, a meaningless write tests it first. */
async function probeStore({ health }: Handling, { store, now }: AccountRecords): Promise<void> {
  await store.facts.set('', 'heartbeat', String(now()));
  health.storeWritten();
}

function isUnretryable(error: unknown): boolean {
  // A write that may have been applied is looked up at the next attempt.
  return needsMending(error) && error.outcome !== 'unknown';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
