import { type Cause, cause } from '../../domain/causes/cause.ts';
import { Decimal, type Figure } from '../../domain/decimal.ts';
import { listedText, type SoldBy } from '../../domain/figure-text.ts';
import type { LedgerLine } from '../../domain/ledger.ts';
import { magnitudeProblem } from '../../domain/quantity.ts';
import type { KnownStock } from '../../store/erp.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { Braked } from '../engine/policy.ts';
import type { ComingBack } from './coming-back.ts';
import type { CountedLines } from './lines.ts';
import type { RaiseCheck } from './read-before-raise.ts';

/** In ERP units. */
export interface SoldSnapshot extends RaiseCheck, SoldBy, Omit<CountedLines, 'lines'> {
  /** null: the ERP does not know the product. */
  readonly sku: string | null;
  /** The ERP deleted the product. Its figure is meaningless, but sold units are still owed. */
  readonly deleted: boolean;
  /** The number of ERP products with this SKU. More than one holds the product. */
  readonly twins: number;
  readonly listing: SoldListing | null;
  readonly invalidRow: Cause | null;
  /** The listing may not belong to this product. Its stock may only be lowered. */
  readonly mayOnlyFall: boolean;
  readonly lines: readonly LedgerLine[];
}

export interface SoldListing extends Pick<StoredProduct, 'id' | 'archived' | 'managed' | 'releasedTick'> {
  /** Set if the ERP sells the product again and the listing is archived. It is restored once its stock is in step. */
  readonly comingBack: ComingBack | null;
}

export interface ErpFigure extends Pick<KnownStock, 'asOf' | 'problem' | 'changedTick'> {
  readonly available: Figure<'units'>;
}

/** Nothing is written: buyers cannot take the product now or soon. */
export function isIdle({ deleted, listing }: SoldSnapshot): boolean {
  if (listing === null || deleted) return true;
  return !listing.managed || (listing.archived && listing.comingBack === null);
}

/** Buyers can take any number of units: the marketplace keeps no figure of this listing. */
export function isUnlimited({ deleted, listing }: SoldSnapshot): boolean {
  return listing !== null && !deleted && !listing.managed && !listing.archived;
}

/** Units that the ERP lacks are owed to buyers: of what they can take, or have ordered, even if it is no longer sold. */
export function isOwed(snapshot: SoldSnapshot): boolean {
  const { listing, lines } = snapshot;
  if (listing === null) return false;
  if (isUnlimited(snapshot)) return lines.some(({ order }) => order !== null);
  return lines.some(({ order, effect, counted }) => order !== null && (effect === 'reserved' || !counted));
}

/** @param isKept the ERP shows stock of the product. Without it, nothing can be oversold */
export function notKept(snapshot: SoldSnapshot, listing: number, sku: string, isKept: boolean): Cause[] {
  const isTold = isKept && isUnlimited(snapshot) && !snapshot.mayOnlyFall;
  return isTold ? [cause('stock-not-kept', { listing, sku })] : [];
}

/**
 * Why nothing may be written with these ERP figures, or null. An uncountable line is no such reason: it counts as zero,
 * and the stock may be lowered (`decisions/bad-lines-count-as-zero.md`).
 * @param figures by place; null: unknown, which is never zero
 */
export function problemOf(
  { invalidRow }: SoldSnapshot,
  sku: string,
  figures: readonly { readonly place: string | null; readonly erp: ErpFigure | null }[],
): Cause | null {
  if (invalidRow !== null) return invalidRow;
  for (const { place, erp } of figures) {
    const problem = erp === null ? null : (erp.problem ?? magnitudeOf(erp.available));
    if (problem !== null) return cause('stock-unusable', { sku, place, problem });
  }
  return null;
}

export function duplicateSku({ twins }: SoldSnapshot, sku: string): Cause | null {
  return twins > 1 ? cause('sku-twice', { sku, count: twins }) : null;
}

function magnitudeOf(available: Decimal): string | null {
  const magnitude = magnitudeProblem(available);
  return magnitude === null ? null : `available ${magnitude}`;
}

export function oversold(sku: string, available: Decimal): Cause[] {
  return available.isNegative() ? [cause('oversold', { sku, by: available.abs().toFixed(), place: null })] : [];
}

export function unexplained(listing: number, sku: string, more: Decimal): Cause[] {
  if (more.isZero()) return [];
  const code = more.isNegative() ? 'reserved-less' : 'reserved-unexplained';
  return [cause(code, { listing, sku, quantity: more.abs().toFixed() })];
}

/**
 * Brakes compare units available to buyers, whichever field is written. While setting stock to 0 is held, buyers can
 * take units that do not exist.
 */
export function brakeOf(
  { sku, place, by }: { readonly sku: string; readonly place: string | null; readonly by: SoldBy },
  before: Decimal,
  after: Decimal,
): Pick<Braked, 'brake' | 'offersMore'> {
  if (before.greaterThan(0) && after.lessThanOrEqualTo(0))
    return { brake: 'zero', offersMore: { sku, place, offered: listedText(before, by) } };
  return after.greaterThan(Decimal.max(before, 0)) ? { brake: 'increase' } : {};
}
