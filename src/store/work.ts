import type { Cause, Code } from '../domain/causes/cause.ts';
import type { FailureCode } from '../domain/causes/reads.ts';

/**
 * The lanes of work, most urgent first. The lanes of calls (src/marketplace/quota.ts) are these and that of reads. Follow-ups are looked at
 * before bulk, and few of them at once; their calls come after those of bulk.
 */
export const LANES = ['operator', 'new-order', 'webhook', 'poll', 'follow-up', 'backfill'] as const;
export type Lane = (typeof LANES)[number];

/** Does work of this lane have places of its own, which no other work takes? */
export function goesFirst(lane: Lane): boolean {
  return lane === 'operator' || lane === 'new-order';
}

/** A person waits for the result of a single act. An act on many entities is bulk. */
export function laneOfAct(entities: number): Lane {
  return entities === 1 ? 'operator' : 'backfill';
}

/** The name of one entity of one account in one flow. */
export interface WorkKey {
  readonly account: string;
  readonly flow: string;
  readonly key: string;
}

export interface WorkRow extends WorkKey {
  /** Every change of the entity raises this number. So a change during a job is not lost. */
  readonly version: number;
  readonly lane: Lane;
  readonly reason: string;
  /** pending: to be looked at. held: waits for a condition or an operator. failed: among the failed jobs. */
  readonly state: 'pending' | 'held' | 'failed';
  /** Why the key is held: the result of its last look. It stays on record until a look has found another result. */
  readonly heldFor: readonly Cause[] | null;
  /** Since when the key has been held for the codes in `heldFor`, in epoch milliseconds; null when it is not held. */
  readonly heldSinceMs: number | null;
  readonly notBeforeMs: number;
  readonly sinceMs: number;
}

/** Holds that remember a write. Its repetition waits for news, for a person, or for the daily pass, which set `again`. */
const REMEMBERING = [
  'write-without-effect',
  'erp-refuses-for-now',
  'erp-record-locked',
] as const satisfies readonly Code[];
export type Remembering = Extract<Cause, { readonly code: (typeof REMEMBERING)[number] }>;

export function remembersWrite(one: Cause): one is Remembering {
  return REMEMBERING.some((code) => code === one.code);
}

/** With these causes alone, a key is not held: it is pending, and they say why it is so for longer. */
export const WAITING_CODES = ['tried-again', 'waits-first'] as const satisfies readonly Code[];

export function onlyWaits({ code }: { readonly code: string }): boolean {
  return WAITING_CODES.some((one) => one === code);
}

/** Is the key held? A held key that waits for its next look stays held until that look has found another result. */
export function isHeld({ state, heldFor }: Pick<WorkRow, 'state' | 'heldFor'>): boolean {
  return state !== 'failed' && heldFor !== null && !heldFor.every(onlyWaits);
}

/** Why something does not go on by itself. */
export const STOPPED_STATES = ['held', 'failed', 'in-doubt', 'alert'] as const;
export type StoppedState = (typeof STOPPED_STATES)[number];

/** The keys of one flow that stopped for one code, and share what its parameters name. A key that is held for two codes counts in both groups. */
export interface StoppedGroup {
  /** The flow of the keys. For writes in doubt: the kind of the intent. For alerts: the beginning of the alert's name. */
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

/** A choice among the held keys. */
export interface HeldWork extends Partial<Omit<WorkKey, 'key'>> {
  /** Only keys that are held for one of these codes. */
  readonly codes?: readonly Code[];
  /** Only keys that are held because one of these listings may belong to the product. */
  readonly alike?: readonly number[];
  /** Only keys whose write the ERP refuses for now, because of one of these products. */
  readonly skus?: readonly string[];
  /** `codes` are known to hold nothing any more: a key that is held for nothing else is held no longer. */
  readonly isOver?: true;
}

export interface FailedJob extends WorkKey {
  readonly id: number;
  /** The code by which failed jobs are grouped. Its parameter is the message. */
  readonly cause: FailureCode;
  readonly message: string;
  /** The number of tries since the first failure. */
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
  readonly failedBeforeMs?: number | undefined;
  /** Jobs that failed after this job, or at the same time with a greater id. */
  readonly after?: Pick<FailedJob, 'failedAtMs' | 'id'> | undefined;
  /** At most this many jobs, the oldest ones. */
  readonly limit?: number | undefined;
}

/** The failed jobs (dead letters). A failed job stays until a look succeeds, or until an operator discards it. */
export interface FailedJobStore {
  /** Failed jobs, oldest first, at most 10,000 of them; `error` is part of their cause or message. */
  failed(where?: FailedJobs): Promise<FailedJob[]>;

