import type { Gauge } from 'prom-client';
import { lossOf, silenceMs } from '../../domain/webhook-loss.ts';
import type { Paces } from '../../erp/places.ts';
import { lastRead } from '../../flows/list-ages.ts';
import type { Log } from '../../logging/logging.ts';
import type { QuotaGovernor } from '../../marketplace/governor.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { notePace } from '../../shadow/erp-pace.ts';
import { webhookWatches } from '../../shadow/webhook-watch.ts';
import type { Store } from '../../store/store.ts';
import type { Metrics } from '../metrics.ts';
import { type Labels, type Zeros, zerosOf } from '../zeros.ts';
import { type Health, SIDES } from './health.ts';

const MEASURE_EVERY_MS = 5_000;
/** These figures are rare, because each counts a whole table. */
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
  readonly health: Pick<Health, 'get'>;
  readonly accounts: ReadonlyMap<string, unknown>;
  readonly paces: Paces;
  readonly standing: () => Promise<ReadonlyMap<string, readonly Standing[]>>;
  /** What keeps each account from being in step, by kind. */
  readonly troubles: readonly string[];
  readonly counts: () => Promise<ReadonlyMap<string, Readonly<Record<string, number>>>>;
  readonly known: ReadonlyMap<
    string,
    { readonly context: AccountRecords; readonly quota: Pick<QuotaGovernor, 'usage'> }
  >;
}

export function measure(measured: Measured) {
  const { log, metrics, known, troubles } = measured;
  const sinceMs = Date.now();
  metrics.measured.set(sinceMs / 1_000);
  for (const account of known.keys()) for (const kind of troubles) metrics.notInStep.set({ account, kind }, 0);
  let running = false;
  let countedAtMs = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    if (running) return;
    running = true;
    measureOnce(measured, sinceMs)
      .then(async () => {
        await tellPaces(measured);
        metrics.measured.set(Date.now() / 1_000);
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
  const workCounts = await counts();
  metrics.notInStep.reset();
  for (const [account, kinds] of workCounts)
    for (const [kind, count] of Object.entries(kinds)) metrics.notInStep.set({ account, kind }, count);
  metrics.alerts.reset();
  for (const [account, needs] of all) {
    for (const { code, causes, example } of needs) metrics.alerts.inc({ account, code, turn: example.turn }, causes);
  }
}

/** Only the daemon that works an account knows how its ERP answers, so it records that for `status`. */
async function tellPaces(measured: Measured): Promise<void> {
  const { state, paces } = measured;
  renewing(measured)(
    'erpConcurrency',
    [...paces].flatMap(([account, kinds]) =>
      [...kinds].flatMap(([kind, { limit, inUse }]) => [
        [{ account, kind, what: 'limit' }, limit] as const,
        [{ account, kind, what: 'in-use' }, inUse] as const,
      ]),
    ),
  );
  for (const [account, kinds] of paces) await notePace({ account, store: state.store }, kinds);
}

type Figure = readonly [labels: Labels, value: number];

/** Returns a function that replaces all figures of a gauge at once, so that no scrape misses one. */
function renewing({ metrics, known }: Measured) {
  const zeros = [...known.values()].map(({ context }) => zerosOf(context.config));
  return (name: keyof Zeros, figures: readonly Figure[]): void => {
    const gauge = metrics[name] as Gauge;
    gauge.reset();
    for (const labels of zeros.flatMap((all): readonly Labels[] => all[name])) gauge.set(labels, 0);
    for (const [labels, value] of figures) gauge.set(labels, value);
  };
}

/** @param sinceMs the start of the measurements, from which the age of a list that was never read counts */
async function measureOnce(measured: Measured, sinceMs: number): Promise<void> {
  const { state, metrics, known, health, accounts } = measured;
  const { store } = state;
  const renew = renewing(measured);
  const work = await store.work.counts();
  for (const kind of ['pending', 'held', 'failed'] as const) {
    const ofKind = work.filter((one) => one.state === kind);
    renew(
      kind,
      ofKind.map(({ account, flow, count }) => [{ account, flow }, count]),
    );
  }
  metrics.up.reset();
  for (const account of accounts.keys())
    for (const side of SIDES) metrics.up.set({ account, side }, health.get(account, side).state === 'ok' ? 1 : 0);
  renew(
    'inDoubt',
    (await store.intents.inDoubtCounts()).map(({ account, count }) => [{ account }, count]),
  );
  renew(
    'brakePlansOpen',
    (await store.brakes.openPlans()).map(({ account, kind, count }) => [{ account, kind }, count]),
  );
  await measureAges(measured, sinceMs);
  await measureWebhooks(measured);
  for (const { context, quota } of known.values()) {
    const used = await quota.usage();
    if (used === null) continue;
    metrics.quotaUsed.set({ account: context.account, window: 'second' }, used.perSecond.used / used.perSecond.limit);
    metrics.quotaUsed.set({ account: context.account, window: 'minute' }, used.perMinute.used / used.perMinute.limit);
  }
}

async function measureAges({ state, metrics, known }: Measured, sinceMs: number): Promise<void> {
  const { store } = state;
  const readAtMs = new Map<string, number>();
  const nameOf = (account: string, collection: string) => `${account}/${collection}`;
  const measureAge = (account: string, collection: string, atMs: number) => {
    readAtMs.set(nameOf(account, collection), atMs);
    metrics.cursorLagSeconds.set({ account, collection }, Math.max(0, Date.now() - atMs) / 1000);
  };
  for (const { account, collection, updatedAtMs } of await store.cursors.all())
    measureAge(account, collection, updatedAtMs);
  for (const { context } of known.values()) {
    const { account } = context;
    for (const { collection = '' } of zerosOf(context.config).cursorLagSeconds) {
      // An empty list, and one that is always read in full, has no cursor.
      if (!readAtMs.has(nameOf(account, collection)))
        measureAge(account, collection, (await lastRead(store, account, collection)) ?? sinceMs);
    }
  }
}

async function measureWebhooks(measured: Measured): Promise<void> {
  const { state, known } = measured;
  const [loss, silence]: [Figure[], Figure[]] = [[], []];
  for (const kind of ['orders', 'products'] as const) {
    for (const [account, watch] of await webhookWatches(state.store, kind)) {
      const context = known.get(account)?.context;
      if (context === undefined) continue;
      loss.push([{ account, kind }, lossOf(watch).ratio ?? 0]);
      const silentForMs = watch.heardAtMs === null ? 0 : (silenceMs(watch, context.now()) ?? 0);
      silence.push([{ account, kind }, silentForMs / 1000]);
    }
  }
  const renew = renewing(measured);
  renew('webhookLoss', loss);
  renew('webhookSilenceSeconds', silence);
}
