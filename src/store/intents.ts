import type { Cause } from '../domain/causes/cause.ts';
import type { Decimal } from '../domain/decimal.ts';
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
  /** The entity it is about, in its flow's spelling. */
  readonly key: string;
  readonly externalId: string;
  /** The sent values, as far as they are needed to find the entity again where no external id is kept. */
  readonly sent: string;
  /**
   * open: may have been applied. applied, refused: settled. in-doubt: waits for an operator. dropped: an operator gave
   * it up, and it is not tried again while the entity stays as it is.
   */
  readonly state: 'open' | 'applied' | 'refused' | 'in-doubt' | 'dropped';
  /** The facts about its result. */
  readonly evidence: Cause | null;
  /** Ids of the candidates, as JSON. */
  readonly candidates: string;
  /** The state of the entity when it was dropped. */
  readonly droppedAs: string | null;
  readonly sentAtMs: number;
  /** When its request began to leave this machine; null: it has not. */
  readonly leftAtMs: number | null;
  readonly settledAtMs: number | null;
}

/** A write without an idempotency key that is about to be sent. */
export interface NewIntent {
  readonly account: string;
  readonly kind: IntentKind;
  readonly key: string;
  readonly externalId: string;
  /** The sent values, where nothing else finds the entity again. */
  readonly sent?: string;
}

export type IntentTarget = Pick<NewIntent, 'account' | 'kind' | 'key'>;

/** An operator's decision about a write that can be neither confirmed nor denied. */
export interface Word {
  readonly by: string;
  /** A process works on this data now. */
  readonly isWorked: boolean;
}

/** An operator cannot decide this, or not in this way. */
export class NotInDoubt extends Error {
  override readonly name = 'NotInDoubt';
}

/** A flow is working on it right now. */
export class LookInProgress extends Error {
  override readonly name = 'LookInProgress';
}

/** A reconcile that is about to be sent. `key` is the ERP's product id. */
export interface NewReconcile {
  readonly account: string;
  readonly key: string;
  readonly listingId: number;
  readonly facilityId: number;
  readonly batchId: number;
  readonly toQuantity: Decimal;
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
  /** null: its answer is outstanding, or was lost. */
  readonly commandId: number | null;
  readonly lookedAtMs: number;
  /** The marketplace's reason when it failed. */
  readonly failure: string | null;
  /** The commands in a row up to this one that failed to set the same figure there. */
  readonly failures: number;
}

/** Ids of the entities that an intent in doubt may have made, as found when it came into doubt. */
export function candidatesOf({ candidates }: Intent): string[] {
  return JSON.parse(candidates) as string[];
}

/** The entities that wait for an operator because they can be neither confirmed nor denied, and the operator's decisions. */
export interface DoubtStore {
  get(id: number): Promise<Intent | null>;

  /** In doubt, dropped, or not settled while its job is held or has failed; oldest first: those after an id, at most `limit`. */
  after(id: number, limit: number): Promise<Intent[]>;

  /**
   * The named entity is the created one. Answers the ids of the other candidates, which are left as they are.
   * @throws MappingConflict when it is linked to something else
   * @throws NotInDoubt @throws LookInProgress
   */
  adopt(intent: Intent, madeId: string, word: Word): Promise<string[]>;

  /** Nothing was applied: the flow goes on. */
  retry(intent: Intent, word: Word): Promise<void>;

  /** It is given up, until the entity changes. */
  drop(intent: Intent, word: Word): Promise<void>;
}

/** The order that a create in the ERP was answered with. */
export interface ShownErpOrder {
  readonly order: ErpOrder;
  /** The urgency of its consequences. */
  readonly lane: Lane;
  /** Number of the marketplace's order whose own look records this: that look goes on, so it is not marked. */
  readonly lookedAt: string;
}

export interface IntentStore {
  /**
   * Committed before the request is sent; answers the id to settle it by.
   * @param leaving an order's request leaves right after this, as after `sending`, and what was sent is on record with it
   */
  open(intent: NewIntent, leaving?: SentBase): Promise<number>;

  /**
   * Its request leaves now and may be applied from here on. Before this call it was certainly not sent, whatever ends the
   * process.
   */
  sending(id: number): Promise<void>;

  /** The write that may or may not have been applied, or that waits for an operator. */
  unsettled(target: IntentTarget): Promise<Intent | null>;

  /** The answer, the link it gives, and the ERP order that it shows, in one transaction. */
  applied(id: number, link: Link | null, evidence: Cause, shown?: ShownErpOrder): Promise<void>;

  /** The create was refused, or the entity was not there after the settle time: the create is over. */
  refused(id: number, evidence: Cause): Promise<void>;

  /**
   * The other side accepted the create, and its answer does not name the created entity. It is never sent again unless an
   * operator says so.
   */
  taken(id: number, evidence: Cause): Promise<void>;

  /** @param candidates ids of the entities that may be it */
  inDoubt(id: number, evidence: Cause, candidates?: readonly string[]): Promise<void>;

  /**
   * The earlier create that stands in the way of this one: it is not settled, or an operator dropped the entity, which is
   * unchanged. An entity that has changed since may be tried again.
   */
  earlier(intent: NewIntent): Promise<Intent | null>;

  listUnsettled(account: string, kind: NewIntent['kind']): Promise<Intent[]>;

  /** The newest creates of one entity, in any state. */
  of(target: IntentTarget): Promise<Intent[]>;

  /** How many of each account are in doubt. */
  inDoubtCounts(): Promise<{ account: string; count: number }[]>;

  prune(settledBeforeMs: number): Promise<void>;
}

/** Inventory commands: each is an intent, with its request beside it. */
export interface ReconcileStore {
  /** Committed before the command is sent; answers the id of its intent. */
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

  /** The newest of each facility and batch of a product. */
  latest(account: string, key: string): Promise<Reconcile[]>;
}
