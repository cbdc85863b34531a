import { Exact, ZERO } from '../../exact.ts';
import type { Micros } from '../instants.ts';
import type { Actor, Market } from '../market.ts';
import { figures, type ProductRow, updateProduct } from '../product-rows.ts';

export interface Place {
  readonly facility: number;
  readonly batch: number;
}

const FIGURES = ['on_hand', 'reserved', 'allocated', 'held', 'archived'] as const;
export type Figure = (typeof FIGURES)[number];

/** Units on hand include reserved, allocated and held ones; archived units are separate. */
export type Figures = Readonly<Record<Figure, Exact>>;
export type Item = Place & Figures;

export function figuresOf<Value>(value: (figure: Figure) => Value): Readonly<Record<Figure, Value>> {
  return Object.fromEntries(FIGURES.map((figure) => [figure, value(figure)])) as Record<Figure, Value>;
}

/** By place, in the order in which orders take it. */
export type Stock = readonly Item[];

function emptyItem({ facility, batch }: Place): Item {
  return { facility, batch, ...figuresOf(() => ZERO) };
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.facility === other.facility && one.batch === other.batch;
}

export function itemAt(stock: Stock, place: Place): Item {
  return stock.find((item) => isSamePlace(item, place)) ?? emptyItem(place);
}

/** A new place is appended. */
export function changeAt(stock: Stock, place: Place, change: Readonly<Partial<Record<Figure, Exact>>>): Stock {
  const before = itemAt(stock, place);
  const after: Item = { ...before, ...figuresOf((figure) => before[figure].plus(change[figure] ?? ZERO)) };
  if (!stock.some((item) => isSamePlace(item, place))) return [...stock, after];
  return stock.map((item) => (isSamePlace(item, place) ? after : item));
}

/** Units that can be ordered, allocated, held, moved or removed. */
export function availableAt(item: Figures): Exact {
  return item.on_hand.minus(item.reserved).minus(item.allocated).minus(item.held);
}

/**
 * Spec 1: units on hand for all buyers, and reserved units. Allocated and held units are excluded, so available is
 * quantity minus reserved.
 */
function productFigures(stock: Stock): { readonly quantity: Exact; readonly reserved: Exact } {
  const total = figuresOf((figure) => stock.reduce((sum, item) => sum.plus(item[figure]), ZERO));
  return { quantity: total.on_hand.minus(total.allocated).minus(total.held), reserved: total.reserved };
}

type Portion = Place & { readonly quantity: Exact };

/**
 * Spreads a quantity over available places in order. The excess is taken from the first place, or from `otherwise`
 * without places.
 */
export function takenFrom(stock: Stock, quantity: Exact, otherwise: Place): Portion[] {
  const portions: Portion[] = [];
  let left = quantity;
  for (const item of stock) {
    const taken = Exact.min(left, availableAt(item));
    if (!taken.greaterThan(0)) continue;
    portions.push({ facility: item.facility, batch: item.batch, quantity: taken });
    left = left.minus(taken);
  }
  if (!left.greaterThan(0)) return portions;
  const { facility, batch } = stock[0] ?? otherwise;
  const known = portions.find((portion) => isSamePlace(portion, { facility, batch }));
  const rest = { facility, batch, quantity: left.plus(known?.quantity ?? 0) };
  return [rest, ...portions.filter((portion) => portion !== known)];
}

/** Spec 1, Inventory setting rules: sets the whole product's quantity. */
function withQuantity(stock: Stock, quantity: Exact, otherwise: Place): Stock {
  const change = quantity.minus(productFigures(stock).quantity);
  if (!change.isNegative()) return changeAt(stock, stock[0] ?? otherwise, { on_hand: change });
  return takenFrom(stock, change.negated(), otherwise).reduce(
    (after, portion) => changeAt(after, portion, { on_hand: portion.quantity.negated() }),
    stock,
  );
}

type ItemRow = Place & Readonly<Record<Figure, string>> & { readonly product: number; readonly updated_at: Micros };

