import { z } from 'zod';
import type { AccountConfig, Config } from '../config/resolve.ts';
import { openGovernor } from '../core/sides.ts';
import { runningRedis } from '../core/state-redis.ts';
import { EFFECTS, effectOf, heldSecrets, originText } from '../credentials/held.ts';
import { connectForCalls } from '../daemon/redis/connect.ts';
import { DAY_MS } from '../domain/day.ts';
import type { DriftKind } from '../domain/drift.ts';
import { isKnownStatus } from '../domain/status.ts';
import { lossOf, silenceMs } from '../domain/webhook-loss.ts';
import { isComparing } from '../flows/compared.ts';
import { areFirstLinked } from '../flows/engine/first-links.ts';
import { FLOW_NAMES, FLOWS, type FlowName } from '../flows/flows.ts';
import { listAges } from '../flows/list-ages.ts';
import type { QuotaUsage } from '../marketplace/governor.ts';
import { isReadByTime } from '../shadow/collections.ts';
import { type NotedPaces, paceOf } from '../shadow/erp-pace.ts';
import { holesOf } from '../shadow/holes.ts';
import { webhookWatch } from '../shadow/webhook-watch.ts';
import type { Standing } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import type { UnlinkedCounts } from '../store/unlinked.ts';
import { leftOutNames } from './accounts.ts';
import { type Away, awayOf } from './away.ts';
import { configurationNeeds, unusableNeed } from './configurations.ts';
import { type DaemonStatus, daemonStatus, isWorking } from './daemon-status.ts';
import { backordersOf, differingOrders, heldByFlow } from './held-groups.ts';
import { invalidRowsOf } from './invalid-rows.ts';
import { divided, type Need, needsOf } from './needs.ts';
import { type HistoryStatus, historyStatus } from './orders-from.ts';
import { type JsonOf, milliseconds } from './shapes.ts';
import { type StrategyStatus, strategyNeeds, strategyStatus } from './strategy.ts';
import { type Counts, countsOf, type Facts, type Verdict, verdictOf } from './verdict.ts';

export interface Status {
  readonly dir: string;
  readonly mode: Config['mode'];
  readonly daemon: DaemonStatus;
  readonly accounts: readonly AccountStatus[];
  /** Faults of unusable accounts, and of the whole configuration (empty name). */
  readonly leftOut: readonly LeftOutStatus[];
}

/** What the records know of an account with an unusable configuration. */
export interface LeftOutStatus {
  /** Empty: the whole configuration. */
  readonly account: string;
  /** A daemon goes on with earlier settings. */
  readonly goesOn: boolean;
  /** What keeps the account out of step, except old reads; null: the whole configuration. */
  readonly counts: Counts | null;
  readonly flows: readonly FlowStatus[];
  readonly needs: readonly Need[];
  /** Waits that end by themselves. */
  readonly waits: readonly Need[];
}

export interface AccountStatus {
  readonly account: string;
  /** The account's daemon and since when; null: daemons share no database. */
  readonly worker: { readonly name: string; readonly forMs: number } | 'nobody' | null;
  readonly strategy: StrategyStatus;
  readonly reads: readonly ReadStatus[];
  /** null: no Redis, or no quota. */
  readonly quota: QuotaUsage | null;
  readonly pace: NotedPaces;
  readonly orders: readonly { readonly status: string; readonly count: number; readonly known: boolean }[];
  readonly flows: readonly FlowStatus[];
  /** The share of the last day's changes that no webhook reported; empty: no webhooks. */
  readonly webhooks: readonly WebhookStatus[];
  /** Listings with unexpected figures in the last day, by reason. */
  readonly drift: readonly { readonly kind: DriftKind; readonly count: number }[];
  readonly unlinked: UnlinkedCounts;
  /** Both sides were compared, so what has no link belongs to nothing. */
  readonly areLinksKnown: boolean;
  readonly history: HistoryStatus;
  /** Orders and customers stored without personal data. */
  readonly forgotten: Awaited<ReturnType<Store['personal']['forgottenCount']>>;
  readonly paused: readonly { readonly flow: string; readonly reason: string }[];
  /** Writes in plans awaiting approval, doubtful writes, and unreadable rows. */
  readonly braked: number;
  readonly inDoubt: number;
  readonly invalid: number;
  readonly differing: number;
  readonly backorders: number;
  readonly comparing: boolean;
  /** The side that stops the account; null: none. */
  readonly away: Away | null;
  /** The account's state, from which every headline is made. */
  readonly verdict: Verdict;
  /** Where each secret comes from, and what activates a new value. */
  readonly secrets: readonly SecretStatus[];
  /** A person must act. */
  readonly needs: readonly Need[];
  /** Waits that end by themselves. */
  readonly waits: readonly Need[];
}

export const secretStatus = z.object({
  path: z.string(),
  from: z.array(z.string()).meta({ description: 'References such as ${env:KEY}; empty: the configuration itself' }),
  server: z.string().nullable().meta({ description: 'The token server that it is shown to' }),
  effect: z.enum(['restart', 'reread']).meta({ description: 'What makes a new value take effect' }),
});
type SecretStatus = JsonOf<z.infer<typeof secretStatus>>;

