import { Decimal, sum, ZERO } from '../../domain/decimal.ts';
import { type FacilityTarget, facilityTargets, type Place, type PlacedLine } from '../../domain/facility-ledger.ts';
import { magnitudeProblem } from '../../domain/quantity.ts';
import type { ComingBack } from '../coming-back.ts';
import type { Decision, Planned } from '../decision.ts';
import type { Braked } from '../policy.ts';

/** One facility and batch that the configuration names, as both sides show it. */
export interface FacilityPlace {
  readonly place: Place;
  readonly facilityId: number;
  readonly batchId: number;
  /** How the ERP names it: `EAST batch LOT-7`. */
  readonly erpName: string;
  /** null where the ERP has no row: unknown is never zero. */
  readonly erp: { readonly available: Decimal; readonly asOf: string; readonly problem: string | null } | null;
  /** The last command that was sent for it. */
  readonly command: PlaceCommand | null;
}

/** A reconcile that was sent, or may have been. */
export interface PlaceCommand {
  readonly intentId: number;
  /** The marketplace's number of it; null when its answer was lost. */
  readonly commandId: number | null;
  readonly toQuantity: Decimal;
  /** `settled`: followed to its end. */
  readonly state: 'open' | 'in-doubt' | 'settled';
  readonly evidence: string;
  /** The marketplace has applied it, a short while ago. */
  readonly justApplied: boolean;
  /** Until it is worth looking for what became of it; 0: now. */
  readonly lookInMs: number;
  /** Why it was not applied, and how long until the same is tried again; null: not before another quantity is wanted. */
  readonly failed: { readonly message: string; readonly againInMs: number | null } | null;
}

/** What the marketplace shows as on hand, reserved and available at one place. */
export interface PlaceFigures {
  readonly onHand: Decimal;
  readonly reserved: Decimal;
  readonly available: Decimal;
}

/** Both sides of one product's stock, facility by facility. */
export interface FacilitySnapshot {
  readonly sku: string | null;
  /** ERP products that carry this SKU; more than one holds it. */
  readonly twins: number;
  readonly listing: {
    readonly id: number;
    readonly archived: boolean;
    /** Archived, and sold by the ERP again: it is listed as soon as its stock is in step. */
    readonly comingBack: ComingBack | null;
    readonly managed: boolean;
  } | null;
  /** Why a row of either side cannot be read. */
  readonly misfit: string | null;
  /** In the order of the configuration. */
  readonly places: readonly FacilityPlace[];
  /** Where the ERP has stock that no entry of the configuration maps. */
  readonly unmapped: readonly string[];
  /** By facility and batch, mapped or not; null while it is not known what the marketplace shows. */
  readonly measured: ReadonlyMap<Place, PlaceFigures> | null;
  readonly lines: readonly PlacedLine[];
  readonly lineProblem: string | null;
  /** An order was told to the ERP and the stock figures are not known to count it yet. */
  readonly awaitingErp: boolean;
  readonly buffer: Decimal;
}

export interface SendReconcile extends Planned, Braked {
  readonly action: 'stock.reconcile';
  readonly listingId: number;
  readonly facilityId: number;
  readonly batchId: number;
  readonly toQuantity: Decimal;
  /** What is reserved there as far as is known. */
  readonly reserved: Decimal;
}

/** Looks for what became of a command. */
export interface FollowReconcile extends Planned {
  readonly action: 'stock.follow';
  readonly listingId: number;
  readonly place: Place;
  readonly command: PlaceCommand;
}

/** Its stock is in step: it comes back from the archive. */
export interface RestoreListing extends Planned {
  readonly action: 'product.restore';
  readonly listingId: number;
}

export type FacilityAction = SendReconcile | FollowReconcile | RestoreListing;

export const MEASUREMENTS_UNREAD = 'what the marketplace shows by facility has not been read yet';
/** Of one product, more commands than these are never on their way at once. */
const MAX_OPEN = 5;
/** How soon to ask again for stock figures that do not count an order yet. */
const ERP_LAG_MS = 500;

