import type { Cause } from '../domain/causes/cause.ts';
import type { Decimal, Figure } from '../domain/decimal.ts';
import type { Place } from '../domain/facility-ledger.ts';
import type { SentBase } from '../domain/order-base.ts';
import type { ErpOrder } from '../erp/connector.ts';
import type { IntentKind } from './intent-kinds.ts';
import type { Link } from './links.ts';
import type { Lane } from './work.ts';
export interface Intent {
  readonly id: number;
  readonly account: string;
  /** One of INTENT_KINDS. */
  readonly kind: string;
  /** The key of the entity in its flow. */
  readonly key: string;
  readonly externalId: string;
  /** The sent values by which the entity is found again when no external id is kept. */
  readonly sent: string;
  /**
   * open: may have been applied. applied, refused: settled. in-doubt: waits for an operator. dropped: an operator gave the write
   * up, and it is not tried again while the entity is unchanged.
   */
  readonly state: 'open' | 'applied' | 'refused' | 'in-doubt' | 'dropped';
  /** The facts about the result of the write. */
  readonly evidence: Cause | null;
  /** Ids of the candidates, as JSON. */
  readonly candidates: string;
  /** The state of the entity when an operator dropped the write. */
  readonly droppedAs: string | null;
  readonly sentAtMs: number;
  /** When the request began to leave this machine; null: the request has not begun to leave. */
  readonly leftAtMs: number | null;
  readonly settledAtMs: number | null;
}

/** A write without an idempotency key that is about to be sent. */
export interface NewIntent {
  readonly account: string;
  readonly kind: IntentKind;
  readonly key: string;
  readonly externalId: string;
  /** The sent values, when nothing else finds the entity again. */
  readonly sent?: string;
}

export type IntentTarget = Pick<NewIntent, 'account' | 'kind' | 'key'>;

/** An operator's decision about a write that can be neither confirmed nor denied. */
export interface Word {
  readonly by: string;
  /** A process works on this data now. */
  readonly isWorked: boolean;
}

/** An operator cannot decide this write, or not in this way. */
export class NotInDoubt extends Error {
  override readonly name = 'NotInDoubt';
}

/** A flow is working on the entity right now. */
export class WorkInProgress extends Error {
  override readonly name = 'WorkInProgress';
}

/** A reconcile that is about to be sent. `key` is the ERP's product id. */
export interface NewReconcile {
  readonly account: string;
  readonly key: string;
  readonly listingId: number;
  readonly facilityId: number;
  readonly batchId: number;
  readonly toQuantity: Figure<'marketplace stock'>;
  readonly reserved: Decimal;
}

/** A reconcile that was sent, or may have been. */
export interface Reconcile extends Omit<NewReconcile, 'account' | 'key'> {
  readonly intentId: number;
  readonly place: Place;
  readonly state: Intent['state'];
  readonly evidence: Cause | null;
  readonly sentAtMs: number;
  readonly settledAtMs: number | null;
  /** null: the answer is outstanding, or was lost. */
  readonly commandId: number | null;
  readonly lookedAtMs: number;
  /** The marketplace's reason when it failed. */
  readonly failure: string | null;
  /** How many commands in a row, this command included, failed to set this figure at this place. */
  readonly failures: number;
}

/** Ids of the entities that an intent may have made. They were found when the intent came into doubt. */
export function candidatesOf({ candidates }: Intent): string[] {
  return JSON.parse(candidates) as string[];
}

/** The writes that wait for an operator because they can be neither confirmed nor denied, and the operator's decisions. */
export interface DoubtStore {
  get(id: number): Promise<Intent | null>;

  /**
   * The writes that are in doubt, dropped, or open while their job is held or has failed. At most `limit` after the id `after`,
   * oldest first.
   */
  after(id: number, limit: number): Promise<Intent[]>;

  /**
   * The named entity is the created one. Answers the ids of the other candidates, which are left as they are.
   * @throws MappingConflict when it is linked to something else
   * @throws NotInDoubt @throws WorkInProgress
   */
  adopt(intent: Intent, madeId: string, word: Word): Promise<string[]>;

  /** Records that nothing was applied. The flow goes on. */
  retry(intent: Intent, word: Word): Promise<void>;

  /** Gives the write up, until the entity changes. */
  drop(intent: Intent, word: Word): Promise<void>;
}

/** The order in the ERP's answer to a create. */
export interface ShownErpOrder {
  readonly order: ErpOrder;
  /** The urgency of its consequences. */
  readonly lane: Lane;
  /** Number of the marketplace's order whose own look records the ERP's order. This look goes on, so its order is not marked. */
  readonly lookedAt: string;
}

export interface IntentStore {
  /**
   * Commits the intent before the request is sent. Answers the id by which the intent is settled.
   * @param leaving the request for an order leaves right after this call, as after `sending`. The sent state is put on record
   * too.
   */
  open(intent: NewIntent, leaving?: SentBase): Promise<number>;

  /**
   * The request leaves now and may be applied from here on. Before this call it was certainly not sent, even if the process is
   * killed.
   */
  sending(id: number): Promise<void>;

  /** The write that may or may not have been applied, or that waits for an operator. */
  unsettled(target: IntentTarget): Promise<Intent | null>;

  /** Stores the answer, the new link, and the ERP order in the answer, in one transaction. */
  applied(id: number, link: Link | null, evidence: Cause, shown?: ShownErpOrder): Promise<void>;

  /** Ends the create: it was refused, or the entity was not there after the settle time. */
  refused(id: number, evidence: Cause): Promise<void>;

  /**
   * The other side accepted the create, and its answer does not name the created entity. The create is sent again only when an
   * operator decides so.
   */
  taken(id: number, evidence: Cause): Promise<void>;

  /** @param candidates ids of the entities that the write may have made */
  inDoubt(id: number, evidence: Cause, candidates?: readonly string[]): Promise<void>;

  /**
   * The earlier create that stands in the way of a new one. Either it is not settled, or an operator dropped it and the entity is
   * unchanged. An entity that has changed since may be tried again.
   */
  earlier(intent: NewIntent): Promise<Intent | null>;

  listUnsettled(account: string, kind: NewIntent['kind']): Promise<readonly Intent[]>;

  /** The newest creates of one entity, in any state. */
  of(target: IntentTarget): Promise<readonly Intent[]>;

  /** The number of writes in doubt of each account. */
  inDoubtCounts(): Promise<{ account: string; count: number }[]>;

  prune(settledBeforeMs: number): Promise<void>;
}

/** Inventory commands. Each is an intent, with its request beside it. */
export interface ReconcileStore {
  /** Commits the command before it is sent. Answers the id of its intent. */
  open(reconcile: NewReconcile): Promise<number>;

  /** The marketplace accepted the command under this number. */
  accepted(intentId: number, commandId: number): Promise<void>;

  /** The result of the command is not known yet. `doubt` says why an operator should know. */
  lookedAt(intentId: number, doubt: Cause | null): Promise<void>;

  settle(
    intentId: number,
    state: 'applied' | 'refused',
    what: { evidence: Cause; failure?: string | null },
  ): Promise<void>;

  /** The newest command of each facility and batch of a product. */
  latest(account: string, key: string): Promise<Reconcile[]>;
}
