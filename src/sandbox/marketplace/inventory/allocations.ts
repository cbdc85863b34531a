import { Exact, ZERO } from '../../exact.ts';
import type { Micros } from '../instants.ts';
import type { Market } from '../market.ts';
import type { ProductRow } from '../product-rows.ts';
import { invalid } from '../wire-values.ts';
import { availableAt, changeAt, type Place, type Stock, saveStock, stockOf, takenFrom } from './stock.ts';

/** Units reserved for one buyer or group. */
export interface Allocation {
  readonly product: number;
  readonly buyer: number | null;
  readonly customer_group: number | null;
  readonly quantity: string;
}
export type AllocationRow = Allocation & Place & { readonly created_at: Micros };

/**
 * Replaces a product's allocations: nobody else can order these units.
 * @throws Refusal 400 when fewer are available
 */
export function setAllocations(market: Market, row: ProductRow, wanted: readonly Allocation[]): void {
  const before = market.sql.all<AllocationRow>('SELECT * FROM allocations WHERE product = ?', row.id);
  if (before.length === 0 && wanted.length === 0) return;
  let stock = before.reduce<Stock>(
    (freed, each) => changeAt(freed, each, { allocated: new Exact(each.quantity).negated() }),
    stockOf(market, row),
  );
  market.sql.run('DELETE FROM allocations WHERE product = ?', row.id);
  for (const each of wanted) stock = allocate(market, stock, each);
  saveStock(market, row, stock, 'command', 'api');
}

function allocate(market: Market, stock: Stock, wanted: Allocation): Stock {
  const available = stock.reduce((sum, item) => sum.plus(Exact.max(availableAt(item), 0)), ZERO);
  if (available.lessThan(wanted.quantity)) {
    const message = `Product ${wanted.product} has ${available.toFixed()} available, ${wanted.quantity} are assigned.`;
    throw invalid('product_ids', message);
  }
  const taken = takenFrom(stock, new Exact(wanted.quantity), market.settings().implicitPlace);
  for (const portion of taken) {
    const quantity = portion.quantity.toFixed();
    market.sql.insert('allocations', { ...wanted, ...portion, quantity, created_at: market.now() });
  }
  return taken.reduce((after, portion) => changeAt(after, portion, { allocated: portion.quantity }), stock);
}