const BY_PLACE = 'ORDER BY product, facility, batch';

/** Empty: the product's own figures hold its stock. */
export function placedStock(market: Market, product: number): Stock {
  return market.sql.all<ItemRow>(`SELECT * FROM inventory_items WHERE product = ? ${BY_PLACE}`, product).map(itemOf);
}

/** Stock without a facility is at the implicit place. */
export function stockOf(market: Market, row: ProductRow): Stock {
  const placed = placedStock(market, row.id);
  if (placed.length > 0) return placed;
  const implicit = implicitItem(market, row);
  return implicit.on_hand.isZero() && implicit.reserved.isZero() ? [] : [implicit];
}

function implicitItem(market: Market, row: ProductRow): Item {
  const { quantity: on_hand, reserved } = figures(row);
  return { ...emptyItem(market.settings().implicitPlace), on_hand, reserved };
}

/** Placed rows, and the implicit place of products without any; null: all products. */
export function measuredRows(market: Market, products: readonly number[] | null) {
  const wanted = products === null ? null : JSON.stringify(products);
  const only = (column: string) => (wanted === null ? '' : `AND ${column} IN (SELECT value FROM json_each(?))`);
  const values = wanted === null ? [] : [wanted];
  const placed = market.sql.all<ItemRow>(
    `SELECT * FROM inventory_items WHERE 1 = 1 ${only('product')} ${BY_PLACE}`,
    ...values,
  );
  const unplaced = market.sql.all<ProductRow>(
    `SELECT * FROM products WHERE inventory_management = 1 ${only('id')}
       AND NOT EXISTS (SELECT 1 FROM inventory_items WHERE product = products.id) ORDER BY id`,
    ...values,
  );
  return [
    ...placed.map((row) => ({ ...itemOf(row), product: row.product, updatedAt: row.updated_at })),
    ...unplaced.map((row) => ({ ...implicitItem(market, row), product: row.id, updatedAt: row.modified })),
  ];
}

/** Follows a new total: the first place gains the difference, or the places lose it. */
export function spreadQuantity(market: Market, row: ProductRow): void {
  const placed = placedStock(market, row.id);
  if (placed.length === 0) return;
  saveItems(market, row.id, withQuantity(placed, figures(row).quantity, market.settings().implicitPlace));
}

/** Also updates the product's own figures. */
export function saveStock(market: Market, row: ProductRow, stock: Stock, cause: 'command' | 'order', by: Actor): void {
  saveItems(market, row.id, stock);
  saveFigures(market, row, productFigures(stock), cause, by);
}

function saveItems(market: Market, product: number, stock: Stock): void {
  const before = placedStock(market, product);
  const updated_at = market.now();
  for (const item of stock) {
    if (before.some((known) => isSame(known, item))) continue;
    const { facility, batch } = item;
    const figuresHere = figuresOf((figure) => item[figure].toFixed());
    market.sql.put('inventory_items', { product, facility, batch, ...figuresHere, updated_at });
  }
}

/** A command always changes `modified`; an order does by setting. */
export function saveFigures(
  market: Market,
  row: ProductRow,
  { quantity, reserved }: { quantity: Exact; reserved: Exact },
  cause: 'command' | 'order',
  by: Actor,
): void {
  const bump = cause === 'command' ? 'always' : market.settings().orderEffectsBumpProduct;
  const bumped = bump === 'always' || (bump === 'quantity' && !quantity.equals(row.quantity));
  updateProduct(market, {
    ...row,
    quantity: quantity.toFixed(),
    reserved_qty: reserved.toFixed(),
    modified: bumped ? market.stamp('products') : row.modified,
  });
  market.emit({ type: 'product', action: 'edit', id: row.id, by });
}

function itemOf(row: ItemRow): Item {
  return { facility: row.facility, batch: row.batch, ...figuresOf((figure) => new Exact(row[figure])) };
}

function isSame(one: Item, other: Item): boolean {
  return isSamePlace(one, other) && FIGURES.every((figure) => one[figure].equals(other[figure]));
}
