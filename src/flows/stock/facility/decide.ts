import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { counted } from '../../../domain/counted.ts';
import { Decimal, sum, ZERO } from '../../../domain/decimal.ts';
import { type FacilityTarget, facilityTargets, type Place } from '../../../domain/facility-ledger.ts';
import { listedText, unitsText } from '../../../domain/figure-text.ts';
import { later } from '../../../domain/instant.ts';
import { listedOf } from '../../../domain/units.ts';
import type { NewReconcile } from '../../../store/intents.ts';
import type { Decision, Planned } from '../../engine/decision.ts';
import type { Braked, BrakeKind } from '../../engine/policy.ts';
import type { Basis, RaiseInputs } from '../read-before-raise.ts';
import { brakeOf, isIdle, isOwed, isUnlimited } from '../sold.ts';
import type { FacilityPlace, FacilitySnapshot, PlaceCommand, PlaceFigures } from './snapshot.ts';
import { alertsOf, alertsOfUnlimited, figuresOf, problemIn } from './told.ts';

export interface SendReconcile extends Planned, Braked, Omit<NewReconcile, 'account' | 'key'> {
  readonly action: 'facility-stock.reconcile';
  /** What was known when this was decided. */
  readonly asked: RaiseInputs;
}

export interface FollowReconcile extends Planned {
  readonly action: 'facility-stock.follow';
  readonly listingId: number;
  readonly place: Place;
  readonly command: PlaceCommand;
}

export interface RestoreListing extends Planned, Braked {
  readonly action: 'product.restore';
  readonly listingId: number;
}

export type FacilityAction = SendReconcile | FollowReconcile | RestoreListing;

const MAX_OPEN = 5;
/**
 * Actions without a brake come first, and running commands are followed before anything may be held. A held action
 * blocks no other.
 */
export function decideFacilityStock(snapshot: FacilitySnapshot): Decision<FacilityAction> {
  const { listing, sku, unread } = snapshot;
  const follows = listing === null ? [] : followsOf(snapshot, listing.id);
  const open = snapshot.places.flatMap(({ command }) => (command === null || command.state !== 'open' ? [] : command));
  const waits = open.map(({ lookInMs }) => lookInMs);
  const wanted: Wanted =
    listing === null || sku === null ? { ...NONE_WANTED, holds: [] } : wantedOf(snapshot, listing.id, sku);
  waits.push(...wanted.waits);
  if (snapshot.erpLagMs !== null) waits.push(snapshot.erpLagMs);
  const sends = open.length < MAX_OPEN ? wanted.sends : [];
  const of = (brake: BrakeKind | undefined) => sends.filter((send) => send.brake === brake);
  const actions = [...of(undefined), ...follows, ...of('zero'), ...of('increase'), ...wanted.restores];
  const given = unread === null ? actions : actions.filter((action) => !raises(snapshot, action));
  const holds = unread !== null && given.length < actions.length ? [...wanted.holds, unread] : wanted.holds;
  return {
    actions: given,
    // A running command is followed in time, which a hold would delay.
    holds: waits.length > 0 ? [] : holds,
    alerts: wanted.alerts,
    lookAgainMs: waits.length === 0 ? null : Math.min(...waits),
  };
}

/** The inputs if buyers would be given more. null: they would not. */
export function basisOfRaise(snapshot: FacilitySnapshot): Basis | null {
  const { sku, listing, places, measuredTick } = snapshot;
  if (sku === null || !decideFacilityStock(snapshot).actions.some((action) => raises(snapshot, action))) return null;
  const rows = places.flatMap(({ erp }) => erp ?? []);
  const asOf = latestOf(places);
  // An order placed and fulfilled between two reads shows only in the measurements.
  const figureTick = Math.max(0, ...rows.map(({ changedTick }) => changedTick));
  const tick = Math.max(measuredTick, listing?.releasedTick ?? 0, figureTick);
  return {
    sku,
    listing: null,
    isOutdated: listing?.comingBack?.isOutdated === true,
    asOf,
    figureTick,
    counted: snapshot.counted,
    tick,
  };
}

