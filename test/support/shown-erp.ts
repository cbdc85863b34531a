import type { ErpConnector } from '../../src/erp/connector.ts';

/** The state of an ERP in the form of the sandbox's, for the comparison of both sides. */
export async function shownBy(erp: ErpConnector) {
  const products = await all(erp.listProducts(null));
  const stock = await all(erp.listStock(null));
  const orders = await all(erp.listOrders(null));
  const available = new Map(stock.map((row) => [row.sku, row.available.toFixed()]));
  return {
    products: products.map(({ price, unitMultiplier, ...rest }) => ({
      ...rest,
      unit_multiplier: unitMultiplier.toFixed(),
      price: { amount: price.amount.toFixed() },
    })),
    orders: orders.map(({ lines, ...rest }) => ({
      ...rest,
      lines: lines.map(({ sku, quantity, givenUp }) => ({
        sku,
        quantity: quantity.toFixed(),
        given_up: givenUp?.toFixed() ?? '0',
      })),
    })),
    stockOf: (sku: string) => ({ available: available.get(sku) ?? '0' }),
  };
}

async function all<T>(list: AsyncIterable<{ readonly items: readonly T[] }>): Promise<T[]> {
  return (await Array.fromAsync(list)).flatMap(({ items }) => items);
}
