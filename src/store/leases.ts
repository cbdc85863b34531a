import { StoreError } from './store-error.ts';

export interface Daemon {
  /** Unique for each run of the program. */
  readonly id: string;
  readonly name: string;
  /** Does the program process accounts? One that only receives webhooks or serves the screen does not. */
  readonly works: boolean;
}

/**
 * The right to process an account until the lease expires. Account '' is work without an account: digest, housekeeping.
 */
export interface Lease {
  readonly account: string;
  readonly holder: string;
  /** Fencing token: higher than every earlier one of this account. */
  readonly fence: number;
  readonly leftMs: number;
  readonly sinceMs: number;
}

export interface Configured {
  /** Empty: the configuration as a whole. */
  readonly account: string;
  /** null: none are usable. */
  readonly settings: string | null;
  readonly mayWork: boolean;
  /** Why the present file cannot be used; null: it can. */
  readonly problem: string | null;
}

export interface DaemonConfiguration extends Configured {
  /** Empty: the only daemon of a private database. */
  readonly daemon: string;
  readonly isInForce: boolean;
}

export interface InForce {
  readonly account: string;
  readonly settings: string;
  readonly broughtBy: string;
  readonly sinceMs: number;
}

/** By the database's clock. */
export interface Standing {
  readonly configured: readonly DaemonConfiguration[];
  readonly inForce: readonly InForce[];
  readonly daemons: readonly Daemon[];
  readonly leases: readonly Lease[];
  readonly nowMs: number;
}

/** Times are of the database's clock, so callers pass only durations. */
export interface LeaseStore {
  /** Extends the life of `daemon` and its unexpired leases to `ttlMs` from now. */
  beat(daemon: Daemon, ttlMs: number): Promise<Standing>;
  /** Replaces this daemon's published configurations. A newer one comes into force (`comesIntoForce`). */
  announce(daemon: Pick<Daemon, 'id' | 'name'>, configured: readonly Configured[]): Promise<void>;
  /** Returns the fence of the new lease; null: another daemon has an unexpired lease. */
  take(account: string, daemon: string, ttlMs: number): Promise<number | null>;
  /** Ends the lease, unless this fence does not hold it any more. */
  release(account: string, daemon: string, fence: number): Promise<void>;
  leave(daemon: string): Promise<void>;
  list(): Promise<Standing>;
}

/** A write was refused because its lease has expired or another daemon has it. */
export class LeaseLost extends StoreError {
  readonly account: string;
  readonly fence: number;

  constructor(account: string, fence: number) {
    super(`the lease ${fence} of account ${account} is over: another daemon may be working it. Nothing was written`);
    this.account = account;
    this.fence = fence;
  }
}
