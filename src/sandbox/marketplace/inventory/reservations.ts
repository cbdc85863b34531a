import { ZERO } from '../../exact.ts';
import { showTime } from '../instants.ts';
import type { Market } from '../market.ts';
import { findOrderById, holdingOf, linesOf } from '../order-rows.ts';
import { isManaged, productsIn } from '../product-rows.ts';
import type { Fields } from '../wire-values.ts';
import { heldOf } from './held-rows.ts';
import { quantityText } from './measurements.ts';

/** Spec 2, Reservations for an order: the units that its lines hold, by facility and batch. @throws Refusal 404 */
export function reservationsOf(market: Market, orderId: number): Fields[] {
  const order = findOrderById(market, orderId);
  const settings = market.settings();
  const lines = linesOf(order);
  const products = productsIn(market, lines);
  return lines
    .filter((line) => {
      const product = products.get(line.product);
      return product !== undefined && isManaged(product);
    })
    .flatMap((line) =>
      heldOf(market, line.id, holdingOf(line)).map(({ place, quantity, fulfilled, createdAt }) => ({
        product_id: line.product,
        facility_id: place.facility,
        batch_id: place.batch,
        quantity: quantityText(quantity),
        // Orders cannot take allocated units either.
        allocated_quantity: quantityText(ZERO),
        fulfilled_quantity: quantityText(fulfilled),
        order_id: order.id,
        created_at: showTime(createdAt ?? order.created_on, settings),
      })),
    );
}
