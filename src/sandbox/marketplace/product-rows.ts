import { Exact } from '../exact.ts';
import { shownAs } from './field-names.ts';
import { showTime } from './instants.ts';
import type { Market } from './market.ts';
import type { Settings } from './settings.ts';
import { joinObjects, moneyJson, numberJson, refuse } from './wire-values.ts';

export interface ProductRow {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
  readonly listing_state: string;
  /** 0 or 1. */
  readonly archived: number;
  /** 1 managed, 2 unlimited, 3 inherited. */
  readonly inventory_management: number;
  readonly quantity: string;
  readonly reserved_qty: string;
  readonly price: string;
  readonly sale_price: string;
  readonly currency: string;
  readonly unit_multiplier: string;
  readonly created_on: number;
  readonly modified: number;
  /** JSON object: key -> value. */
  readonly external_ids: string;
  /** JSON object: all other fields as sent. */
  readonly fields: string;
}

/** @throws Refusal 404 */
export function findProduct(market: Market, id: number): ProductRow {
  const row = market.sql.get<ProductRow>('SELECT * FROM products WHERE id = ?', id);
  if (!row) throw refuse(404, 'Not found.');
  return row;
}

export function isProduct(market: Market, id: unknown): boolean {
  return market.sql.get('SELECT 1 FROM products WHERE id = ?', id) !== undefined;
}

export function productsById(market: Market, ids: Iterable<number>): Map<number, ProductRow> {
  const wanted = JSON.stringify([...new Set(ids)]);
  const rows = market.sql.all<ProductRow>(
    'SELECT * FROM products WHERE id IN (SELECT value FROM json_each(?))',
    wanted,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** By id. */
export function productsIn(market: Market, lines: readonly { readonly product: number }[]): Map<number, ProductRow> {
  return productsById(
    market,
    lines.map(({ product }) => product),
  );
}

export function insertProduct(market: Market, row: Omit<ProductRow, 'id'>): ProductRow {
  const saved = { ...row, id: market.sql.insert('products', row) };
  market.late.beforeWrite('products', saved.id, true);
  indexExternalIds(market, saved);
  return saved;
}

export function updateProduct(market: Market, row: ProductRow): void {
  market.late.beforeWrite('products', row.id, false);
  market.sql.update('products', 'id', row);
}

export function removeProduct(market: Market, { id }: ProductRow): void {
  market.sql.run('DELETE FROM product_external_ids WHERE product = ?', id);
  market.sql.run('DELETE FROM products WHERE id = ?', id);
}

export function indexExternalIds(market: Market, row: ProductRow): void {
  market.sql.run('DELETE FROM product_external_ids WHERE product = ?', row.id);
  for (const [key, value] of Object.entries(JSON.parse(row.external_ids) as Record<string, string>)) {
    market.sql.insert('product_external_ids', { key, value, product: row.id });
  }
}

/** Spec 1, Product inventory fields: available is quantity minus reserved. */
export function figures(row: ProductRow) {
  const quantity = new Exact(row.quantity);
  const reserved = new Exact(row.reserved_qty);
  return { quantity, reserved, available: quantity.minus(reserved) };
}

export function isManaged(row: ProductRow): boolean {
  return row.inventory_management === 1;
}

/** Active products may be ordered: in SQL, and for a row. */
export const ACTIVE = "archived = 0 AND listing_state <> 'Unavailable'";
export function isActive(row: ProductRow): boolean {
  return row.archived === 0 && row.listing_state !== 'Unavailable';
}

export function productJson(row: ProductRow, settings: Settings): string {
  const { quantity, reserved, available } = figures(row);
  const figure = (value: Exact) => {
    if (!isManaged(row)) return null;
    return settings.stockFigures === 'string' ? value.toFixed(4) : numberJson(value);
  };
  const owned = { id: row.id, sku: row.sku, name: row.name, seller: settings.sellerId };
  const json = joinObjects(owned, row.fields, {
    listing_state: row.listing_state,
    archived: row.archived === 1,
    inventory_management: row.inventory_management,
    quantity: figure(quantity),
    reserved_qty: figure(reserved),
    available_inventory: figure(available),
    wholesale_price: moneyJson({ amount: row.price, currency: row.currency }),
    sale_price: moneyJson({ amount: row.sale_price, currency: row.currency }),
    unit_multiplier: numberJson(new Exact(row.unit_multiplier)),
    external_ids: JSON.parse(row.external_ids) as unknown,
    created_on: showTime(row.created_on, settings),
    modified: showTime(row.modified, settings),
  });
  return shownAs('product', json, settings);
}
