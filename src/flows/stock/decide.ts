import { type Cause, cause } from '../../domain/causes/cause.ts';
import { counted } from '../../domain/counted.ts';
import { type Decimal, type Figure, ZERO } from '../../domain/decimal.ts';
import { casesText, unitsText } from '../../domain/figure-text.ts';
import { knownReserved, type StockTarget, stockTarget } from '../../domain/ledger.ts';
import type { Strategy } from '../../domain/strategy.ts';
import { listedOf } from '../../domain/units.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import { act, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';
import type { Braked } from '../engine/policy.ts';
import type { Basis, RaiseInputs } from './read-before-raise.ts';
import {
  brakeOf,
  duplicateSku,
  type ErpFigure,
  isIdle,
  isOwed,
  notKept,
  oversold,
  problemOf,
  type SoldListing,
  type SoldSnapshot,
  unexplained,
} from './sold.ts';

export interface StockSnapshot extends SoldSnapshot {
  /** The ERP's figure. null: unknown, which is never zero. */
  readonly stock: ErpFigure | null;
  readonly listing: StockListing | null;
  /** An earlier stock write whose answer was lost. null: none, or a later write replaced it. */
  readonly lostWrite: LostWrite | null;
  /** The figure that our write set recently. A read overlapping that write shows the previous figure. null: none. */
  readonly lately: Decimal | null;
  /** The listing showed unexpected figures that are not classified yet. */
  readonly hasDrift: boolean;
  readonly rules: { readonly strategy: Strategy; readonly write: StockTarget['field']; readonly buffer: Decimal };
}

type StockListing = SoldListing &
  Pick<StoredProduct, 'observedTick' | 'certain'> & {
    readonly quantity: Figure<'units'> | null;
    readonly available: Figure<'units'> | null;
    readonly unexplained: Figure<'units'>;
  };

/**
 * `mayComeIn`: milliseconds for which the write may still be applied. 0: it may have been, so the figure is written
 * again.
 */
export interface LostWrite {
  readonly mayComeIn: number;
}

export interface WriteStock extends Planned, Braked {
  readonly action: 'stock.write';
  readonly listingId: number;
  /** This write also restores the listing from the archive. */
  readonly lists: boolean;
  readonly field: StockTarget['field'];
  readonly value: Figure<'marketplace stock'>;
  /** The expected reserved_qty of the answer. Another value shows that an order came in between. */
  readonly expectedReserved: Figure<'marketplace stock'>;
  /** The part of that reservation that known orders explain. */
  readonly knownReserved: Figure<'marketplace stock'>;
  /** What was known when this was decided. */
  readonly asked: RaiseInputs;
  /** The tick at which the listing was read. */
  readonly observedTick: number;
  readonly lostWrite: LostWrite | null;
}

export function decideStock(snapshot: StockSnapshot): Decision<WriteStock> {
  const { listing, stock, sku } = snapshot;
  if (listing === null || sku === null) return inSync();
  if (isIdle(snapshot))
    return inSync([...notKept(snapshot, listing.id, sku, stock !== null), ...owedOf(snapshot, sku)]);
  if (listing.comingBack?.hold != null) return hold(listing.comingBack.hold);
  const problem = problemOf(snapshot, sku, [{ place: null, erp: stock }]);
  if (problem !== null) return hold(problem);
  if (stock === null) return hold(cause('stock-unknown', { sku }));
  const { rules, lines } = snapshot;
  const target = stockTarget(rules.write, stock.available, rules.buffer, lines, snapshot.unitsIn);
  const unknown = target.reserved.minus(knownReserved(lines));
  const alerts = [...oversold(sku, bare(snapshot, stock).available), ...unexplained(listing.id, sku, unknown)];
  const current = rules.write === 'quantity' ? listing.quantity : listing.available;
  const { lostWrite } = snapshot;
  const lostMs = lostWrite !== null && lostWrite.mayComeIn > 0 ? lostWrite.mayComeIn : null;
  const lookAgainMs = snapshot.erpLagMs ?? lostMs;
  const certain = listing.certain && lostWrite?.mayComeIn !== 0;
  // An uncountable line may take stock, and another product may have the SKU. So the stock is only lowered.
  const holds = [duplicateSku(snapshot, sku), snapshot.lineProblem].filter((one) => one !== null);
  if (certain && listing.comingBack === null && current?.equals(target.value))
    return { ...inSync<WriteStock>(alerts), holds, lookAgainMs };
  const write = writeOf(snapshot, listing.id, sku, target, current);
  const isFall = !raises(write) && current !== null && target.value.lessThan(current);
  if (snapshot.mayOnlyFall && !isFall) return inSync(alerts);
  if (holds.length > 0 && !isFall) return { ...inSync(alerts), holds };
  if (snapshot.unread !== null && raises(write)) return { ...hold(snapshot.unread), alerts };
  return { ...act([write], alerts), holds, lookAgainMs };
}

/** Units missing of a listing that is archived or unlimited, or whose product the ERP deleted. */
function owedOf(snapshot: StockSnapshot, sku: string): Cause[] {
  const { stock } = snapshot;
  if (
    stock === null ||
    !isOwed(snapshot) ||
    duplicateSku(snapshot, sku) !== null ||
    problemOf(snapshot, sku, [{ place: null, erp: stock }]) !== null
  )
    return [];
  return oversold(sku, bare(snapshot, stock).available);
}

