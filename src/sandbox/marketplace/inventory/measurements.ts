import type { CallQuery } from '../call.ts';
import { type Exact, ZERO } from '../exact.ts';
import { showInstant } from '../instants.ts';
import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { availableAt } from './stock.ts';
import { type Measured, measuredRows } from './stock-rows.ts';

const KEYS = { product_id: 'product', facility_id: 'facility', batch_id: 'batch' } as const;
export type Key = keyof typeof KEYS;

interface Sums {
  readonly keys: Fields;
  onHand: Exact;
  available: Exact;
  reserved: Exact;
  allocated: Exact;
  held: Exact;
  archived: Exact;
  updatedAt: number;
}

/** Spec 2, Measurements by some of product, facility and batch: sums over the others. */
export function measurements(market: Market, keys: readonly Key[], query: CallQuery): Fields[] {
  const wanted = {
    product_id: ids(query['product_id']),
    facility_id: ids(query['facility_id']),
    batch_id: ids(query['batch_id']),
  };
  const groups = new Map<string, Sums>();
  for (const row of measuredRows(market, wanted.product_id)) {
    if (keys.some((key) => wanted[key]?.includes(row[KEYS[key]]) === false)) continue;
    const name = keys.map((key) => row[KEYS[key]]).join('/');
    const group = groups.get(name);
    if (group) add(group, row);
    else groups.set(name, add(emptySums(Object.fromEntries(keys.map((key) => [key, row[KEYS[key]]]))), row));
  }
  return [...groups.values()].map((group) => sumsJson(market, group));
}

function ids(value: unknown): number[] | null {
  return typeof value === 'string' ? value.split(',').map(Number) : null;
}

function emptySums(keys: Fields): Sums {
  return {
    keys,
    onHand: ZERO,
    available: ZERO,
    reserved: ZERO,
    allocated: ZERO,
    held: ZERO,
    archived: ZERO,
    updatedAt: 0,
  };
}

function add(sums: Sums, row: Measured): Sums {
  sums.onHand = sums.onHand.plus(row.onHand);
  sums.available = sums.available.plus(availableAt(row));
  sums.reserved = sums.reserved.plus(row.reserved);
  sums.allocated = sums.allocated.plus(row.allocated);
  sums.held = sums.held.plus(row.held);
  sums.archived = sums.archived.plus(row.archived);
  sums.updatedAt = Math.max(sums.updatedAt, row.updatedAt);
  return sums;
}

function sumsJson(market: Market, sums: Sums): Fields {
  const { timesShown, utcOffsetMinutes } = market.settings();
  return {
    ...sums.keys,
    on_hand_quantity: quantityText(sums.onHand),
    available_quantity: quantityText(sums.available),
    reserved_quantity: quantityText(sums.reserved),
    allocated_quantity: quantityText(sums.allocated),
    held_quantity: quantityText(sums.held),
    archived_quantity: quantityText(sums.archived),
    updated_at: showInstant(sums.updatedAt, timesShown, utcOffsetMinutes),
  };
}

/** Two fractional digits, as in commands; more where an order's line has more. */
export function quantityText(quantity: Exact): string {
  return quantity.toFixed(Math.max(2, quantity.decimalPlaces()));
}
