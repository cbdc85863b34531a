import { cause } from '../../../domain/causes/cause.ts';
import { type Decimal, sum } from '../../../domain/decimal.ts';
import { erpPlaceKey, erpPlaceText, isPlaced, type Placed } from '../../../domain/erp-place.ts';
import { type Place, placeOf } from '../../../domain/facility-ledger.ts';
import { earlier, isBefore } from '../../../domain/instant.ts';
import { knownReserved } from '../../../domain/ledger.ts';
import type { Measured } from '../../../domain/shadow/measurements.ts';
import { unitsOfListed } from '../../../domain/units.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import type { KnownStock } from '../../../store/erp.ts';
import type { Reconcile } from '../../../store/intents.ts';
import type { FacilityStockRows } from '../../../store/observe.ts';
import { invalidRowText } from '../../../store/reading.ts';
import { erpInUnits, observeSold, SOLD_FACTS } from '../observe.ts';
import type { FacilityPlace, FacilitySnapshot, PlaceCommand, PlaceFigures } from './snapshot.ts';

/** Includes the measurements, for a caller that has to know how old they are. */
export interface Observed {
  readonly snapshot: FacilitySnapshot;
  readonly measured: Measured | null;
}

export async function observeFacilities(context: AccountRecords, key: string): Promise<Observed> {
  const { account, config, store } = context;
  const rows = await store.observe.facilityStock(account, key, SOLD_FACTS);
  const { listingId, measured, invalidMeasurements } = rows;
  const mapped = mapping(context, rows.batches);
  const problem = invalidRowText(invalidMeasurements);
  const invalidRow = problem === null ? null : cause('measurements-invalid', { listing: listingId ?? 0, problem });
  const reserved = sum(rows.stock.map((row) => row.reserved));
  const changedTick = Math.min(...rows.stock.map((row) => row.changedTick));
  const asOf = earliest(rows.stock.filter((row) => mapped(row) != null));
  const sold = await observeSold(context, rows, { asOf, changedTick, reserved, invalidRow });
  const places = placesOf(context, mapped, rows, sold.unitsIn);
  const snapshot: FacilitySnapshot = {
    ...sold,
    places,
    ...unmappedOf(mapped, rows.stock),
    measured: measured && measuredInUnits(measured, sold.unitsIn),
    measuredTick: measured?.tick ?? 0,
    buffer: config.inventory.buffer,
  };
  return { snapshot, measured };
}

interface Mapped {
  readonly order: number;
  readonly facilityId: number;
  readonly batchId: number;
}

/** The place of a stock row. null: its lot has no batch yet. undefined: not configured. */
type Mapping = (row: Placed) => Mapped | null | undefined;

/** A place configured with a batch_id belongs to that entry alone. */
function mapping({ config }: AccountRecords, batches: ReadonlyMap<string, number | null>): Mapping {
  return (row) => {
    const named = config.facilities?.places.get(erpPlaceKey(row));
    if (named !== undefined) return named;
    const ofLots = row.batch === undefined ? undefined : config.facilities?.lotPlaces.get(row.location ?? '');
    if (ofLots === undefined) return undefined;
    const batchId = batches.get(row.batch ?? '') ?? null;
    if (batchId === null) return null;
    const isNamed = config.facilities?.named.has(placeOf(ofLots.facilityId, batchId)) === true;
    return isNamed ? undefined : { ...ofLots, batchId };
  };
}

/** Mapped places that the ERP has a row for, or that a command is running for. */
function placesOf(
  context: AccountRecords,
  mappedOf: Mapping,
  { product, stock, reconciles }: FacilityStockRows,
  unitsIn: Decimal,
): FacilityPlace[] {
  const inUnits = (row: KnownStock) => erpInUnits(context.config.units, row, product?.unitMultiplier ?? null);
  const left = new Map(reconciles.map((command) => [command.place, command]));
  const found: (FacilityPlace & { order: number })[] = [];
  for (const row of stock) {
    const mapped = mappedOf(row);
    if (mapped == null) continue;
    const place = placeOf(mapped.facilityId, mapped.batchId);
    const command = left.get(place);
    left.delete(place);
    const sent = command === undefined ? null : commandOf(context, command, unitsIn);
    found.push({ ...mapped, place, erpName: erpPlaceText(row), erp: inUnits(row), command: sent });
  }
  const sorted = found.toSorted((a, b) => a.order - b.order).map(({ order: _order, ...place }) => place);
  const bare = [...left.values()].map((command) => {
    const { place, facilityId, batchId } = command;
    return {
      place,
      facilityId,
      batchId,
      erpName: '(not in the ERP)',
      erp: null,
      command: commandOf(context, command, unitsIn),
    };
  });
  return [...sorted, ...bare];
}