function latestOf(places: readonly FacilityPlace[]): string | null {
  const [first, ...others] = places.flatMap(({ erp }) => erp?.asOf ?? []);
  return first === undefined ? null : others.reduce(later, first);
}

export function hasOtherWrites(snapshot: FacilitySnapshot): boolean {
  return decideFacilityStock(snapshot).actions.some((action) => !raises(snapshot, action));
}

/** A restored listing offers all its stock at once. */
function raises({ listing }: FacilitySnapshot, action: FacilityAction): boolean {
  if (action.action === 'facility-stock.follow') return false;
  return listing?.comingBack != null || action.brake === 'increase';
}

interface Wanted {
  readonly sends: readonly SendReconcile[];
  /** The listing is restored once every mapped place has its figure. */
  readonly restores: readonly RestoreListing[];
  readonly holds: readonly Cause[];
  readonly alerts: readonly Cause[];
  /** Milliseconds until a failed command is sent again. */
  readonly waits: readonly number[];
}

const NONE_WANTED = { sends: [], restores: [], alerts: [], waits: [] } as const;

function wantedOf(snapshot: FacilitySnapshot, listingId: number, sku: string): Wanted {
  const wanted = wantedNow(snapshot, listingId, sku);
  if (!snapshot.mayOnlyFall) return wanted;
  const sends = wanted.sends.filter(({ brake }) => brake !== 'increase');
  return { ...wanted, sends, restores: [] };
}

function wantedNow(snapshot: FacilitySnapshot, listingId: number, sku: string): Wanted {
  if (!isIdle(snapshot)) return wantedOfSold(snapshot, listingId, sku);
  if (isUnlimited(snapshot)) return { ...NONE_WANTED, holds: [], alerts: alertsOfUnlimited(snapshot, listingId, sku) };
  const alerts = isOwed(snapshot) ? wantedOfSold(snapshot, listingId, sku).alerts : [];
  return { ...NONE_WANTED, holds: [], alerts: alerts.filter(({ code }) => code === 'oversold') };
}

function wantedOfSold(snapshot: FacilitySnapshot, listingId: number, sku: string): Wanted {
  const problem = snapshot.listing?.comingBack?.hold ?? problemIn(snapshot, sku);
  if (problem !== null) return { ...NONE_WANTED, holds: [problem] };
  const { measured, places, unmapped, unbatched, lineProblem } = snapshot;
  if (measured === null) return { ...NONE_WANTED, holds: [cause('measurements-unread')] };
  const figures = figuresOf(snapshot, measured);
  const targets = facilityTargets(figures);
  const sends: SendReconcile[] = [];
  const holds: Cause[] = [];
  const waits: number[] = [];
  let inStep = true;
  for (const place of places) {
    const target = targets.get(place.place);
    const { command } = place;
    // No second command is sent while the first may still be applied.
    if (command?.state === 'in-doubt') holds.push(command.evidence ?? cause('as-told', { text: '' }));
    const isOnItsWay = command !== null && command.state !== 'settled';
    if (isOnItsWay) inStep = false;
    if (target === undefined || isOnItsWay) continue;
    const current = measured.get(place.place) ?? NOTHING;
    if (current.onHand.equals(target.onHand) || isTold(snapshot, place, target)) continue;
    // An uncountable line may take some of the stock, so it is not raised.
    if (lineProblem !== null && !target.onHand.lessThan(current.onHand)) continue;
    inStep = false;
    const failed = command?.toQuantity.equals(target.onHand) ? command.failed : null;
    const againInMs = failed === null ? 0 : (failed.againInMs ?? Infinity);
    if (failed !== null && againInMs > 0) {
      if (failed.isFirst) waits.push(againInMs);
      else holds.push(failed.cause);
    } else sends.push(sendOf(snapshot, place, { listingId, sku, target, current }));
  }
  if (lineProblem !== null) holds.push(lineProblem);
  if (unmapped.length > 0) holds.push(cause('places-unmapped', { sku, places: [...unmapped] }));
  if (unbatched.length > 0) holds.push(cause('lots-without-batch', { sku, places: [...unbatched] }));
  const alerts = alertsOf(snapshot, { listingId, sku }, figures, measured);
  const restores = inStep && lineProblem === null ? restoreOf(snapshot, targets, measured) : [];
  return { sends, restores, holds, alerts, waits };
}

