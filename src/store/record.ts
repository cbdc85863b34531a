import type { AnyCause } from '../domain/causes/entry.ts';
import type { StrategyName } from '../domain/strategy.ts';
import type { WorkKey } from './work.ts';

interface Change extends WorkKey {
  /** `product.archive`, `stock.write`, `order-in.create` ... */
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface JournalEntry extends Change {
  readonly why: string;
  /** `sent`: recorded before sending. The entry stays `sent` if the program dies before the answer. */
  readonly outcome: 'sent' | 'written' | 'refused' | 'unknown' | 'dry-run' | 'noted';
  readonly answer: string;
}

export interface JournalRow extends JournalEntry {
  readonly id: number;
  readonly atMs: number;
}

export type LatestWrite = Pick<JournalRow, 'outcome' | 'atMs' | 'before' | 'after'>;

/** A journal entry as published to subscribers. */
export interface JournalEvent extends JournalEntry {
  readonly id?: number;
  /** An existing entity that was adopted instead of creating a second one: "ERP order SO-1". */
  readonly adopted?: string;
  readonly fields?: readonly string[] | undefined;
  /** Names of the fields whose value a person had edited. */
  readonly replaces?: readonly string[] | undefined;
  readonly codes?: readonly string[];
}

/** A write with the time of its last repeat. */
export type WrittenOnce = Pick<JournalRow, 'target' | 'after' | 'atMs'>;

/** An operator's act, or one that it requested. Account, flow and key are empty for the whole installation. */
export interface Act extends Change {
  readonly who: string;
  readonly outcome: string;
  readonly resultOf: number | null;
}

export interface AuditRow extends Act {
  readonly id: number;
  readonly atMs: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** How a replay ended: `after` of its result in the audit log. */
export type ReplayState = 'in-sync' | 'written' | 'held' | 'failed' | 'superseded' | 'discarded';

export interface AuditFinding {
  readonly rows: number;
  /** Hash of the last valid row; null: none. A copy elsewhere proves later that nothing was rewritten. */
  readonly lastHash: string | null;
  readonly broken: { readonly id: number; readonly why: string } | null;
}

export interface BrakePlan {
  readonly id: number;
  readonly account: string;
  readonly flow: string;
  readonly kind: string;
  /** All writes of this kind wait. Otherwise each item waits on its own. */
  readonly holdsAll: boolean;
  /** The limit that the writes exceed together. Where each item waits on its own, the item has the reason. */
  readonly reason: AnyCause;
  readonly state: 'open' | 'dropped' | 'approved';
  readonly createdAtMs: number;
  /** After this time, an open plan cannot be approved, and an approval is void. */
  readonly expiresAtMs: number;
  readonly decidedBy: string | null;
}

export interface BrakeItem extends Change {
  readonly id: number;
  readonly planId: number;
  readonly why: string;
  readonly reason: AnyCause;
  /** held: undecided. vetoed, dropped: not made until a different value is to be written. */
  readonly state: 'dropped' | 'held' | 'approved' | 'vetoed';
}

/** A waiting plan with its number of items and the first one; null: the plan is empty. */
export interface OpenPlan {
  readonly plan: BrakePlan;
  readonly count: number;
  readonly first: BrakeItem | null;
  readonly hash: string;
}

export type BrakePool = Pick<BrakePlan, 'account' | 'flow' | 'kind'>;

/** A write as a plan names it. `after` is exactly what would be written. */
export type BrakedWrite = Pick<BrakeItem, 'key' | 'action' | 'target' | 'before' | 'after' | 'why'>;

export type PlannedItem = BrakeItem &
  Pick<BrakePlan, 'holdsAll' | 'expiresAtMs' | 'decidedBy'> & { readonly planReason: AnyCause };

export interface BrakeLimit {
  readonly holdsAll: boolean;
  readonly reason: AnyCause;
  readonly expiryMs: number;
}

/** A plan's id, or the hash that `brakes list` showed. */
export type PlanName = { readonly id: number } | { readonly hash: string };

/** An item's id, or its entity. */
export type ItemName = { readonly id: number } | { readonly flow: string; readonly key: string };

/** The decision was rejected. The message says why, and what to do. */
export class BrakeDecisionError extends Error {
  override readonly name = 'BrakeDecisionError';
}

export interface Approved {
  readonly plan: BrakePlan;
  readonly hash: string;
  readonly approved: readonly BrakeItem[];
  readonly vetoed: readonly BrakeItem[];
}

export interface Pause {
  readonly account: string;
  readonly flow: string;
  readonly reason: string;
  readonly sinceMs: number;
}

export const ALL_FLOWS = 'all';

export interface AuditStore {
  add(act: Act): Promise<number>;

  /** The newest rows (before `beforeId`), returned oldest first. */
  latest(limit: number, account?: string, beforeId?: number): Promise<AuditRow[]>;

  about(account: string, keys: readonly string[], limit: number): Promise<AuditRow[]>;

  resultsOf(ids: readonly number[]): Promise<AuditRow[]>;

  noteSetting(account: string, name: string, value: string, who: string): Promise<void>;

