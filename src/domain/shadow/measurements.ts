import { type Figure, figureOf } from '../decimal.ts';
import { type Place, placeOf } from '../facility-ledger.ts';
import type { Due } from './row.ts';

/** One facility and batch of a listing (spec 2, Inventory records: Measurements). */
export interface Measurement {
  readonly listingId: number;
  readonly facilityId: number;
  readonly batchId: number;
  readonly onHand: Figure<'marketplace stock'>;
  readonly reserved: Figure<'marketplace stock'>;
  readonly available: Figure<'marketplace stock'>;
}

/** The tick and our clock at the request. */
export interface RequestTime {
  readonly tick: number;
  readonly askedAtMs: number;
}

export interface Measured extends RequestTime {
  readonly byPlace: ReadonlyMap<Place, Measurement>;
}

export interface MeasuredRow extends RequestTime {
  readonly listingId: number;
  /** Every facility and batch with its figures, as JSON. */
  readonly rows: string;
}

/** Returns whether this answer was requested before the stored one, and is therefore older. */
export function isOlderAnswer(before: RequestTime | undefined, { tick }: RequestTime): boolean {
  return before !== undefined && before.tick > tick;
}

/** @param erpId the linked ERP product */
export function withMeasurements(
  before: MeasuredRow | undefined,
  {
    listingId,
    found,
    asked,
  }: { readonly listingId: number; readonly found: readonly Measurement[]; readonly asked: RequestTime },
  { mended, erpId }: { readonly mended: boolean; readonly erpId: string | null },
): { readonly row: MeasuredRow; readonly due: readonly Due[] } {
  const { tick, askedAtMs } = asked;
  const row = { listingId, rows: toJson(found), tick, askedAtMs };
  const isSame = (before?.rows ?? '[]') === row.rows && !mended;
  const due = { flow: 'facility-stock', why: 'its measurements changed' };
  return { row, due: isSame || erpId === null ? [] : [{ ...due, key: erpId }] };
}

/**
 * @param all when the measurements of all listings were last requested; a listing without a row had none then
 * @returns null: the measurements are unknown
 */
export function measuredBy(row: MeasuredRow | undefined, all: RequestTime | null): Measured | null {
  if (row === undefined && all === null) return null;
  const rows = row === undefined ? [] : fromJson(row);
  return {
    byPlace: new Map(rows.map((each) => [placeOf(each.facilityId, each.batchId), each])),
    tick: Math.max(row?.tick ?? 0, all?.tick ?? 0),
    askedAtMs: Math.max(row?.askedAtMs ?? 0, all?.askedAtMs ?? 0),
  };
}

type Stored = [facilityId: number, batchId: number, onHand: string, reserved: string, available: string];

function toJson(rows: readonly Measurement[]): string {
  const stored = rows.map(
    ({ facilityId, batchId, onHand, reserved, available }): Stored => [
      facilityId,
      batchId,
      onHand.toFixed(),
      reserved.toFixed(),
      available.toFixed(),
    ],
  );
  return JSON.stringify(stored.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
}

function fromJson({ listingId, rows }: MeasuredRow): Measurement[] {
  return (JSON.parse(rows) as Stored[]).map(([facilityId, batchId, onHand, reserved, available]) => ({
    listingId,
    facilityId,
    batchId,
    onHand: figureOf(onHand),
    reserved: figureOf(reserved),
    available: figureOf(available),
  }));
}