/** Returns whether no place offers more than exists, and no running command may change that. */
export function isStockDown(snapshot: FacilitySnapshot): boolean {
  const { measured, places, sku } = snapshot;
  if (isIdle(snapshot)) return true;
  if (sku === null || measured === null || problemIn(snapshot, sku) !== null) return false;
  const targets = facilityTargets(figuresOf(snapshot, measured));
  return places.every(({ place, command }) => {
    const [shown, target] = [measured.get(place) ?? NOTHING, targets.get(place)];
    const isSettled = command === null || command.state === 'settled';
    return isSettled && (target === undefined || !shown.onHand.greaterThan(target.onHand));
  });
}

/**
 * An archived listing may have no measurements. Its last command then counts as applied, or it would be sent forever.
 */
function isTold({ listing, measured }: FacilitySnapshot, { place, command }: FacilityPlace, target: FacilityTarget) {
  const isUnmeasured = listing?.comingBack != null && measured?.has(place) === false;
  return isUnmeasured && command?.justApplied === true && command.toQuantity.equals(target.onHand);
}

function restoreOf(
  { listing, sku }: FacilitySnapshot,
  targets: ReadonlyMap<Place, FacilityTarget>,
  measured: ReadonlyMap<Place, PlaceFigures>,
): RestoreListing[] {
  if (listing?.comingBack == null) return [];
  const places = new Map([...measured, ...targets].map(([place, { available }]) => [place, Decimal.max(available, 0)]));
  const given = sum([...places.values()]);
  const base = {
    action: 'product.restore' as const,
    target: `listing ${listing.id} (${sku})`,
    before: 'archived',
    after: `listed, ${given.toFixed()} available`,
    why: `${listing.comingBack.why}, and its stock is in step`,
    listingId: listing.id,
  };
  return [given.isZero() ? base : { ...base, brake: 'increase' }];
}

/** A facility and batch that the marketplace does not list has nothing on hand. */
const NOTHING: PlaceFigures = { onHand: ZERO, reserved: ZERO, available: ZERO };

function sendOf(
  { lines, listing, asked, unitsIn, multiplier }: FacilitySnapshot,
  { facilityId, batchId, erpName, erp }: FacilityPlace,
  {
    listingId,
    sku,
    target,
    current,
  }: { listingId: number; sku: string; target: FacilityTarget; current: PlaceFigures },
): SendReconcile {
  const open = lines.filter((line) => !line.counted);
  const by = { unitsIn, multiplier };
  const toQuantity = listedOf(target.onHand, unitsIn);
  const base = {
    action: 'facility-stock.reconcile' as const,
    target: `listing ${listingId} (${sku}) facility ${facilityId} batch ${batchId} on hand`,
    before: listedOf(current.onHand, unitsIn).toFixed(),
    after: toQuantity.toFixed(),
    why:
      `ERP available ${erp && unitsText(erp.available, by)} at ${erpName} as of ${erp?.asOf}, ` +
      `${unitsText(current.reserved, by)} reserved there, ${counted(open.length, 'line')} the ERP does not count`,
    listingId,
    facilityId,
    batchId,
    toQuantity,
    reserved: listedOf(current.reserved, unitsIn),
    asked,
  };
  // Buyers cannot take units of an archived listing. A brake watches the restore instead.
  return listing?.comingBack != null
    ? base
    : { ...base, ...brakeOf({ sku, place: erpName, by }, current.available, target.available) };
}

function followsOf({ places, ...by }: FacilitySnapshot, listingId: number): FollowReconcile[] {
  return places.flatMap(({ place, facilityId, batchId, command }) => {
    if (command === null || command.state === 'settled' || command.lookInMs > 0) return [];
    const name = command.commandId === null ? 'a command whose answer was lost' : `command ${command.commandId}`;
    return {
      action: 'facility-stock.follow' as const,
      target: `listing ${listingId} facility ${facilityId} batch ${batchId}`,
      before: null,
      after: null,
      why: `what became of ${name}, to set ${listedText(command.toQuantity, by)} on hand`,
      listingId,
      place,
      command,
    };
  });
}
