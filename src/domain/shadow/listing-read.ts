import { Decimal, decimalOf, decimalOrNull, figureOf, sum } from '../decimal.ts';
import type { MarketplaceProduct, StockFigures } from '../product.ts';
import { lineEffect } from '../status.ts';
import { listedOrLineFigure, type Units } from '../units.ts';
import {
  contentOf,
  figuresOf,
  isAsKnown,
  type Listing,
  type ListingChange,
  type ListingFigures,
  type ListingRow,
  movingFigures,
} from './listing.ts';
import { withFigures } from './open-drift.ts';
import { type Due, dueOfBoth } from './row.ts';
import { withGone } from './unseen-sales.ts';

export interface ListingRead {
  readonly product: MarketplaceProduct;
  readonly raw: string;
  readonly tick: number;
  readonly nowMs: number;
  /** The row did not fit the documented shape before this read. */
  readonly mended: boolean;
  /** Whether only orders and our own writes move the figures. An unexpected difference is then recorded as drift. */
  readonly expected: boolean;
  /** A mapped field changed. It need not be a column of the row. */
  readonly mappedMoved: boolean;
}

/**
 * Returns the updated figures of a listing that has not changed. null: it has, or the listing alone does not show
 * whether it has.
 */
export function unchangedFigures(
  before: ListingRow | undefined,
  { product, mended, mappedMoved, tick }: ListingRead,
): ListingFigures | null {
  if (mended || mappedMoved || !isAsKnown(before, product) || before.modified !== product.modified) return null;
  return before.unexplained === '0' ? { ...before, observedTick: tick, unseen: '0' } : null;
}

export interface ListingReadContext {
  readonly knownReserved: Decimal;
  /** ERP products with the listing's current or previous SKU. */
  readonly sameSku: readonly string[];
}

export function withRead(
  { row: before, ...rest }: Listing,
  { product, raw, tick, nowMs, mended, mappedMoved, expected }: ListingRead,
  { knownReserved, sameSku }: ListingReadContext,
): ListingChange & { readonly became: 'same' | 'changed' | 'new' } {
  const unexplained = (product.figures.reserved ?? knownReserved).minus(knownReserved);
  const unseen = unseenOf(before, unexplained, nowMs);
  const isSame = !mended && !mappedMoved && isAsKnown(before, product);
  if (isSame && before.modified === product.modified)
    return { became: 'same', figures: { ...before, observedTick: tick, unseen }, due: [] };
  const row: ListingRow = {
    id: product.id,
    ...contentOf(product),
    archived: product.archived ?? before?.archived ?? false,
    ...figuresOf(product.figures),
    certain: true,
    observedTick: tick,
    releasedTick: before?.releasedTick ?? 0,
    unexplained: unexplained.toFixed(),
    unseen,
    modified: product.modified,
    createdOn: product.createdOn,
    raw,
    seenAtMs: nowMs,
  };
  // An archived listing may show no figures.
  const isWatched = before?.archived === false && !row.archived && expected && product.managed;
  const watched = isWatched ? otherThanExpected(before, row, rest) : {};
  if (isSame) return { became: 'same', row, ...watched, due: [] };
  const became = before === undefined ? 'new' : 'changed';
  return { became, row, ...watched, due: dueAfter(before, row, rest.erpId, sameSku) };
}

/**
 * The work caused by a changed listing. An unlinked listing may belong to a product with the same SKU. If a listing
 * gave up its SKU or moved to another product, its previous product may be left with a single listing.
 */
function dueAfter(
  before: ListingRow | undefined,
  row: ListingRow,
  linkedTo: string | null,
  sameSku: readonly string[],
): Due[] {
  const erpId = linkedTo ?? row.externalId;
  const look = (key: string, why: string) => ({ flow: 'product', key, why });
  if (erpId === null) return dueOfShared(before, row, sameSku).map((key) => look(key, 'listing seen'));
  const shared = hasSameIdentity(before, row) ? [] : dueOfShared(before, row, sameSku);
  return [
    ...dueOfBoth(erpId, 'listing changed'),
    ...shared.filter((key) => key !== erpId).map((key) => look(key, 'a listing is no longer claimed')),
  ];
}

function dueOfShared(before: ListingRow | undefined, row: ListingRow, sameSku: readonly string[]): string[] {
  const former = hasSameIdentity(before, row) ? null : (before?.externalId ?? null);
  return [...new Set(former === null ? sameSku : [...sameSku, former])];
}

