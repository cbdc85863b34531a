import { Decimal, type Figure, sum, ZERO } from './decimal.ts';
import { type LedgerLine, sumOf } from './ledger.ts';
import { inWholeCases } from './units.ts';

/** One facility and batch of a product, as text. This text matches the figures of both sides. */
export type Place = `${number}/${number}`;

export function placeOf(facilityId: number, batchId: number): Place {
  return `${facilityId}/${batchId}`;
}

/** The figures that both sides show of one product, in ERP units. */
export interface FacilityFigures {
  /** The ERP's available figure by place. The places give units for the buffer in this order. */
  readonly erpAvailable: ReadonlyMap<Place, Figure<'units'>>;
  /** The units that are kept back from the product as a whole. */
  readonly buffer: Decimal;
  /** The reservations that the marketplace shows, by place: all of the product's, also where the ERP has nothing. */
  readonly reserved: ReadonlyMap<Place, Figure<'units'>>;
  readonly lines: readonly LedgerLine[];
  /** The ERP units that a figure of 1 of the marketplace stands for. */
  readonly unitsIn: Decimal;
}

export interface FacilityTarget {
  /** The units on hand there; at most two fractional digits, cut off; never below zero. */
  readonly onHand: Decimal;
  /** The units that buyers may take there. The figure may be below zero: 0 on hand is then written, and an alert raised. */
  readonly available: Decimal;
}

/** The parts of a place's figure: `available` is `erpAvailable` less all units that are taken or kept back. */
export interface PlaceSum {
  readonly erpAvailable: Decimal;
  /** Taken by lines that the ERP does not count. Nobody knows where, so these units may be missing here. */
  readonly anywhere: Decimal;
  /** The units that the marketplace shows as reserved there. */
  readonly reserved: Decimal;
  /** The part of `reserved` that the ERP may not count. */
  readonly uncounted: Decimal;
  /** This place's share of the buffer, and of the units that other places lack. */
  readonly kept: Decimal;
  /** May be below zero: more is sold than there is. */
  readonly available: Decimal;
}

/** Spec 2, Inventory commands: quantities of commands carry two fractional digits. */
const FRACTION_DIGITS = 2;

/**
 * The stock ledger by facility and batch. A reconcile sets the units on hand, and the marketplace itself subtracts its
 * reservations there. At each place
 *
 * available = ERP available − share of the buffer − every live line there that the ERP does not count
 *
 * on hand becomes the ERP's figure − share of the buffer − lines consumed there that it does not count + lines reserved
 * there that it counts.
 *
 * Measurements do not name orders. Units that are counted nowhere may be any of a place's reservations, and a consumed line
 * may be missing at every place. Both err towards selling too little, until the ERP counts them. An ERP may
 * serve an order from another place than the marketplace: units that one place lacks are kept back at the others.
 */
export function facilityTargets(figures: FacilityFigures): Map<Place, FacilityTarget> {
  return new Map([...facilitySums(figures)].map(([place, sumThere]) => [place, targetOf(sumThere, figures.unitsIn)]));
}

/** The figures to write for a place. */
export function targetOf({ available, reserved }: PlaceSum, unitsIn: Decimal): FacilityTarget {
  const exact = available.plus(reserved).toDecimalPlaces(FRACTION_DIGITS, Decimal.ROUND_FLOOR);
  const onHand = exact.isNegative() ? exact : inWholeCases(exact, unitsIn);
  return {
    onHand: onHand.isNegative() ? ZERO : onHand,
    available: available.isNegative() ? available : onHand.minus(reserved),
  };
}

/** The ledger by facility and batch: the parts of each place's figure. */
export function facilitySums(figures: FacilityFigures): Map<Place, PlaceSum> {
  const { lines, reserved } = figures;
  const known = (counted: boolean) => sumOf(lines, (line) => line.effect === 'reserved' && line.counted === counted);
  const [counted, uncounted] = [known(true), known(false)];
  const shown = sum(reserved.values());
  // The ERP does not count a reservation that no known order explains.
  const notCounted = Decimal.max(uncounted, shown.minus(counted));
  // Known orders reserved these units, and the marketplace shows them as reserved no longer. They may have been consumed.
  const vanished = Decimal.min(uncounted, Decimal.max(counted.plus(uncounted).minus(shown), ZERO));
  const consumed = sumOf(lines, (line) => line.effect === 'consumed' && !line.counted);
  const anywhere = consumed.plus(vanished);

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

/**
 * The units left at each place after the buffer is kept back. The first place that has units gives for the buffer, then the next
 * place. So the buffer stays in one place while the others sell. When one place lacks units, another place must not sell them.
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
