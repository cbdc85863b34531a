import type { Log } from '../logging/logging.ts';
import type { LeaseStore, Standing } from '../store/leases.ts';
import { withTimeout } from './with-timeout.ts';

/** Other daemons take over a dead daemon's accounts after this time plus one heartbeat. */
export const LEASE_MS = 9_000;
const MARGIN_MS = 2_000;
/** Added to the limit for ending an account's work: to wait for its start and to close its connections. */
const ENDING_MS = 2_500;
/** The pause after an account's work failed to start. */
const REST_MS = 10_000;

export interface Held {
  /** null: no other daemon can have the account. */
  readonly fence: number | null;
  /**
   * False from shortly before the lease runs out, or once another daemon may have the account. Nothing may be sent
   * then.
   */
  holds(): boolean;
}

export interface Running {
  stop(limitMs: number): Promise<void>;
}

/** Starts the work on an account. '' is the work that belongs to no account. */
export type Begin = (account: string, held: Held) => Promise<Running>;

/** An instant on two clocks: a monotonic one, and one that also runs while the machine sleeps. */
interface Instant {
  readonly steadyMs: number;
  readonly dateMs: number;
}

interface AccountLease {
  readonly account: string;
  readonly fence: number;
  until: Instant;
  /** null: the work could not start. */
  work: Promise<Running | null>;
  ending: Promise<void> | null;
}

const OVER: Instant = { steadyMs: Number.NEGATIVE_INFINITY, dateMs: Number.NEGATIVE_INFINITY };
export const present = (): Instant => ({ steadyMs: performance.now(), dateMs: Date.now() });
const endOf = ({ steadyMs, dateMs }: Instant): Instant => ({
  steadyMs: steadyMs + LEASE_MS - MARGIN_MS,
  dateMs: dateMs + LEASE_MS - MARGIN_MS,
});

function holds({ until }: AccountLease): boolean {
  const { steadyMs, dateMs } = present();
  return steadyMs < until.steadyMs && dateMs < until.dateMs;
}

interface Parts {
  readonly leases: Pick<LeaseStore, 'take' | 'release'>;
  readonly begin: Begin;
  readonly log: Log;
}

/**
 * The accounts that a daemon holds, and the work on each.
 * @param id the id of the daemon
 */
export function createAccountLeases({ leases, begin, log }: Parts, id: string) {
  const held = new Map<string, AccountLease>();
  const restUntilMs = new Map<string, number>();
  let failed: { readonly error: unknown } | null = null;

  const endWork = ({ account, work }: AccountLease, limitMs: number): Promise<void> => {
    const ended = work
      .then((running) => running?.stop(limitMs))
      .catch((error: unknown) => log.warn({ account, err: error }, 'the work on this account did not end well'));
    return withTimeout(limitMs + ENDING_MS, ended);
  };
  const give = (one: AccountLease, limitMs: number): Promise<void> => {
    one.ending ??= (async () => {
      await endWork(one, limitMs);
      // Work that did not end in time, or has not even started, sends nothing more.
      one.until = OVER;
      await leases
        .release(one.account, id, one.fence)
        .catch((error: unknown) => log.debug({ account: one.account, err: error }, 'the lease runs out by itself'));
      held.delete(one.account);
    })();
    return one.ending;
  };
  const drop = (one: AccountLease): void => {
    one.until = OVER;
    one.ending ??= (async () => {
      log.error({ account: one.account }, 'its lease is over: another daemon may work this account');
      await endWork(one, 0);
      held.delete(one.account);
    })();
  };

  return {
    has: (account: string): boolean => held.has(account),

    async take(account: string): Promise<void> {
      if (held.has(account) || performance.now() < (restUntilMs.get(account) ?? 0)) return;
      const askedAt = present();
      const fence = await leases.take(account, id, LEASE_MS);
      if (fence === null) return;
      if (account !== '') log.info({ account, lease: fence }, 'this daemon works the account');
      const one: AccountLease = { account, fence, until: endOf(askedAt), work: Promise.resolve(null), ending: null };
      held.set(account, one);
      one.work = begin(account, { fence, holds: () => holds(one) }).catch((error: unknown) => {
        // A simultaneous hand-over closes the parts of the work, so this failure means nothing.
        if (one.ending !== null) return null;
        log.error({ account, err: error }, 'the work on this account could not be begun');
        failed = { error };
        restUntilMs.set(account, performance.now() + REST_MS);
        void give(one, 0);
        return null;
      });
    },

    /** @param asked when the renewal was requested */
    renewed(standing: Standing, asked: Instant): void {
      for (const one of held.values()) {
        const { account, fence } = one;
        const isHeld = standing.leases.some(
          (lease) => lease.account === account && lease.holder === id && lease.fence === fence,
        );
        one.until = isHeld ? endOf(asked) : OVER;
      }
    },

    dropLost(): void {
      for (const one of held.values()) if (!holds(one)) drop(one);
    },

    async giveAll(limitMs: number, isMeant: (account: string) => boolean = () => true): Promise<void> {
      await Promise.all([...held.values()].filter(({ account }) => isMeant(account)).map((one) => give(one, limitMs)));
    },

    /** Resolves once the work on all held accounts has started. Throws the error of one that could not. */
    async begun(): Promise<void> {
      await Promise.all([...held.values()].map(({ work }) => work));
      if (failed !== null) throw failed.error;
    },
  };
}
