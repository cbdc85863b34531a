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
  readonly kind: string;
  readonly key: string;
  readonly externalId: string;
  /** The sent values identify the entity where the other side stores no external id. */
  readonly sent: string;
  /**
   * open: may have been applied. applied, refused: settled. in-doubt: waits for an operator. dropped: an operator
   * cancelled the write; it is not repeated until the entity changes.
   */
  readonly state: 'open' | 'applied' | 'refused' | 'in-doubt' | 'dropped';
  readonly evidence: Cause | null;
  /** Ids of entities that the write may have created, as JSON. */
  readonly candidates: string;
  /** The entity's state when an operator dropped the write. A changed entity may be tried again. */
  readonly droppedAs: string | null;
  readonly sentAtMs: number;
  /** When the request began to leave this machine; null: not yet. */
  readonly leftAtMs: number | null;
  readonly settledAtMs: number | null;
}

/** A write without an idempotency key, before it is sent. */
export interface NewIntent {
  readonly account: string;
  readonly kind: IntentKind;
  readonly key: string;
  readonly externalId: string;
  /** The sent values, if nothing else identifies the created entity. */
  readonly sent?: string;
}

export type IntentTarget = Pick<NewIntent, 'account' | 'kind' | 'key'>;

export interface DecisionContext {
  readonly by: string;
  /** A process is using this data now. */
  readonly isWorked: boolean;
}

/** The write is not in doubt, or this decision does not fit it. */
export class NotInDoubt extends Error {
  override readonly name = 'NotInDoubt';
}

export class WorkInProgress extends Error {
  override readonly name = 'WorkInProgress';
}

/** `key` is the ERP's product id. */
export interface NewReconcile {
  readonly account: string;
  readonly key: string;
  readonly listingId: number;
  readonly facilityId: number;
  readonly batchId: number;
  readonly toQuantity: Figure<'marketplace stock'>;
  readonly reserved: Decimal;
}

export interface Reconcile extends Omit<NewReconcile, 'account' | 'key'> {
  readonly intentId: number;
  readonly place: Place;
  readonly state: Intent['state'];
  readonly evidence: Cause | null;
  readonly sentAtMs: number;
  readonly settledAtMs: number | null;
  /** null: the response is outstanding or lost. */
  readonly commandId: number | null;
  readonly lookedAtMs: number;
  readonly failure: string | null;
  readonly failures: number;
}

export function candidatesOf({ candidates }: Intent): string[] {
  return JSON.parse(candidates) as string[];
}

export interface DoubtStore {
  get(id: number): Promise<Intent | null>;

  /**
   * Writes that are in doubt, dropped, or open while their job is held or failed, with an id above `id`. Oldest first.
   */
  after(id: number, limit: number): Promise<Intent[]>;

  /**
   * Confirms `madeId` as the created entity. Returns the ids of the other candidates, which stay unchanged.
   * @throws MappingConflict when it is linked to something else
   * @throws NotInDoubt @throws WorkInProgress
   */
  adopt(intent: Intent, madeId: string, word: DecisionContext): Promise<string[]>;

  /** Records that the write was not applied, so the flow may send it again. */
  retry(intent: Intent, word: DecisionContext): Promise<void>;

  /** Cancels the write until the entity changes. */
  drop(intent: Intent, word: DecisionContext): Promise<void>;
}

export interface ShownErpOrder {
  readonly order: ErpOrder;
  /** The lane of the work that the order causes. */
  readonly lane: Lane;
  /** The order whose own look stores this, so it is not marked. */
  readonly lookedAt: string;
}

export interface IntentStore {
  /**
   * Commits the intent before the request is sent. Returns its id.
   * @param leaving an order's request leaves right after this call, instead of after `sending`. Its sent state is
   * stored too.
   */
  open(intent: NewIntent, leaving?: SentBase): Promise<number>;

  /** Marks the request as leaving. Before this commit it was certainly not sent, even if the process is killed. */
  sending(id: number): Promise<void>;

  /** The write with an unknown result, or the one that waits for an operator. */
  unsettled(target: IntentTarget): Promise<Intent | null>;

  /** Stores the answer, the link and the ERP order in one transaction. */
  applied(id: number, link: Link | null, evidence: Cause, shown?: ShownErpOrder): Promise<void>;

  /** Not applied: it was refused, or the entity was still absent after the settle time. */
  refused(id: number, evidence: Cause): Promise<void>;

  /** Accepted without naming the created entity. Only an operator's decision sends it again. */
  taken(id: number, evidence: Cause): Promise<void>;

  inDoubt(id: number, evidence: Cause, candidates?: readonly string[]): Promise<void>;

  /** An earlier create that blocks this one: unsettled, or dropped while the entity is unchanged. */
  earlier(intent: NewIntent): Promise<Intent | null>;

  listUnsettled(account: string, kind: NewIntent['kind']): Promise<readonly Intent[]>;

  of(target: IntentTarget): Promise<readonly Intent[]>;

  inDoubtCounts(): Promise<{ account: string; count: number }[]>;

  prune(settledBeforeMs: number): Promise<void>;
}

export interface ReconcileStore {
  /** Commits the command before it is sent. Returns its intent's id. */
  open(reconcile: NewReconcile): Promise<number>;

  accepted(intentId: number, commandId: number): Promise<void>;

  lookedAt(intentId: number, doubt: Cause | null): Promise<void>;

  settle(
    intentId: number,
    state: 'applied' | 'refused',
    what: { evidence: Cause; failure?: string | null },
  ): Promise<void>;

  /** The newest command of each facility and batch of the product. */
  latest(account: string, key: string): Promise<Reconcile[]>;
}
