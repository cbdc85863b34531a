import { type Exact, ZERO } from '../../exact.ts';
import type { CallQuery } from '../call.ts';
import { showTime } from '../instants.ts';
import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { availableAt, type Figures, figuresOf } from './stock.ts';
import { measuredRows } from './stock-rows.ts';

const KEYS = { product_id: 'product', facility_id: 'facility', batch_id: 'batch' } as const;
export type Key = keyof typeof KEYS;

/** The figures of all rows with the same keys. */
interface Group {
  readonly keys: Fields;
  readonly figures: Figures;
  readonly updatedAt: number;
}

/** Spec 2, Measurements by some of product, facility and batch: sums over the others. */
export function measurements(market: Market, keys: readonly Key[], query: CallQuery): Fields[] {
  const wanted = {
    product_id: ids(query['product_id']),
    facility_id: ids(query['facility_id']),
    batch_id: ids(query['batch_id']),
  };
  const groups = new Map<string, Group>();
  for (const row of measuredRows(market, wanted.product_id)) {
    if (keys.some((key) => wanted[key]?.includes(row[KEYS[key]]) === false)) continue;
    const name = keys.map((key) => row[KEYS[key]]).join('/');
    const before = groups.get(name);
    groups.set(name, {
      keys: before?.keys ?? Object.fromEntries(keys.map((key) => [key, row[KEYS[key]]])),
      figures: figuresOf((figure) => row[figure].plus(before?.figures[figure] ?? ZERO)),
      updatedAt: Math.max(before?.updatedAt ?? 0, row.updatedAt),
    });
  }
  const settings = market.settings();
  return [...groups.values()].map(({ keys: grouped, figures, updatedAt }) => ({
    ...grouped,
    on_hand_quantity: quantityText(figures.onHand),
    available_quantity: quantityText(availableAt(figures)),
    reserved_quantity: quantityText(figures.reserved),
    allocated_quantity: quantityText(figures.allocated),
    held_quantity: quantityText(figures.held),
    archived_quantity: quantityText(figures.archived),
    updated_at: showTime(updatedAt, settings),
  }));
}

function ids(value: unknown): number[] | null {
  return typeof value === 'string' ? value.split(',').map(Number) : null;
}

/** Two fractional digits, as in commands; more where an order's line has more. */
export function quantityText(quantity: Exact): string {
  return quantity.toFixed(Math.max(2, quantity.decimalPlaces()));
}