/** Returns whether the listing claims the same product as before. An archived listing claims none. */
export function hasSameIdentity(
  before: Pick<ListingRow, 'sku' | 'externalId' | 'archived'> | undefined,
  {
    sku,
    externalId,
    archived,
  }: { readonly sku: string | null; readonly externalId: string | null; readonly archived?: boolean | undefined },
): boolean {
  if (before === undefined) return true;
  const isArchived = archived ?? before.archived;
  return before.sku === sku && before.externalId === externalId && before.archived === isArchived;
}

function otherThanExpected(
  before: ListingRow,
  { observedTick: tick, seenAtMs, ...row }: ListingRow,
  { erpId, drift, unseenSales }: Omit<Listing, 'row'>,
): Omit<ListingChange, 'due'> {
  const [expected, shown] = [movingFigures(before), movingFigures(row)];
  if (expected === null || shown === null || erpId === null) return {};
  // No known order reserved these units, and they neither are reserved nor came back. So an order that no list shows
  // has taken them.
  const taken = Decimal.min(
    before.unseen,
    expected.quantity.minus(shown.quantity),
    expected.reserved.minus(shown.reserved),
  );
  return {
    drift: withFigures(drift, { tick, expected, shown, certain: before.certain, seenAtMs }),
    unseenSales: taken.greaterThan(0) ? withGone(unseenSales, taken) : [],
  };
}

/** Every answer arrives within this time. */
const IN_FLIGHT_MS = 60_000;

/**
 * The unexplained units that certainly belong to no known order. A single observation may be older than the orders that
 * became known meanwhile. An order that moved since may explain units that were unexplained before.
 */
function unseenOf(before: ListingRow | undefined, unexplained: Decimal, nowMs: number): string {
  const stood = before?.certain === true && nowMs - before.seenAtMs >= IN_FLIGHT_MS;
  const sure = stood ? before.unexplained : (before?.unseen ?? 0);
  return Decimal.max(Decimal.min(sure, unexplained), 0).toFixed();
}

export interface LineRow {
  readonly status: string;
  readonly late: boolean;
  readonly quantity: string;
  readonly unitMultiplier: string | null;
}

/**
 * Units of a listing that known orders reserve, in the listing's terms. A line without a unit multiplier uses the
 * listing's.
 */
export function reservedBy(lines: readonly LineRow[], ofListing: Decimal | null, units: Units): Decimal {
  const reserving = lines.filter(({ status, late }) => lineEffect(status, late) === 'reserved');
  return sum(
    reserving.map(({ quantity, unitMultiplier }) =>
      listedOrLineFigure(units, figureOf(quantity), decimalOrNull(unitMultiplier) ?? ofListing),
    ),
  );
}

export interface AnsweredFigures {
  readonly figures: StockFigures;
  readonly expectedReserved: Decimal;
  /** The tick of the observation that decided the write. */
  readonly observedTick: number;
}

export function withAnswer(
  { row, erpId, drift, unseenSales }: Listing & { readonly row: ListingRow },
  { figures, expectedReserved, observedTick }: AnsweredFigures,
  tick: number,
  nowMs: number,
): ListingChange {
  const reserved = figures.reserved ?? expectedReserved;
  const unexplained = reserved.minus(expectedReserved);
  const unseen = Decimal.min(row.unseen, Decimal.max(unexplained, 0));
  const { releasedTick } = row;
  const seen = { unexplained: unexplained.toFixed(), unseen: unseen.toFixed(), observedTick: tick, releasedTick };
  const answered = { figures: { ...figuresOf(figures), certain: true, ...seen }, due: [] };
  const gone = decimalOf(row.unseen).minus(unseen);
  // A read since the decision may be newer than the answer.
  const isNewer = row.observedTick === observedTick;
  if (!isNewer || gone.isZero() || erpId === null || figures.quantity === null) return answered;
  // No known order reserved these units, and they are no longer reserved. Our write set the quantity, so it is unknown
  // whether they were taken or released. They count as sold.
  const shown = { quantity: figures.quantity, reserved };
  const expected = { quantity: shown.quantity.plus(gone), reserved: reserved.plus(gone) };
  return {
    ...answered,
    drift: withFigures(drift, { tick, expected, shown, certain: false, seenAtMs: nowMs }),
    unseenSales: withGone(unseenSales, gone),
    due: [{ flow: 'stock', key: erpId, why: 'reserved by no known order, and gone' }],
  };
}
