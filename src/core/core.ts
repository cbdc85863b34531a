import type { AccountConfig, Config } from '../config/resolve.ts';
import { type Credentials, openCredentials, type Renewal } from '../credentials/credentials.ts';
import { createMetrics, type Metrics } from '../daemon/metrics.ts';
import { createQueue, type JobQueue } from '../daemon/queue/queue.ts';
import { connectForCalls, connectForQueue, type RedisClient } from '../daemon/redis/connect.ts';
import { openErpCalls } from '../daemon/redis/erp-calls.ts';
import type { RedisTarget } from '../daemon/redis/target.ts';
import { readAfterOutage } from '../daemon/schedule.ts';
import { type Health, SIDES } from '../daemon/worker/health.ts';
import { logWrites } from '../daemon/worker/log-writes.ts';
import { watchSides } from '../daemon/worker/side-alerts.ts';
import { startAccountFigures, startSharedFigures } from '../daemon/zeros.ts';
import type { CallKind } from '../domain/pace.ts';
import type { CallRecord } from '../erp/kind.ts';
import type { Paces, ShownPace } from '../erp/places.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import type { Log } from '../logging/logging.ts';
import type { QuotaGovernor } from '../marketplace/governor.ts';
import type { AccountRecords } from '../shadow/context.ts';
import type { Store } from '../store/store.ts';
import { openOtlp } from '../tracing/otlp.ts';
import { callEnded, type Tracer } from '../tracing/spans.ts';
import { openAccount } from './accounts.ts';
import { openGovernor } from './sides.ts';
import { accountPrefix, type OpenStore, openStore, queuePrefix } from './state.ts';
import { openRedis } from './state-redis.ts';

