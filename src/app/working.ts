import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { AccountConfig } from '../config/resolve.ts';
import type { Core, KnownAccount } from '../core/core.ts';
import { noteSecrets } from '../credentials/held.ts';
import type { Begin, Held, Running } from '../daemon/account-leases.ts';
import { limitConcurrentStarts } from '../daemon/limited-parallel.ts';
import {
  configuredOf,
  HAND_OVER_MS,
  holdAllAccounts,
  type OwnedAccounts,
  type Shared,
  shareAccounts,
} from '../daemon/owned-accounts.ts';
import { repeat } from '../daemon/repeated.ts';
import { startSchedule } from '../daemon/schedule.ts';
import type { IsPlanned } from '../daemon/worker/handle.ts';
import { startHousekeeping, startPruning } from '../daemon/worker/housekeeping.ts';
import { startTicks, type Ticks } from '../daemon/worker/ticks.ts';
import { startWork } from '../daemon/worker/work.ts';
import type { Log } from '../logging/logging.ts';
import { startNotify } from '../notify/notify.ts';
import { noteQuota } from '../shadow/alerts.ts';
import { recordSample } from '../use/day.ts';
import { allStanding, sightOf, unseenAccounts } from '../use/notify.ts';
import { endedBy } from '../use/notify-ended.ts';

const LOOK_AT_DAY_EVERY_MS = 60_000;
const TELL_SECRETS_EVERY_MS = 5_000;

export interface WorkingOptions {
  /** Does this process start the reads? */
  readonly polls: boolean;
  /** Selects the writes to make; default: all. */
  readonly isPlanned?: IsPlanned | undefined;
  /** Writes of a plan that ignore pauses. */
  readonly passesPauses?: IsPlanned | undefined;
  /** This daemon's name among those that share the accounts; default: the machine's name. */
  readonly name?: string | undefined;
}

/**
 * Works all accounts under the folder's lock, or this daemon's share of a shared database.
 * @param isPass a full pass needs all accounts, and no other daemon at work
 * @throws WorkedElsewhereError when such a pass finds another daemon
 */
