import type { Decimal } from '../../domain/decimal.ts';
import { facilitySums, type PlaceSum, targetOf } from '../../domain/facility-ledger.ts';
import type { SoldBy } from '../../domain/figure-text.ts';
import { listedOf } from '../../domain/units.ts';
import { observeFacilities } from '../../flows/stock/facility/observe.ts';
import type { FacilityPlace, PlaceFigures } from '../../flows/stock/facility/snapshot.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { FacilitySum } from './explanation.ts';
import { inCaseOf } from './stock.ts';

/** The sum of each facility and batch; empty without stock by facility, or not known yet. */
export async function facilitiesNow(context: AccountRecords, productId: string): Promise<FacilitySum[]> {
  if (context.config.facilities === null) return [];
  const { snapshot } = await observeFacilities(context, productId);
  const { places, measured, lines, buffer, unitsIn, multiplier } = snapshot;
  if (measured === null) return [];
  const reserved = new Map([...measured].map(([place, figures]) => [place, figures.reserved]));
  const erpAvailable = new Map(places.flatMap(({ place, erp }) => (erp === null ? [] : [[place, erp.available]])));
  const sums = facilitySums({ erpAvailable, buffer, reserved, lines, unitsIn });
  return places.flatMap((place) => {
    const sum = sums.get(place.place);
    return sum === undefined || place.erp === null
      ? []
      : [sumOf(place, place.erp.asOf, sum, measured.get(place.place), { unitsIn, multiplier })];
  });
}

function sumOf(
  { facilityId, batchId, erpName }: FacilityPlace,
  asOf: string,
  sum: PlaceSum,
  shown: PlaceFigures | undefined,
  { unitsIn, multiplier }: SoldBy,
): FacilitySum {
  const { erpAvailable, anywhere, uncounted, kept, reserved, available } = sum;
  const { onHand } = targetOf(sum, unitsIn);
  const taken = (name: string, units: Decimal, why: string) =>
    units.isZero() ? [] : [{ name, adds: units.negated().toFixed(), why }];
  return {
    facility: facilityId,
    batch: batchId,
    erpName,
    rows: [
      { name: 'available in the ERP', adds: erpAvailable.toFixed(), why: `at ${erpName}, as of ${asOf}` },
      ...taken(
        'shipped, nobody knows from where',
        anywhere,
        'lines that the ERP does not count yet: it may be missing here',
      ),
      ...taken('reserved here', uncounted, 'the ERP does not count it yet, as far as is known'),
      ...taken('kept back', kept, 'of the buffer, and of what other places lack'),
    ],
    available: available.toFixed(),
    reserved: listedOf(reserved, unitsIn).toFixed(),
    unitsIn: unitsIn.toFixed(),
    inCase: inCaseOf(multiplier),
    figure: listedOf(onHand, unitsIn).toFixed(),
    shown: shown === undefined ? null : listedOf(shown.onHand, unitsIn).toFixed(),
  };
}
