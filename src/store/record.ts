import type { AnyCause } from '../domain/causes/entry.ts';
import type { StrategyName } from '../domain/strategy.ts';
import type { WorkKey } from './work.ts';

/** A change of a target, with its state before and after. */
interface Change extends WorkKey {
  /** The action: `product.archive`, `stock.write`, `order-in.create` ... */
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface JournalEntry extends Change {
  readonly why: string;
  /** `sent`: on record before the write is sent. The entry stays `sent` when the program dies before the answer. */
  readonly outcome: 'sent' | 'written' | 'refused' | 'unknown' | 'dry-run' | 'noted';
  readonly answer: string;
}

export interface JournalRow extends JournalEntry {
  readonly id: number;
  readonly atMs: number;
}

/** One of the latest writes of a key. */
export type LatestWrite = Pick<JournalRow, 'outcome' | 'atMs' | 'before' | 'after'>;

/** An entry as it is told to those who follow the journal. */
export interface JournalEvent extends JournalEntry {
  /** The entry's id in the journal; absent for an entry without a write. */
  readonly id?: number;
  /** The entity that was there already and was adopted, so that no second one was created: "ERP order SO-1". */
  readonly adopted?: string;
  /** Names of the fields that are set. */
  readonly fields?: readonly string[] | undefined;
  /** Names of the fields whose text a person wrote. */
  readonly replaces?: readonly string[] | undefined;
  /** The codes of an alert. */
  readonly codes?: readonly string[];
}

/** A write that was made, and when it was made last. */
export type WrittenOnce = Pick<JournalRow, 'target' | 'after' | 'atMs'>;

/**
 * An act of an operator, or an act that an operator asked for. Account, flow and key are empty when the act concerns the whole
 * installation.
 */
export interface Act extends Change {
  /** The system's user, a token's role, or the daemon itself. */
  readonly who: string;
  readonly outcome: string;
  /** The act whose result this row records. */
  readonly resultOf: number | null;
}

export interface AuditRow extends Act {
  readonly id: number;
  readonly atMs: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** How a replay ended: the `after` of its result in the audit log. */
export type ReplayState = 'in-sync' | 'written' | 'held' | 'failed' | 'superseded' | 'discarded';

/** The result of verifying the chain. */
export interface AuditFinding {
  /** The number of rows in the log. */
  readonly rows: number;
  /** The hash of the last row that fits. A copy of it elsewhere proves later that nothing was rewritten. null: no row fits. */
  readonly lastHash: string | null;
  /** The first row that does not fit, and why. */
  readonly broken: { readonly id: number; readonly why: string } | null;
}

export interface BrakePlan {
  readonly id: number;
  readonly account: string;
  readonly flow: string;
  /** archive | zero | increase | price | reject. */
  readonly kind: string;
  /** All writes of this kind wait. Otherwise only the items of the plan wait, each for itself. */
  readonly holdsAll: boolean;
  /** The limit that all writes of this kind exceed together. When each item waits for itself, the item has its own reason. */
  readonly reason: AnyCause;
  readonly state: 'open' | 'dropped' | 'approved';
  readonly createdAtMs: number;
  /** After this time an open plan cannot be approved, and an approval does not count. */
  readonly expiresAtMs: number;
  readonly decidedBy: string | null;
}

export interface BrakeItem extends Change {
  readonly id: number;
  readonly planId: number;
  readonly why: string;
  /** The limit because of which the write is held. */
  readonly reason: AnyCause;
  /** held: nobody has decided. vetoed, dropped: the write is not made until it becomes another write. */
  readonly state: 'dropped' | 'held' | 'approved' | 'vetoed';
}

/** A plan that waits, with the number of its items and the first item; null: the plan holds nothing any more. */
export interface OpenPlan {
  readonly plan: BrakePlan;
  readonly count: number;
  readonly first: BrakeItem | null;
  readonly hash: string;
}

/** The writes that share a limit, and a plan. */
export type BrakePool = Pick<BrakePlan, 'account' | 'flow' | 'kind'>;

/** A write as a plan names it: `after` is exactly what would be written. */
export type BrakedWrite = Pick<BrakeItem, 'key' | 'action' | 'target' | 'before' | 'after' | 'why'>;

/** An item with the facts of its plan. */
export type PlannedItem = BrakeItem &
  Pick<BrakePlan, 'holdsAll' | 'expiresAtMs' | 'decidedBy'> & { readonly planReason: AnyCause };

export interface BrakeLimit {
  readonly holdsAll: boolean;
  /** The limit that the writes exceed. */
  readonly reason: AnyCause;
  readonly expiryMs: number;
}

/** A plan by its number, or by the hash that `brakes list` showed with it. */
export type PlanName = { readonly id: number } | { readonly hash: string };

/** An item by its number, or by its entity. */
export type ItemName = { readonly id: number } | { readonly flow: string; readonly key: string };

/** The decision was not taken. The message says why, and what to do. */
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

/** The flow of a pause that stops every flow of the account. */
export const ALL_FLOWS = 'all';

export interface AuditStore {
  add(act: Act): Promise<number>;