export async function startWorking(core: Core, options: WorkingOptions, isPass: boolean): Promise<OwnedAccounts> {
  const { state, config, log } = core;
  const ticks = startTicks(state.store.work, log);
  const working = { ...options, ticks };
  const beginOne = limitConcurrentStarts((account, held) => beginAccount(core, knownAs(core, account), held, working));
  const begin: Begin = (account, held) => (account === '' ? beginShared(core, held) : beginOne(account, held));
  const name = nameOf(options);
  const accounts = () => sharedOf(config);
  if (state.leasesApart === null) {
    const owned = await workAll(() => [...core.known.keys(), ''], begin, log);
    if (isPass) return owned;
    const announce = () => state.store.leases.announce({ id: '', name }, configuredOf(accounts(), null));
    await announce();
    const reload: OwnedAccounts['reload'] = (stale, putInForce) =>
      owned.reload(stale, () => putInForce().then(announce));
    return { ...owned, reload };
  }
  const { leases, close } = await state.leasesApart();
  try {
    const owned = await (isPass ? holdAllAccounts : shareAccounts)({
      id: randomUUID(),
      leases,
      name,
      accounts,
      begin,
      log,
    });
    return {
      reload: owned.reload,
      async stop(limitMs) {
        await owned.stop(limitMs);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const nameOf = ({ name = hostname() }: WorkingOptions): string => `${name}:${process.pid}`;

function sharedOf({ accounts, unusable }: Core['config']): Shared[] {
  const problems = new Map(unusable.map(({ account, problem }) => [account, problem]));
  const names = new Set(accounts.map(({ name }) => name));
  const leftOut = unusable.filter(({ account }) => !names.has(account));
  return [
    ...accounts.map((one) => ({ ...one, problem: problems.get(one.name) ?? null })),
    ...leftOut.map(({ account: name, problem }) => ({ name, problem, settings: null, daemons: null })),
  ];
}

export function startPollingAll(core: Core): Promise<OwnedAccounts> {
  const begin: Begin = async (account) => {
    const { stop } = startPolling(knownAs(core, account), core.log);
    return { stop: async () => stop() };
  };
  return workAll(() => [...core.known.keys()], begin, core.log);
}

async function workAll(accounts: () => readonly string[], begin: Begin, log: Log): Promise<OwnedAccounts> {
  const running = new Map<string, Running>();
  const beginNew = async (onFailure: (account: string, error: unknown) => void): Promise<void> => {
    const fresh = accounts().filter((account) => !running.has(account));
    await Promise.all(
      fresh.map((account) => {
        let isOver = false;
        return begin(account, { fence: null, holds: () => !isOver }).then(
          ({ stop }) =>
            void running.set(account, {
              async stop(limitMs) {
                await stop(limitMs);
                // Work that did not end in time sends nothing more, because later work may have other settings.
                isOver = true;
              },
            }),
          (error: unknown) => onFailure(account, error),
        );
      }),
    );
  };
  const stop = async (limitMs: number, isMeant: (account: string) => boolean = () => true): Promise<void> => {
    const meant = [...running].filter(([account]) => isMeant(account));
    for (const [account] of meant) running.delete(account);
    await Promise.all(meant.map(([, one]) => one.stop(limitMs)));
  };
  const failures: unknown[] = [];
  await beginNew((_account, error) => void failures.push(error));
  if (failures.length > 0) {
    await stop(0);
    throw failures[0];
  }
  return {
    stop: (limitMs) => stop(limitMs),
    async reload(stale, putInForce) {
      await stop(HAND_OVER_MS, (account) => stale.has(account));
      await putInForce();
      await beginNew((account, error) =>
        log.error({ account, err: error }, 'the work on this account could not be begun: send SIGHUP to try again'),
      );
    },
  };
}

function knownAs({ known }: Core, account: string): KnownAccount {
  const found = known.get(account);
  if (found === undefined) throw new Error(`invariant: there is no account ${account}`);
  return found;
}

const storeUnder = ({ state }: Core, account: string, { fence }: Held) =>
  fence === null ? state.store : state.fenced(account, fence);

async function beginAccount(
  core: Core,
  known: KnownAccount,
  held: Held,
  options: WorkingOptions & { readonly ticks: Ticks },
): Promise<Running> {
  const { config, log, metrics } = core;
  const under = { store: storeUnder(core, known.context.account, held), maySend: held.holds };
  const { context, queue, prefix, close } = await core.open(known, under);
  const stopping: ((limitMs: number) => Promise<void> | void)[] = [close];
  const stop = async (limitMs: number) => {
    for (const end of stopping.toReversed()) await end(limitMs);
  };
  try {
    const work = await startWork({ ...core, ...options, context, queue, prefix });
    stopping.push(work.stop);
    stopping.push(startHousekeeping(config, context, log).stop);
    stopping.push(tellSecrets(core, context, nameOf(options)).stop);
    if (options.polls) stopping.push(startPolling({ ...known, context }, log).stop);
    metrics.worked.set({ account: context.account }, 1);
    stopping.push(() => metrics.worked.set({ account: context.account }, 0));
  } catch (error) {
    await stop(0);
    throw error;
  }
  return { stop };
}

function tellSecrets({ credentials, log }: Core, { account, store }: KnownAccount['context'], by: string) {
  let recordedSecrets: AccountConfig['secrets'] | null = null;
  const recordSecrets = async () => {
    const present = credentials.configured(account);
    if (present === recordedSecrets) return;
    await noteSecrets({ account, store }, by, present);
    recordedSecrets = present;
  };
  const task = 'the record of the secrets';
  return repeat(log, { account }, [
    { task, everyMs: TELL_SECRETS_EVERY_MS, atOnce: recordSecrets, work: recordSecrets },
  ]);
}

/** Schedules the reads of an account, and keeps the figures of its last day. */
function startPolling({ context, queue, quota }: KnownAccount, log: Log): { stop(): void } {
  const { account, config, store, now } = context;
  const schedule = startSchedule(context, queue, log);
  const look = async () => {
    const usage = await quota.usage();
    await noteQuota(context, usage?.untrueAgoMs ?? null);
    await recordSample(config, store, usage, now());
  };
  const task = 'the figures of the day';
  const day = repeat(log, { account }, [{ task, everyMs: LOOK_AT_DAY_EVERY_MS, atOnce: look, work: look }]);
  return {
    stop() {
      day.stop();
      schedule.stop();
    },
  };
}

/** Starts the work that belongs to no account. */
async function beginShared(core: Core, held: Held): Promise<Running> {
  const { config, log, metrics, state } = core;
  const store = storeUnder(core, '', held);
  const pruning = startPruning(config, { store, giveBackSpace: state.giveBackSpace }, log);
  const notify = startNotify({
    channels: config.notify,
    notices: store.notices,
    standing: () => allStanding(config, store),
    sight: (account) => sightOf(config, store, account),
    log,
    screen: config.admin.publicUrl,
    unseen: () => unseenAccounts(config, store),
    ended: (message) => endedBy(store, message),
    now: Date.now,
    onSent: (channel, outcome) => metrics.notifications.inc({ channel, outcome }),
  });
  return {
    async stop() {
      pruning.stop();
      await notify.stop();
    },
  };
}
