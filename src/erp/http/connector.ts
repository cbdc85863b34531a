import type { ErpConnector } from '../connector.ts';
import { lotRow, pong, productRow } from '../rows/rows.ts';
import { createCaller, type HttpErpOptions } from './call.ts';
import { customersOf } from './customers.ts';
import { collection } from './list.ts';
import { ordersOf } from './orders.ts';
import { paymentsOf } from './payments.ts';
import { stockOf } from './stock.ts';

/**
 * The connector for the ERP HTTP contract, version 1. No call is repeated here. Every failure is a `CallFailure`; rows
 * that do not fit the contract are set aside as misfits, and the rest goes on.
 */
export function createHttpErp(options: HttpErpOptions): ErpConnector {
  const caller = createCaller(options);
  return {
    ping: (signal) => caller.call({ method: 'GET', path: '/v1/ping', purpose: 'say who it is', answer: pong }, signal),
    listProducts: collection(caller, { path: '/v1/products', name: 'products', row: productRow }).list,
    listLots: collection(caller, { path: '/v1/lots', name: 'lots', row: lotRow }).list,
    ...stockOf(caller),
    ...ordersOf(caller),
    ...customersOf(caller),
    ...paymentsOf(caller),
    close: caller.close,
  };
}