/** A row without a location is the product's total. It counts as unmapped unless rows by location are newer. */
function unmappedOf(mappedOf: Mapping, rows: readonly KnownStock[]): Pick<FacilitySnapshot, 'unmapped' | 'unbatched'> {
  const placed = rows.filter(isPlaced);
  const hasStock = ({ onHand, reserved }: KnownStock) => !onHand.isZero() || !reserved.isZero();
  const withStock = placed.filter(hasStock);
  const unnamed = withStock.filter((row) => mappedOf(row) === undefined);
  const total = rows.find((row) => !isPlaced(row));
  const isTotalNewest = total !== undefined && placed.every((row) => isBefore(row.asOf, total.asOf));
  return {
    unmapped: [...unnamed.map(erpPlaceText), ...(isTotalNewest ? ['a row without a location'] : [])],
    unbatched: withStock.filter((row) => mappedOf(row) === null).map(erpPlaceText),
  };
}

function measuredInUnits({ byPlace }: Measured, unitsIn: Decimal): Map<Place, PlaceFigures> {
  return new Map(
    [...byPlace].map(([place, { onHand, reserved, available }]) => [
      place,
      {
        onHand: unitsOfListed(onHand, unitsIn),
        reserved: unitsOfListed(reserved, unitsIn),
        available: unitsOfListed(available, unitsIn),
      },
    ]),
  );
}

function earliest(rows: readonly KnownStock[]): string | null {
  const [first, ...others] = rows.map(({ asOf }) => asOf);
  return first === undefined ? null : others.reduce(earlier, first);
}

const FIRST_LOOK_MS = 1_000;
const MAX_LOOK_MS = 60_000;
/** A command that failed once may have met a lock, and is sent again after this time. */
const FIRST_RETRY_MS = 5_000;
/** A command that failed twice is not repeated within this time. An applied command counts as applied for as long. */
const RETRY_FAILED_MS = 600_000;

/** When to check a command's result: soon at first, then less and less often. */
export function lookAtMs({ config }: AccountRecords, { commandId, sentAtMs, lookedAtMs }: Reconcile): number {
  // A request whose answer was lost may be applied until twice the time-out.
  if (commandId === null) return sentAtMs + 2 * config.marketplace.timeoutMs;
  return lookedAtMs + Math.min(Math.max(lookedAtMs - sentAtMs, FIRST_LOOK_MS), MAX_LOOK_MS);
}

function commandOf(context: AccountRecords, reconcile: Reconcile, unitsIn: Decimal): PlaceCommand {
  const state = reconcile.state === 'open' || reconcile.state === 'in-doubt' ? reconcile.state : 'settled';
  const nowMs = context.now();
  return {
    ...reconcile,
    toQuantity: unitsOfListed(reconcile.toQuantity, unitsIn),
    state,
    justApplied: reconcile.state === 'applied' && nowMs - (reconcile.settledAtMs ?? 0) < RETRY_FAILED_MS,
    lookInMs: state === 'settled' ? 0 : Math.max(0, lookAtMs(context, reconcile) - nowMs),
    failed: failedOf(reconcile, nowMs),
  };
}

/** A figure that an operator dropped is never sent again. */
function failedOf(
  { state, evidence, failure, failures, settledAtMs }: Reconcile,
  nowMs: number,
): PlaceCommand['failed'] {
  if (state === 'dropped') {
    const given = evidence ?? cause('given-up', { by: 'an operator', doubt: null });
    return { cause: given, isFirst: false, againInMs: null };
  }
  if (failure === null) return null;
  const isFirst = failures === 1;
  const againInMs = (settledAtMs ?? nowMs) + (isFirst ? FIRST_RETRY_MS : RETRY_FAILED_MS) - nowMs;
  return { cause: cause('command-failed', { said: failure }), isFirst, againInMs };
}

/** The measurements may not show the latest event yet: an order moved, or a command ended. */
export async function isStale(
  context: AccountRecords,
  key: string,
  { snapshot, measured }: Observed,
): Promise<boolean> {
  const { account, store } = context;
  if (snapshot.listing === null || measured === null) return false;
  const settled = (await store.reconciles.latest(account, key)).map(({ settledAtMs }) => settledAtMs ?? 0);
  const movedAtMs = await store.orders.movedAtMs(account, snapshot.listing.id);
  return Math.max(movedAtMs, ...settled) >= measured.askedAtMs || !agreesWithOrders(snapshot);
}

/** Returns whether the marketplace's reservations equal those of the known orders. */
export function agreesWithOrders({ lines, measured }: FacilitySnapshot): boolean {
  if (measured === null) return true;
  return sum([...measured.values()].map(({ reserved }) => reserved)).equals(knownReserved(lines));
}
