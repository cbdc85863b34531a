import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { Decimal, sum } from '../../../domain/decimal.ts';
import { type FacilityFigures, type Place, shortages } from '../../../domain/facility-ledger.ts';
import { knownReserved } from '../../../domain/ledger.ts';
import { duplicateSku, notKept, problemOf, unexplained } from '../sold.ts';
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

export function figuresOf(
  { places, lines, buffer, unitsIn }: FacilitySnapshot,
  measured: ReadonlyMap<Place, PlaceFigures>,
): FacilityFigures {
  const reserved = new Map([...measured].map(([place, figures]) => [place, figures.reserved]));
  const erpAvailable = new Map(places.flatMap(({ place, erp }) => (erp === null ? [] : [[place, erp.available]])));
  return { erpAvailable, buffer, reserved, lines, unitsIn };
}

export function alertsOf(
  snapshot: FacilitySnapshot,
  { listingId, sku }: { listingId: number; sku: string },
  figures: FacilityFigures,
  measured: ReadonlyMap<Place, PlaceFigures>,
): Cause[] {
  const alerts = oversoldIn(snapshot, sku, figures);
  for (const [place, { available }] of measured) {
    if (figures.erpAvailable.has(place) || !available.greaterThan(0)) continue;
    alerts.push(cause('unmapped-offer', { listing: listingId, sku, quantity: available.toFixed(), place }));
  }
  const unknown = sum([...measured.values()].map(({ reserved }) => reserved)).minus(knownReserved(snapshot.lines));
  return [...alerts, ...unexplained(listingId, sku, Decimal.max(unknown, 0))];
}

function oversoldIn({ places, unmapped, unbatched }: FacilitySnapshot, sku: string, figures: FacilityFigures): Cause[] {
  const isWhole = unmapped.length + unbatched.length === 0 && places.every(({ erp }) => erp !== null);
  const names = new Map(places.map(({ place, erpName }) => [place, erpName]));
  return shortages(figures, isWhole).map(({ place, by }) =>
    cause('oversold', { sku, by: by.toFixed(), place: place === null ? null : (names.get(place) ?? place) }),
  );
}

/** The marketplace measures nothing of an unlimited listing. */
export function alertsOfUnlimited(snapshot: FacilitySnapshot, listingId: number, sku: string): Cause[] {
  const { places, unmapped, unbatched } = snapshot;
  const isKept = unmapped.length + unbatched.length > 0 || places.some(({ erp }) => erp !== null);
  const told = notKept(snapshot, listingId, sku, isKept);
  if (problemIn(snapshot, sku) !== null) return told;
  return [...told, ...oversoldIn(snapshot, sku, figuresOf(snapshot, new Map()))];
}