  /** The newest rows, or the newest before `beforeId`, oldest of them first. */
  latest(limit: number, account?: string, beforeId?: number): Promise<AuditRow[]>;

  /** The acts that name one of these keys, newest first. */
  about(account: string, keys: readonly string[], limit: number): Promise<AuditRow[]>;

  /** The known results of these rows. */
  resultsOf(ids: readonly number[]): Promise<AuditRow[]>;

  /** Records the new value of a setting, unless it is the old one. */
  noteSetting(account: string, name: string, value: string, who: string): Promise<void>;

  /** Follows the whole chain, a page at a time, to its first broken link. */
  verify(): Promise<AuditFinding>;
}

/** An operator's decisions about held plans. Each decision is one transaction, with its acts on record. */
export interface BrakeDecisionStore {
  /**
   * Lets each write of a plan pass once, until the approval expires. `expiryMs` has the time of each account. The items in
   * `except` stay held until another value is to be written.
   * @throws BrakeDecisionError when there is no such plan, it has changed, or its time is over
   */
  approve(
    name: PlanName,
    what: { except: readonly ItemName[]; expiryMs: Readonly<Record<string, number>>; by: string },
  ): Promise<Approved>;

  /**
   * Refuses the writes of a plan, also the approved writes that are not made yet. Each write is held until another value is to be
   * written.
   * @throws BrakeDecisionError when there is no such plan, or it has changed
   */
  drop(name: PlanName, by: string): Promise<{ plan: BrakePlan; dropped: readonly BrakeItem[] }>;

  /**
   * Takes a drop back: its writes are held again, in the open plan of their kind where there is one.
   * @throws BrakeDecisionError when nothing of the plan is dropped any more
   */
  restore(planId: number, by: string): Promise<{ restored: readonly BrakeItem[] }>;
}

export interface BrakeStore {
  itemsOf(account: string, flow: string, key: string): Promise<PlannedItem[]>;

  /** The open plan that holds all writes of its kind. */
  holdingAll(pool: BrakePool): Promise<BrakePlan | null>;

  /** The items of this pool that an operator has decided. */
  decided(pool: BrakePool): Promise<BrakeItem[]>;

  /**
   * Puts writes into the open plan of their pool, or opens a plan. An expired plan is opened anew, because nobody should
   * approve a plan that was shown long ago. Items that were decided meanwhile stay decided.
   */
  hold(pool: BrakePool, writes: readonly BrakedWrite[], holding: BrakeLimit): Promise<BrakePlan>;

  /** Uses up the approval of a write that was made. */
  used(itemId: number): Promise<void>;

  /** Removes items that are no longer to be written, and vetoes and drops of writes whose value has changed since. */
  keepOnly(
    account: string,
    flow: string,
    key: string,
    wanted: readonly Pick<BrakedWrite, 'action' | 'target' | 'after'>[],
  ): Promise<void>;

  /** Every plan with its items, oldest first. */
  list(account?: string): Promise<{ plan: BrakePlan; items: BrakeItem[]; hash: string }[]>;