  /**
   * Has both sides looked at afresh. The failed job stays listed until that look succeeds, and the audit log records the result.
   * Answers the ids of the acts in the audit log, in the order of the jobs.
   */
  replay(jobs: readonly FailedJob[], by: string): Promise<number[]>;

  /** Forgets these jobs. A replay that has not ended is taken back. */
  discard(jobs: readonly FailedJob[], by: string): Promise<void>;
}

/** The repair of stored dates. They come from this machine's clock, and somebody may set that clock back. */
export interface SetBackStore {
  /**
   * Repairs the future dates of an account. An entry that was sent, looked up or checked in the future gets the date of now. A
   * postponed entry is due now. A measurement with a future date has no known time. So nothing waits longer than if it began now.
   * Past dates that people read stay.
   */
  restampFuture(account: string): Promise<void>;

  /**
   * Notes the run of the machine. The time at which a request left is on record, but the record may be lost when the machine goes
   * down. So after such a restart, and when another machine takes over, all open creates of the account count as sent just now.
   * @param boot names the present run of the machine, from one start to the next; null where it is unknown
   */
  machineIs(account: string, boot: string | null): Promise<void>;
}

export interface WorkStore {
  mark(targets: readonly WorkKey[], lane: Lane, reason: string): Promise<void>;

  /** The same. A write that had no effect, or that the ERP refuses for now, is also tried once more. */
  markAfresh(targets: readonly WorkKey[], lane: Lane, reason: string): Promise<void>;

  get(target: WorkKey): Promise<WorkRow | null>;

  /**
   * Pending keys of an account that are due, oldest first within a lane: at most `limit` of the keys that go first, and as many
   * of all others. So neither keeps the other back.
   * @param followUps at most this many follow-ups are answered beyond the limit, so a backlog does not keep them back
   */
  due(account: string, limit: number, followUps?: number): Promise<WorkRow[]>;

  /** The accounts, among these, that have a pending key that is due. */
  accountsDue(accounts: readonly string[]): Promise<string[]>;

  /** Settles the key: nothing differs, and no plan holds a write of it. False: a change came meanwhile, so it stays pending. */
  settle(target: WorkKey, version: number): Promise<boolean>;

  /** False: a change that came meanwhile wants a look now. That look is told the causes. */
  hold(target: WorkKey, version: number, causes: readonly Cause[]): Promise<boolean>;

  /**
   * Puts the reason on record why the last attempt did not succeed. The key stays due. Nothing happens when a change came meanwhile.
   */
  tried(target: WorkKey, version: number, why: Cause): Promise<void>;

  /**
   * Postpones the key until this time. False: a change that came meanwhile wants a look now.
   * @param why people see it meanwhile; empty: both sides are in step
   */
  postpone(target: WorkKey, version: number, notBeforeMs: number, why: readonly Cause[]): Promise<boolean>;

  /** Puts the rest of the key's work behind urgent work. False: a change that came meanwhile wants a look now. */
  giveWay(target: WorkKey, version: number): Promise<boolean>;

  /** Does an unlinked product of the ERP that a listing names wait for its look, or for the first read of the listings? */
  isLinking(account: string): Promise<boolean>;

  /** Held keys are looked at again: after a new mapping, or simply from time to time. They stay held until that look. */
  release(where: HeldWork): Promise<number>;

  fail(target: WorkKey, version: number, cause: FailureCode, message: string, attempts: number): Promise<void>;
}

/** The counts of work that is left. */
export interface WorkCounts {
  /**
   * The keys of each flow by their state. A key counts as held as long as it is held, though it may wait for its next look. Failed
   * are the failed jobs; a key that waits for another look after it failed counts as pending too.
   */
  counts(): Promise<{ account: string; flow: string; state: WorkRow['state']; count: number; oldestMs: number }[]>;

  pending(account: string): Promise<number>;

  /** The time since which the oldest pending key waits; null: none waits. */
  pendingSinceMs(account: string): Promise<number | null>;

  /** Held keys, longest waiting first, at most 1,000 of them. */
  held(account?: string): Promise<WorkRow[]>;

  /**
   * The groups of keys in this state by code. The largest group of a flow comes first. A key that is held for its own write in
   * doubt is in the group of that doubt alone.
   */
  groups(account: string, state: StoppedState): Promise<StoppedGroup[]>;

  /** How many entities are in this state for any of these codes, each counted once in a flow. */
  countFor(account: string, state: StoppedState, codes: readonly Code[]): Promise<number>;

  /** The keys of each flow that are held for anything but these codes and their own writes in doubt. */
  heldBesides(account: string, codes: readonly Code[]): Promise<{ flow: string; count: number }[]>;

  /** Held keys after `after`, in the order of their flows and keys, at most `limit`. */
  heldAfter(account: string, after: Pick<WorkKey, 'flow' | 'key'> | null, limit: number): Promise<WorkRow[]>;
}
