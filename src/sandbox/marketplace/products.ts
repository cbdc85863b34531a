import { parseJson } from '../../http/json.ts';
import { LISTING_STATES as STATES } from '../../marketplace/operations/record-names.ts';
import { Exact } from '../exact.ts';
import { mergeExternalIds } from './external-ids.ts';
import { spreadQuantity } from './inventory/stock.ts';
import type { Actor, Market } from './market.ts';
import {
  findProduct,
  indexExternalIds,
  insertProduct,
  isManaged,
  type ProductRow,
  productJson,
  removeProduct,
  updateProduct,
} from './product-rows.ts';
import { type Fields, invalid, Refusal, readDecimal, readMoney, without } from './wire-values.ts';

export const LISTING_STATES: ReadonlySet<string> = new Set(STATES);
const READ_ONLY = ['id', 'reserved_qty', 'created_on', 'modified'];
const EMPTY = {
  sku: '',
  name: '',
  listing_state: 'Available',
  archived: 0,
  inventory_management: 1,
  quantity: '0',
  reserved_qty: '0',
  price: '0',
  sale_price: '0',
  currency: 'USD',
  unit_multiplier: '1',
  external_ids: '{}',
  fields: '{}',
} as const;

type Setter = (value: unknown, row: ProductRow, market: Market) => Partial<ProductRow>;

/** Sent field -> its columns. A listing state outranks `archived`. @throws Refusal 400 */
const SETTERS: Readonly<Record<string, Setter>> = {
  sku: (value) => ({ sku: readText('sku', value) }),
  name: (value) => ({ name: readText('name', value) }),
  archived(value, row) {
    if (value === true) return { listing_state: 'Archived', archived: 1 };
    return value === false && row.archived === 1 ? { listing_state: 'Available', archived: 0 } : {};
  },
  listing_state(value) {
    if (typeof value === 'string' && LISTING_STATES.has(value)) {
      return { listing_state: value, archived: value === 'Archived' ? 1 : 0 };
    }
    throw invalid('listing_state', `Expected one of ${[...LISTING_STATES].join(', ')}.`);
  },
  wholesale_price(value) {
    if (value === null) return {};
    const { amount: price, currency } = readMoney('wholesale_price', value);
    return { price, currency };
  },
  sale_price: (value) => (value === null ? {} : { sale_price: readMoney('sale_price', value).amount }),
  unit_multiplier: (value) =>
    value === null ? {} : { unit_multiplier: readDecimal('unit_multiplier', value, { places: 4, min: 1 }).toFixed() },
  external_ids(value, row, market) {
    const before = JSON.parse(row.external_ids) as Fields;
    return { external_ids: JSON.stringify(mergeExternalIds(market.settings(), before, value)) };
  },
  inventory_management(value) {
    if ([1, 2, 3].includes(Number(value))) return { inventory_management: Number(value) };
    throw invalid('inventory_management', 'Expected 1, 2 or 3.');
  },
};
/** A product's fields in control calls. A deployment's others are in `fields`. */
export const PRODUCT_FIELDS: readonly string[] = [
  ...Object.keys(SETTERS),
  'quantity',
  'available_inventory',
  'seller',
  'description',
  'brand',
  'category',
  'sub_category',
  'product_line',
  'parent',
];
const OWN_FIELDS = new Set([...READ_ONLY, ...Object.keys(SETTERS), 'quantity', 'available_inventory', 'seller']);

/** Spec 1, POST /products/. @throws Refusal 400 */
export function createProduct(market: Market, body: Fields, by: Actor): ProductRow {
  const missing = market.settings().requiredProductFields.filter((name) => isEmpty(body[name]));
  if (missing.length > 0) {
    throw new Refusal(400, Object.fromEntries(missing.map((name) => [name, ['This field is required.']])));
  }
  const at = market.stamp('products');
  const { id: _, ...row } = merge(market, { ...EMPTY, id: 0, created_on: at, modified: at }, body);
  const saved = insertProduct(market, row);
  market.emit({ type: 'product', action: 'create', id: saved.id, by });
  return saved;
}

/** Spec 1, PATCH /products/{id}/ and the inventory setting rules. @throws Refusal 400, 404 */
export function patchProduct(market: Market, id: number, body: Fields, by: Actor): ProductRow {
  const row = { ...merge(market, findProduct(market, id), body), modified: market.stamp('products') };
  updateProduct(market, row);
  spreadQuantity(market, row);
  if (body['external_ids'] !== undefined) indexExternalIds(market, row);
  market.emit({ type: 'product', action: 'edit', id, by });
  return row;
}

/** Spec 1, DELETE /products/{id}/: archives the product. @throws Refusal 404 */
export function archiveProduct(market: Market, id: number, by: Actor): ProductRow {
  const row = {
    ...findProduct(market, id),
    listing_state: 'Archived',
    archived: 1,
    modified: market.stamp('products'),
  };
  updateProduct(market, row);
  market.emit({ type: 'product', action: 'delete', id, by });
  return row;
}

/** Deletes the listing for good, which the API cannot: its id then answers 404. @throws Refusal 404 */
export function deleteProduct(market: Market, id: number, by: Actor): void {
  const row = findProduct(market, id);
  removeProduct(market, row);
  market.emit({ type: 'product', action: 'delete', id, by, was: productJson(row, market.settings()) });
}

function merge(market: Market, row: ProductRow, body: Fields): ProductRow {
  for (const name of READ_ONLY) if (body[name] !== undefined) throw invalid(name, 'This field is read only.');
  const fields = { ...(parseJson(row.fields) as Fields), ...without(body, OWN_FIELDS) };
  let merged: ProductRow = { ...row, fields: JSON.stringify(fields) };
  for (const [name, setter] of Object.entries(SETTERS)) {
    const value = body[name];
    if (value !== undefined) merged = { ...merged, ...setter(value, merged, market) };
  }
  return { ...merged, quantity: newQuantity(merged, body) };
}

function readText(field: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalid(field, 'Expected text that is not blank.');
  return value;
}

/** Inventory setting rules 1 to 3; only managed products have a quantity. */
function newQuantity(row: ProductRow, body: Fields): string {
  const quantity = body['quantity'] ?? undefined;
  const available = body['available_inventory'] ?? undefined;
  if (quantity === undefined && available === undefined) return row.quantity;
  const field = quantity === undefined ? 'available_inventory' : 'quantity';
  if (quantity !== undefined && available !== undefined)
    throw invalid('quantity', 'Send quantity or available_inventory.');
  if (!isManaged(row)) throw invalid(field, 'Only a product with managed inventory takes a quantity.');
  const sent = readDecimal(field, quantity ?? available, { places: 4, min: 0 });
  return (field === 'quantity' ? sent : sent.plus(new Exact(row.reserved_qty))).toFixed();
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
