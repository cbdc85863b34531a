import type { Redis } from 'ioredis';
import { type Account, openAccount } from './accounts.ts';
import { createMetrics, type Metrics } from './admin/metrics.ts';
import type { Config } from './config/resolve.ts';
import { type Credentials, openCredentials, type Renewal } from './credentials/credentials.ts';
import { createQueue, type JobQueue } from './daemon/queue/queue.ts';
import { connectForCalls, connectForQueue } from './daemon/redis/connect.ts';
import type { RedisTarget } from './daemon/redis/target.ts';
import { holdAlone } from './daemon/sole.ts';
import type { Health } from './daemon/worker/health.ts';
import { watchSides } from './daemon/worker/side-alerts.ts';
import { tellWrites } from './daemon/worker/tell-writes.ts';
import type { AccountContext } from './flows/engine/context.ts';
import type { Log } from './logging.ts';
import { type OpenStore, openStore, queuePrefix } from './state.ts';
import { openRedis } from './state-redis.ts';
import { openOtlp } from './tracing/otlp.ts';
import { callEnded, type Tracer } from './tracing/spans.ts';

/** Everything that is open, for the parts that run on it. */
export interface Core {
  readonly config: Config;
  readonly log: Log;
  readonly state: OpenStore;
  readonly redis: Redis;
  readonly redisTarget: RedisTarget;
  readonly queue: JobQueue;
  readonly prefix: string;
  readonly accounts: ReadonlyMap<string, AccountContext>;
  readonly opened: readonly Account[];
  readonly health: Health;
  readonly metrics: Metrics;
  readonly credentials: Credentials;
  /** null: nobody wants traces. */
  readonly tracer: Tracer | null;
  close(): Promise<void>;
}

export interface CoreOptions {
  readonly config: Config;
  readonly log: Log;
  /** How secrets are kept up to date; those of the configuration stay in force when left out. */
  readonly renewal?: Renewal;
  /** Tests and measurements without a quota. */
  readonly unlimited?: boolean;
  /** Called with every entry of the journal, besides the log. */
  readonly onJournal?: AccountContext['onJournal'];
  /** Another daemon may work the accounts from now on: this one has to end. */
  readonly onLeaseLost?: () => void;
}

/**
 * Opens the database, Redis, and both sides of every account. Starts nothing.
 * @param works takes the right to work the accounts of a database that several machines reach
 * @throws WorkedElsewhereError when another daemon has it
 */
export async function openCore(options: CoreOptions, works = false): Promise<Core> {
  const { config, log, unlimited = false, onJournal, renewal = null } = options;
  const closing = new AsyncDisposableStack();
  try {
    const { state, maySend } = await openWorked(options, works, closing);
    const { target, stop } = await openRedis(config, state.dir, log);
    closing.defer(stop);
    const trouble = quietly(log);
    const redis = connectForCalls(target, trouble);
    closing.defer(() => redis.disconnect());
    const queueRedis = connectForQueue(target, trouble);
    closing.defer(() => queueRedis.disconnect());
    const prefix = queuePrefix(state.installation);
    const queue = createQueue(queueRedis, prefix, trouble);
    closing.defer(() => queue.close());
    const { health, told } = watchSides(state.store, log);
    closing.defer(told);
    const metrics = createMetrics();
    const tell = tellWrites(log, metrics);
    const tracer = openTracer(options, prefix, metrics);
    closing.defer(() => tracer?.close());
    const { tokens } = state.store;
    const credentials = openCredentials({ config, tokens, renewal, log, now: Date.now });
    const opened: Account[] = [];
    for (const account of config.accounts) {
      const one = await openAccount({
        config: account,
        redis,
        store: state.store,
        credentials,
        queue,
        health,
        unlimited,
        maySend,
        onCall: (name, call) =>
          countCall(metrics, name, 'marketplace', { ...call, status: call.status ?? call.failure ?? '' }),
        onErpCall: (name, call) => countCall(metrics, name, 'erp', { ...call, status: call.status ?? 'unavailable' }),
        onQuotaWait: (name, lane, waitedMs) => metrics.quotaWaitSeconds.inc({ account: name, lane }, waitedMs / 1000),
        onJournal: (entry) => {
          tell(entry);
          onJournal?.(entry);
        },
      });
      opened.push(one);
      closing.defer(() => one.close());
    }
    // Nobody else can have called through a Redis of this folder's own, and the folder is new.
    if (state.isNew && 'socket' in target) for (const { quota } of opened) await quota.begin();
    const accounts = new Map(opened.map(({ context }) => [context.account, context]));
    const open = closing.move();
    return {
      config,
      log,
      state,
      redis,
      redisTarget: target,
      queue,
      prefix,
      accounts,
      opened,
      health,
      metrics,
      credentials,
      tracer,
      close: () => open.disposeAsync(),
    };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/** The store, and until when anything may be sent: for as long as the lease of a database that several machines reach is held. */
async function openWorked(options: CoreOptions, works: boolean, closing: AsyncDisposableStack) {
  const all = await openStore(options.config, options.log);
  closing.defer(() => all.close());
  if (!works || all.leases === null) return { state: all, maySend: () => true };
  const lease = await holdAlone(all.leases, () => options.onLeaseLost?.());
  closing.defer(() => lease.release());
  const state: OpenStore = { ...all, store: all.fenced('', lease.fence) };
  return { state, maySend: () => lease.holds() };
}

interface Counted {
  readonly operation: string;
  readonly status: number | string;
  /** The ERP has none. */
  readonly lane?: string;
  /** Absent: it was not timed. */
  readonly durationMs?: number;
}

function openTracer({ config: { traces }, log }: CoreOptions, installation: string, { spans }: Metrics) {
  if (traces === null) return null;
  return openOtlp({ ...traces, installation, log, onSpans: (outcome, count) => spans.inc({ outcome }, count) });
}

function countCall({ calls, callSeconds }: Metrics, account: string, side: 'marketplace' | 'erp', call: Counted): void {
  const { operation, status, lane = '', durationMs } = call;
  calls.inc({ account, side, operation, status, lane });
  if (durationMs === undefined) return;
  callSeconds.observe({ account, side }, durationMs / 1000);
  callEnded(
    `${side} ${operation}`,
    { status, lane },
    durationMs,
    typeof status === 'number' ? status >= 400 : status !== 'ok',
  );
}

/** A connection that is down reports an error many times a second. One line every few seconds is enough. */
function quietly(log: Log): (error: Error) => void {
  let lastMs = -Infinity;
  return (error) => {
    if (performance.now() - lastMs < 5_000) return;
    lastMs = performance.now();
    log.warn({ reason: error.message, err: error }, 'Redis is in trouble');
  };
}
