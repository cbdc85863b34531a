import type { Cause, Code } from '../domain/causes/cause.ts';
import type { FailureCode } from '../domain/causes/reads.ts';

/**
 * Work lanes, most urgent first. Call lanes (src/marketplace/quota.ts) add that of reads. Follow-ups are taken before
 * bulk, a few at a time, but their calls come after those of bulk.
 */
export const LANES = ['operator', 'new-order', 'webhook', 'poll', 'follow-up', 'backfill'] as const;
export type Lane = (typeof LANES)[number];

/** Does this lane have reserved capacity? */
export function hasReservedCapacity(lane: Lane): boolean {
  return lane === 'operator' || lane === 'new-order';
}

/** A person waits for a single act. An act on many entities is bulk. */
export function laneOfAct(entities: number): Lane {
  return entities === 1 ? 'operator' : 'backfill';
}

export interface WorkKey {
  readonly account: string;
  readonly flow: string;
  readonly key: string;
}

export interface WorkRow extends WorkKey {
  /** Rises with every change of the entity, so that a change during a job is not lost. */
  readonly version: number;
  readonly lane: Lane;
  readonly reason: string;
  /** pending: to be processed. held: waits for a condition or an operator. failed: a failed job. */
  readonly state: 'pending' | 'held' | 'failed';
  /** Why the key is held, according to its last look. Stays until a look finds another result. */
  readonly heldFor: readonly Cause[] | null;
  /** Since when the key has been held for the codes of `heldFor`, in epoch milliseconds; null: not held. */
  readonly heldSinceMs: number | null;
  readonly notBeforeMs: number;
  readonly sinceMs: number;
}

/** Holds that remember a write. It is repeated after news, by a person, or by the daily pass, which set `again`. */
const REMEMBERING = [
  'write-without-effect',
  'erp-refuses-for-now',
  'erp-record-locked',
] as const satisfies readonly Code[];
export type Remembering = Extract<Cause, { readonly code: (typeof REMEMBERING)[number] }>;

export function remembersWrite(one: Cause): one is Remembering {
  return REMEMBERING.some((code) => code === one.code);
}

/** With only these causes, a key is pending and not held. They explain a long wait. */
export const WAITING_CODES = ['tried-again', 'waits-first'] as const satisfies readonly Code[];

export function isWaitingCode({ code }: { readonly code: string }): boolean {
  return WAITING_CODES.some((one) => one === code);
}

/** A held key that is pending again stays held until its next look finds another result. */
export function isHeld({ state, heldFor }: Pick<WorkRow, 'state' | 'heldFor'>): boolean {
  return state !== 'failed' && heldFor !== null && !heldFor.every(isWaitingCode);
}

export const STOPPED_STATES = ['held', 'failed', 'in-doubt', 'alert'] as const;
export type StoppedState = (typeof STOPPED_STATES)[number];

/**
 * Keys of a flow that stopped for the same code and shared parameters. A key held for two codes counts in both groups.
 */
export interface StoppedGroup {
  /** The flow of the keys; for doubts, the kind of the intent; for alerts, the beginning of the alert's name. */
  readonly about: string;
  readonly code: string;
  readonly count: number;
  /** When the first and the last key stopped, in epoch milliseconds; null: an alert has no time. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** The key that stopped first, with its cause. */
  readonly key: string;
  readonly cause: Cause;
}

export interface HeldWork extends Partial<Omit<WorkKey, 'key'>> {
  /** Held for one of these codes. */
  readonly codes?: readonly Code[];
  /** Held because one of these listings may belong to the product. */
  readonly alike?: readonly number[];
  /** Held because the ERP refuses the write for now, due to one of these products. */
  readonly skus?: readonly string[];
  /** `codes` no longer apply: a key held for nothing else is no longer held. */
  readonly isOver?: true;
}

export interface FailedJob extends WorkKey {
  readonly id: number;
  /** The code that groups failed jobs. Its parameter is the message. */
  readonly cause: FailureCode;
  readonly message: string;
  readonly attempts: number;
  readonly failedAtMs: number;
}

export interface FailedJobs {
  readonly account?: string | undefined;
  readonly flow?: string;
  readonly key?: string;
  readonly error?: string | undefined;
  readonly ids?: readonly number[];
  readonly failedBeforeMs?: number | undefined;
  /** Jobs that failed later, or at the same time with a greater id. */
  readonly after?: Pick<FailedJob, 'failedAtMs' | 'id'> | undefined;
  readonly limit?: number | undefined;
}

