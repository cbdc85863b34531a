import { Decimal, type Figure, sum, ZERO } from './decimal.ts';
import { type LedgerLine, sumOf } from './ledger.ts';
import { inWholeCases } from './units.ts';

/** Facility id and batch id, the key for matching both sides' figures. */
export type Place = `${number}/${number}`;

export function placeOf(facilityId: number, batchId: number): Place {
  return `${facilityId}/${batchId}`;
}

/** Both sides' figures of one product, in ERP units. */
export interface FacilityFigures {
  /** The ERP's available figure by place. The buffer is taken from the places in this order. */
  readonly erpAvailable: ReadonlyMap<Place, Figure<'units'>>;
  /** Units kept back from the product's total. */
  readonly buffer: Decimal;
  /** Reservations that the marketplace shows, by place, including places where the ERP has nothing. */
  readonly reserved: ReadonlyMap<Place, Figure<'units'>>;
  readonly lines: readonly LedgerLine[];
  /** ERP units per 1 of the marketplace's stock figure. */
  readonly unitsIn: Decimal;
}

export interface FacilityTarget {
  /** Units on hand: at least zero, truncated to two fraction digits. */
  readonly onHand: Decimal;
  /** Units that buyers may take. If negative, 0 on hand is written and an alert is raised. */
  readonly available: Decimal;
}

/** The terms of a place's figure: `available` is `erpAvailable` less all others. */
export interface PlaceSum {
  readonly erpAvailable: Decimal;
  /** Units of lines that the ERP does not count. Their place is unknown, so they are subtracted at every place. */
  readonly anywhere: Decimal;
  readonly reserved: Decimal;
  /** The part of `reserved` that the ERP may not count. */
  readonly uncounted: Decimal;
  /** This place's share of the buffer and of shortages at other places. */
  readonly kept: Decimal;
  /** Negative if more is sold than there is. */
  readonly available: Decimal;
}

/** Spec 2, Inventory commands: quantities have two fraction digits. */
const FRACTION_DIGITS = 2;

/**
 * The stock ledger by facility and batch. A reconcile command sets the units on hand, from which the marketplace
 * subtracts its reservations. At each place:
 * - available = ERP available − share of the buffer − every live line there that the ERP does not count
 * - on hand = ERP available − share of the buffer − uncounted lines consumed there + counted lines reserved there
 * - Measurements do not name orders: uncounted units may be any of a place's reservations, and a consumed line may be
 * missing at every place. Both sell too little rather than too much, until the ERP counts the lines.
 * - An ERP may ship from another place than the marketplace: a shortage at one place is kept back at the others.
 */
export function facilityTargets(figures: FacilityFigures): Map<Place, FacilityTarget> {
  return new Map([...facilitySums(figures)].map(([place, sumThere]) => [place, targetOf(sumThere, figures.unitsIn)]));
}

export function targetOf({ available, reserved }: PlaceSum, unitsIn: Decimal): FacilityTarget {
  const exact = available.plus(reserved).toDecimalPlaces(FRACTION_DIGITS, Decimal.ROUND_FLOOR);
  const onHand = exact.isNegative() ? exact : inWholeCases(exact, unitsIn);
  return {
    onHand: onHand.isNegative() ? ZERO : onHand,
    available: available.isNegative() ? available : onHand.minus(reserved),
  };
}

/** Units that the ERP does not count. `anywhere`: those that the marketplace shows at no place. */
function uncountedOf({ lines, reserved }: FacilityFigures) {
  const known = (counted: boolean) => sumOf(lines, (line) => line.effect === 'reserved' && line.counted === counted);
  const [counted, uncounted] = [known(true), known(false)];
  const shown = sum(reserved.values());
  const notCounted = Decimal.max(uncounted, shown.minus(counted));
  // Known orders reserved these units, but the marketplace shows them no longer. They may have been consumed.
  const vanished = Decimal.min(uncounted, Decimal.max(counted.plus(uncounted).minus(shown), ZERO));
  const consumed = sumOf(lines, (line) => line.effect === 'consumed' && !line.counted);
  return { counted, shown, notCounted, consumed, anywhere: consumed.plus(vanished) };
}

export function facilitySums(figures: FacilityFigures): Map<Place, PlaceSum> {
  const { reserved } = figures;
  const { notCounted, anywhere } = uncountedOf(figures);
  const parts = new Map<Place, Omit<PlaceSum, 'kept' | 'available'>>();
  const left = new Map<Place, Decimal>();
  for (const [place, erpAvailable] of figures.erpAvailable) {
    const here = reserved.get(place) ?? ZERO;
    const notCountedHere = Decimal.min(here, notCounted);
    parts.set(place, { erpAvailable, anywhere, reserved: here, uncounted: notCountedHere });
    left.set(place, erpAvailable.minus(anywhere).minus(notCountedHere));
  }
  const kept = keepBack(figures.buffer, left);
  return new Map(
    [...parts].map(([place, part]) => {
      const available = kept.get(place) ?? ZERO;
      return [place, { ...part, kept: (left.get(place) ?? ZERO).minus(available), available }];
    }),
  );
}

/** Units that are certainly missing at a place. null: at all places together. */
export interface Shortage {
  readonly place: Place | null;
  readonly by: Decimal;
}

/**
 * Units sold beyond what there is. A target subtracts units at each place that they may belong to. Here they are
 * missing at a place only if the others cannot explain them, and the buffer never is.
 * @param isWhole the figures of all places are known. Otherwise, another place may have what is missing in total
 */
export function shortages(figures: FacilityFigures, isWhole: boolean): Shortage[] {
  const { erpAvailable, reserved } = figures;
  const { counted, shown, notCounted, consumed } = uncountedOf(figures);
  const short = [...erpAvailable].flatMap(([place, available]) => {
    const elsewhere = shown.minus(reserved.get(place) ?? ZERO);
    const by = Decimal.max(shown.minus(counted).minus(elsewhere), ZERO).minus(available);
    return by.greaterThan(0) ? [{ place, by }] : [];
  });
  const [only, ...others] = erpAvailable.keys();
  const lacking = notCounted.plus(consumed).minus(sum(erpAvailable.values()));
  if (!isWhole || only === undefined || !lacking.greaterThan(sum(short.map(({ by }) => by)))) return short;
  return [{ place: others.length === 0 ? only : null, by: lacking }];
}

/**
 * Takes the buffer, and the shortages of other places, from the first places that have units. The buffer then stays in
 * one place while the others sell. A shortage must not be sold elsewhere.
 */
function keepBack(buffer: Decimal, left: ReadonlyMap<Place, Decimal>): Map<Place, Decimal> {
  const lacking = sum([...left.values()].map((available) => Decimal.max(available.negated(), ZERO)));
  let missing = buffer.plus(lacking);
  const kept = new Map<Place, Decimal>();
  for (const [place, available] of left) {
    const share = Decimal.max(Decimal.min(missing, available), ZERO);
    kept.set(place, available.minus(share));
    missing = missing.minus(share);
  }
  return kept;
}