export function decideFacilityStock(snapshot: FacilitySnapshot): Decision<FacilityAction> {
  const { listing, sku } = snapshot;
  const follows = listing === null ? [] : followsOf(snapshot, listing.id);
  const open = snapshot.places.flatMap(({ command }) => (command === null || command.state !== 'open' ? [] : command));
  const waits = open.map(({ lookInMs }) => lookInMs);
  const wanted: Wanted =
    listing === null || sku === null || isIdle(listing)
      ? { sends: [], inStep: false, hold: null, alerts: [] }
      : wantedOf(snapshot, listing.id, sku);
  const sends = wanted.sends.slice(0, Math.max(0, MAX_OPEN - open.length));
  if (snapshot.awaitingErp) waits.push(ERP_LAG_MS);
  return {
    actions: [...sends, ...follows, ...(wanted.inStep ? restoreOf(snapshot) : [])],
    // What is on its way is followed first: a key that is held is looked at less often.
    hold: waits.length > 0 ? null : wanted.hold,
    alerts: wanted.alerts,
    lookAgainMs: waits.length === 0 ? null : Math.min(...waits),
  };
}

/** What nobody can take, and soon neither. */
function isIdle({ archived, comingBack, managed }: NonNullable<FacilitySnapshot['listing']>): boolean {
  return !managed || (archived && comingBack === null);
}

interface Wanted {
  readonly sends: readonly SendReconcile[];
  /** Every place that is mapped has what it should have. */
  readonly inStep: boolean;
  readonly hold: string | null;
  readonly alerts: readonly string[];
}

function wantedOf(snapshot: FacilitySnapshot, listingId: number, sku: string): Wanted {
  const problem = snapshot.listing?.comingBack?.hold ?? problemOf(snapshot, sku);
  if (problem !== null) return { sends: [], inStep: false, hold: problem, alerts: [] };
  const { measured, places, lines, buffer, unmapped } = snapshot;
  if (measured === null) return { sends: [], inStep: false, hold: MEASUREMENTS_UNREAD, alerts: [] };
  const reserved = new Map([...measured].map(([place, figures]) => [place, figures.reserved]));
  const erpAvailable = new Map(places.flatMap(({ place, erp }) => (erp === null ? [] : [[place, erp.available]])));
  const targets = facilityTargets({ erpAvailable, buffer, reserved, lines });
  const sends: SendReconcile[] = [];
  const holds: string[] = [];
  let inStep = true;
  for (const place of places) {
    const target = targets.get(place.place);
    const { command } = place;
    // Never a second command while the first may still be applied.
    if (command?.state === 'in-doubt') holds.push(`in doubt: ${command.evidence}`);
    const isOnItsWay = command !== null && command.state !== 'settled';
    if (isOnItsWay) inStep = false;
    if (target === undefined || isOnItsWay) continue;
    const current = measured.get(place.place) ?? NOTHING;
    if (current.onHand.equals(target.onHand) || isTold(snapshot, place, target)) continue;
    inStep = false;
    const { failed = null } = command ?? {};
    const isSame = failed !== null && command?.toQuantity.equals(target.onHand);
    if (isSame && failed.againInMs === null) holds.push(failed.message);
    else if (isSame && failed.againInMs !== null && failed.againInMs > 0) {
      holds.push(`${failed.message}; it is tried again after ten minutes`);
    } else sends.push(sendOf(place, { listingId, sku, target, current, lines }));
  }
  if (unmapped.length > 0) {
    holds.push(`the ERP has stock of SKU ${sku} at ${unmapped.join(', ')}: no entry of facilities.map names it`);
  }
  const alerts = alertsOf(snapshot, { listingId, sku }, targets, measured);
  return { sends, inStep, hold: holds.length === 0 ? null : holds.join('; '), alerts };
}

/** What is archived need not be measured: then the last command is believed, so that it is not sent for ever. */
function isTold({ listing, measured }: FacilitySnapshot, { place, command }: FacilityPlace, target: FacilityTarget) {
  const isUnmeasured = listing?.comingBack != null && measured?.has(place) === false;
  return isUnmeasured && command?.justApplied === true && command.toQuantity.equals(target.onHand);
}

function restoreOf({ listing, sku }: FacilitySnapshot): RestoreListing[] {
  if (listing?.comingBack == null) return [];
  const change = { before: 'archived', after: 'listed', why: 'active in the ERP again, and its stock is in step' };
  return [{ action: 'product.restore', target: `listing ${listing.id} (${sku})`, ...change, listingId: listing.id }];
}

