import type { Cause } from '../../../domain/causes/cause.ts';
import type { Decimal, Figure } from '../../../domain/decimal.ts';
import type { OrderStanding } from '../../../domain/history.ts';
import type { BaseRecord, OrderBase } from '../../../domain/order-base.ts';
import type { Statuses } from '../../../domain/status-moves.ts';
import type { Strategy } from '../../../domain/strategy.ts';
import type { Units } from '../../../domain/units.ts';
import type { Capabilities } from '../../../erp/capabilities.ts';
import type { ErpOrderChange, ErpOrderDraft } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import type { Planned } from '../../engine/decision.ts';
import type { Braked } from '../../engine/policy.ts';
import type { TransitionNames } from './transition.ts';
import type { WantedOrder } from './wanted.ts';

export interface OrderInSnapshot {
  readonly number: string;
  readonly order: StoredOrder | null;
  readonly invalidRow: string | null;
  /** The ERP's orders for this one: by link, or else by reference. */
  readonly erpOrders: readonly StoredErpOrder[];
  /** Lines that the ERP ships only in part, as text. `erpOrders` excludes the other units. null: none. */
  readonly short: string | null;
  readonly invalidErpRow: string | null;
  /** Set if the order may be our own create for an ERP order, whose answer was lost. */
  readonly openCreate: Cause | null;
  readonly linked: boolean;
  readonly base: BaseRecord | null;
  /** Milliseconds until a sent status that is not visible can no longer be applied. null: there is none. */
  readonly unsettledMs: number | null;
  /** The answer to an earlier create was lost, so it may have been applied. */
  readonly createInDoubt: boolean;
  /** Why no order is created in the ERP: it alters references. null: it does not. */
  readonly referencesDiffer: Cause | null;
  /** Other ERP orders with this number that are not canceled. */
  readonly beside: readonly Pick<StoredErpOrder, 'id' | 'status' | 'finished'>[];
  /** Ids of ERP-made orders with this number as their reference. */
  readonly reusing: readonly string[];
  /** The other marketplace order whose number the linked ERP order carries. null: none. */
  readonly ofOther: string | null;
  /** The order to which the ERP order of this one's external id belongs. null: the ERP has none for another order. */
  readonly externalIdOf: string | null;
  /**
   * The ERP order that holds stock for a number that the marketplace does not have. `isCertain`: confirmed by a later
   * read of its orders.
   */
  readonly orphan: { readonly erpOrder: string; readonly isCertain: boolean } | null;
  /** How long a copy may still replace the canceled ERP order. null: no longer, or it is not canceled. */
  readonly graceLeftMs: number | null;
  readonly standing: OrderStanding;
  /** null: every order is processed. */
  readonly from: string | null;
  readonly wanted: WantedOrder | null;
  /** The state of delivery is read from customers, or an order has shown it. */
  readonly statesRead: boolean;
  /** The alert that no state is read is raised. */
  readonly statesUnreadTold: boolean;
  /** The order is in Backorder, all its items are in stock, and such orders are to be accepted. */
  readonly backInStock: boolean;
  /** Listings of the SKUs of the ERP's order. */
  readonly listings: ReadonlyMap<string, KnownListing>;
  readonly customer: {
    readonly erpId: string | null;
    /** Set if the ERP's customer is gone, so no order may go to it. */
    readonly gone: Cause | null;
    /** Why the order is not created: the ERP may already have it. */
    readonly waits: Cause | null;
  };
  /** Place and day of delivery, as far as known and accepted by the ERP. */
  readonly delivery: Pick<ErpOrderDraft, 'shipTo' | 'deliveryDate'>;
  /** The money fields that the other side did not accept when they were last sent. */
  readonly moneyRefused: string | null;
  /** The edit that the ERP last refused, with its order's state. */
  readonly editRefused: string | null;
  /** Why the ERP last refused to cancel its order, and the order's state then. */
  readonly cancelRefused: { readonly changedAt: string; readonly message: string } | null;
  readonly rules: {
    readonly strategy: Strategy;
    readonly transitions: TransitionNames;
    readonly onUnmappedCustomer: 'hold' | 'create' | 'pass';
    readonly currency: string;
    readonly units: Units;
    /** Whether an exported order keeps its price or follows a later one. */
    readonly prices: 'agreed' | 'follow';
    /** What to do with a change that a person makes in the ERP. */
    readonly erpEdits: 'tell' | 'hold' | 'write';
    /** The ERP computes orders' totals itself, with its own rounding. */
    readonly totalsComputed: boolean;
    readonly editing: Capabilities['editing'];
    /** The ERP accepts changed charges for an order that is no longer a draft. */
    readonly chargeEdits: boolean;
    /** What to do in the ERP with an order deleted on the marketplace. */
    readonly deleted: 'cancel' | 'tell';
  };
}

export type OrderInAction = Planned &
  Braked &
  (
    | { readonly action: 'customer-in.create'; readonly marketplaceId: number; readonly name: string }
    /** Processes an order that is older than the date. Sends nothing. */
    | { readonly action: 'order-in.enter' }
    | {
        readonly action: 'order-in.create';
        readonly draft: ErpOrderDraft;
        readonly agreed: OrderBase;
        /** Only settle an earlier create. */
        readonly adoptOnly: boolean;
      }
    | {
        readonly action: 'order-in.update';
        readonly erpId: string;
        readonly change: ErpOrderChange;
        /** The agreed state after a write that changes lines. */
        readonly agreed?: OrderBase;
        /** The agreed statuses after a write that ends the order. */
        readonly statuses?: Statuses;
      }
    | { readonly action: 'order-in.lines'; readonly changes: readonly LineChange[]; readonly agreed: OrderBase }
    | { readonly action: 'order-in.line-remove'; readonly lineId: number; readonly agreed: OrderBase }
    | {
        readonly action: 'order-in.charges';
        readonly discount: Decimal;
        /** null: the marketplace has it already. */
        readonly shipping: Decimal | null;
      }
    | { readonly action: 'order-in.link'; readonly erpId: string }
    /** Links the order to the ERP order that replaced the linked one. */
    | { readonly action: 'order-in.follow'; readonly erpId: string }
    | { readonly action: 'order-in.mark'; readonly erpId: string }
    | {
        readonly action: 'order-in.transition';
        readonly name: string;
        readonly from: string;
        readonly to: string;
        readonly statuses?: Statuses;
      }
  );

export interface LineChange {
  /** null: a new line. */
  readonly id: number | null;
  readonly productId: number;
  readonly quantity: Figure<'marketplace line'>;
  /** null: unchanged. */
  readonly price: Figure<'marketplace price'> | null;
}

export interface KnownListing {
  readonly id: number;
  readonly archived: boolean;
  readonly unitMultiplier: Decimal | null;
}
