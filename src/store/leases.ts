import { StoreError } from './store-error.ts';

/** A running program. */
export interface Daemon {
  /** Names this run of the program. No other run ever has the same id. */
  readonly id: string;
  /** For people: the machine and the process. */
  readonly name: string;
  /** Does the program take accounts? A program that only takes webhooks or serves the screen does not. */
  readonly works: boolean;
}

/** The right to work an account until the lease runs out. Account '' is the work without an account: digest, housekeeping. */
export interface Lease {
  readonly account: string;
  /** The id of a daemon. */
  readonly holder: string;
  /** A number that is higher than every earlier fence of this account. */
  readonly fence: number;
  readonly leftMs: number;
  /** When this holder took the lease. */
  readonly sinceMs: number;
}

/** An account by the configuration of one daemon. */
export interface Configured {
  /** Empty for the configuration as a whole. */
  readonly account: string;
  /** The text of all settings; null: there are none that can be used. */
  readonly settings: string | null;
  /** May the daemon work the account by this configuration? */
  readonly mayWork: boolean;
  /** Why the file, as it is now, cannot be used; null: it can. */
  readonly problem: string | null;
}

/** The configuration of an account that a daemon has. */
export interface HadConfiguration extends Configured {
  /** The id of the daemon; empty for the one that works on a database of its own. */
  readonly daemon: string;
  readonly isInForce: boolean;
}

/** The configuration of an account that is in force, for all daemons. */
export interface InForce {
  readonly account: string;
  readonly settings: string;
  /** The name of the daemon that brought it. */
  readonly broughtBy: string;
  readonly sinceMs: number;
}

/** The living daemons and their leases, by the clock of the database. */
export interface Standing {
  /** The configurations that the living daemons have. */
  readonly configured: readonly HadConfiguration[];
  readonly inForce: readonly InForce[];
  readonly daemons: readonly Daemon[];
  /** The leases that have not run out. */
  readonly leases: readonly Lease[];
  readonly nowMs: number;
}

/** The daemon of each account. Instants are of the database's clock, so callers pass only durations. */
export interface LeaseStore {
  /** Lets the daemon live for `ttlMs` from now, with its leases that have not run out. Answers the present standing. */
  beat(daemon: Daemon, ttlMs: number): Promise<Standing>;
  /**
   * Tells the other daemons the configuration of each account, in place of what this daemon told before. It comes into force if
   * it is the newer one (`comesIntoForce`).
   */
  announce(daemon: Pick<Daemon, 'id' | 'name'>, configured: readonly Configured[]): Promise<void>;
  /** Answers the fence of the new lease. null: another daemon has a lease that has not run out. */
  take(account: string, daemon: string, ttlMs: number): Promise<number | null>;
  /** Ends the lease now. Does nothing when the lease is no longer held with this fence. */
  release(account: string, daemon: string, fence: number): Promise<void>;
  /** Ends the daemon, and all its leases. */
  leave(daemon: string): Promise<void>;
  list(): Promise<Standing>;
}

/** A write of an account was refused, because the lease it was made under has run out or was taken by another daemon. */
export class LeaseLost extends StoreError {
  readonly account: string;
  readonly fence: number;

  constructor(account: string, fence: number) {
    super(`the lease ${fence} of account ${account} is over: another daemon may be working it. Nothing was written`);
    this.account = account;
    this.fence = fence;
  }
}