/** A secret's origin, and what activates a new value. */
export function secretText({ effect, ...origin }: SecretStatus): string {
  return `${originText(origin)}: ${EFFECTS[effect]}`;
}

export const webhookStatus = z.object({
  kind: z.enum(['orders', 'products']),
  changes: z.int(),
  lost: z.int(),
  /** null: no changes. */
  ratio: z.number().nullable(),
  /** How long no webhook came although polls saw changes. */
  silentForMs: milliseconds.nullable(),
});
type WebhookStatus = JsonOf<z.infer<typeof webhookStatus>>;

export const readStatus = z.object({
  collection: z.string(),
  /** Since the last read; null: never. */
  ageMs: milliseconds.nullable(),
  everyMs: milliseconds,
  /** The next read is overdue. */
  late: z.boolean(),
  /** Spans that no complete read covers yet. */
  holes: z.int(),
});
type ReadStatus = JsonOf<z.infer<typeof readStatus>>;

export const flowStatus = z.object({
  flow: z.string(),
  pending: z.int(),
  /** Without those counted with a plan, a doubt or an unreadable row. */
  held: z.int(),
  failed: z.int(),
  /** The longest wait of a pending entity. */
  oldestPendingMs: milliseconds.nullable(),
});
type FlowStatus = JsonOf<z.infer<typeof flowStatus>>;

/** @param every include every case of needs and waits, not only counts */
export async function gatherStatus(config: Config, store: Store, nowMs: number, every = false): Promise<Status> {
  const { dir } = config.state;
  const quotas = await quotasOf(config);
  const standing = await store.leases.list();
  const workerOf = config.state.postgres === null ? () => null : workers(standing);
  const daemon = await daemonStatus(config);
  const faults = configurationNeeds(standing, config.unusable, daemon.roles.length > 0);
  const accounts: AccountStatus[] = [];
  for (const account of config.accounts) {
    const { account: name, ...told } = await accountStatus(account, store, nowMs, {
      every,
      faults: faults.get(account.name) ?? [],
    });
    const facts = { ...told, quota: quotas.get(name) ?? null };
    const verdict = verdictOf(facts, isWorking(config, daemon), nowMs);
    accounts.push({ account: name, worker: workerOf(name), verdict, ...facts });
  }
  const leftOut: LeftOutStatus[] = [];
  for (const [name, needs] of leftOutOf(config, faults))
    leftOut.push(await recordsOf(name, needs, store, { nowMs, every }));
  return { dir, mode: config.mode, daemon, accounts, leftOut };
}

/** Configuration faults that belong to no shown account. */
function leftOutOf({ accounts, unusable }: Config, faults: ReadonlyMap<string, readonly Need[]>) {
  const shown = new Set(accounts.map(({ name }) => name));
  const own = new Set(unusable.map(({ account }) => account));
  const isLeftOut = (account: string, needs: readonly Need[]) =>
    account === '' || own.has(account) || needs.some(({ example }) => example.code === 'account-left-out');
  const told = [...faults].filter(
    ([account, needs]) => needs.length > 0 && !shown.has(account) && isLeftOut(account, needs),
  );
  // The daemon may not have read the file yet.
  const untold = unusable.filter(({ account }) => !shown.has(account) && !told.some(([name]) => name === account));
  return [...told, ...untold.map((one) => [one.account, [unusableNeed(one)]] as const)];
}

async function recordsOf(
  account: string,
  faults: readonly Need[],
  store: Store,
  { nowMs, every }: { readonly nowMs: number; readonly every: boolean },
): Promise<LeftOutStatus> {
  const goesOn = !faults.some(({ example }) => example.code === 'account-left-out');
  if (account === '') return { account, goesOn, counts: null, flows: [], needs: faults, waits: [] };
  const facts = await recordedFacts(account, store, nowMs);
  const { needs, waits } = divided([...faults, ...(await needsOf(account, store, every))]);
  return { account, goesOn, counts: recordedCounts(facts), flows: facts.flows, needs, waits };
}

/** Counts from records alone, without lists. */
function recordedCounts(facts: Omit<Facts, 'reads'>): Counts {
  return { ...countsOf({ ...facts, reads: [] }, false), unread: 0 };
}

function workers({ daemons, leases, nowMs }: Standing): (account: string) => AccountStatus['worker'] {
  return (account) => {
    const lease = leases.find((one) => one.account === account);
    const daemon = daemons.find(({ id }) => id === lease?.holder);
    if (lease === undefined || daemon === undefined) return 'nobody';
    return { name: daemon.name, forMs: Math.max(0, nowMs - lease.sinceMs) };
  };
}

