import { parseJson } from '../../http/json.ts';
import { Exact } from '../exact.ts';
import { mergeExternalIds } from './external-ids.ts';
import { spreadQuantity } from './inventory/stock-rows.ts';
import type { Actor, Market } from './market.ts';
import {
  findProduct,
  indexExternalIds,
  insertProduct,
  isManaged,
  type ProductRow,
  updateProduct,
} from './product-rows.ts';
import { invalid, Refusal } from './refusal.ts';
import { type Fields, readDecimal, readMoney, without } from './wire-values.ts';

export const LISTING_STATES: ReadonlySet<string> = new Set([
  'Available',
  'Archived',
  'Sample',
  'Backorder',
  'Internal',
  'Unavailable',
]);
const READ_ONLY = ['id', 'reserved_qty', 'created_on', 'modified'];
const OWN_COLUMNS = new Set([
  ...READ_ONLY,
  'sku',
  'name',
  'listing_state',
  'archived',
  'inventory_management',
  'quantity',
  'available_inventory',
  'wholesale_price',
  'sale_price',
  'unit_multiplier',
  'external_ids',
  'seller',
]);

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

function merge(market: Market, row: ProductRow, body: Fields): ProductRow {
  for (const name of READ_ONLY) if (body[name] !== undefined) throw invalid(name, 'This field is read only.');
  const extra = without(body, OWN_COLUMNS);
  const merged = {
    ...row,
    ...texts(body),
    ...listing(row, body),
    ...prices(row, body),
    external_ids: JSON.stringify(
      mergeExternalIds(market.settings(), JSON.parse(row.external_ids) as Fields, body['external_ids']),
    ),
    fields: JSON.stringify({ ...(parseJson(row.fields) as Fields), ...extra }),
  };
  if (body['inventory_management'] !== undefined) {
    const management = Number(body['inventory_management']);
    if (![1, 2, 3].includes(management)) throw invalid('inventory_management', 'Expected 1, 2 or 3.');
    merged.inventory_management = management;
  }
  return { ...merged, quantity: newQuantity(merged, body) };
}

function texts(body: Fields): Partial<Pick<ProductRow, 'sku' | 'name'>> {
  const found: Record<string, string> = {};
  for (const name of ['sku', 'name']) {
    if (body[name] === undefined) continue;
    const text = body[name];
    if (typeof text !== 'string' || text === '') throw invalid(name, 'Expected text that is not blank.');
    found[name] = text;
  }
  return found;
}

function listing(row: ProductRow, body: Fields): Pick<ProductRow, 'listing_state' | 'archived'> {
  const state = body['listing_state'];
  if (state !== undefined) {
    if (typeof state !== 'string' || !LISTING_STATES.has(state)) {
      throw invalid('listing_state', `Expected one of ${[...LISTING_STATES].join(', ')}.`);
    }
    return { listing_state: state, archived: state === 'Archived' ? 1 : 0 };
  }
  if (body['archived'] === true) return { listing_state: 'Archived', archived: 1 };
  if (body['archived'] === false && row.archived === 1) return { listing_state: 'Available', archived: 0 };
  return { listing_state: row.listing_state, archived: row.archived };
}

function prices(
  row: ProductRow,
  body: Fields,
): Pick<ProductRow, 'price' | 'sale_price' | 'currency' | 'unit_multiplier'> {
  const wholesale = body['wholesale_price'];
  const sale = body['sale_price'];
  const multiplier = body['unit_multiplier'];
  const price = wholesale == null ? null : readMoney('wholesale_price', wholesale);
  return {
    price: price?.amount ?? row.price,
    currency: price?.currency ?? row.currency,
    sale_price: sale == null ? row.sale_price : readMoney('sale_price', sale).amount,
    unit_multiplier:
      multiplier == null
        ? row.unit_multiplier
        : readDecimal('unit_multiplier', multiplier, { places: 4, min: 1 }).toFixed(),
  };
}

/** Inventory setting rules 1 to 3; only managed products take a quantity. */
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
