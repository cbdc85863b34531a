import { Counter, Gauge, Histogram, type Metric } from 'prom-client';
import type { AccountConfig } from '../config/resolve.ts';
import { DRIFT_KINDS } from '../domain/drift.ts';
import { CALL_KINDS } from '../domain/pace.ts';
import { BRAKE_KINDS } from '../flows/engine/policy.ts';
import { collectionsRead, FLOWS, flowsOn } from '../flows/flows.ts';
import { LANES } from '../marketplace/quota.ts';
import { COLLECTIONS, readsOf } from '../shadow/collections.ts';
import type { Metrics } from './metrics.ts';
import { OUTCOMES } from './receiver/intake.ts';
import { JOB_OUTCOMES } from './worker/handle.ts';
import { WRITE_OUTCOMES } from './worker/log-writes.ts';

export type Labels = Readonly<Record<string, string>>;

const WEBHOOK_KINDS = ['orders', 'products'] as const;
const SIDES = ['marketplace', 'erp'] as const;

/**
 * The labels of figures that start at 0. To Prometheus, a figure that starts at 1 is no increase, so the first event
 * would raise no alarm.
 */
export function zerosOf(config: AccountConfig) {
  const account = config.name;
  const flows = flowsOn(config);
  const collections = collectionsRead(config);
  const reads = [...collections.flatMap((name) => readsOf(name)), 'read:everything'];
  return {
    worked: [{ account }],
    quotaUsed: each({ account }, 'window', ['second', 'minute']),
    callSeconds: each({ account }, 'side', SIDES),
    erpConcurrency: CALL_KINDS.flatMap((kind) => each({ account, kind }, 'what', ['limit', 'in-use'])),
    quotaWaitSeconds: each({ account }, 'lane', LANES),
    jobs: [
      ...flows.flatMap((flow) => each({ account, flow }, 'outcome', JOB_OUTCOMES)),
      // A read only counts when it is postponed.
      ...each({ account, outcome: 'handed-back' }, 'flow', reads),
    ],
    pending: each({ account }, 'flow', flows),
    held: each({ account }, 'flow', flows),
    failed: each({ account }, 'flow', flows),
    inDoubt: [{ account }],
    brakePlansOpen: each({ account }, 'kind', BRAKE_KINDS),
    unlinked: each({ account }, 'side', SIDES),
    cursorLagSeconds: each(
      { account },
      'collection',
      collections.filter((name) => !COLLECTIONS[name].byRow),
    ),
    webhookLoss: each({ account }, 'kind', WEBHOOK_KINDS),
    webhookSilenceSeconds: each({ account }, 'kind', WEBHOOK_KINDS),
    webhooks: WEBHOOK_KINDS.flatMap((kind) => each({ account, kind }, 'outcome', OUTCOMES_OF_ACCOUNTS)),
    drift: each({ account }, 'kind', DRIFT_KINDS),
    writes: flows
      .flatMap((flow) => Object.entries(FLOWS[flow].writes))
      .flatMap(([side, kinds]) => kinds.flatMap((kind) => each({ account, side, kind }, 'outcome', WRITE_OUTCOMES))),
  } satisfies Partial<Record<keyof Metrics, readonly Labels[]>>;
}

export type Zeros = ReturnType<typeof zerosOf>;

/** A webhook for an unknown account is counted without an account. */
const OUTCOMES_OF_ACCOUNTS = Object.keys(OUTCOMES).filter((outcome) => outcome !== 'unknown');

function each(common: Labels, label: string, values: readonly string[]): Labels[] {
  return values.map((value) => ({ ...common, [label]: value }));
}

/** Starts the figures of an account. Existing counters keep their count. */
export function startAccountFigures(metrics: Metrics, config: AccountConfig): void {
  for (const [name, labels] of Object.entries(zerosOf(config))) beginEach(metrics[name as keyof Zeros], labels);
}

export function startSharedFigures(metrics: Metrics, channels: readonly string[]): void {
  beginEach(metrics.spans, each({}, 'outcome', ['sent', 'dropped']));
  beginEach(metrics.webhooks, each({ account: NO_ACCOUNT, outcome: 'unknown' }, 'kind', WEBHOOK_KINDS));
  for (const channel of channels)
    beginEach(metrics.notifications, each({ channel }, 'outcome', ['sent', 'failed', 'given-up']));
}

export const NO_ACCOUNT = '(unknown)';

function beginEach(metric: Metric, labels: readonly Labels[]): void {
  for (const one of labels) {
    if (metric instanceof Counter) metric.inc(one, 0);
    else if (metric instanceof Gauge) metric.set(one, 0);
    else if (metric instanceof Histogram) metric.zero(one);
  }
}
