import { Exact, ZERO } from '../../exact.ts';

/** One facility and batch. */
export interface Place {
  readonly facility: number;
  readonly batch: number;
}

export const FIGURES = ['onHand', 'reserved', 'allocated', 'held', 'archived'] as const;
export type Figure = (typeof FIGURES)[number];

/**
 * The units of a product at one place. Units on hand include reserved, allocated and held ones; archived units are apart.
 */
export type Figures = Readonly<Record<Figure, Exact>>;
export type Item = Place & Figures;

/** Each figure, by itself. */
export function figuresOf<Value>(value: (figure: Figure) => Value): Readonly<Record<Figure, Value>> {
  return Object.fromEntries(FIGURES.map((figure) => [figure, value(figure)])) as Record<Figure, Value>;
}

/** The stock of a product by place, in the order in which orders take it. */
export type Stock = readonly Item[];

export function emptyItem({ facility, batch }: Place): Item {
  return { facility, batch, ...figuresOf(() => ZERO) };
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.facility === other.facility && one.batch === other.batch;
}

export function itemAt(stock: Stock, place: Place): Item {
  return stock.find((item) => isSamePlace(item, place)) ?? emptyItem(place);
}

/** Adds to the figures of one place. A new place is appended. */
export function changeAt(stock: Stock, place: Place, change: Readonly<Partial<Record<Figure, Exact>>>): Stock {
  const before = itemAt(stock, place);
  const after: Item = { ...before, ...figuresOf((figure) => before[figure].plus(change[figure] ?? ZERO)) };
  if (!stock.some((item) => isSamePlace(item, place))) return [...stock, after];
  return stock.map((item) => (isSamePlace(item, place) ? after : item));
}

/** The units that can still be ordered, allocated, held, moved or taken away. */
export function availableAt(item: Figures): Exact {
  return item.onHand.minus(item.reserved).minus(item.allocated).minus(item.held);
}

export function totalOf(stock: Stock, figure: Figure): Exact {
  return stock.reduce((sum, item) => sum.plus(item[figure]), ZERO);
}

/**
 * A product's own figures (spec 1): the units on hand for everybody, and the units that orders reserve. Allocated and held units
 * are not part of the quantity, so available is still quantity minus reserved.
 */
export function productFigures(stock: Stock): { readonly quantity: Exact; readonly reserved: Exact } {
  const kept = totalOf(stock, 'allocated').plus(totalOf(stock, 'held'));
  return { quantity: totalOf(stock, 'onHand').minus(kept), reserved: totalOf(stock, 'reserved') };
}

export interface Portion {
  readonly place: Place;
  readonly quantity: Exact;
}

/**
 * Spreads a quantity over the places with available units, in order. A quantity beyond all of them is taken from the first
 * place, or from `otherwise` for a product without places.
 */
export function takenFrom(stock: Stock, quantity: Exact, otherwise: Place): Portion[] {
  const portions: Portion[] = [];
  let left = quantity;
  for (const item of stock) {
    const taken = Exact.min(left, availableAt(item));
    if (!taken.greaterThan(0)) continue;
    portions.push({ place: item, quantity: taken });
    left = left.minus(taken);
  }
  if (!left.greaterThan(0)) return portions;
  const first = stock[0] ?? otherwise;
  const known = portions.find(({ place }) => isSamePlace(place, first));
  const rest = { place: first, quantity: left.plus(known?.quantity ?? 0) };
  return [rest, ...portions.filter((portion) => portion !== known)];
}

/** Spec 1, Inventory setting rules: changes the quantity of the product as a whole. */
export function withQuantity(stock: Stock, quantity: Exact, otherwise: Place): Stock {
  const change = quantity.minus(productFigures(stock).quantity);
  const portions = change.isNegative()
    ? takenFrom(stock, change.negated(), otherwise).map((portion) => ({
        ...portion,
        quantity: portion.quantity.negated(),
      }))
    : [{ place: stock[0] ?? otherwise, quantity: change }];
  return portions.reduce((after, portion) => changeAt(after, portion.place, { onHand: portion.quantity }), stock);
}