/** Without the buffer, which nobody ordered: a missing buffer is not oversold. */
function bare({ rules, lines, unitsIn }: StockSnapshot, { available }: ErpFigure): StockTarget {
  return stockTarget(rules.write, available, ZERO, lines, unitsIn);
}

/**
 * The inputs if this decision may raise the available stock. null: it cannot.
 * @param sinceTick the tick of the read that the figures come from
 */
export function basisOfRaise(snapshot: StockSnapshot, sinceTick: number): Basis | null {
  const { sku, stock, listing } = snapshot;
  const [write] = decideStock(snapshot).actions;
  if (sku === null || stock === null || listing === null || write === undefined) return null;
  const more = raises(write);
  if (!more && !mayRaise(write)) return null;
  // Orders placed before a listing was archived matter when it is restored.
  const placedTick = listing.comingBack === null ? 0 : listing.observedTick;
  // An uncertain figure is only an expectation: since the last read, one order may have released units and another
  // taken them.
  const tick = Math.max(stock.changedTick, listing.releasedTick, placedTick, more ? 0 : sinceTick);
  const ofErp = more ? { asOf: stock.asOf, counted: snapshot.counted } : { asOf: null, counted: NO_ORDERS };
  const figureTick = stock.changedTick;
  const { id, archived } = listing;
  // The marketplace subtracts every order's units from `quantity`, known or not.
  const reserving = write.field === 'quantity' ? null : { id, archived };
  return { sku, listing: reserving, isOutdated: listing.comingBack?.isOutdated === true, figureTick, ...ofErp, tick };
}

const NO_ORDERS = { ids: [], known: [], skus: [], areAll: true };

function raises({ brake, lists }: WriteStock): boolean {
  return lists || brake === 'increase';
}

/**
 * Whether the same figure is written only because it is uncertain. Buyers may see less because of an unknown order. For
 * `quantity`, the marketplace subtracts that order itself.
 */
export function mayRaise({ field, value, before }: WriteStock): boolean {
  return field === 'available_inventory' && value.greaterThan(0) && value.toFixed() === before;
}

function writeOf(
  snapshot: StockSnapshot,
  listingId: number,
  sku: string,
  target: StockTarget,
  current: Decimal | null,
): WriteStock {
  const { stock, lines, rules, listing, lostWrite, lately, asked, unitsIn, multiplier } = snapshot;
  const by = { unitsIn, multiplier };
  const open = lines.filter((line) => !line.counted);
  const back = listing?.comingBack ?? null;
  const lists = back !== null;
  const value = listedOf(target.value, unitsIn);
  const why =
    `${back === null ? '' : `${back.why}; `}ERP available ${stock && unitsText(stock.available, by)} as of ${stock?.asOf}, buffer ${unitsText(rules.buffer, by)}, ` +
    `${counted(open.length, 'line')} the ERP does not count` +
    (listing?.certain === false ? '; the marketplace figure was uncertain' : '') +
    (lostWrite?.mayComeIn === 0 ? '; an earlier write whose answer was lost may have come after it' : '') +
    inCasesText(target, unitsIn);
  const base = {
    action: 'stock.write' as const,
    target: `listing ${listingId} (${sku}) ${target.field}${lists ? ', back from the archive' : ''}`,
    before: current && listedOf(current, unitsIn).toFixed(),
    after: value.toFixed(),
    why,
    listingId,
    lists,
    field: target.field,
    value,
    expectedReserved: listedOf(target.reserved, unitsIn),
    asked,
    knownReserved: listedOf(knownReserved(lines), unitsIn),
    observedTick: listing?.observedTick ?? 0,
    lostWrite,
    ...(lostWrite?.mayComeIn === 0 ? { confirms: true as const } : {}),
  };
  // Buyers cannot take units of an archived listing.
  const before = lists ? ZERO : (listing?.available ?? current);
  if (before === null) return base;
  return {
    ...base,
    ...brakeOf({ sku, place: null, by }, before, target.available),
    ...(mayBeMore(listing, target, current, lately) ? INCREASE : {}),
  };
}

function inCasesText({ value }: StockTarget, unitsIn: Decimal): string {
  if (unitsIn.equals(1)) return '';
  return `; ${value.toFixed()} units are ${casesText(listedOf(value, unitsIn), unitsIn)}`;
}

const INCREASE: Braked = { brake: 'increase' };

/**
 * Whether a write may raise the available stock. Two cases: an uncertain figure was computed from known orders, one of
 * which the marketplace may have released earlier. And a figure above our last write raises the stock even if the
 * marketplace shows more, as it may show the figure from before that write.
 */
function mayBeMore(
  listing: StockListing | null,
  { value, available }: StockTarget,
  current: Decimal | null,
  lately: Decimal | null,
): boolean {
  if (current === null || !available.greaterThan(0)) return false;
  const isExpected = listing?.certain === false && value.greaterThan(current);
  return isExpected || (lately !== null && value.greaterThan(lately) && current.greaterThan(value));
}
