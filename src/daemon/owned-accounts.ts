import { setTimeout as sleep } from 'node:timers/promises';
import { spread } from '../domain/spread.ts';
import type { Log } from '../logging/logging.ts';
import type { Configured, Daemon, LeaseStore, Standing } from '../store/leases.ts';
import { type Begin, createAccountLeases, LEASE_MS, present } from './account-leases.ts';

const BEAT_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 200;
/** A pass that needs all accounts waits this long for the leases of a daemon that was killed just now. */
const WAIT_MS = LEASE_MS + 3_000;
export interface OwnedAccounts {
  /** Ends the work on all accounts, and lets others have them at once. */
  stop(limitMs: number): Promise<void>;
  /**
   * Ends the work on accounts that are gone or have changed, puts the present accounts in force, and begins the work on the
   * new ones.
   */
  reload(stale: ReadonlySet<string>, putInForce: () => Promise<void>): Promise<void>;
}

/** Work in progress may take this long when an account is handed over to another daemon. */
export const HAND_OVER_MS = 5_000;

/** An account as this daemon has it configured. */
export interface Shared extends Omit<Configured, 'account' | 'mayWork'> {
  readonly name: string;
  /** The names of the daemons that may work the account; null: every daemon may. */
  readonly daemons: readonly string[] | null;
}

/** @param machine null: no account is pinned to another machine than this one */
export function configuredOf(accounts: readonly Shared[], machine: string | null): Configured[] {
  return accounts.map(({ name: account, daemons, settings, problem }) => {
    const isMeant = daemons === null || machine === null || daemons.includes(machine);
    return { account, settings, problem, mayWork: settings !== null && isMeant };
  });
}

/** Other daemons work accounts of this database. */
export class WorkedElsewhereError extends Error {
  override readonly name = 'WorkedElsewhereError';
}

interface Parts {
  /** The id of this run of the program. It is never used again. */
  readonly id: string;
  readonly leases: LeaseStore;
  /** The name of this daemon for people: the machine and the process. */
  readonly name: string;
  /** The accounts as they are configured now. The one without a name stands for the configuration as a whole. */
  readonly accounts: () => readonly Shared[];
  readonly begin: Begin;
  readonly log: Log;
}

/**
 * Works this daemon's share of the accounts: takes free accounts, hands over accounts that others should have, and ends the
 * work at once on an account whose lease it could not keep.
 */
export async function shareAccounts(parts: Parts): Promise<OwnedAccounts> {
  return (await hold(parts, true)).owned;
}

/**
 * Works all accounts until `stop`, and takes no account from a living daemon.
 * @throws WorkedElsewhereError when other daemons still hold some after `waitMs`
 */
export async function holdAll(parts: Parts, waitMs = WAIT_MS): Promise<OwnedAccounts> {
  const { owned, lacks } = await hold(parts, false);
  try {
    for (const endMs = performance.now() + waitMs; ; ) {
      const by = await lacks();
      if (by === null) return owned;
      if (performance.now() > endMs) throw elsewhere(by);
      await sleep(LOOK_EVERY_MS);
    }
  } catch (error) {
    await owned.stop(0);
    throw error;
  }
}

function elsewhere(by: string): WorkedElsewhereError {
  const what = 'work the accounts of this database: nothing was done';
  return new WorkedElsewhereError(`other daemons (${by}) ${what}. "stockbridge status" shows how far they are.`);
}

