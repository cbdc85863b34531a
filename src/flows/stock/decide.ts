import { type Cause, cause } from '../../domain/causes/cause.ts';
import { counted } from '../../domain/counted.ts';
import { Decimal, ZERO } from '../../domain/decimal.ts';
import { knownReserved, type LedgerLine, type StockTarget, stockTarget } from '../../domain/ledger.ts';
import { magnitudeProblem } from '../../domain/quantity.ts';
import type { Strategy } from '../../domain/strategy.ts';
import { act, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';
import type { Braked } from '../engine/policy.ts';
import type { ComingBack } from './coming-back.ts';
import type { Basis } from './read-before-more.ts';

/** Both sides of one product's stock. */
export interface StockSnapshot {
  readonly sku: string | null;
  /** ERP products that carry this SKU; more than one holds it. */
  readonly twins: number;
  /** The ERP's figure, or null where the ERP does not say: unknown is never zero. */
  readonly stock: {
    readonly available: Decimal;
    readonly asOf: string;
    readonly problem: string | null;
    /** This installation's count of reads when the figures became what they are. */
    readonly changedTick: number;
  } | null;
  /** Why the ERP's last row of its stock cannot be read. */
  readonly erpMisfit: string | null;
  readonly listing: {
    readonly id: number;
    readonly archived: boolean;
    /** Archived, and sold by the ERP again: it is listed with its stock. */
    readonly comingBack: ComingBack | null;
    readonly managed: boolean;
    /** This installation's count of reads when it was seen last. */
    readonly observedTick: number;
    readonly misfit: string | null;
    readonly quantity: Decimal | null;
    readonly available: Decimal | null;
    /** False when the figures cannot be trusted to skip a write. */
    readonly certain: boolean;
  } | null;
  readonly lines: readonly LedgerLine[];
  /** Why a line cannot be counted in ERP units. */
  readonly lineProblem: Cause | null;
  /** An order was told to the ERP and the stock figure is not known to count it yet. */
  readonly awaitingErp: boolean;
  /** Why no more may be given to buyers: what has to be read before could not be. Null when it may, and when planning. */
  readonly unread: Cause | null;
  /** An earlier write of this stock whose answer was lost; null when there is none, or a later one has made it good. */
  readonly lostWrite: LostWrite | null;
  readonly rules: { readonly strategy: Strategy; readonly write: StockTarget['field']; readonly buffer: Decimal };
}

/** `mayComeIn`: ms for which it may still be applied; 0: it may have been, and what is there is written once more. */
export interface LostWrite {
  readonly mayComeIn: number;
}

export interface WriteStock extends Planned, Braked {
  readonly action: 'stock.write';
  readonly listingId: number;
  /** It comes back from the archive with this write. */
  readonly lists: boolean;
  readonly field: StockTarget['field'];
  readonly value: Decimal;
  /** What the answer's reserved_qty should be; anything else says that an order slipped in. */
  readonly expectedReserved: Decimal;
  /** The part of it that known orders explain. */
  readonly knownReserved: Decimal;
  /** When the listing was seen last, by this installation's count of reads. */
  readonly observedTick: number;
  readonly lostWrite: LostWrite | null;
}

/** How soon to ask again for a stock figure that does not count an order yet. */
const ERP_LAG_MS = 500;

export function decideStock(snapshot: StockSnapshot): Decision<WriteStock> {
  const { listing, stock, sku } = snapshot;
  if (listing === null || sku === null || !listing.managed) return inSync();
  if (listing.archived && listing.comingBack === null) return inSync();
  if (listing.comingBack?.hold != null) return hold(listing.comingBack.hold);
  const problem = problemOf(snapshot, sku);
  if (problem !== null) return hold(problem);
  if (stock === null) return hold(cause('stock-unknown', { sku }));
  const { rules, lines } = snapshot;
  const target = stockTarget(rules.write, stock.available, rules.buffer, lines);
  const unknown = target.reserved.minus(knownReserved(lines));
  const alerts = alertsOf(listing.id, sku, target, unknown);
  const current = rules.write === 'quantity' ? listing.quantity : listing.available;
  const { lostWrite } = snapshot;
  const lookAgainMs = snapshot.awaitingErp
    ? ERP_LAG_MS
    : lostWrite !== null && lostWrite.mayComeIn > 0
      ? lostWrite.mayComeIn
      : null;
  const certain = listing.certain && lostWrite?.mayComeIn !== 0;
  if (certain && listing.comingBack === null && current?.equals(target.value))
    return { ...inSync<WriteStock>(alerts), lookAgainMs };
  const write = writeOf(snapshot, listing.id, sku, target, current);
  if (snapshot.unread !== null && givesMore(write)) return { ...hold(snapshot.unread), alerts };
  return { ...act([write], alerts), lookAgainMs };
}

/** By which figures buyers would be given more, or may be; null when they would not. */
export function basisOfMore(snapshot: StockSnapshot): Basis | null {
  const { sku, stock, listing } = snapshot;
  const [write] = decideStock(snapshot).actions;
  if (sku === null || stock === null || listing === null || write === undefined) return null;
  const more = givesMore(write);
  if (!more && !mayGiveMore(write)) return null;
  // What was ordered until a listing was archived matters when it comes back.
  const tick = Math.max(stock.changedTick, listing.comingBack === null ? 0 : listing.observedTick);
  return { sku, isOutdated: listing.comingBack?.isOutdated === true, asOf: more ? stock.asOf : null, tick };
}

function givesMore({ brake, lists }: WriteStock): boolean {
  return lists || brake === 'increase';
}

/**
 * A figure is written again because it is not sure: buyers may see less, for an order that is not known yet. Of a quantity, the
 * marketplace takes off itself what that one reserves.
 */
function mayGiveMore({ field, value, before }: WriteStock): boolean {
  return field === 'available_inventory' && value.greaterThan(0) && value.toFixed() === before;
}

function alertsOf(listingId: number, sku: string, { available }: StockTarget, unknown: Decimal): Cause[] {
  const alerts: Cause[] = [];
  if (available.isNegative()) alerts.push(cause('oversold', { sku, by: available.abs().toFixed(), place: null }));
  const unexplained = { listing: listingId, sku, quantity: unknown.abs().toFixed() };
  if (unknown.greaterThan(0)) alerts.push(cause('reserved-unexplained', unexplained));
  else if (unknown.isNegative()) alerts.push(cause('reserved-less', unexplained));
  return alerts;
}

function problemOf({ listing, stock, twins, erpMisfit, lineProblem }: StockSnapshot, sku: string): Cause | null {
  if (twins > 1) return cause('sku-twice', { sku, count: twins });
  if (listing?.misfit) return cause('listing-misfit', { listing: listing.id, problem: listing.misfit });
  if (erpMisfit !== null) return cause('stock-misfit', { product: `SKU ${sku}`, problem: erpMisfit });
  if (stock?.problem) return cause('stock-unusable', { sku, place: null, problem: stock.problem });
  const magnitude = stock === null ? null : magnitudeProblem(stock.available);
  if (magnitude !== null) return cause('stock-unusable', { sku, place: null, problem: `available ${magnitude}` });
  return lineProblem;
}

function writeOf(
  { stock, lines, rules, listing, lostWrite }: StockSnapshot,
  listingId: number,
  sku: string,
  target: StockTarget,
  current: Decimal | null,
): WriteStock {
  const open = lines.filter((line) => !line.counted);
  const lists = listing?.comingBack != null;
  const why =
    `${lists ? 'active in the ERP again; ' : ''}ERP available ${stock?.available.toFixed()} as of ${stock?.asOf}, buffer ${rules.buffer.toFixed()}, ` +
    `${counted(open.length, 'line')} the ERP does not count` +
    (listing?.certain === false ? '; the marketplace figure was uncertain' : '') +
    (lostWrite?.mayComeIn === 0 ? '; an earlier write whose answer was lost may have come after it' : '');
  const base = {
    action: 'stock.write' as const,
    target: `listing ${listingId} (${sku}) ${target.field}${lists ? ', back from the archive' : ''}`,
    before: current?.toFixed() ?? null,
    after: target.value.toFixed(),
    why,
    listingId,
    lists,
    field: target.field,
    value: target.value,
    expectedReserved: target.reserved,
    knownReserved: knownReserved(lines),
    observedTick: listing?.observedTick ?? 0,
    lostWrite,
    ...(lostWrite?.mayComeIn === 0 ? { confirms: true as const } : {}),
  };
  // Brakes are about what buyers can take, whichever field is written: of what is archived, none.
  const before = lists ? ZERO : (listing?.available ?? current);
  if (before === null) return base;
  if (before.greaterThan(0) && target.available.lessThanOrEqualTo(0)) return { ...base, brake: 'zero' };
  return target.available.greaterThan(Decimal.max(before, 0)) ? { ...base, brake: 'increase' } : base;
}