async function accountStatus(
  config: AccountConfig,
  store: Store,
  nowMs: number,
  { every, faults }: { readonly every: boolean; readonly faults: readonly Need[] },
): Promise<Omit<AccountStatus, 'quota' | 'worker' | 'verdict'>> {
  const account = config.name;
  const orders = await store.orders.byStatus(account);
  const strategy = await strategyStatus(config, store);
  return {
    account,
    strategy,
    pace: await paceOf({ account, store }),
    orders: orders.map(({ status, count }) => ({ status, count, known: isKnownStatus(status) })),
    ...(await factsOf(config, store, nowMs)),
    webhooks: await webhooksOf(config, store, nowMs),
    drift: await store.drifts.counts(account, nowMs - DAY_MS),
    unlinked: await store.unlinked.counts(account),
    areLinksKnown: await areFirstLinked({ account, store }),
    history: await historyStatus(config, store),
    forgotten: await store.personal.forgottenCount(account),
    secrets: await secretsOf(config, store),
    ...divided([...faults, ...strategyNeeds(strategy), ...(await needsOf(account, store, every))]),
  };
}

async function secretsOf({ name: account, secrets }: AccountConfig, store: Store): Promise<SecretStatus[]> {
  const held = await heldSecrets({ account, store });
  return (held?.secrets ?? secrets).map(({ path, from, server }) => ({
    path,
    from,
    server,
    effect: effectOf({ from }),
  }));
}

/** The facts for an account's headline, from records alone. */
export async function factsOf(
  config: AccountConfig,
  store: Store,
  nowMs: number,
): Promise<Pick<AccountStatus, keyof Facts>> {
  return {
    ...(await recordedFacts(config.name, store, nowMs, (flow) => FLOWS[flow].isOn(config))),
    reads: await readsOf(config, store, nowMs),
  };
}

/** @param isOn flows shown even without remaining work */
async function recordedFacts(
  name: string,
  store: Store,
  nowMs: number,
  isOn: (flow: FlowName) => boolean = () => false,
): Promise<Pick<AccountStatus, Exclude<keyof Facts, 'reads'>>> {
  const pauses = (await store.pauses.all()).filter(({ account }) => account === name);
  const plans = await store.brakes.open(name);
  const doubts = (await store.intents.inDoubtCounts()).find(({ account }) => account === name);
  return {
    flows: await flowsOf(name, store, nowMs, isOn),
    paused: pauses.map(({ flow, reason }) => ({ flow, reason })),
    braked: plans.reduce((total, { count }) => total + count, 0),
    inDoubt: doubts?.count ?? 0,
    invalid: (await invalidRowsOf(name, store)).count,
    differing: await differingOrders(name, store),
    backorders: await backordersOf(name, store),
    comparing: await isComparing({ account: name, store }),
    away: await awayOf(name, store),
  };
}

export async function allCounts(config: Config, store: Store, nowMs: number, isRunning: boolean) {
  const all = new Map<string, Counts>();
  for (const account of config.accounts)
    all.set(account.name, countsOf(await factsOf(account, store, nowMs), isRunning));
  for (const name of leftOutNames(config)) all.set(name, recordedCounts(await recordedFacts(name, store, nowMs)));
  return all;
}

async function webhooksOf({ name, marketplace }: AccountConfig, store: Store, nowMs: number): Promise<WebhookStatus[]> {
  if (marketplace.webhooks === null) return [];
  return Promise.all(
    (['orders', 'products'] as const).map(async (kind) => {
      const watch = await webhookWatch({ account: name, store }, kind);
      return { kind, ...lossOf(watch), silentForMs: silenceMs(watch, nowMs) };
    }),
  );
}

/** Marketplace lists first. */
export async function readsOf(config: AccountConfig, store: Store, nowMs: number): Promise<ReadStatus[]> {
  return Promise.all(
    (await listAges(config, store, nowMs)).map(async ({ collection, ageMs, everyMs, late }) => {
      const holes = isReadByTime(collection) ? await holesOf({ account: config.name, store }, collection) : [];
      return { collection, ageMs, everyMs, late, holes: holes.length };
    }),
  );
}

async function flowsOf(
  name: string,
  store: Store,
  nowMs: number,
  isOn: (flow: FlowName) => boolean,
): Promise<FlowStatus[]> {
  const counts = (await store.work.counts()).filter((row) => row.account === name);
  const shown = FLOW_NAMES.filter((flow) => isOn(flow) || counts.some((row) => row.flow === flow));
  const held = await heldByFlow(name, store);
  return shown.map((flow) => {
    const of = (state: string) => counts.find((row) => row.flow === flow && row.state === state);
    const oldestMs = of('pending')?.oldestMs ?? null;
    return {
      flow,
      pending: of('pending')?.count ?? 0,
      held: held.get(flow) ?? 0,
      failed: of('failed')?.count ?? 0,
      oldestPendingMs: oldestMs === null ? null : Math.max(0, nowMs - oldestMs),
    };
  });
}

async function quotasOf(config: Config): Promise<Map<string, QuotaUsage | null>> {
  const target = await runningRedis(config);
  const quotas = new Map<string, QuotaUsage | null>();
  if (target === null) return quotas;
  const redis = connectForCalls(target, () => {});
  try {
    // A quota is only shown, so it is omitted without an answer.
    for (const account of config.accounts)
      quotas.set(
        account.name,
        await openGovernor(account, redis, target)
          .usage()
          .catch(() => null),
      );
    return quotas;
  } finally {
    redis.disconnect();
  }
}