  /** Verifies the whole hash chain, page by page, up to the first broken link. */
  verify(): Promise<AuditFinding>;
}

/** Each decision is one transaction, with its acts on record. */
export interface BrakeDecisionStore {
  /**
   * Lets each write of a plan pass once, until the approval expires (`expiryMs`, by account). Items in `except` stay
   * held until another value is to be written.
   * @throws BrakeDecisionError when the plan does not exist, has changed, or has expired
   */
  approve(
    name: PlanName,
    what: { except: readonly ItemName[]; expiryMs: Readonly<Record<string, number>>; by: string },
  ): Promise<Approved>;

  /**
   * Refuses the writes of a plan, including approved ones that were not made yet. Each stays held until another value
   * is to be written.
   * @throws BrakeDecisionError when the plan does not exist or has changed
   */
  drop(name: PlanName, by: string): Promise<{ plan: BrakePlan; dropped: readonly BrakeItem[] }>;

  /**
   * Reverts a drop: the writes are held again, in the open plan of their kind if there is one.
   * @throws BrakeDecisionError when no item of the plan is dropped any more
   */
  restore(planId: number, by: string): Promise<{ restored: readonly BrakeItem[] }>;
}

export interface BrakeStore {
  itemsOf(account: string, flow: string, key: string): Promise<PlannedItem[]>;

  holdingAll(pool: BrakePool): Promise<BrakePlan | null>;

  decided(pool: BrakePool): Promise<BrakeItem[]>;

  /**
   * Adds writes to the pool's open plan, or opens one. An expired plan is opened anew, because an old view should not
   * be approved. Decided items keep their decision.
   */
  hold(pool: BrakePool, writes: readonly BrakedWrite[], holding: BrakeLimit): Promise<BrakePlan>;

  used(itemId: number): Promise<void>;

  /** Removes items that are no longer to be written, and vetoes and drops of writes whose value has changed. */
  keepOnly(
    account: string,
    flow: string,
    key: string,
    wanted: readonly Pick<BrakedWrite, 'action' | 'target' | 'after'>[],
  ): Promise<void>;

  list(account?: string): Promise<{ plan: BrakePlan; items: BrakeItem[]; hash: string }[]>;

  openPlans(): Promise<{ account: string; kind: string; count: number }[]>;

  /** The open plans of an account, oldest first, without items. */
  open(account: string): Promise<OpenPlan[]>;

  /**
   * Due keys with versions, including those held until the first links exist: a limit checked just before their release
   * must count their writes.
   */
  waitingKeys(account: string, flows: readonly string[]): Promise<{ key: string; version: string }[]>;

  /** The price before unapproved changes since `sinceMs`, from the journal: "12.50 USD"; null: no such change. */
  priceBefore(account: string, flow: string, key: string, action: string, sinceMs: number): Promise<string | null>;
}

export interface JournalChoice {
  readonly accounts?: readonly string[] | undefined;
  readonly flow?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly sinceMs?: number | undefined;
}

export interface JournalStore {
  add(entry: JournalEntry): Promise<void>;

  /** Records a write before it is sent. On disk with `sending` or the write's intent. Returns the id for `end`. */
  begin(entry: Omit<JournalEntry, 'outcome' | 'answer'>): Promise<number>;

  end(id: number, outcome: JournalEntry['outcome'], answer: string): Promise<void>;

  /** Records that the write leaves now and may be applied. The entry is on disk afterwards. */
  sending(id: number): Promise<void>;

  drop(id: number): Promise<void>;

  /** The latest writes of this key that were, or may have been, applied, newest first. */
  latestWrites(account: string, flow: string, key: string): Promise<readonly LatestWrite[]>;

  /** The newest entries of a key, newest first, up to `untilMs`. */
  of(account: string, flow: string, key: string, limit: number, untilMs?: number): Promise<JournalRow[]>;

  /** Entries after `afterId`, oldest first, for a reader that follows along. */
  after(afterId: number, limit: number, of?: JournalChoice): Promise<JournalRow[]>;

  /** Entries before `beforeId` (null: the newest), newest first. */
  before(beforeId: number | null, limit: number, of?: JournalChoice): Promise<JournalRow[]>;

  /**
   * Writes since `sinceMs`, each with its last time, as the brakes count them. A write with a lost answer counts; a
   * repeat counts as the same write.
   */
  written(account: string, action: string, sinceMs: number): Promise<WrittenOnce[]>;

  countsByAction(account: string): Promise<{ action: string; outcome: string; count: number }[]>;

  prune(beforeMs: number): Promise<void>;
}

export interface PauseStore {
  /** Stops the writes of one flow, or of `all`. An existing pause gets the new reason. */
  pause(account: string, flow: string, reason: string, by: string): Promise<void>;

  /**
   * Ends one flow's pause, or with `all` every pause of the account, and marks the waiting keys. Returns the ended
   * pauses and the number of keys.
   */
  resume(account: string, flow: string, by: string): Promise<{ lifted: Pause[]; released: number }>;

  all(): Promise<readonly Pause[]>;
}

export interface StrategyStore {
  inForce(account: string): Promise<StrategyName | null>;

  /** The strategy that an operator approved within the last day. */
  approved(account: string): Promise<StrategyName | null>;

  /** Puts a strategy into force and uses up its approval. False: it was in force already. */
  comeIntoForce(account: string, strategy: StrategyName, by: string): Promise<boolean>;

  approve(account: string, strategy: StrategyName, by: string): Promise<void>;

  /** Orders that began under the strategy in force: submitted, accepted, or exported and not shipped. */
  openOrders(account: string): Promise<number>;
}
