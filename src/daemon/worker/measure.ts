import { lossOf, silenceMs } from '../../domain/webhook-loss.ts';
import type { Paces } from '../../erp/places.ts';
import type { Log } from '../../logging.ts';
import type { QuotaGovernor } from '../../marketplace/governor.ts';
import type { Known } from '../../shadow/context.ts';
import { notePace } from '../../shadow/erp-pace.ts';
import { webhookWatches } from '../../shadow/webhook-watch.ts';
import type { Store } from '../../store/store.ts';
import type { Metrics } from '../metrics.ts';
import type { Health } from './health.ts';

const MEASURE_EVERY_MS = 5_000;
/** These figures are counted rarely, because each needs a count of a whole table. */
const COUNT_EVERY_MS = 60_000;

interface Standing {
  readonly code: string;
  readonly causes: number;
  readonly example: { readonly turn: string };
}

interface Measured {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly state: { readonly store: Store };
  readonly health: Pick<Health, 'all'>;
  readonly paces: Paces;
  /** The concerns that need a person now, by account. */
  readonly standing: () => Promise<ReadonlyMap<string, readonly Standing[]>>;
  /** The causes that keep each account from being in step, by kind. */
  readonly counts: () => Promise<ReadonlyMap<string, Readonly<Record<string, number>>>>;
  readonly known: ReadonlyMap<string, { readonly context: Known; readonly quota: Pick<QuotaGovernor, 'usage'> }>;
}

/** Keeps the gauges up to date: waiting, held and failed work, the age of the cursors, the rest of the quota. */
export function measure(measured: Measured) {
  const { log } = measured;
  let running = false;
  let countedAtMs = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    if (running) return;
    running = true;
    measureOnce(measured)
      .then(async () => {
        await tellPaces(measured);
        if (performance.now() - countedAtMs < COUNT_EVERY_MS) return;
        countedAtMs = performance.now();
        await countUnlinked(measured);
        await countAlerts(measured);
      })
      .catch((error: unknown) => log.debug({ err: error }, 'could not be measured'))
      .finally(() => {
        running = false;
      });
  };
  look();
  const timer = setInterval(look, MEASURE_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}

async function countUnlinked({ state, metrics, known }: Measured): Promise<void> {
  for (const account of known.keys()) {
    const { listings, products } = await state.store.unlinked.counts(account);
    metrics.unlinked.set({ account, side: 'marketplace' }, listings);
    metrics.unlinked.set({ account, side: 'erp' }, products);
  }
}

async function countAlerts({ metrics, standing, counts }: Measured): Promise<void> {
  const all = await standing();
  const left = await counts();
  metrics.notInStep.reset();
  for (const [account, kinds] of left)
    for (const [kind, count] of Object.entries(kinds)) metrics.notInStep.set({ account, kind }, count);
  metrics.alerts.reset();
  for (const [account, needs] of all) {
    for (const { code, causes, example } of needs) metrics.alerts.inc({ account, code, turn: example.turn }, causes);
  }
}

/** Only the daemon that works an account knows how its ERP answers, so it puts that on record for `status`. */
async function tellPaces({ state, metrics, paces }: Measured): Promise<void> {
  metrics.erpConcurrency.reset();
  for (const [account, kinds] of paces) {
    for (const [kind, { limit, inUse }] of kinds) {
      metrics.erpConcurrency.set({ account, kind, what: 'limit' }, limit);
      metrics.erpConcurrency.set({ account, kind, what: 'in-use' }, inUse);
    }
    await notePace({ account, store: state.store }, kinds);
  }
}

async function measureOnce({ state, metrics, known, health }: Measured): Promise<void> {
  const { store } = state;
  const gauges = { pending: metrics.pending, held: metrics.held, failed: metrics.failed };
  for (const gauge of Object.values(gauges)) gauge.reset();
  for (const { account, flow, state: kind, count } of await store.work.counts())
    gauges[kind].set({ account, flow }, count);
  metrics.up.reset();
  for (const { account, side, health: now } of health.all())
    metrics.up.set({ account, side }, now.state === 'ok' ? 1 : 0);
  metrics.inDoubt.reset();
  for (const { account, count } of await store.intents.inDoubtCounts()) metrics.inDoubt.set({ account }, count);
  metrics.brakePlansOpen.reset();
  for (const { account, kind, count } of await store.brakes.openPlans())
    metrics.brakePlansOpen.set({ account, kind }, count);
  for (const { account, collection, updatedAtMs } of await store.cursors.all()) {
    metrics.cursorLagSeconds.set({ account, collection }, Math.max(0, Date.now() - updatedAtMs) / 1000);
  }
  metrics.webhookLoss.reset();
  metrics.webhookSilenceSeconds.reset();
  for (const kind of ['orders', 'products'] as const) {
    for (const [account, watch] of await webhookWatches(store, kind)) {
      const context = known.get(account)?.context;
      if (context === undefined) continue;
      const { ratio } = lossOf(watch);
      if (ratio !== null) metrics.webhookLoss.set({ account, kind }, ratio);
      const silentForMs = silenceMs(watch, context.now()) ?? 0;
      if (watch.heardAtMs !== null) metrics.webhookSilenceSeconds.set({ account, kind }, silentForMs / 1000);
    }
  }
  for (const { context, quota } of known.values()) {
    const used = await quota.usage();
    if (used === null) continue;
    metrics.quotaUsed.set({ account: context.account, window: 'second' }, used.perSecond.used / used.perSecond.limit);
    metrics.quotaUsed.set({ account: context.account, window: 'minute' }, used.perMinute.used / used.perMinute.limit);
  }
}