/** Failed jobs (dead letters). A job stays until a look succeeds or an operator discards it. */
export interface FailedJobStore {
  /** Oldest first, at most 10,000. `error` is part of their cause or message. */
  failed(where?: FailedJobs): Promise<FailedJob[]>;

  /**
   * Processes both sides again. The job stays listed until that look succeeds, and the audit log records the result.
   * Returns the audit ids in the order of the jobs.
   */
  replay(jobs: readonly FailedJob[], by: string): Promise<number[]>;

  /** Deletes these jobs. An unfinished replay is cancelled. */
  discard(jobs: readonly FailedJob[], by: string): Promise<void>;
}

export interface SetBackStore {
  /**
   * Repairs future dates, so that nothing waits longer than if it began now. What was sent, looked up or checked gets
   * the present time. A postponed entry is due now. A measurement has no known time. Past dates that people read stay.
   */
  restampFuture(account: string): Promise<void>;

  /**
   * A power loss may lose the record of when a request left. So after a restart, or on another machine, all open
   * creates of the account count as sent just now.
   * @param boot identifies the machine's present boot; null: unknown
   */
  machineIs(account: string, boot: string | null): Promise<void>;
}

export interface WorkStore {
  mark(targets: readonly WorkKey[], lane: Lane, reason: string): Promise<void>;

  /** As `mark`. Also repeats a write that had no effect or that the ERP refuses for now. */
  markAfresh(targets: readonly WorkKey[], lane: Lane, reason: string): Promise<void>;

  get(target: WorkKey): Promise<WorkRow | null>;

  /**
   * Due pending keys, by lane and age: at most `limit` of the lanes that go first and as many of the others, so neither
   * delays the other.
   * @param followUps the most follow-ups beyond the limit, so a backlog does not delay them
   */
  due(account: string, limit: number, followUps?: number): Promise<WorkRow[]>;

  accountsDue(accounts: readonly string[]): Promise<string[]>;

  /**
   * Settles the key: both sides agree, and no plan holds a write of it. False: the version is outdated, so it stays
   * pending.
   */
  settle(target: WorkKey, version: number): Promise<boolean>;

  /** False: the version is outdated, so the key stays pending and its next look gets the causes. */
  hold(target: WorkKey, version: number, causes: readonly Cause[]): Promise<boolean>;

  /** Records why the last attempt failed. The key stays due. Does nothing for an outdated version. */
  tried(target: WorkKey, version: number, why: Cause): Promise<void>;

  /**
   * Postpones the key. False: the version is outdated, so it is due now.
   * @param why displayed meanwhile; empty: both sides agree
   */
  postpone(target: WorkKey, version: number, notBeforeMs: number, why: readonly Cause[]): Promise<boolean>;

  /** Moves the rest of the key's work behind urgent work. False: the version is outdated. */
  giveWay(target: WorkKey, version: number): Promise<boolean>;

  /** Is an unlinked ERP product with a matching listing waiting for its look, or for the first read of the listings? */
  isLinking(account: string): Promise<boolean>;

  /** Makes held keys pending, for example after a new mapping. They stay held until their look. */
  release(where: HeldWork): Promise<number>;

  fail(target: WorkKey, version: number, cause: FailureCode, message: string, attempts: number): Promise<void>;
}

export interface WorkCounts {
  /**
   * A held key that waits for its next look counts as held. A failed job whose key waits for another look counts as
   * pending too.
   */
  counts(): Promise<{ account: string; flow: string; state: WorkRow['state']; count: number; oldestMs: number }[]>;

  pending(account: string): Promise<number>;

  /** Since when the oldest pending key waits; null: none. */
  pendingSinceMs(account: string): Promise<number | null>;

  /** Held keys, longest first, at most 1,000. */
  held(account?: string): Promise<WorkRow[]>;

  /** The largest group of a flow first. A key held for its own write in doubt is only in the group of that doubt. */
  groups(account: string, state: StoppedState): Promise<StoppedGroup[]>;

  /** The number of entities in this state for any of these codes, each counted once per flow. */
  countFor(account: string, state: StoppedState, codes: readonly Code[]): Promise<number>;

  /** The number of keys by flow that are held for other reasons than these codes and their own writes in doubt. */
  heldBesides(account: string, codes: readonly Code[]): Promise<{ flow: string; count: number }[]>;

  /** Held keys after `after`, by flow and key, at most `limit`. */
  heldAfter(account: string, after: Pick<WorkKey, 'flow' | 'key'> | null, limit: number): Promise<WorkRow[]>;
}
