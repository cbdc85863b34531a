import type { Cause } from '../../../domain/causes/cause.ts';
import type { Decimal, Figure } from '../../../domain/decimal.ts';
import type { Place } from '../../../domain/facility-ledger.ts';
import type { Reconcile } from '../../../store/intents.ts';
import type { ErpFigure, SoldSnapshot } from '../sold.ts';

/** A configured facility and batch. */
export interface FacilityPlace extends Pick<Reconcile, 'place' | 'facilityId' | 'batchId'> {
  /** The ERP's name of the place: `EAST batch LOT-7`. */
  readonly erpName: string;
  /** null: the ERP has no row. Unknown is never zero. */
  readonly erp: ErpFigure | null;
  readonly command: PlaceCommand | null;
}

/** A command that was, or may have been, sent. */
export interface PlaceCommand extends Pick<Reconcile, 'intentId' | 'commandId' | 'evidence'> {
  readonly toQuantity: Figure<'units'>;
  /** `settled`: followed to its end. */
  readonly state: 'open' | 'in-doubt' | 'settled';
  /** The marketplace applied the command recently. */
  readonly justApplied: boolean;
  /** Milliseconds until the result is checked. 0: now. */
  readonly lookInMs: number;
  readonly failed: FailedCommand | null;
}

export interface FailedCommand {
  readonly cause: Cause;
  /** The previous command did not fail. This one is repeated soon, without an alert yet. */
  readonly isFirst: boolean;
  /** Milliseconds until the same command is sent again. null: never, only another quantity is. */
  readonly againInMs: number | null;
}

/** In ERP units. */
export type PlaceFigures = Readonly<Record<'onHand' | 'reserved' | 'available', Figure<'units'>>>;

export interface FacilitySnapshot extends SoldSnapshot {
  /** In the order of the configuration. */
  readonly places: readonly FacilityPlace[];
  readonly unmapped: readonly string[];
  /** Lots with stock whose batch is unknown. */
  readonly unbatched: readonly string[];
  /** The marketplace's figures by facility and batch, mapped or not. null: unknown. */
  readonly measured: ReadonlyMap<Place, PlaceFigures> | null;
  /** The tick at which the measurements were read. */
  readonly measuredTick: number;
  readonly buffer: Decimal;
}
