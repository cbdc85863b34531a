import type { Cause, Code } from '../domain/causes/cause.ts';
import type { FailureCode } from '../domain/causes/reads.ts';

export type Lane = 'operator' | 'webhook' | 'poll' | 'backfill' | 'follow-up';

/** The name of one entity of one account in one flow. */
export interface WorkKey {
  readonly account: string;
  readonly flow: string;
  readonly key: string;
}

export interface WorkRow extends WorkKey {
  /** Raised by every change of the entity, so that a change during a job is not lost. */
  readonly version: number;
  readonly lane: Lane;
  readonly reason: string;
  /** pending: to be looked at. held: waits for a condition or an operator. failed: in the failed jobs. */
  readonly state: 'pending' | 'held' | 'failed';
  /** Why it is held. It stays during the next look, so that only a new reason is reported. */
  readonly heldFor: readonly Cause[] | null;
  /** Epoch milliseconds since when it is held for the same codes; null when it never was. */
  readonly heldSinceMs: number | null;
  readonly notBeforeMs: number;
  readonly sinceMs: number;
}

/** Why something does not go on by itself. */
export const STOPPED_STATES = ['held', 'failed', 'in-doubt', 'alert'] as const;
export type StoppedState = (typeof STOPPED_STATES)[number];

/** The keys that are in such a state for one code. A key that is held for two codes counts in both. */
export interface StoppedGroup {
  /** The flow; of what is in doubt, the kind of its intent; of an alert, what its name begins with. */
  readonly about: string;
  readonly code: string;
  readonly count: number;
  /** Since when the first and the last of them are: epoch milliseconds; null: an alert has no time. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** The one that is so longest, with its cause. */
  readonly key: string;
  readonly cause: Cause;
}

/** A choice among the held keys. */
export interface HeldWork extends Partial<Omit<WorkKey, 'key'>> {
  /** Held for one of these. */
  readonly codes?: readonly Code[];
  /** Held because one of these listings may be the product. */
  readonly alike?: readonly number[];
}

export interface FailedJob extends WorkKey {
  readonly id: number;
  /** The code that they are grouped by; its parameter is the message. */
  readonly cause: FailureCode;
  readonly message: string;
  /** Since it failed first, each try of it. */
  readonly attempts: number;
  readonly failedAtMs: number;
}

/** A choice among the failed jobs. */
export interface FailedJobs {
  readonly account?: string | undefined;
  readonly flow?: string;
  readonly key?: string;
  readonly error?: string | undefined;
  readonly ids?: readonly number[];
  /** Epoch milliseconds. */
  readonly failedBeforeMs?: number | undefined;
  /** Those that failed after this one, or at the same time with a greater id. */
  readonly after?: Pick<FailedJob, 'failedAtMs' | 'id'> | undefined;
  /** At most so many, the oldest. */
  readonly limit?: number | undefined;
}

/** Dead letters: they stay until a look succeeds, or an operator discards them. */
export interface FailedJobStore {
  /** Failed jobs, oldest first, at most 10,000 of them; `error` is part of their cause or message. */
  failed(where?: FailedJobs): Promise<FailedJob[]>;

  /**
   * Looks at both sides afresh. The failed job stays listed until that look succeeds, and the audit log records the result.
   * Answers the ids of the acts there, in the order of the jobs.
   */
  replay(jobs: readonly FailedJob[], by: string): Promise<number[]>;

  /** Forgets them, and takes back a replay that has not come to its end. */
  discard(jobs: readonly FailedJob[], by: string): Promise<void>;
}

/** Stored dates are those of this machine's clock, which somebody may set back. */
export interface SetBackStore {
  /**
   * Of one account: an entry that was sent, looked up or checked at a later date than now gets the date of now. An entry that
   * waits until such a date is due. A measurement of such a date has no known time. So nothing waits longer than if it began
   * now. Past dates that people read stay.
   */
  restampFuture(account: string): Promise<void>;

  /**
   * The time when a request left is on record, but may be missing on the disk after the machine went down. So after such a
   * restart, and where another machine takes over, all open creates of the account count as sent just now.
   * @param boot names the present run of the machine, from one start to the next; null where it is unknown
   */
  machineIs(account: string, boot: string | null): Promise<void>;
}

export interface WorkStore {
  mark(targets: readonly WorkKey[], lane: Lane, reason: string): Promise<void>;

  get(target: WorkKey): Promise<WorkRow | null>;

  /**
   * Pending keys of an account that are due, oldest first within a lane.
   * @param followUps as many follow-ups at most, beside the limit: a backlog does not keep them back
   */
  due(account: string, limit: number, followUps?: number): Promise<WorkRow[]>;

  /** Those of these accounts of which a pending key is due. */
  accountsDue(accounts: readonly string[]): Promise<string[]>;

  /** Nothing differs any more, and no plan holds anything of it. Answers false when a change that came meanwhile keeps the key pending. */
  settle(target: WorkKey, version: number): Promise<boolean>;

  hold(target: WorkKey, version: number, causes: readonly Cause[]): Promise<boolean>;

  /** Not before this time; false when a change that came meanwhile wants a look now. */
  postpone(target: WorkKey, version: number, notBeforeMs: number): Promise<boolean>;

  /** The rest of its work follows what is done, so urgent work goes first; false when a change that came meanwhile wants a look now. */
  giveWay(target: WorkKey, version: number): Promise<boolean>;

  /**
   * Does an unlinked product of the ERP wait for its look, or for the first read of the listings, although a listing has its
   * SKU or id?
   */
  isLinking(account: string): Promise<boolean>;

  /** Held keys are looked at again: after a new mapping, or simply from time to time. */
  release(where: HeldWork): Promise<number>;

  fail(target: WorkKey, version: number, cause: FailureCode, message: string, attempts: number): Promise<void>;
}

/** The counts of work that is left. */
export interface WorkCounts {
  counts(): Promise<{ account: string; flow: string; state: WorkRow['state']; count: number; oldestMs: number }[]>;

  pending(account: string): Promise<number>;

  /** Since when the pending key that waits longest does; null: none waits. */
  pendingSinceMs(account: string): Promise<number | null>;

  /** Held keys, those that wait longest first, at most 1,000 of them. */
  held(account?: string): Promise<WorkRow[]>;

  /** How many are in this state for each code, the largest group of a flow first. */
  groups(account: string, state: StoppedState): Promise<StoppedGroup[]>;

  /** Held keys in the order of their flows and keys: those after `after`, at most `limit`. */
  heldAfter(account: string, after: Pick<WorkKey, 'flow' | 'key'> | null, limit: number): Promise<WorkRow[]>;
}
