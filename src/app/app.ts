import type { FastifyInstance } from 'fastify';
import { type Admin, createAdmin, type Readiness } from '../admin/server.ts';
import { type Core, type CoreOptions, openCore } from '../core/core.ts';
import { measureDisk } from '../daemon/metrics.ts';
import type { OwnedAccounts } from '../daemon/owned-accounts.ts';
import { RECEIVER_LIMITS } from '../daemon/receiver/intake.ts';
import { createReceiver } from '../daemon/receiver/receiver.ts';
import { repeat } from '../daemon/repeated.ts';
import type { Role } from '../daemon/roles.ts';
import { withHealth } from '../daemon/worker/health.ts';
import { measure } from '../daemon/worker/measure.ts';
import { readinessOf } from '../daemon/worker/readiness.ts';
import { NO_ACCOUNT } from '../daemon/zeros.ts';
import { errorCode } from '../domain/error-code.ts';
import type { Side } from '../domain/failure.ts';
import { textRedactor } from '../logging/redaction.ts';
import { isOutOfDescriptors, outOfDescriptorsText } from '../machine/descriptors.ts';
import { operatorName } from '../machine/operator.ts';
import { verifySignature } from '../marketplace/signature.ts';
import type { ListenAddress } from '../settings/scalars.ts';
import { FOR_WEBHOOKS, isAlreadyStored } from '../shadow/already-stored.ts';
import { acquireLocks } from '../store/sqlite/lock.ts';
import type { AdminContext } from '../use/admin-context.ts';
import { checkBoth } from '../use/doctor/doctor.ts';
import { createLive } from '../use/live.ts';
import { allStanding } from '../use/notify.ts';
import { toPlan } from '../use/plan.ts';
import { type Applying, createApplying } from '../use/plans/apply.ts';
import { createPlans, type Plans } from '../use/plans/plans.ts';
import { openStoredPlans } from '../use/plans/stored.ts';
import { allCounts } from '../use/status.ts';
import { createTasks, type Tasks } from '../use/tasks.ts';
import { createTriedSides, type TriedSides } from '../use/tried-sides.ts';
import { forgetFormerUsers } from '../use/users.ts';
import { TROUBLES } from '../use/verdict.ts';
import { createReload } from './reload.ts';
import { createReread } from './reread.ts';
import { startPollingAll, startWorking, type WorkingOptions } from './working.ts';

export interface App {
  readonly core: Core;
  /** Bound addresses, perhaps 0.0.0.0; null: the role does not run here. */
  readonly receiverUrl: string | null;
  readonly adminUrl: string | null;
  readiness(): Promise<Readiness>;
  /** The path of a one-time login link; null: nobody may log in, or no screen is served. */
  invite(): Promise<string | null>;
  reread(): Promise<void>;
  /** Takes no more work, lets running work end within the limit, and closes everything. */
  stop(limitMs: number): Promise<void>;
}

const HOUR_MS = 60 * 60_000;

type AppOptions = CoreOptions & Pick<WorkingOptions, 'isPlanned' | 'name'>;

/**
 * @throws LockHeldError when another process has one of the roles in this data folder, WorkedElsewhereError when other
 * daemons work accounts that a pass needs
 */
