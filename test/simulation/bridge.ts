import type { AccountConfig, Config } from '../../src/config/resolve.ts';
import { type AccountParts, createContext } from '../../src/core/accounts.ts';
import type { Handler, Job } from '../../src/daemon/queue/queue.ts';
import { createIntake, OUTCOMES, RECEIVER_LIMITS } from '../../src/daemon/receiver/intake.ts';
import { startSchedule } from '../../src/daemon/schedule.ts';
import { compareUnderSettings } from '../../src/daemon/worker/changed-settings.ts';
import { startFilling } from '../../src/daemon/worker/fill.ts';
import { handleJob } from '../../src/daemon/worker/handle.ts';
import { createHealth } from '../../src/daemon/worker/health.ts';
import { startHousekeeping } from '../../src/daemon/worker/housekeeping.ts';
import { startTicks } from '../../src/daemon/worker/ticks.ts';
import { createContractErp } from '../../src/erp/contract/connector.ts';
import { isCompared } from '../../src/flows/compared.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { findDifferences } from '../../src/flows/resync.ts';
import type { Log } from '../../src/logging/logging.ts';
import { createMarketplaceClient } from '../../src/marketplace/client.ts';
import type { Governor } from '../../src/marketplace/quota.ts';
import { verifySignature } from '../../src/marketplace/signature.ts';
import type { Chance } from '../../src/sandbox/chance.ts';
import { FOR_WEBHOOKS, isAlreadyStored } from '../../src/shadow/already-stored.ts';
import { scratchOf } from '../../src/store/sqlite/scratch.ts';
import type { Store } from '../../src/store/store.ts';
import { planOn } from '../../src/use/plan.ts';
import type { PlanItem } from '../../src/use/plan-item.ts';
import { createRehearsalClock } from '../../src/use/rehearsal/rehearse.ts';
import { readBothSides, type SyncResult, syncAccount } from '../../src/use/sync.ts';
import { plainAuth } from '../support/plain-auth.ts';
import { type Disk, openBeside } from './disk.ts';
import type { createNetwork, Wire } from './network.ts';
import { createSimulatedQueue, type SimulatedQueue } from './queue.ts';
import type { Running } from './running.ts';

/** A job that comes too early comes again after this time (src/daemon/worker/work.ts). */
const EARLY_MS = 1_000;

export interface BridgeParts {
  readonly config: Config;
  readonly running: Running;
  /** The store, fenced by the lease where daemons share the accounts. */
  readonly store: Store;
  /** Nothing is sent once this is false. */
  readonly maySend: () => boolean;
  readonly luck: Chance;
  readonly network: ReturnType<typeof createNetwork>;
  readonly wire: Pick<Wire, 'onSend' | 'onAnswered'>;
  readonly governor: Governor;
  readonly log: Log;
}

/** The work on the account, from its beginning to its end or the end of its process. */
export interface Bridge {
  readonly context: AccountContext;
  readonly queue: SimulatedQueue;
  /** A pass over everything until quiet, while nothing is polled. */
  sync(): Promise<SyncResult>;
  stopPolling(): void;
  /** Lets work in progress end within the limit. */
  stop(limitMs: number): Promise<void>;
}

export function startBridge(parts: BridgeParts): Bridge {
  const { config, store, luck, log, running, maySend } = parts;
  const account = accountOf(config);
  const wire: Wire = {
    ...parts.wire,
    program: running.program,
    alive: running.alive,
    onSend: (side, request) => {
      if (request.method !== 'GET') running.effect('request');
      return running.alive() ? parts.wire.onSend(side, request) : null;
    },
  };
  const queue = createSimulatedQueue(luck);
  const health = createHealth(Date.now);
  const { governor, network } = parts;
  const context = contextOf(account, { store, queue, health, governor, network, wire, maySend });
  const filling = startFilling({
    account: account.name,
    store,
    queue,
    log,
    now: Date.now,
    ticks: startTicks(store.work, log),
  });
  const handling = {
    accounts: new Map([[account.name, context]]),
    dryRun: false,
    health,
    log,
    ended: filling.ended,
    onResult: () => {},
  };
  const comparing = compareUnderSettings(context, queue, log);
  const handle: Handler['handle'] = async (job, attempt) => {
    const settings = await comparing;
    if (settings.isNeedless(job)) return 'done';
    if (settings.isEarly(job)) return { delayMs: EARLY_MS };
    const handled = await handleJob(handling, job, attempt);
    if (handled === 'done') await settings.done(job);
    return handled;
  };
  queue.work({ handle, trouble: () => {} });
  const schedule = startSchedule(context, queue, log);
  const housekeeping = startHousekeeping(config, context, log);

  return {
    context,
    queue,
    sync: () => {
      const known = new Map([[account.name, { queue }]]);
      const pass = () => syncAccount({ known, health }, context, new AbortController().signal, () => {});
      return running.program.run(pass);
    },
    stopPolling: () => schedule.stop(),
    async stop(limitMs) {
      schedule.stop();
      housekeeping.stop();
      filling.stop();
      (await comparing).stop();
      await queue.stop(limitMs);
    },
  };
}

