import { Exact, ZERO } from '../../exact.ts';
import { showTime } from '../instants.ts';
import type { Market } from '../market.ts';
import type { ProductRow } from '../product-rows.ts';
import { invalid } from '../refusal.ts';
import type { Fields } from '../wire-values.ts';
import { quantityText } from './measurements.ts';
import { availableAt, changeAt, type Stock, takenFrom } from './stock.ts';
import { saveStock, stockOf } from './stock-rows.ts';

interface AllocationRow {
  readonly product: number;
  readonly facility: number;
  readonly batch: number;
  readonly quantity: string;
  readonly buyer: number | null;
  readonly customer_group: number | null;
  readonly created_at: number;
}

/** Units of a product that are set aside for one buyer or one group. */
export interface Allocated {
  readonly for: { readonly buyer: number } | { readonly group: number };
  readonly quantity: Exact;
}

/**
 * Allocates the units of a product's assignments, in place of its earlier allocations: nobody else can order them.
 * @throws Refusal 400 when fewer units are available
 */
export function setAllocations(market: Market, row: ProductRow, wanted: readonly Allocated[]): void {
  const before = market.sql.all<AllocationRow>('SELECT * FROM allocations WHERE product = ?', row.id);
  if (before.length === 0 && wanted.length === 0) return;
  let stock = before.reduce<Stock>(
    (freed, { facility, batch, quantity }) =>
      changeAt(freed, { facility, batch }, { allocated: new Exact(quantity).negated() }),
    stockOf(market, row),
  );
  market.sql.run('DELETE FROM allocations WHERE product = ?', row.id);
  for (const each of wanted) stock = allocate(market, row, stock, each);
  saveStock(market, row, stock, 'command', 'api');
}

function allocate(market: Market, row: ProductRow, stock: Stock, wanted: Allocated): Stock {
  const available = stock.reduce((sum, item) => sum.plus(Exact.max(availableAt(item), 0)), ZERO);
  if (wanted.quantity.greaterThan(available)) {
    const message = `Product ${row.id} has ${available.toFixed()} available, ${wanted.quantity.toFixed()} are assigned.`;
    throw invalid('product_ids', message);
  }
  const taken = takenFrom(stock, wanted.quantity, market.settings().implicitPlace);
  const whose =
    'buyer' in wanted.for
      ? { buyer: wanted.for.buyer, customer_group: null }
      : { buyer: null, customer_group: wanted.for.group };
  for (const { place, quantity } of taken) {
    const { facility, batch } = place;
    const created_at = market.now();
    market.sql.insert('allocations', {
      product: row.id,
      facility,
      batch,
      quantity: quantity.toFixed(),
      ...whose,
      created_at,
    });
  }
  return taken.reduce((after, { place, quantity }) => changeAt(after, place, { allocated: quantity }), stock);
}

/** Spec 2, Allocations for a buyer, or for a customer group. */
export function allocationsFor(market: Market, whom: 'buyer' | 'customer_group', id: number): Fields[] {
  const settings = market.settings();
  const rows = market.sql.all<AllocationRow>(`SELECT * FROM allocations WHERE ${whom} = ? ORDER BY id`, id);
  return rows.map((row) => ({
    product_id: row.product,
    facility_id: row.facility,
    batch_id: row.batch,
    quantity: quantityText(new Exact(row.quantity)),
    group_ids: row.customer_group === null ? [] : [row.customer_group],
    buyer_ids: row.buyer === null ? [] : [row.buyer],
    created_at: showTime(row.created_at, settings),
  }));
}
