import { StoreError } from './store-error.ts';

/** A running program, as it says of itself. */
export interface Daemon {
  /** Of this run of the program; never used again. */
  readonly id: string;
  /** For people: the machine and the process. */
  readonly name: string;
  /** It takes accounts. One that only takes webhooks or serves the screen does not. */
  readonly works: boolean;
}

/** The right to work an account until it runs out. Account '' is what belongs to none: digest, housekeeping. */
export interface Lease {
  readonly account: string;
  /** The id of a daemon. */
  readonly holder: string;
  /** Higher than every earlier one of this account. */
  readonly fence: number;
  readonly leftMs: number;
  /** When this holder took it. */
  readonly sinceMs: number;
}

/** What stands, by the clock of the database. */
export interface Standing {
  /** Those that live. */
  readonly daemons: readonly Daemon[];
  /** Those that have not run out. */
  readonly leases: readonly Lease[];
  readonly nowMs: number;
}

/** Who works which account. Instants are those of the database's clock: callers say only how long. */
export interface LeaseStore {
  /** The daemon lives for so long from now, and so do its leases that have not run out. Answers what stands. */
  beat(daemon: Daemon, ttlMs: number): Promise<Standing>;
  /** Answers the fence; null: another daemon has a lease that has not run out. */
  take(account: string, daemon: string, ttlMs: number): Promise<number | null>;
  /** The lease has run out now. Does nothing when it is not held with this fence any more. */
  release(account: string, daemon: string, fence: number): Promise<void>;
  /** Releases everything of the daemon, which lives no more. */
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
