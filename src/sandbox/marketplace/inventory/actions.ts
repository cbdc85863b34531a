import { Exact, ZERO } from '../../exact.ts';
import type { PlacedQuantity } from '../control-schema.ts';
import type { OpenMarket } from '../market.ts';
import { findProduct } from '../product-rows.ts';
import { settleCommands } from './commands.ts';
import { availableAt, figuresOf, isSamePlace, itemAt, type Stock, saveStock, stockOf } from './stock.ts';

export function createInventoryActions(open: OpenMarket) {
  const { market } = open;
  return {
    /** Sets a product's whole stock on hand; unnamed places get none. Reservations stay in place. */
    setInventory: (product: number, placed: readonly PlacedQuantity[]) =>
      open.change((inside) => {
        const row = findProduct(inside, product);
        const stock = withPlaced(stockOf(inside, row), placed);
        inside.sql.run('DELETE FROM inventory_items WHERE product = ?', product);
        saveStock(inside, row, stock, 'command', 'staff');
        return stock.map(placedState);
      }),
    /** By facility and batch. Stock without a facility is at the implicit place. */
    inventory(product: number) {
      open.change(settleCommands);
      return stockOf(market, findProduct(market, product)).map(placedState);
    },
    /** Applies commands that are due. */
    settleCommands: () => open.change(settleCommands),
  };
}

function withPlaced(stock: Stock, placed: readonly PlacedQuantity[]): Stock {
  const named = placed.map(({ facility, batch, onHand, held, archived }) => {
    const item = itemAt(stock, { facility, batch });
    return {
      ...item,
      on_hand: new Exact(onHand),
      held: held === undefined ? item.held : new Exact(held),
      archived: archived === undefined ? item.archived : new Exact(archived),
    };
  });
  const others = stock.filter((item) => !named.some((each) => isSamePlace(each, item)));
  const kept = others.filter((item) => !item.reserved.plus(item.allocated).isZero());
  return [...kept.map((item) => ({ ...item, on_hand: ZERO, held: ZERO, archived: ZERO })), ...named];
}

/** Decimals as text. */
function placedState(item: Stock[number]) {
  const { facility, batch } = item;
  const { on_hand: onHand, ...others } = figuresOf((figure) => item[figure].toFixed());
  return { facility, batch, available: availableAt(item).toFixed(), onHand, ...others };
}