/** A facility and batch that the marketplace does not list has nothing on hand. */
const NOTHING: PlaceFigures = { onHand: ZERO, reserved: ZERO, available: ZERO };

function problemOf({ twins, misfit, places, unmapped, lineProblem }: FacilitySnapshot, sku: string): string | null {
  if (twins > 1) return `SKU ${sku} stands ${twins} times in the ERP: which one is sold cannot be told`;
  if (misfit !== null) return misfit;
  for (const { erp, erpName } of places) {
    const problem = erp === null ? null : (erp.problem ?? magnitudeProblem(erp.available));
    if (problem !== null) return `the ERP's stock of SKU ${sku} at ${erpName}: ${problem}`;
  }
  if (unmapped.length === 0 && places.every(({ erp }) => erp === null)) {
    return `the ERP gives no stock for SKU ${sku}: unknown is never written as zero`;
  }
  return lineProblem;
}

function alertsOf(
  { places, lines }: FacilitySnapshot,
  { listingId, sku }: { listingId: number; sku: string },
  targets: ReadonlyMap<Place, FacilityTarget>,
  measured: ReadonlyMap<Place, PlaceFigures>,
): string[] {
  const alerts: string[] = [];
  for (const { place, erpName } of places) {
    const available = targets.get(place)?.available;
    if (available?.isNegative()) {
      alerts.push(`SKU ${sku} is oversold by ${available.abs().toFixed()} at ${erpName}: buyers can take none there`);
    }
  }
  for (const [place, { available }] of measured) {
    if (targets.has(place) || !available.greaterThan(0)) continue;
    const what = `listing ${listingId} offers ${available.toFixed()} of SKU ${sku} at facility/batch ${place}`;
    alerts.push(`${what}, of which the ERP says nothing: it is left as it is`);
  }
  const known = sum(lines.filter(({ effect }) => effect === 'reserved').map(({ quantity }) => quantity));
  const unknown = sum([...measured.values()].map(({ reserved }) => reserved)).minus(known);
  if (unknown.greaterThan(0)) {
    alerts.push(`SKU ${sku} has ${unknown.toFixed()} reserved that no known order explains: it is kept back`);
  }
  return alerts;
}

function sendOf(
  { facilityId, batchId, erpName, erp }: FacilityPlace,
  {
    listingId,
    sku,
    target,
    current,
    lines,
  }: {
    listingId: number;
    sku: string;
    target: FacilityTarget;
    current: PlaceFigures;
    lines: readonly PlacedLine[];
  },
): SendReconcile {
  const open = lines.filter((line) => !line.counted);
  const base = {
    action: 'stock.reconcile' as const,
    target: `listing ${listingId} (${sku}) facility ${facilityId} batch ${batchId} on hand`,
    before: current.onHand.toFixed(),
    after: target.onHand.toFixed(),
    why:
      `ERP available ${erp?.available.toFixed()} at ${erpName} as of ${erp?.asOf}, ` +
      `${current.reserved.toFixed()} reserved there, ${open.length} lines the ERP does not count`,
    listingId,
    facilityId,
    batchId,
    toQuantity: target.onHand,
    reserved: current.reserved,
  };
  if (current.available.greaterThan(0) && target.available.lessThanOrEqualTo(0)) return { ...base, brake: 'zero' };
  const isMore = target.available.greaterThan(Decimal.max(current.available, 0));
  return isMore ? { ...base, brake: 'increase' } : base;
}

function followsOf({ places }: FacilitySnapshot, listingId: number): FollowReconcile[] {
  return places.flatMap(({ place, facilityId, batchId, command }) => {
    if (command === null || command.state === 'settled' || command.lookInMs > 0) return [];
    const name = command.commandId === null ? 'a command whose answer was lost' : `command ${command.commandId}`;
    return {
      action: 'stock.follow' as const,
      target: `listing ${listingId} facility ${facilityId} batch ${batchId}`,
      before: null,
      after: null,
      why: `what became of ${name}, to set ${command.toQuantity.toFixed()} on hand`,
      listingId,
      place,
      command,
    };
  });
}
