import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaseStore } from '../store/leases.ts';

/** Of a daemon that died, the next one takes the work over after this at the latest. */
const LEASE_MS = 9_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
const LOOK_EVERY_MS = 200;
/** For what is on its way when the lease runs out. */
const MARGIN_MS = 2_000;
/** A daemon that was killed just now, maybe the one before on this machine, is waited for. */
const WAIT_MS = LEASE_MS + RENEW_EVERY_MS;

/** The right of one daemon to work all accounts of a database that several machines reach. */
export interface SoleLease {
  readonly fence: number;
  /** False from shortly before it runs out, or once another daemon has it: nothing may be sent any more. */
  holds(): boolean;
  release(): Promise<void>;
}

/** Another daemon works the accounts of this database. */
export class WorkedElsewhereError extends Error {
  override readonly name = 'WorkedElsewhereError';
}

/**
 * Takes the right and keeps it until `release`. Its end is told by a clock that nobody sets.
 * @param onLost called once when it could not be kept
 * @throws WorkedElsewhereError when another daemon still has it after `waitMs`
 */
export async function holdAlone(leases: LeaseStore, onLost: () => void, waitMs = WAIT_MS): Promise<SoleLease> {
  const daemon = { id: randomUUID(), name: `${hostname()}:${process.pid}`, works: true };
  let sentMs = performance.now();
  const fence = await taken(leases, daemon.id, waitMs, () => {
    sentMs = performance.now();
  });
  let untilMs = sentMs + LEASE_MS - MARGIN_MS;
  let renewing: Promise<void> | null = null;
  let over = false;
  const holds = (): boolean => !over && performance.now() < untilMs;
  const renew = async (): Promise<void> => {
    const askedMs = performance.now();
    const { leases: held } = await leases.beat(daemon, LEASE_MS);
    if (held.some((lease) => lease.account === '' && lease.fence === fence)) untilMs = askedMs + LEASE_MS - MARGIN_MS;
    else untilMs = Number.NEGATIVE_INFINITY;
  };
  const begin = (): void => {
    // A failure shows in the time that is left.
    renewing ??= renew().then(
      () => void (renewing = null),
      () => void (renewing = null),
    );
  };
  begin();
  const renewal = setInterval(begin, RENEW_EVERY_MS);
  const watch = setInterval(() => {
    if (holds()) return;
    end();
    onLost();
  }, LOOK_EVERY_MS);
  const end = (): void => {
    over = true;
    clearInterval(renewal);
    clearInterval(watch);
  };
  return {
    fence,
    holds,
    async release() {
      end();
      await renewing;
      await leases.leave(daemon.id);
    },
  };
}

async function taken(leases: LeaseStore, id: string, waitMs: number, asking: () => void): Promise<number> {
  for (const endMs = performance.now() + waitMs; ; ) {
    asking();
    const fence = await leases.take('', id, LEASE_MS);
    if (fence !== null) return fence;
    if (performance.now() > endMs) break;
    await sleep(LOOK_EVERY_MS);
  }
  const { daemons, leases: held } = await leases.list();
  const holder = held.find(({ account }) => account === '')?.holder;
  const name = daemons.find((one) => one.id === holder)?.name ?? 'unknown';
  throw new WorkedElsewhereError(
    `another stockbridge (${name}) works the accounts of this database: stop it, or start this one with "--role receive,admin"`,
  );
}
