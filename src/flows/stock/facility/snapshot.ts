import type { Cause } from '../../../domain/causes/cause.ts';
import type { Decimal, Figure } from '../../../domain/decimal.ts';
import type { Place } from '../../../domain/facility-ledger.ts';
import type { Reconcile } from '../../../store/intents.ts';
import type { ErpFigure, SoldSnapshot } from '../sold.ts';

/** One facility and batch that the configuration names, as both sides show it. */
export interface FacilityPlace extends Pick<Reconcile, 'place' | 'facilityId' | 'batchId'> {
  /** The ERP's name of the place: `EAST batch LOT-7`. */
  readonly erpName: string;
  /** null where the ERP has no row: unknown is never zero. */
  readonly erp: ErpFigure | null;
  /** The last command that was sent for the place. */
  readonly command: PlaceCommand | null;
}

/** A reconcile that was sent, or may have been. */
export interface PlaceCommand extends Pick<Reconcile, 'intentId' | 'commandId' | 'evidence'> {
  /** In ERP units. */
  readonly toQuantity: Figure<'units'>;
  /** `settled`: followed to its end. */
  readonly state: 'open' | 'in-doubt' | 'settled';
  /** The marketplace applied the command a short while ago. */
  readonly justApplied: boolean;
  /** Milliseconds until the command's result is looked for; 0: now. */
  readonly lookInMs: number;
  readonly failed: FailedCommand | null;
}

export interface FailedCommand {
  /** Why the command was not applied. */
  readonly cause: Cause;
  /** The command before this one did not fail. This command is sent once more soon, and no alert is raised yet. */
  readonly isFirst: boolean;
  /** Milliseconds until the same command is sent again; null: only another quantity is sent. */
  readonly againInMs: number | null;
}

/** The figures that the marketplace shows at one place, in ERP units. */
export type PlaceFigures = Readonly<Record<'onHand' | 'reserved' | 'available', Figure<'units'>>>;

/** Both sides of one product's stock, facility by facility. */
export interface FacilitySnapshot extends SoldSnapshot {
  /** The places in the order of the configuration. */
  readonly places: readonly FacilityPlace[];
  /** The places where the ERP has stock and that no entry of the configuration maps. */
  readonly unmapped: readonly string[];
  /** Lots with stock whose batch is not known. */
  readonly unbatched: readonly string[];
  /** The marketplace's figures by facility and batch, mapped or not; null while they are unknown. */
  readonly measured: ReadonlyMap<Place, PlaceFigures> | null;
  /** This installation's count of reads when the measurements were read. */
  readonly measuredTick: number;
  readonly buffer: Decimal;
}