export function accountOf({ accounts: [account] }: Config): AccountConfig {
  if (account === undefined) throw new Error('no account');
  return account;
}

/** Takes a webhook. Returns the status of the answer. */
export type Receive = (kind: 'orders' | 'products', headers: Record<string, string>, body: string) => Promise<number>;

interface ReceiverParts {
  readonly config: Config;
  readonly store: Store;
  readonly nudge: (job: Job) => void;
  readonly log: Log;
}

export function openReceiver({ config, store, nudge, log }: ReceiverParts): Receive {
  const account = accountOf(config);
  const context = { account: account.name, config: account, store };
  const intake = createIntake({
    accounts: new Map([[account.name, account.marketplace.webhooks]]),
    verify: verifySignature,
    inbox: store.inbox,
    isNews: async (delivery) => !(await isAlreadyStored(context, delivery)),
    nudge: (name, kind) => nudge({ account: name, name: `read:${kind}`, key: FOR_WEBHOOKS, lane: 'webhook' }),
    onFailure: (error) => log.warn({ err: error }, 'not stored'),
    nowMs: Date.now,
    limits: RECEIVER_LIMITS,
  });
  return async (kind, headers, body) => {
    const sender = intake.sender(account.name);
    if (sender === null) throw new Error('no sender');
    return OUTCOMES[(await intake.after(sender, kind, headers, Buffer.from(body))).outcome][0];
  };
}

function contextOf(
  account: AccountConfig,
  {
    store,
    queue,
    health,
    governor,
    network,
    wire,
    maySend,
  }: Pick<AccountParts, 'store' | 'queue' | 'health'> &
    Pick<BridgeParts, 'governor' | 'network' | 'maySend'> & { readonly wire: Wire },
): AccountContext {
  const { auth, token } = plainAuth(account);
  return createContext({
    config: account,
    store,
    queue,
    health,
    onJournal: () => {},
    client: createMarketplaceClient({
      ...account.marketplace,
      auth,
      overrides: account.marketplace.operations,
      governor,
      dispatcher: network('marketplace', wire),
    }),
    erp: createContractErp({
      url: account.erp.addresses['url'] ?? '',
      timeoutMs: account.erp.timeoutMs,
      token,
      dispatcher: network('erp', wire),
      wire: { cut: () => (maySend() ? null : 'not-applied') },
    }),
  });
}

interface MadePlan {
  readonly items: readonly PlanItem[];
  /** Writes that the plan begins with and that no work waits for: nothing but a pass over everything would find them. */
  readonly unmarked: readonly string[];
}

/** Another process, which reads both sides while the program does not run, and plans on a copy of the disk. */
export async function planFor(
  parts: Pick<BridgeParts, 'config' | 'network' | 'governor'> & { readonly disk: Disk; readonly wire: Wire },
): Promise<MadePlan> {
  const { config, disk, network, governor, wire } = parts;
  const account = accountOf(config);
  const { store, commitAll } = openBeside(disk);
  const queue = { enqueue: async () => {} };
  const context = contextOf(account, {
    store,
    queue,
    health: createHealth(Date.now),
    governor,
    network,
    wire,
    maySend: () => true,
  });
  const signal = new AbortController().signal;
  await readBothSides(context, signal, () => {});
  commitAll();
  const unmarked = await unmarkedIn(context, signal);
  const clock = createRehearsalClock(Date.now);
  const scratch = scratchOf(disk.copy(), clock.now);
  try {
    const { items } = await planOn(scratch, clock, context, { signal, onLook: () => {} });
    return { items, unmarked };
  } finally {
    scratch.close();
  }
}

async function unmarkedIn(context: AccountContext, signal: AbortSignal): Promise<string[]> {
  // After a change of settings, a pass over everything follows by itself.
  if (!(await isCompared(context))) return [];
  const { account, store } = context;
  const found: string[] = [];
  for await (const { flow, key, decision } of findDifferences(context, signal)) {
    const [first] = decision.actions;
    if (first !== undefined && (await store.work.get({ account, flow, key })) === null)
      found.push(`${flow} ${key}: ${first.action} ${first.target}, ${first.before} -> ${first.after}: ${first.why}`);
  }
  return found;
}
