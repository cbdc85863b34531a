import { readFileSync } from 'node:fs';
import type { Config } from '../../config/resolve.ts';
import type { AccountContext } from '../../flows/engine/context.ts';
import { settleStrategy } from '../../flows/engine/strategy-change.ts';
import type { Log } from '../../logging/logging.ts';
import { annotate, type Tracer } from '../../tracing/spans.ts';
import type { Metrics } from '../metrics.ts';
import { type Handler, type JobQueue, startWorkers, type Workers } from '../queue/queue.ts';
import { connectForQueue } from '../redis/connect.ts';
import type { RedisTarget } from '../redis/target.ts';
import { compareUnderSettings } from './changed-settings.ts';
import { startFilling } from './fill.ts';
import { watchFreshness } from './freshness.ts';
import { handleJob, type IsPlanned } from './handle.ts';
import type { Health } from './health.ts';
import type { Ticks } from './ticks.ts';
import { traceJob } from './trace-job.ts';

const EARLY_MS = 1_000;
const WATCH_EVERY_MS = 10_000;
/** A worker counts as silent if it runs no job although one has waited this long. */
const SILENT_AFTER_MS = 30_000;

export interface Work {
  stop(limitMs: number): Promise<void>;
}

interface Working {
  readonly config: Pick<Config, 'mode'>;
  readonly log: Log;
  readonly queue: JobQueue;
  readonly redisTarget: RedisTarget;
  readonly prefix: string;
  readonly context: AccountContext;
  readonly ticks: Ticks;
  readonly health: Health;
  readonly metrics: Metrics;
  /** null: tracing is off. */
  readonly tracer: Tracer | null;
  readonly isPlanned?: IsPlanned | undefined;
  readonly passesPauses?: IsPlanned | undefined;
}

export async function startWork(working: Working): Promise<Work> {
  const { log, queue, health, metrics, context, config, redisTarget, prefix, isPlanned, passesPauses } = working;
  const { account, store } = context;
  if (config.mode === 'live') {
    await store.work.release({ account, codes: ['dry-run', 'not-in-plan'], isOver: true });
    const waits = await settleStrategy(context);
    if (waits !== null) log.warn({ account, codes: [waits.code] }, 'no stock is written and nothing exported');
  }
  // The clock may have been set back while nothing ran.
  await store.restampFuture(account);
  await store.machineIs(account, bootOfMachine());
  // Jobs of a dead process are not needed: pending work is stored.
  await queue.clear();
  const settings = await compareUnderSettings(context, queue, log);
  const filling = startFilling({ account, store, queue, log, now: Date.now, ticks: working.ticks });
  const handling = {
    accounts: new Map([[account, context]]),
    dryRun: config.mode === 'dry-run',
    health,
    log,
    ended: filling.ended,
    isPlanned,
    passesPauses,
    onResult: (job: { account: string; name: string }, outcome: string) => {
      annotate({ outcome });
      metrics.jobs.inc({ account: job.account, flow: job.name, outcome });
    },
  };
  const connection = connectForQueue(redisTarget, () => {});
  const handle: Handler['handle'] = async (job, attempt) => {
    if (settings.isNeedless(job)) return 'done';
    if (settings.isEarly(job)) return { delayMs: EARLY_MS };
    const handled = await traceJob(working.tracer, store, job, () => handleJob(handling, job, attempt));
    if (handled === 'done') await settings.done(job);
    return handled;
  };
  const start = () =>
    startWorkers(connection, prefix, {
      handle,
      trouble: (error) => log.debug({ account, err: error }, 'the worker is in trouble'),
    });
  const freshness = watchFreshness(context, health, log);
  const watchdog = watchOver(working, start(), start);
  return {
    async stop(limitMs) {
      settings.stop();
      await freshness.stop();
      filling.stop();
      await watchdog.stop(limitMs);
      connection.disconnect();
    },
  };
}

/** null: the system does not say. */
function bootOfMachine(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/** After an outage of Redis a worker can go silent. Then all are replaced. */
function watchOver({ queue, log }: Pick<Working, 'queue' | 'log'>, first: Workers, start: () => Workers) {
  let workers = first;
  let replacing: Promise<void> | null = null;
  const look = async () => {
    const silentPlaces = await queue.silentFor(SILENT_AFTER_MS);
    if (silentPlaces.length === 0) return;
    log.warn({ places: silentPlaces.join() }, 'the workers have gone silent and are replaced');
    const silent = workers;
    workers = start();
    await silent.stop(0);
  };
  const timer = setInterval(() => {
    replacing ??= look()
      .catch((error: unknown) => log.debug({ err: error }, 'the queue could not be asked'))
      .finally(() => {
        replacing = null;
      });
  }, WATCH_EVERY_MS);
  return {
    async stop(limitMs: number) {
      clearInterval(timer);
      await replacing;
      await workers.stop(limitMs);
    },
  };
}