  openPlans(): Promise<{ account: string; kind: string; count: number }[]>;

  /** The open plans of an account, oldest first, without their items. */
  open(account: string): Promise<OpenPlan[]>;

  /**
   * The due keys of these flows, with their versions. Keys that are held until the first links are made are answered too. A write
   * that is judged right before these keys are released must count their writes.
   */
  waitingKeys(account: string, flows: readonly string[]): Promise<{ key: string; version: string }[]>;

  /**
   * The price of an entity of this flow before its unapproved changes since `sinceMs`, as the journal shows it: "12.50 USD". null: there
   * were no such changes.
   */
  priceBefore(account: string, flow: string, key: string, action: string, sinceMs: number): Promise<string | null>;
}

/** A choice among the entries of the journal. */
export interface JournalChoice {
  readonly accounts?: readonly string[] | undefined;
  readonly flow?: string | undefined;
  /** Entries that have one of these keys. */
  readonly keys?: readonly string[] | undefined;
  readonly sinceMs?: number | undefined;
}

export interface JournalStore {
  add(entry: JournalEntry): Promise<void>;

  /** Puts a write on record before it is sent, on the disk with `sending` or the write's intent. Answers the id for `end`. */
  begin(entry: Omit<JournalEntry, 'outcome' | 'answer'>): Promise<number>;

  end(id: number, outcome: JournalEntry['outcome'], answer: string): Promise<void>;

  /** Notes that the write leaves now and may be applied from here on. Its entry is on the disk after this call. */
  sending(id: number): Promise<void>;

  /** Removes the entry of a write that was not sent after all. */
  drop(id: number): Promise<void>;

  /** The latest writes of this key that were applied or may have been applied, newest first. */
  latestWrites(account: string, flow: string, key: string): Promise<readonly LatestWrite[]>;

  /** The newest entries of a key, newest first. With `untilMs`, later entries are left out. */
  of(account: string, flow: string, key: string, limit: number, untilMs?: number): Promise<JournalRow[]>;

  /** Entries after `afterId`, oldest first, for a reader that follows along. */
  after(afterId: number, limit: number, of?: JournalChoice): Promise<JournalRow[]>;

  /** Entries before `beforeId`, newest first; null: the newest entries. */
  before(beforeId: number | null, limit: number, of?: JournalChoice): Promise<JournalRow[]>;

  /**
   * The writes of this action that an account made since `sinceMs`, each with its last time. The brakes count these writes. A
   * write whose answer was lost may have been applied, so it counts. A repeat of a write counts as the same write.
   */
  written(account: string, action: string, sinceMs: number): Promise<WrittenOnce[]>;

  countsByAction(account: string): Promise<{ action: string; outcome: string; count: number }[]>;

  prune(beforeMs: number): Promise<void>;
}

export interface PauseStore {
  /** Stops the writes of one flow, or of `all` flows. An existing pause gets the new reason. */
  pause(account: string, flow: string, reason: string, by: string): Promise<void>;

  /**
   * Lifts the pause of one flow, or with `all` every pause of the account, and has the waiting keys looked at. Answers the
   * lifted pauses and the number of keys.
   */
  resume(account: string, flow: string, by: string): Promise<{ lifted: Pause[]; released: number }>;

  all(): Promise<readonly Pause[]>;
}

/** The strategy by which an account's orders and stock are kept, and an operator's approval of another strategy. */
export interface StrategyStore {
  inForce(account: string): Promise<StrategyName | null>;

  /** The strategy that an operator approved, within the last day. */
  approved(account: string): Promise<StrategyName | null>;

  /** Puts a strategy into force and uses up its approval. Answers false when it was in force already. */
  comeIntoForce(account: string, strategy: StrategyName, by: string): Promise<boolean>;

  approve(account: string, strategy: StrategyName, by: string): Promise<void>;

  /** The number of orders that began under the strategy in force: submitted or accepted, or exported and not shipped. */
  openOrders(account: string): Promise<number>;
}
