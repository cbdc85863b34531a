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

/** Both sides of one order. */
export interface OrderInSnapshot {
  readonly number: string;
  readonly order: StoredOrder | null;
  readonly invalidRow: string | null;
  /** The ERP's orders for this one: by the mapping, else by the reference. */
  readonly erpOrders: readonly StoredErpOrder[];
  /** The lines of which the ERP ships less than was ordered, for a person; the lines above are without those units. */
  readonly short: string | null;
  /** Why the ERP's last row of its order cannot be read. */
  readonly invalidErpRow: string | null;
  /** The order may be our own create for an ERP order, whose answer was lost. */
  readonly maybeOurOwn: Cause | null;
  readonly linked: boolean;
  /** The last state in which both sides agreed. */
  readonly base: BaseRecord | null;
  /** When it will be certain that a status that was sent and does not show is not applied any more; null: no such status. */
  readonly unsettledMs: number | null;
  /** An order of this number may have been created in the ERP, and its answer was lost. */
  readonly createInDoubt: boolean;
  /** Why no order is created in the ERP; null: it keeps references as they are sent. */
  readonly referencesDiffer: Cause | null;
  /** Further ERP orders that carry its number, beside the linked one, and are not cancelled. */
  readonly beside: readonly Pick<StoredErpOrder, 'id' | 'status' | 'finished'>[];
  /** Orders that were made in the ERP and have its number as their reference, by their ids. */
  readonly reusing: readonly string[];
  /** The ERP's order that holds stock for this number, which the marketplace does not have; `isCertain`: by a later read of its orders. */
  readonly orphan: { readonly erpOrder: string; readonly isCertain: boolean } | null;
  /** How long another order may still take the place of the cancelled one of the ERP; null: no longer, or it is not cancelled. */
  readonly graceLeftMs: number | null;
  /** Is it work, or from before the date from which orders count? */
  readonly standing: OrderStanding;
  /** That date; null: every order counts. */
  readonly from: string | null;
  readonly wanted: WantedOrder | null;
  /** The state of delivery is read from customers, or some order has shown it. */
  readonly statesRead: boolean;
  /** The account is told that no state is read. */
  readonly statesUnreadTold: boolean;
  /** The order is in Backorder, there is stock for every line, and such orders are to be accepted. */
  readonly backInStock: boolean;
  /** The listings of SKUs that the ERP's order has. */
  readonly listings: ReadonlyMap<string, KnownListing>;
  readonly customer: {
    readonly erpId: string | null;
    /** The customer of the ERP is gone: an order must not go to it. */
    readonly gone: Cause | null;
    /** Why the order is not created: the ERP may have it already. */
    readonly waits: Cause | null;
  };
  /** The place and the day of delivery, as far as they are known and the ERP takes them. */
  readonly delivery: Pick<ErpOrderDraft, 'shipTo' | 'deliveryDate'>;
  /** The side that does not own the order did not take these money fields when they were sent last. */
  readonly moneyRefused: string | null;
  /** The edit that the ERP refused last, and the ERP's order that it was meant for. */
  readonly editRefused: string | null;
  readonly rules: {
    readonly strategy: Strategy;
    readonly transitions: TransitionNames;
    readonly onUnmappedCustomer: 'hold' | 'create' | 'pass';
    readonly currency: string;
    readonly units: Units;
    /** Whether a price of an exported order follows a later one. */
    readonly prices: 'agreed' | 'follow';
    /** The treatment of a change that a person makes in the ERP. */
    readonly erpEdits: 'tell' | 'hold' | 'write';
    /** The ERP computes the totals of orders itself, with its own rounding. */
    readonly totalsComputed: boolean;
    readonly editing: Capabilities['editing'];
    /** The ERP takes other charges for an order that is taken up. */
    readonly chargeEdits: boolean;
    /** The treatment, in the ERP, of an order that is gone from the marketplace. */
    readonly deleted: 'cancel' | 'tell';
  };
}

export type OrderInAction = Planned &
  Braked &
  (
    | { readonly action: 'customer-in.create'; readonly marketplaceId: number; readonly name: string }
    /** Takes an order from before the date as work: nothing is sent by it. */
    | { readonly action: 'order-in.enter' }
    | {
        readonly action: 'order-in.create';
        readonly draft: ErpOrderDraft;
        readonly agreed: OrderBase;
        /** An earlier create may have been applied, and nothing is to be created now. */
        readonly adoptOnly: boolean;
      }
    | {
        readonly action: 'order-in.update';
        readonly erpId: string;
        readonly change: ErpOrderChange;
        /** The state in which both sides agree after the write, where lines change. */
        readonly agreed?: OrderBase;
        /** The statuses in which both sides agree after the write, where it ends the order. */
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
    /** Another order of the ERP has taken the place of the linked one. */
    | { readonly action: 'order-in.follow'; readonly erpId: string }
    | { readonly action: 'order-in.mark'; readonly erpId: string }
    | {
        readonly action: 'order-in.transition';
        readonly name: string;
        readonly from: string;
        readonly to: string;
        /** The statuses in which both sides agree after the write. */
        readonly statuses?: Statuses;
      }
  );

/** A line of the marketplace's order as it should be. */
export interface LineChange {
  /** null: a new line. */
  readonly id: number | null;
  readonly productId: number;
  readonly quantity: Figure<'marketplace line'>;
  /** null: it stays as it is. */
  readonly price: Figure<'marketplace price'> | null;
}

/** A listing as far as a line needs it. */
export interface KnownListing {
  readonly id: number;
  readonly archived: boolean;
  readonly unitMultiplier: Decimal | null;
}