export async function startApp(options: AppOptions, roles: readonly Role[]): Promise<App> {
  const { log } = options;
  const locks = acquireLocks(options.config.state.dir, roles);
  const stopping: ((limitMs: number) => Promise<unknown> | void)[] = [];
  let core: Core | null = null;
  const stop = async (limitMs: number) => {
    for (const end of stopping.toReversed()) await end(limitMs);
    await core?.close();
    locks.release();
  };
  try {
    const applying = createApplying();
    const onJournal: CoreOptions['onJournal'] = (entry) => {
      applying.onJournal(entry);
      options.onJournal?.(entry);
    };
    core = await openCore({ ...options, onJournal });
    const opened = core;
    const { config } = opened;
    const has = (role: Role) => roles.includes(role);
    const readiness = () => readinessOf({ ...opened, ...opened.state, ...judged(opened, has('work')) });
    let admin: Admin | null = null;
    if (has('admin')) {
      if (opened.state.leases === null) await forgetUsers(opened, () => true);
      const tasks = createTasks(Date.now, (error) => log.error({ err: error }, 'a task of the admin API failed'));
      const live = createLive(opened.state.store, accountsNow(opened));
      const plans = openPlans(opened, tasks, has('work') ? applying : null);
      const redact = options.renewal?.redact ?? textRedactor([]);
      admin = openAdmin(opened, readiness, { tasks, plans, live, redact, sides: openTriedSides(opened) });
      stopping.push(() => admin?.app.close(), tasks.stop, live.stop);
      stopping.push(repeat(log, {}, [{ task: 'forgetting plans', everyMs: HOUR_MS, work: plans.tidy }]).stop);
      stopping.push(measuring(opened).stop);
      await listen(admin.app, 'admin.listen', config.admin.listen, log);
    }
    let receiver: FastifyInstance | null = null;
    if (has('receive')) {
      receiver = openReceiver(opened);
      stopping.push(() => receiver?.close());
      await listen(receiver, 'webhooks.listen', config.webhooks.listen, log);
    }
    // The last step, because it waits for Redis. Meanwhile the admin server reports that, and webhooks are stored.
    let owned: Pick<OwnedAccounts, 'reload'> = { reload: (_stale, putInForce) => putInForce() };
    if (has('work')) {
      await opened.state.store.audit.noteSetting('', 'mode', config.mode, operatorName());
      const how = { ...options, passesPauses: applying.passesPauses, polls: has('poll') };
      const working = await startWorking(opened, how, isPass(roles));
      stopping.push(working.stop);
      owned = working;
    } else if (has('poll')) {
      const polling = await startPollingAll(opened);
      stopping.push(polling.stop);
      owned = polling;
    }
    const reread = createReread(opened, createReload(opened, owned), options.renewal?.masked);
    return {
      core,
      receiverUrl: urlOf(receiver),
      adminUrl: urlOf(admin?.app ?? null),
      invite: async () => (await admin?.invite()) ?? null,
      readiness,
      reread: has('admin') ? withUsersForgotten(opened, reread) : reread,
      stop,
    };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

async function forgetUsers({ credentials, state, log }: Core, isMeant: (name: string) => boolean): Promise<void> {
  const users = await forgetFormerUsers(credentials.admin().users, state.store.facts, isMeant);
  if (users.length > 0) log.info(`the passwords of former users are forgotten: ${users.join(', ')}`);
}

/**
 * Another daemon on this database may have a newer configuration, so only users that this daemon had itself are
 * removed.
 */
function withUsersForgotten(core: Core, reread: () => Promise<void>): () => Promise<void> {
  return async () => {
    const before = new Set(core.credentials.admin().users.map(({ name }) => name));
    await reread();
    await forgetUsers(core, (name) => core.state.leases === null || before.has(name)).catch((error: unknown) =>
      core.log.error({ err: error }, 'the passwords of former users could not be forgotten'),
    );
  };
}

function isPass(roles: readonly Role[]): boolean {
  return roles.length === 1;
}

/** The accounts for this process's readiness: all, or only its own where daemons share them. */
function judged({ accounts, known, state }: Core, works: boolean) {
  const isShared = works && state.leases !== null;
  const all = new Map([...known].map(([name, { context }]) => [name, context] as const));
  return { works, accounts: isShared ? accounts : all };
}

function accountsNow({ known }: Core) {
  return {
    get accounts() {
      return [...known.keys()];
    },
  };
}

function openReceiver(core: Core): FastifyInstance {
  const { credentials, state, metrics, log, known } = core;
  return createReceiver({
    accounts: {
      get(name) {
        const webhooks = known.get(name)?.context.config.marketplace.webhooks;
        return webhooks == null ? webhooks : { ...webhooks, secrets: credentials.webhooks(name) };
      },
    },
    verify: verifySignature,
    inbox: state.store.inbox,
    isNews: async (delivery) => {
      const account = known.get(delivery.account);
      return account === undefined || !(await isAlreadyStored(account.context, delivery));
    },
    nudge: (account, kind) => {
      const job = { account, name: `read:${kind}`, key: FOR_WEBHOOKS, lane: 'webhook' } as const;
      // The daemon that processes the account takes the job from the queue.
      const queued = known.get(account)?.queue.enqueue([job]);
      queued?.catch((error: unknown) => log.warn({ account, kind, err: error }, 'not queued'));
    },
    onCount: (account, kind, outcome) => metrics.webhooks.inc({ account: account ?? NO_ACCOUNT, kind, outcome }),
    onFailure: (error) => log.error({ err: error }, 'a webhook could not be stored: the sender will try again'),
    nowMs: Date.now,
    limits: RECEIVER_LIMITS,
  });
}

/** @throws Error that names the setting and what to do */
async function listen(
  server: FastifyInstance,
  setting: string,
  { host, port }: ListenAddress,
  log: CoreOptions['log'],
): Promise<void> {
  try {
    await server.listen({ host, port });
    log.info({ [setting]: urlOf(server) }, 'listening');
  } catch (cause) {
    const code = errorCode(cause) ?? String(cause);
    if (isOutOfDescriptors(code))
      throw new Error(`cannot listen on ${host}:${port}. ${outOfDescriptorsText(code)}`, { cause });
    const why =
      code === 'EADDRINUSE'
        ? 'another program listens there. Stop it, or set'
        : `this machine does not allow it (${code}). Set`;
    throw new Error(`cannot listen on ${host}:${port}: ${why} ${setting} to another address.`, { cause });
  }
}

function openPlans(core: Core, tasks: Tasks, applying: Applying | null): Plans {
  const { config, state, accounts } = core;
  return createPlans({
    store: state.store,
    accounts,
    plannedOf: (context) => toPlan(core, context),
    stored: openStoredPlans(state.dir, Date.now),
    tasks,
    applying,
    isDryRun: config.mode === 'dry-run',
  });
}

/** A side that answers a trial call counts as up for the daemon at once. */
function openTriedSides({ config, credentials, known, health }: Core): TriedSides {
  return createTriedSides({
    reread: credentials.reread,
    async *check(account, signal) {
      const configured = config.accounts.find(({ name }) => name === account);
      const quota = known.get(account)?.quota;
      if (configured === undefined || quota === undefined) return;
      const watch = <Connector extends object>(connector: Connector, side: Side) =>
        withHealth(connector, account, side, health);
      yield* checkBoth(configured, quota, { credentials, signal, watch });
    },
    secrets: credentials.configured,
    now: Date.now,
  });
}

function openAdmin(
  { config, state, credentials, metrics, log }: Core,
  readiness: App['readiness'],
  parts: Pick<AdminContext, 'tasks' | 'plans' | 'live' | 'redact' | 'sides'>,
): Admin {
  return createAdmin({
    readiness,
    registry: metrics.registry,
    keys: credentials.admin,
    sessions: state.store.sessions,
    passwords: state.store.facts,
    base: config.admin.basePath,
    hosts: [...config.admin.hosts, config.admin.listen.host],
    trustedProxies: config.admin.trustedProxies,
    openedFor: ({ name }) => ({ config, store: state.store, by: name, log, credentials, ...parts }),
    onFailure: (error) => log.error({ err: error }, 'a call of the admin API failed'),
  });
}

function urlOf(server: FastifyInstance | null): string | null {
  const address = server?.server.address();
  if (typeof address !== 'object' || address === null) return null;
  const { address: host, port } = address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function measuring(opened: Core) {
  const { config, state, metrics } = opened;
  measureDisk(metrics, state.dir);
  return measure({
    ...opened,
    standing: () => allStanding(config, state.store),
    troubles: TROUBLES,
    counts: () => allCounts(config, state.store, Date.now(), true),
  });
}
