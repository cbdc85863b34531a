import type { ErpConnector, ErpOrderChange, ErpOrderCustomer, ErpOrderDraft, ErpOrderLine } from '../connector.ts';
import { createCaller, type HttpErpOptions } from './call.ts';
import { type ListRequest, listPages, listWhole } from './list.ts';
import { customerRow, orderRow, pong, productRow, stockRow } from './rows.ts';
import { readStock } from './stock.ts';

/**
 * The connector for the ERP HTTP contract, version 1. No call is repeated here. Every failure is a `CallFailure`; rows
 * that do not fit the contract are set aside as misfits, and the rest goes on.
 */
export function createHttpErp(options: HttpErpOptions): ErpConnector {
  const caller = createCaller(options);
  const order = (id: string) => `/v1/orders/${encodeURIComponent(id)}`;
  const since = (changedSince: string | null) => (changedSince === null ? {} : { changed_since: changedSince });
  const list = <T>(request: ListRequest<T>, signal: AbortSignal | undefined) => listPages(caller, request, signal);

  return {
    ping: (signal) => caller.call({ method: 'GET', path: '/v1/ping', purpose: 'say who it is', answer: pong }, signal),

    listProducts: (changedSince, signal) =>
      list(
        {
          path: '/v1/products',
          params: since(changedSince),
          purpose: 'list the products',
          row: productRow,
          idField: 'id',
        },
        signal,
      ),

    listStock: (changedSince, signal) =>
      list(
        {
          path: '/v1/stock',
          params: since(changedSince),
          purpose: 'list the stock',
          row: stockRow,
          idField: 'product_id',
        },
        signal,
      ),

    readStock: (skus, signal) => readStock(caller, skus, signal),

    listOrders: (changedSince, signal) =>
      list(
        { path: '/v1/orders', params: since(changedSince), purpose: 'list the orders', row: orderRow, idField: 'id' },
        signal,
      ),

    async findOrders(reference, signal) {
      const purpose = `find the orders with reference ${reference}`;
      const request = { path: '/v1/orders', params: { reference }, purpose, row: orderRow, idField: 'id' } as const;
      // A server that ignores the filter answers with every order there is.
      return (await listWhole(caller, request, signal)).filter((found) => found.reference === reference);
    },

    getOrder: (id, signal) =>
      caller.find({ method: 'GET', path: order(id), purpose: `show order ${id}`, answer: orderRow }, signal),

    createOrder: (draft, signal) =>
      caller.call(
        {
          method: 'POST',
          path: '/v1/orders',
          body: draftBody(draft),
          purpose: `create the order with reference ${draft.reference}`,
          answer: orderRow,
        },
        signal,
      ),

    updateOrder: (id, change, signal) =>
      caller.call(
        { method: 'PATCH', path: order(id), body: changeBody(change), purpose: `change order ${id}`, answer: orderRow },
        signal,
      ),

    async findCustomers(marketplaceId, signal) {
      const params = { marketplace_id: String(marketplaceId) };
      const purpose = `find the customers with marketplace id ${marketplaceId}`;
      const request = { path: '/v1/customers', params, purpose, row: customerRow, idField: 'id' } as const;
      return (await listWhole(caller, request, signal)).filter((found) => found.marketplaceId === marketplaceId);
    },

    createCustomer: ({ name, marketplaceId }, signal) =>
      caller.call(
        {
          method: 'POST',
          path: '/v1/customers',
          body: { name, marketplace_id: marketplaceId },
          purpose: `create the customer with marketplace id ${marketplaceId}`,
          answer: customerRow,
        },
        signal,
      ),

    close: caller.close,
  };
}

function draftBody(draft: ErpOrderDraft): Record<string, unknown> {
  return {
    reference: draft.reference,
    origin: 'marketplace',
    status: draft.status,
    customer: customerBody(draft.customer),
    currency: draft.currency,
    lines: draft.lines.map(lineBody),
    ...moneyBody(draft),
    note: draft.note,
  };
}

function changeBody(change: ErpOrderChange): Record<string, unknown> {
  return {
    ...(change.lines === undefined ? {} : { lines: change.lines.map(lineBody) }),
    ...(change.status === undefined ? {} : { status: change.status }),
    ...moneyBody(change),
  };
}

function moneyBody(fields: Pick<ErpOrderChange, 'discount' | 'shipping' | 'tax' | 'total'>): Record<string, string> {
  const body: Record<string, string> = {};
  for (const name of ['discount', 'shipping', 'tax', 'total'] as const) {
    const amount = fields[name];
    if (amount !== undefined) body[name] = amount.toFixed();
  }
  return body;
}

function lineBody(line: ErpOrderLine): Record<string, unknown> {
  return {
    sku: line.sku,
    quantity: line.quantity.toFixed(),
    unit_price: line.unitPrice.toFixed(),
    ...(line.description === undefined ? {} : { description: line.description }),
  };
}

function customerBody(customer: ErpOrderCustomer): Record<string, unknown> {
  return {
    ...(customer.id === undefined ? {} : { id: customer.id }),
    ...(customer.marketplaceId === undefined ? {} : { marketplace_id: customer.marketplaceId }),
    ...(customer.name === undefined ? {} : { name: customer.name }),
  };
}
