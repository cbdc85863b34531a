import type { ErpConnector, ErpOrderChange, ErpOrderCustomer, ErpOrderDraft, ErpOrderLine } from '../connector.ts';
import type { Caller } from './call.ts';
import { orderPath } from './order-path.ts';
import { orderRow } from './rows.ts';

/** The calls that change something. A failure with outcome `unknown` may have taken effect. */
export function writesOf(caller: Caller): Pick<ErpConnector, 'createOrder' | 'updateOrder'> {
  return {
    createOrder(draft, signal) {
      const purpose = `create the order with reference ${draft.reference}`;
      const call = { method: 'POST', path: '/v1/orders', body: draftBody(draft), purpose, answer: orderRow } as const;
      return caller.call(call, signal);
    },

    async updateOrder(id, change, signal) {
      const [path, purpose] = [orderPath(id), `change order ${id}`];
      return caller.call({ method: 'PATCH', path, body: changeBody(change), purpose, answer: orderRow }, signal);
    },
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
