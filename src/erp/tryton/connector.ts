import type { ErpConnector } from '../connector.ts';
import { booksOf, type Tryton } from './books.ts';
import { customersOf } from './customers.ts';
import { findOrders, getOrder, listOrders } from './order-reads.ts';
import { createOrder, updateOrder } from './order-writes.ts';
import { paymentsOf } from './payments.ts';
import { listProducts } from './products.ts';
import { createRpc, type RpcOptions } from './rpc.ts';
import type { TrytonSettings } from './settings.ts';
import { stockOf } from './stock.ts';

export interface TrytonOptions extends RpcOptions {
  readonly settings: TrytonSettings;
}

/** The connector for Tryton 6.0, over JSON-RPC. It repeats no write, and every failure is a `CallFailure`. */
export function createTryton(options: TrytonOptions): ErpConnector {
  const rpc = createRpc(options);
  const { settings } = options;
  const books = booksOf(rpc, settings);
  const tryton: Tryton = { rpc, books, settings };
  return {
    async ping(signal) {
      await books();
      const { version, time } = await rpc.clock(signal);
      return { name: 'Tryton', version, time, totals: 'computed' };
    },
    listProducts: (since, signal) => listProducts(tryton, since, signal),
    ...stockOf(tryton),
    listOrders: (since, signal) => listOrders(tryton, since, signal),
    findOrders: (reference, signal) => findOrders(tryton, reference, signal),
    getOrder: (id, signal) => getOrder(tryton, id, signal),
    createOrder: (draft, signal) => createOrder(tryton, draft, signal),
    updateOrder: (id, change, signal) => updateOrder(tryton, id, change, signal),
    ...customersOf(tryton),
    ...paymentsOf(tryton),
    close: rpc.close,
  };
}
