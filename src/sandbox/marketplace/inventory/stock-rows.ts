import { Exact } from '../../exact.ts';
import type { Micros } from '../instants.ts';
import type { Actor, Market } from '../market.ts';
import { figures, type ProductRow, updateProduct } from '../product-rows.ts';
import {
  emptyItem,
  FIGURES,
  type Figure,
  figuresOf,
  type Item,
  isSamePlace,
  productFigures,
  type Stock,
  withQuantity,
} from './stock.ts';

/** The column of a figure has its name with underscores. */
type ItemRow = { readonly product: number; readonly facility: number; readonly batch: number } & Readonly<
  Record<Exclude<Figure, 'onHand'> | 'on_hand', string>
> & { readonly updated_at: Micros };

/** One row of the measurements, before they are grouped. */
export type Measured = Item & { readonly product: number; readonly updatedAt: Micros };

const BY_PLACE = 'ORDER BY product, facility, batch';

/** The placed stock of a product. Empty when the product's own figures hold its stock. */
export function placedStock(market: Market, product: number): Stock {
  return market.sql.all<ItemRow>(`SELECT * FROM inventory_items WHERE product = ? ${BY_PLACE}`, product).map(itemOf);
}

/** The stock of a product by place. Stock without a facility is at the implicit place. */
export function stockOf(market: Market, row: ProductRow): Stock {
  const placed = placedStock(market, row.id);
  if (placed.length > 0) return placed;
  const implicit = implicitItem(market, row);
  return implicit.onHand.isZero() && implicit.reserved.isZero() ? [] : [implicit];
}

function implicitItem(market: Market, row: ProductRow): Item {
  const { quantity: onHand, reserved } = figures(row);
  return { ...emptyItem(market.settings().implicitPlace), onHand, reserved };
}

/** The stock of all products, or of one: the placed rows, and at the implicit place the products without placed rows. */
export function measuredRows(market: Market, products: readonly number[] | null): Measured[] {
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

/** Follows a new quantity of the whole product: its first place gains the difference, or its places lose it. */
export function spreadQuantity(market: Market, row: ProductRow): void {
  const placed = placedStock(market, row.id);
  if (placed.length === 0) return;
  saveItems(market, row.id, withQuantity(placed, figures(row).quantity, market.settings().implicitPlace));
}

/** Saves a product's stock by place, and its own figures with it. */
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
    const { onHand: on_hand, ...others } = figuresOf((figure) => item[figure].toFixed());
    market.sql.put('inventory_items', { product, facility, batch, on_hand, ...others, updated_at });
  }
}

/** A command always bumps `modified`; an order does so as the setting says. */
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
  const { facility, batch } = row;
  return { facility, batch, ...figuresOf((figure) => new Exact(row[figure === 'onHand' ? 'on_hand' : figure])) };
}

function isSame(one: Item, other: Item): boolean {
  return isSamePlace(one, other) && FIGURES.every((figure) => one[figure].equals(other[figure]));
}
