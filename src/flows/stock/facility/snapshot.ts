import type { Cause } from '../../../domain/causes/cause.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import type { Place, PlacedLine } from '../../../domain/facility-ledger.ts';
import type { ComingBack } from '../coming-back.ts';

/** One facility and batch that the configuration names, as both sides show it. */
export interface FacilityPlace {
  readonly place: Place;
  readonly facilityId: number;
  readonly batchId: number;
  /** How the ERP names it: `EAST batch LOT-7`. */
  readonly erpName: string;
  /** null where the ERP has no row: unknown is never zero. */
  readonly erp: {
    readonly available: Decimal;
    readonly asOf: string;
    readonly problem: string | null;
    /** This installation's count of reads when the figures became what they are. */
    readonly changedTick: number;
  } | null;
  /** The last command that was sent for it. */
  readonly command: PlaceCommand | null;
}

/** A reconcile that was sent, or may have been. */
export interface PlaceCommand {
  readonly intentId: number;
  /** The marketplace's number of it; null when its answer was lost. */
  readonly commandId: number | null;
  readonly toQuantity: Decimal;
  /** `settled`: followed to its end. */
  readonly state: 'open' | 'in-doubt' | 'settled';
  /** Why it is in doubt. */
  readonly evidence: Cause | null;
  /** The marketplace has applied it, a short while ago. */
  readonly justApplied: boolean;
  /** Until it is worth looking for what became of it; 0: now. */
  readonly lookInMs: number;
  /** Why it was not applied, and how long until the same is tried again; null: not before another quantity is wanted. */
  readonly failed: { readonly cause: Cause; readonly againInMs: number | null } | null;
}

/** What the marketplace shows as on hand, reserved and available at one place. */
export interface PlaceFigures {
  readonly onHand: Decimal;
  readonly reserved: Decimal;
  readonly available: Decimal;
}

/** Both sides of one product's stock, facility by facility. */
export interface FacilitySnapshot {
  readonly sku: string | null;
  /** ERP products that carry this SKU; more than one holds it. */
  readonly twins: number;
  readonly listing: {
    readonly id: number;
    readonly archived: boolean;
    /** Archived, and sold by the ERP again: it is listed as soon as its stock is in step. */
    readonly comingBack: ComingBack | null;
    readonly managed: boolean;
  } | null;
  /** Why a row of either side cannot be read. */
  readonly misfit: Cause | null;
  /** In the order of the configuration. */
  readonly places: readonly FacilityPlace[];
  /** Where the ERP has stock that no entry of the configuration maps. */
  readonly unmapped: readonly string[];
  /** By facility and batch, mapped or not; null while it is not known what the marketplace shows. */
  readonly measured: ReadonlyMap<Place, PlaceFigures> | null;
  /** This installation's count of reads when that was read. */
  readonly measuredTick: number;
  readonly lines: readonly PlacedLine[];
  readonly lineProblem: Cause | null;
  /** An order was told to the ERP and the stock figures are not known to count it yet. */
  readonly awaitingErp: boolean;
  /** Why no more may be given to buyers: what has to be read before could not be. Null when it may, and when planning. */
  readonly unread: Cause | null;
  readonly buffer: Decimal;
}
