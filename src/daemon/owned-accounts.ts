import { setTimeout as sleep } from 'node:timers/promises';
import { spread } from '../domain/spread.ts';
import type { Log } from '../logging/logging.ts';
import type { Configured, Daemon, LeaseStore, Standing } from '../store/leases.ts';
import { type Begin, createAccountLeases, LEASE_MS, present } from './account-leases.ts';

const BEAT_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 200;
/** How long a pass over all accounts waits for the leases of a daemon that was just killed. */
const WAIT_MS = LEASE_MS + 3_000;
export interface OwnedAccounts {
  stop(limitMs: number): Promise<void>;
  /** Ends the work on removed and changed accounts, and starts it on new ones. */
  reload(stale: ReadonlySet<string>, putInForce: () => Promise<void>): Promise<void>;
}

/** How long running work may take when an account is handed over to another daemon. */
export const HAND_OVER_MS = 5_000;

export interface Shared extends Omit<Configured, 'account' | 'mayWork'> {
  readonly name: string;
  /** The daemons that may work the account; null: every daemon. */
  readonly daemons: readonly string[] | null;
}

/** @param machine null: no account is pinned to another machine */
export function configuredOf(accounts: readonly Shared[], machine: string | null): Configured[] {
  return accounts.map(({ name: account, daemons, settings, problem }) => {
    const isMeant = daemons === null || machine === null || daemons.includes(machine);
    return { account, settings, problem, mayWork: settings !== null && isMeant };
  });
}

export class WorkedElsewhereError extends Error {
  override readonly name = 'WorkedElsewhereError';
}

interface Parts {
  /** Unique for each run of the program. */
  readonly id: string;
  readonly leases: LeaseStore;
  readonly name: string;
  /** The configured accounts. The one with an empty name is the configuration as a whole. */
  readonly accounts: () => readonly Shared[];
  readonly begin: Begin;
  readonly log: Log;
}

/**
 * Takes free accounts, hands over those that others should have, and ends the work at once on an account whose lease it
 * could not keep.
 */
export async function shareAccounts(parts: Parts): Promise<OwnedAccounts> {
  return (await hold(parts, true)).owned;
}

/**
 * Works all accounts until `stop`, and takes none from a living daemon.
 * @throws WorkedElsewhereError when other daemons still hold some after `waitMs`
 */
export async function holdAllAccounts(parts: Parts, waitMs = WAIT_MS): Promise<OwnedAccounts> {
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
  // Accounts are pinned to machine names, so the process id is cut off.
  const mine = () => configuredOf(accounts(), name.replace(/:\d+$/, ''));

  const usable = (): string[] => accounts().flatMap((one) => (one.settings === null ? [] : [one.name]));

  const renew = async (): Promise<void> => {
    const askedAt = present();
    standing = await leases.beat({ id, name, works: isShared && !over }, LEASE_MS);
    accountLeases.renewed(standing, askedAt);
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
   * Who holds the other accounts; null: all are held here, and their work has started. Throws the error of one that
   * could not start.
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

/** Taking many accounts may outlast the first leases, so these are renewed meanwhile. */
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

/** Do this daemon's configurations differ from those it announced, or has a newer one no living daemon any more? */
function isNews({ configured }: Standing, id: string, mine: readonly Configured[]): boolean {
  const announced = new Map(configured.filter(({ daemon }) => daemon === id).map((one) => [one.account, one]));
  const accountsInForce = new Set(configured.flatMap(({ account, isInForce }) => (isInForce ? [account] : [])));
  return (
    announced.size !== mine.length ||
    mine.some(({ account, settings, mayWork, problem }) => {
      const was = announced.get(account);
      const isSame = was?.settings === settings && was.mayWork === mayWork && was.problem === problem;
      return !isSame || (mayWork && !accountsInForce.has(account));
    })
  );
}

/** Daemons known for less than a lease and a beat. Until then, the leases of a dead daemon may still be valid. */
function newcomers(steadyMs: () => number) {
  let knownSinceMs = new Map<string, number>();
  return (living: readonly Daemon[]): ReadonlySet<string> => {
    knownSinceMs = new Map(living.map(({ id }) => [id, knownSinceMs.get(id) ?? steadyMs()] as const));
    const isNew = (sinceMs: number) => steadyMs() - sinceMs < LEASE_MS + BEAT_EVERY_MS;
    return new Set([...knownSinceMs].flatMap(([id, sinceMs]) => (isNew(sinceMs) ? [id] : [])));
  };
}

/**
 * Computed identically everywhere: each account goes to a living daemon that has the configuration in force and may
 * work it.
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
