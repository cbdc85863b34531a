import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { Decimal, sum, ZERO } from '../../../domain/decimal.ts';
import type { FacilityTarget, Place } from '../../../domain/facility-ledger.ts';
import { knownReserved, stockTarget } from '../../../domain/ledger.ts';
import { duplicateSku, notKept, oversold, problemOf, unexplained } from '../sold.ts';
import type { FacilitySnapshot, PlaceFigures } from './snapshot.ts';

export function problemIn(snapshot: FacilitySnapshot, sku: string): Cause | null {
  const { places, unmapped, unbatched } = snapshot;
  const figures = places.map(({ erpName, erp }) => ({ place: erpName, erp }));
  const problem = duplicateSku(snapshot, sku) ?? problemOf(snapshot, sku, figures);
  if (problem !== null) return problem;
  return unmapped.length + unbatched.length === 0 && places.every(({ erp }) => erp === null)
    ? cause('stock-unknown', { sku })
    : null;
}

export function alertsOf(
  { places, lines }: FacilitySnapshot,
  { listingId, sku }: { listingId: number; sku: string },
  targets: ReadonlyMap<Place, FacilityTarget>,
  measured: ReadonlyMap<Place, PlaceFigures>,
): Cause[] {
  const alerts = places.flatMap(({ place, erpName }) => oversold(sku, erpName, targets.get(place)?.available));
  for (const [place, { available }] of measured) {
    if (targets.has(place) || !available.greaterThan(0)) continue;
    alerts.push(cause('unmapped-offer', { listing: listingId, sku, quantity: available.toFixed(), place }));
  }
  const unknown = sum([...measured.values()].map(({ reserved }) => reserved)).minus(knownReserved(lines));
  return [...alerts, ...unexplained(listingId, sku, Decimal.max(unknown, 0))];
}

/** The marketplace measures nothing of an unlimited listing, so its orders are subtracted from all places together. */
export function alertsOfUnlimited(snapshot: FacilitySnapshot, listingId: number, sku: string): Cause[] {
  const { places, unmapped, unbatched, lines, unitsIn } = snapshot;
  const known = places.flatMap(({ erpName, erp }) => (erp === null ? [] : [{ erpName, available: erp.available }]));
  const isElsewhere = unmapped.length + unbatched.length > 0;
  const told = notKept(snapshot, listingId, sku, known.length > 0 || isElsewhere);
  if (known.length === 0 || problemIn(snapshot, sku) !== null) return told;
  const short = known.flatMap(({ erpName, available }) => oversold(sku, erpName, available));
  if (short.length > 0 || isElsewhere) return [...told, ...short];
  const total = sum(known.map(({ available }) => available));
  const { available } = stockTarget('available_inventory', total, ZERO, lines, unitsIn);
  return [...told, ...oversold(sku, null, available)];
}