async function hold({ id, leases, name, accounts, begin, log }: Parts, isShared: boolean) {
  const accountLeases = createAccountLeases({ leases, begin, log }, id);
  /** Accounts that are not taken now, because their configuration is about to change. */
  let changing: ReadonlySet<string> = new Set();
  let standing: Standing = { configured: [], inForce: [], daemons: [], leases: [], nowMs: 0 };
  let over = false;
  const newOf = newcomers(() => performance.now());
  // An account is pinned to the name of a machine. So the number of the process is cut off.
  const mine = () => configuredOf(accounts(), name.replace(/:\d+$/, ''));

  /** The accounts that this daemon could work. */
  const usable = (): string[] => accounts().flatMap((one) => (one.settings === null ? [] : [one.name]));

  const renew = async (): Promise<void> => {
    const asked = present();
    standing = await leases.beat({ id, name, works: isShared && !over }, LEASE_MS);
    accountLeases.renewed(standing, asked);
  };
  const take = async (account: string): Promise<void> => {
    if (!over && !changing.has(account)) await accountLeases.take(account);
  };
  const beat = async (): Promise<void> => {
    await renew();
    if (over) return;
    if (isShared && isNews(standing, id, mine())) {
      await leases.announce({ id, name }, mine());
      await renew();
    }
    const holders = new Map(standing.leases.map(({ account, holder }) => [account, holder] as const));
    const target = isShared
      ? targetOf(standing, holders, newOf(standing.daemons))
      : new Map(usable().map((account) => [account, id]));
    // The shared work, which belongs to no account, stays where it is.
    target.set('', holders.get('') ?? id);
    void accountLeases.giveAll(HAND_OVER_MS, (account) => target.get(account) !== id);
    const free = [...target.keys()].filter((one) => target.get(one) === id && (holders.get(one) ?? id) === id);
    await takeEach(free, take, renew);
  };
  let beating: Promise<void> | null = null;
  const begun = (): Promise<void> => {
    beating ??= beat()
      .catch((error: unknown) => log.warn({ err: error }, 'the leases could not be renewed; it is tried again'))
      .finally(() => {
        beating = null;
      });
    return beating;
  };
  const beats = setInterval(() => void begun(), BEAT_EVERY_MS);
  const watch = setInterval(accountLeases.dropLost, LOOK_EVERY_MS);
  await begun();

  const stop = async (limitMs: number): Promise<void> => {
    over = true;
    // Other daemons wait for the accounts.
    await accountLeases.giveAll(isShared ? Math.min(limitMs, HAND_OVER_MS) : limitMs);
    clearInterval(beats);
    clearInterval(watch);
    await beating;
    // Accounts may have been taken while the last beat ended.
    await accountLeases.giveAll(0);
    await leases.leave(id).catch((error: unknown) => log.debug({ err: error }, 'its leases run out by themselves'));
  };
  const reload: OwnedAccounts['reload'] = async (stale, putInForce) => {
    changing = stale;
    await beating;
    await accountLeases.giveAll(HAND_OVER_MS, (account) => stale.has(account));
    await putInForce();
    changing = new Set();
    await begun();
  };
  /**
   * The holders of the accounts that are not held here; null: all accounts are held here, and their work has begun. Throws the
   * error that kept an account from beginning.
   */
  const lacks = async (): Promise<string | null> => {
    await accountLeases.begun();
    if (usable().every((account) => accountLeases.has(account))) return null;
    const holders = new Set(standing.leases.map(({ holder }) => holder));
    const others = standing.daemons.filter((one) => one.id !== id && holders.has(one.id));
    return others.map((one) => one.name).join(', ') || 'unknown';
  };
  return { owned: { stop, reload }, lacks };
}

/** Taking many accounts may last longer than the first leases. So these are renewed meanwhile. */
async function takeEach(
  accounts: readonly string[],
  take: (account: string) => Promise<void>,
  renew: () => Promise<void>,
): Promise<void> {
  let renewedMs = performance.now();
  for (const account of accounts) {
    if (performance.now() - renewedMs > BEAT_EVERY_MS) {
      await renew();
      renewedMs = performance.now();
    }
    await take(account);
  }
}

/** Does this daemon have other configurations than it told, or one of an account whose newer one no living daemon has any more? */
function isNews({ configured }: Standing, id: string, mine: readonly Configured[]): boolean {
  const told = new Map(configured.filter(({ daemon }) => daemon === id).map((one) => [one.account, one]));
  const known = new Set(configured.flatMap(({ account, isInForce }) => (isInForce ? [account] : [])));
  return (
    told.size !== mine.length ||
    mine.some(({ account, settings, mayWork, problem }) => {
      const was = told.get(account);
      const isSame = was?.settings === settings && was.mayWork === mayWork && was.problem === problem;
      return !isSame || (mayWork && !known.has(account));
    })
  );
}

/** The daemons that this one has known for less than a lease and a beat. Until then the leases of a daemon that died may stand. */
function newcomers(steadyMs: () => number) {
  let knownSinceMs = new Map<string, number>();
  return (living: readonly Daemon[]): ReadonlySet<string> => {
    knownSinceMs = new Map(living.map(({ id }) => [id, knownSinceMs.get(id) ?? steadyMs()] as const));
    const isNew = (sinceMs: number) => steadyMs() - sinceMs < LEASE_MS + BEAT_EVERY_MS;
    return new Set([...knownSinceMs].flatMap(([id, sinceMs]) => (isNew(sinceMs) ? [id] : [])));
  };
}

/**
 * The daemon of each account, the same at every daemon: an account is shared among the living daemons that have the
 * configuration in force and may work it.
 */
function targetOf(
  { daemons, configured }: Standing,
  holders: ReadonlyMap<string, string>,
  newIds: ReadonlySet<string>,
): Map<string, string> {
  const peers = daemons.filter(({ works }) => works).map(({ id }) => ({ id, name: id, isNew: newIds.has(id) }));
  const places = new Map<string, string[]>();
  for (const { account, daemon, isInForce, mayWork } of configured) {
    if (isInForce && mayWork) places.set(account, [...(places.get(account) ?? []), daemon]);
  }
  return spread(
    [...places].map(([account, ids]) => ({ name: account, daemons: ids })),
    peers,
    holders,
  );
}
