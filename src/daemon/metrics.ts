import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import { freeBytesOrNull } from '../machine/disk.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Labels have few values: accounts, operations, flows, outcomes; never an order or a SKU. Figures with labels known
 * beforehand start at 0 (zeros.ts). Calls and alerts do not: statuses are unknown beforehand, and there are hundreds of
 * codes.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  ofProgram(registry);

  const makers = makersOf(registry);
  const { counter, gauge } = makers;

  return {
    registry,
    ...ofConfiguration(registry),
    forget: (account: string): Promise<void> => forget(registry, account),
    /**
     * `side`: marketplace, or erp, which has no lanes. `status`: the HTTP status, or the kind of failure without an
     * answer.
     */
    calls: counter('calls_total', 'Calls made to the marketplace and the ERP', [
      'account',
      'side',
      'operation',
      'status',
      'lane',
    ]),
    /** The start of the program, before the first measurement. */
    measured: gauge('measured_timestamp_seconds', 'When all gauges were measured last, as Unix time', []),
    queue: gauge('queue_info', 'The prefix of the queues of an account in Redis; the value is 1', [
      'account',
      'prefix',
    ]),
    /** 1; 0: this process does not work the account. */
    worked: gauge('account_worked', 'Accounts that this process works', ['account']),
    /** `window` is second or minute. */
    quotaUsed: gauge('quota_used_ratio', 'Share of the allowed calls of a window that is used, 0 to 1', [
      'account',
      'window',
    ]),
    /** From sending to the complete answer, without the wait for the quota. */
    callSeconds: callTimes(registers),
    /** `kind`: read or write. `what`: limit (concurrent calls allowed; 0 before the first call) or in-use. */
    erpConcurrency: gauge('erp_concurrency', 'Calls that the ERP is given at once, as its answers allow', [
      'account',
      'kind',
      'what',
    ]),
    /** 1; 0: the side does not answer or refuses the credentials; absent: this process makes no calls. */
    up: gauge('up', 'Whether a side answers', ['account', 'side']),
    /** `turn`: erp, marketplace or operator. `code`: as in the page of messages. */
    alerts: gauge('alerts', 'Causes that a person has to do something about', ['account', 'code', 'turn']),
    /**
     * `kind` is failed, in-doubt, unread, invalid, braked, held, differs, late, comparing or pending; all are 0 when in
     * step. Orders on backorder do not count.
     */
    notInStep: gauge('not_in_step', 'What keeps an account from being in step, as status has it', ['account', 'kind']),
    quotaWaitSeconds: counter('quota_wait_seconds_total', 'Time calls waited for room in the quota', [
      'account',
      'lane',
    ]),
    jobs: counter('jobs_total', 'Jobs by how they ended', ['account', 'flow', 'outcome']),
    pending: gauge('pending_entities', 'Entities that wait to be looked at', ['account', 'flow']),
    held: gauge('held_entities', 'Entities held back, those of plans and of doubts too', ['account', 'flow']),
    failed: gauge('failed_jobs', 'Failed jobs neither replayed nor discarded', ['account', 'flow']),
    inDoubt: gauge('in_doubt_writes', 'Writes of which nobody knows whether they took effect', ['account']),
    /** `kind`: a configured brake, or relink, reprice or history. */
    brakePlansOpen: gauge('brake_plans_open', 'Plans of braked writes that wait for an operator', ['account', 'kind']),
    /** `side`: marketplace (listings on sale) or erp (products it sells). */
    unlinked: gauge('unlinked_products', 'Listings and products of the ERP that are linked to nothing', [
      'account',
      'side',
    ]),
    /** `collection`: orders, products, erp-products, erp-stock, erp-orders. */
    cursorLagSeconds: gauge('cursor_lag_seconds', 'Time since a collection was last read, or since the start', [
      'account',
      'collection',
    ]),
    ...ofWebhooks(makers),
    /** `kind`: edited, unknown-order, late-line or own-write. */
    drift: counter('drift_total', 'Listings that showed other figures than expected', ['account', 'kind']),
    notifications: counter('notifications_total', 'Notifications to the channels about what needs a person', [
      'channel',
      'outcome',
    ]),
    spans: counter('trace_spans_total', 'Spans for OpenTelemetry by whether they were sent or dropped', ['outcome']),
    /** `kind` as in the journal: order-create, stock-write, archive ... */
    writes: counter('writes_total', 'Writes made to either side', ['account', 'side', 'kind', 'outcome']),
  };
}

function makersOf(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `stockbridge_${name}`, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `stockbridge_${name}`, help, labelNames, registers });
  return { counter, gauge };
}

function ofWebhooks({ counter, gauge }: ReturnType<typeof makersOf>) {
  return {
    /** Over the changes that polls saw in the last day; 0 without changes. */
    webhookLoss: gauge('webhook_loss_ratio', 'Share of changes that no webhook told of in time, 0 to 1', [
      'account',
      'kind',
    ]),
    /** 0 while webhooks arrive, and where none ever arrived. */
    webhookSilenceSeconds: gauge(
      'webhook_silence_seconds',
      'Time since webhooks were found to be missing, while they are',
      ['account', 'kind'],
    ),
    webhooks: counter('webhooks_total', 'Webhooks by what became of them', ['account', 'kind', 'outcome']),
  };
}

function ofProgram(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  // Prometheus reserves the suffix for counters. Each of these gauges is the sum of the gauge without it.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  const { version } = manifest;
  new Gauge({
    name: 'stockbridge_build_info',
    help: 'The version that runs; the value is 1',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
}

function callTimes(registers: Registry[]) {
  return new Histogram({
    name: 'stockbridge_call_seconds',
    help: 'Time that calls took, by side',
    labelNames: ['account', 'side'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
}

function ofConfiguration(registry: Registry) {
  const registers = [registry];
  const configReadSeconds = new Gauge({
    name: 'stockbridge_config_last_good_reload_seconds',
    help: 'When the whole configuration could be used last, as Unix time',
    registers,
  });
  // Absent until then: a gauge without labels would start at 0.
  configReadSeconds.remove();
  return {
    configReadSeconds,
    /** The configuration as a whole has no account. */
    configFailed: new Gauge({
      name: 'stockbridge_config_reload_failed',
      help: 'Whether the configuration cannot be used as it was read last',
      labelNames: ['account'],
      registers,
    }),
  };
}

/** Measures the data folder's disk at each scrape. Absent where the disk does not tell. */
export function measureDisk({ registry }: Pick<Metrics, 'registry'>, dir: string): void {
  new Gauge({
    name: 'stockbridge_disk_free_bytes',
    help: 'Bytes that the disk of the data folder has left',
    registers: [registry],
    collect() {
      const free = freeBytesOrNull(dir);
      if (free === null) this.remove();
      else this.set(free);
    },
  });
}

async function forget(registry: Registry, account: string): Promise<void> {
  for (const one of registry.getMetricsAsArray()) {
    if (!(one instanceof Gauge)) continue;
    for (const { labels } of (await one.get()).values) if (labels['account'] === account) one.remove(labels);
  }
}
