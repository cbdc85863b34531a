import { figuresChange, type Holding } from '../inventory-effects.ts';
import type { Actor, Market } from '../market.ts';
import { figures, findProduct } from '../product-rows.ts';
import { heldOf, saveHeld } from './held-rows.ts';
import { moveHolding } from './holdings.ts';
import { placedStock, saveFigures, saveStock } from './stock-rows.ts';

/**
 * The effect of an order on the stock of a line's product (spec 1, Inventory effects): on its figures, and place by place.
 */
export function applyHolding(
  market: Market,
  line: { readonly id: number; readonly product: number },
  from: Holding,
  to: Holding,
  by: Actor,
): void {
  const change = figuresChange(from, to);
  if (change.quantity.isZero() && change.reserved.isZero()) return;
  const row = findProduct(market, line.product);
  const stock = placedStock(market, row.id);
  if (stock.length === 0) {
    const { quantity, reserved } = figures(row);
    const after = { quantity: quantity.plus(change.quantity), reserved: reserved.plus(change.reserved) };
    return saveFigures(market, row, after, 'order', by);
  }
  const placed = { stock, held: heldOf(market, line.id, from) };
  const moved = moveHolding(placed, from, to, market.settings().implicitPlace);
  saveHeld(market, line.id, moved.held);
  saveStock(market, row, moved.stock, 'order', by);
}
