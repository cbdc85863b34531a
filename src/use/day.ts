import type { AccountConfig } from '../config/resolve.ts';
import { SAMPLE_MS, type Sample, type SampleCounts, sampleBegan, withSample } from '../domain/day.ts';
import { lossOf } from '../domain/webhook-loss.ts';
import type { QuotaUsage } from '../marketplace/governor.ts';
import { webhookWatch } from '../shadow/webhook-watch.ts';
import type { Store } from '../store/store.ts';
import { readsOf } from './status.ts';

/** Fact: the last day's samples, as JSON. */
const DAY = 'day';

const INTO_THE_ERP = ['order-in.create'];
const TO_THE_MARKETPLACE = ['order-out.create', 'order-in.transition'];

/** Oldest first, with gaps while nothing ran. */
export async function dayOf(store: Pick<Store, 'facts'>, account: string): Promise<Sample[]> {
  const fact = await store.facts.get(account, DAY);
  return fact === null ? [] : (JSON.parse(fact) as Sample[]);
}

/** Takes and stores one sample. The process with the account's schedule does so every minute. */
export async function recordSample(
  config: AccountConfig,
  store: Store,
  used: QuotaUsage | null,
  nowMs: number,
): Promise<void> {
  const account = config.name;
  const beganMs = sampleBegan(nowMs);
  const [counts, both] = await Promise.all([beganMs, beganMs - SAMPLE_MS].map((ms) => countsSince(store, account, ms)));
  if (counts === undefined || both === undefined) return;
  const look = { levels: await levelsOf(config, store, used, nowMs), counts, countsBefore: less(both, counts) };
  await store.facts.set(account, DAY, JSON.stringify(withSample(await dayOf(store, account), look, nowMs)));
}

async function levelsOf(config: AccountConfig, store: Store, used: QuotaUsage | null, nowMs: number) {
  const account = config.name;
  const reads = await readsOf(config, store, nowMs);
  const behind = reads.map(({ ageMs, everyMs }) => (ageMs === null ? 0 : ageMs - everyMs));
  const late = reads.filter((read) => read.late).map(({ collection, ageMs }) => [collection, ageMs] as const);
  const sinceMs = (await store.work.pendingSinceMs(account)) ?? nowMs;
  return {
    quota: used === null ? null : (used.perMinute.used + used.perMinute.others) / used.perMinute.limit,
    lateMs: Math.max(0, ...behind),
    late: Object.fromEntries(late),
    waitedMs: Math.max(0, nowMs - sinceMs),
    webhookLoss: config.marketplace.webhooks === null ? null : await lossNow(store, account),
  };
}

async function lossNow(store: Store, account: string): Promise<number | null> {
  const both = await Promise.all(
    (['orders', 'products'] as const).map(async (kind) => lossOf(await webhookWatch({ account, store }, kind))),
  );
  const changes = both.reduce((sum, one) => sum + one.changes, 0);
  return changes === 0 ? null : both.reduce((sum, one) => sum + one.lost, 0) / changes;
}

async function countsSince(store: Store, account: string, sinceMs: number): Promise<SampleCounts> {
  const written = async (actions: readonly string[]) => {
    const all = await Promise.all(actions.map((action) => store.journal.written(account, action, sinceMs)));
    return all.flat().length;
  };
  const drifts = await store.drifts.counts(account, sinceMs);
  return {
    ordersIn: await written(INTO_THE_ERP),
    ordersOut: await written(TO_THE_MARKETPLACE),
    drift: drifts.reduce((sum, { count }) => sum + count, 0),
  };
}

function less(all: SampleCounts, part: SampleCounts): SampleCounts {
  const of = (name: keyof SampleCounts) => Math.max(0, all[name] - part[name]);
  return { ordersIn: of('ordersIn'), ordersOut: of('ordersOut'), drift: of('drift') };
}
