import type { ErpConnector, ErpCustomers, ErpPayments } from '../connector.ts';
import type { Caller } from './call.ts';
import { listPages, listWhole } from './list.ts';
import { orderPath } from './order-path.ts';
import { orderRow, pong, productRow, stockRow } from './rows.ts';
import { readStock } from './stock.ts';

type Reads = Omit<ErpConnector, 'createOrder' | 'updateOrder' | 'close' | keyof ErpCustomers | keyof ErpPayments>;

/** The calls that change nothing. */
export function readsOf(caller: Caller): Reads {
  return {
    ping: (signal) => caller.call({ method: 'GET', path: '/v1/ping', purpose: 'say who it is', answer: pong }, signal),

    listProducts(changedSince, signal) {
      const [params, purpose] = [since(changedSince), 'list the products'];
      return listPages(caller, { path: '/v1/products', params, purpose, row: productRow, idField: 'id' }, signal);
    },

    listStock(changedSince, signal) {
      const [params, purpose] = [since(changedSince), 'list the stock'];
      return listPages(caller, { path: '/v1/stock', params, purpose, row: stockRow, idField: 'product_id' }, signal);
    },

    readStock: (skus, signal) => readStock(caller, skus, signal),

    listOrders(changedSince, signal) {
      const [params, purpose] = [since(changedSince), 'list the orders'];
      return listPages(caller, { path: '/v1/orders', params, purpose, row: orderRow, idField: 'id' }, signal);
    },

    async findOrders(reference, signal) {
      const purpose = `find the orders with reference ${reference}`;
      const request = { path: '/v1/orders', params: { reference }, purpose, row: orderRow, idField: 'id' } as const;
      // A server that ignores the filter answers with every order there is.
      return (await listWhole(caller, request, signal)).filter((found) => found.reference === reference);
    },

    async getOrder(id, signal) {
      const [path, purpose] = [orderPath(id), `show order ${id}`];
      return caller.find({ method: 'GET', path, purpose, answer: orderRow }, signal);
    },
  };
}

export function since(changedSince: string | null): Record<string, string> {
  return changedSince === null ? {} : { changed_since: changedSince };
}
