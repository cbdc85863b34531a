import { Decimal } from '../domain/decimal.ts';
import type { LineState, OrderState } from '../sandbox/marketplace/actions.ts';
import type { MarketEvent } from '../sandbox/marketplace/market.ts';
import type { SandboxMarketplace } from '../sandbox/marketplace/start.ts';
import { dollars, short, type Tell } from './tell.ts';

type Marketplace = Pick<SandboxMarketplace, 'onEvent' | 'orderById' | 'product' | 'products' | 'customers'>;

const STAFF_VERBS: Readonly<Record<string, string>> = {
  Accepted: 'staff accept',
  Rejected: 'staff reject',
  Fulfilled: 'staff pack and fulfil',
};

/**
 * Shows acts of buyers and staff on the marketplace, and its stock.
 * @param apiUser the API caller's name: "the bridge"
 */
export function tellMarketplace(marketplace: Marketplace, tell: Tell, apiUser: string): void {
  const orders = new Map<number, OrderState>();
  const stock = new Map(marketplace.products().map(({ id, available }) => [id, available]));
  const moved: string[] = [];
  marketplace.onEvent((event) => {
    if (event.type === 'order') tellOrder(event);
    else tellStock(event);
  });

  function tellOrder({ id, by, action }: MarketEvent): void {
    if (action === 'delete') {
      const gone = orders.get(id);
      orders.delete(id);
      if (by !== 'api' && gone !== undefined) tell('market', `staff delete ${short(gone.number)} of ${nameOf(gone)}`);
      return;
    }
    const order = marketplace.orderById(id);
    const before = orders.get(id);
    orders.set(id, order);
    // The sender shows a change through the API.
    if (by === 'api') return;
    const text = before === undefined ? ordered(order) : changed(before, order);
    if (text !== null) tell(by === 'buyer' ? 'buyer' : 'market', text);
  }

  function ordered(order: OrderState): string {
    return `${nameOf(order)} orders ${showLines(order.lines)}: ${dollars(order.total)} (${short(order.number)})`;
  }

  function changed(before: OrderState, order: OrderState): string | null {
    const which = `${short(order.number)} of ${nameOf(order)}`;
    if (order.status === 'Canceled' && before.status !== 'Canceled')
      return `${nameOf(order)} cancels ${short(order.number)}`;
    if (order.status !== before.status) return `${STAFF_VERBS[order.status] ?? `staff set ${order.status}:`} ${which}`;
    const lines = showLines(order.lines);
    if (lines !== showLines(before.lines)) return `${which} is changed to ${lines}: ${dollars(order.total)}`;
    if (order.total === before.total) return null;
    return `${which} now comes to ${dollars(order.total)} instead of ${dollars(before.total)}`;
  }

  function nameOf({ customer }: OrderState): string {
    return marketplace.customers().find(({ id }) => id === customer)?.name ?? `customer ${customer}`;
  }

  function showLines(lines: readonly LineState[]): string {
    return lines
      .map(({ product, quantity }) => `${new Decimal(quantity).toFixed()} × ${marketplace.product(product).sku}`)
      .join(', ');
  }

  /** One line for all stock that a step changed. */
  function tellStock({ id, by }: MarketEvent): void {
    const { sku, available, archived } = marketplace.product(id);
    const before = stock.get(id);
    stock.set(id, available);
    if (archived || before === available) return;
    if (moved.length === 0) {
      queueMicrotask(() => {
        const whose = by === 'api' ? `, by ${apiUser}` : '';
        tell('stock', `${moved.splice(0).join(', ')} can be bought${whose}`);
      });
    }
    moved.push(`${sku}: ${before ?? 'new'} → ${available}`);
  }
}