export interface Core {
  /** Its accounts are those in force: see `take`. */
  readonly config: Config;
  readonly log: Log;
  readonly state: OpenStore;
  readonly redis: RedisClient;
  readonly redisTarget: RedisTarget;
  readonly prefix: string;
  /** Every account, for work that calls neither side. */
  readonly known: ReadonlyMap<string, KnownAccount>;
  readonly accounts: ReadonlyMap<string, AccountContext>;
  readonly health: Health;
  readonly paces: Paces;
  readonly metrics: Metrics;
  readonly credentials: Credentials;
  readonly tracer: Tracer | null;
  open(account: KnownAccount, under?: LeaseTerms): Promise<OpenAccount>;
  /** Puts other accounts in force. @param stale removed and changed accounts, which nobody works any more */
  take(next: Pick<Config, 'accounts' | 'unusable'>, stale: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}

export interface KnownAccount {
  readonly context: AccountRecords;
  readonly quota: QuotaGovernor;
  readonly erpCalls: CallRecord;
  readonly queue: JobQueue;
  readonly prefix: string;
}

export interface LeaseTerms {
  /** Refuses writes once the lease is over. */
  readonly store: Store;
  /** False once the lease is over. */
  readonly maySend: () => boolean;
}

export interface OpenAccount extends KnownAccount {
  readonly context: AccountContext;
  close(): Promise<void>;
}

export interface CoreOptions {
  readonly config: Config;
  readonly log: Log;
  /** Renews secrets; default: those of the configuration stay in force. */
  readonly renewal?: Renewal;
  /** For tests and measurements: no quota. */
  readonly unlimited?: boolean;
  /** Called with every journal entry, besides the log. */
  readonly onJournal?: AccountContext['onJournal'];
}

/** Opens the database, Redis and every account, but calls neither side and starts nothing. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { log, unlimited = false, onJournal, renewal = null } = options;
  const { accounts: first, unusable } = options.config;
  const config: Config = { ...options.config, accounts: [...first], unusable: [...unusable] };
  const closing = new AsyncDisposableStack();
  try {
    const state = await openStore(config, log);
    closing.defer(() => state.close());
    const { target, stop } = await openRedis(config, state.dir, log);
    closing.defer(stop);
    const trouble = quietly(log);
    const redis = connectForCalls(target, trouble);
    closing.defer(() => redis.disconnect());
    const queueRedis = connectForQueue(target, trouble);
    closing.defer(() => queueRedis.disconnect());
    const prefix = queuePrefix(state.installation);
    const accounts = new Map<string, AccountContext>();
    const paces = new Map<string, Map<CallKind, ShownPace>>();
    const readAgain = readAfterOutage((account) => known.get(account), log);
    const { health, stop: stopWatch } = watchSides((account) => accounts.get(account)?.store, log, readAgain);
    closing.defer(stopWatch);
    const metrics = beginMetrics(config);
    const tell = logWrites(log, metrics);
    const tracer = openTracer(options, prefix, metrics);
    closing.defer(() => tracer?.close());
    const credentials = openCredentials({ config, tokens: state.store.tokens, renewal, log, now: Date.now });
    const know = (account: AccountConfig): KnownAccount => {
      const { name } = account;
      const own = accountPrefix(prefix, name);
      const queue = createQueue(queueRedis, own, trouble);
      const quota = openGovernor(account, redis, target, unlimited ? null : account.marketplace.limits);
      const context = { account: name, config: account, store: state.store, now: Date.now };
      startAccountFigures(metrics, account);
      metrics.queue.set({ account: name, prefix: own }, 1);
      return { context, quota, erpCalls: openErpCalls(redis, own), queue, prefix: own };
    };
    const known = new Map(config.accounts.map((account) => [account.name, know(account)] as const));
    closing.defer(async () => {
      for (const { queue } of known.values()) await queue.close();
    });
    const take = taker({ config, known, know, metrics });
    const open = opener({ state, accounts, paces, credentials, health, metrics, tell }, onJournal);
    // The folder and its private Redis are new, so no call was made before.
    if (state.isNew && target.kind === 'private') for (const { quota } of known.values()) await quota.begin();
    const all = closing.move();
    return {
      config,
      log,
      state,
      redis,
      redisTarget: target,
      prefix,
      known,
      accounts,
      health,
      paces,
      metrics,
      credentials,
      tracer,
      open,
      take,
      close: () => all.disposeAsync(),
    };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

type Taking = Pick<Core, 'config' | 'metrics'> & {
  readonly known: Map<string, KnownAccount>;
  readonly know: (account: AccountConfig) => KnownAccount;
};

function taker({ config, known, know, metrics }: Taking): Core['take'] {
  return async ({ accounts, unusable }, stale) => {
    for (const name of stale) {
      await known.get(name)?.queue.close();
      known.delete(name);
      await metrics.forget(name);
    }
    const inForce = accounts.map((account) => known.get(account.name)?.context.config ?? account);
    for (const account of inForce) if (!known.has(account.name)) known.set(account.name, know(account));
    config.accounts.splice(0, config.accounts.length, ...inForce);
    config.unusable.splice(0, config.unusable.length, ...unusable);
    tellReading(config, metrics);
  };
}

type Opening = Pick<Core, 'state' | 'credentials' | 'health' | 'metrics'> & {
  readonly accounts: Map<string, AccountContext>;
  readonly paces: Map<string, Map<CallKind, ShownPace>>;
  readonly tell: AccountContext['onJournal'];
};

function opener(parts: Opening, onJournal: CoreOptions['onJournal']): Core['open'] {
  const { state, accounts, paces, credentials, health, metrics, tell } = parts;
  return async (account, under = { store: state.store, maySend: () => true }) => {
    const { quota, erpCalls, queue } = account;
    const { config, account: name } = account.context;
    const pace = new Map<CallKind, ShownPace>();
    const opened = await openAccount({
      ...under,
      config,
      quota,
      erpCalls,
      credentials,
      queue,
      health,
      onCall: (call) => {
        health.took(name, 'marketplace', call.durationMs);
        countCall(metrics, name, 'marketplace', { ...call, status: call.status ?? call.failure ?? '' });
      },
      onErpCall: (call) => {
        health.took(name, 'erp', call.durationMs);
        countCall(metrics, name, 'erp', { ...call, status: call.status ?? 'unavailable' });
      },
      onErpPace: (kind, shown) => pace.set(kind, shown),
      onQuotaWait: (lane, waitedMs) => metrics.quotaWaitSeconds.inc({ account: name, lane }, waitedMs / 1000),
      onJournal: (entry) => {
        tell(entry);
        onJournal?.(entry);
      },
    });
    accounts.set(name, opened.context);
    for (const side of SIDES) metrics.up.set({ account: name, side }, 1);
    paces.set(name, pace);
    const close = async () => {
      if (accounts.get(name) === opened.context) {
        accounts.delete(name);
        paces.delete(name);
      }
      await opened.close();
    };
    return { ...account, context: opened.context, close };
  };
}

/** Opens both sides of each account in turn. All are closed after the last one. */
export async function* eachAccount({ known, open }: Pick<Core, 'known' | 'open'>): AsyncGenerator<AccountContext> {
  const opened = new AsyncDisposableStack();
  try {
    for (const account of known.values()) {
      const { context, close } = await open(account);
      opened.defer(close);
      yield context;
    }
  } finally {
    await opened.disposeAsync();
  }
}

function beginMetrics(config: Config): Metrics {
  const metrics = createMetrics();
  tellReading(config, metrics);
  startSharedFigures(
    metrics,
    config.notify.map((channel) => channel.name),
  );
  return metrics;
}

function tellReading({ accounts, unusable }: Config, { configFailed, configReadSeconds }: Metrics): void {
  const wrong = new Set(unusable.map(({ account }) => account));
  configFailed.reset();
  for (const account of new Set(['', ...accounts.map(({ name }) => name), ...wrong]))
    configFailed.set({ account }, wrong.has(account) ? 1 : 0);
  if (wrong.size === 0) configReadSeconds.set({}, Date.now() / 1_000);
}

interface Counted {
  readonly operation: string;
  readonly status: number | string;
  /** ERP calls have no lane. */
  readonly lane?: string;
  /** Omitted: not timed. */
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

/** A broken connection reports errors many times a second. Logs one of them every few seconds. */
function quietly(log: Log): (error: Error) => void {
  let lastMs = -Infinity;
  return (error) => {
    if (performance.now() - lastMs < 5_000) return;
    lastMs = performance.now();
    log.warn({ reason: error.message, err: error }, 'Redis is in trouble');
  };
}
