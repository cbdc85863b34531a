import { CallFailure } from '../../domain/failure.ts';
import type { ErpConnector } from '../connector.ts';
import { changeBody, orderBody } from '../rows/bodies.ts';
import { orderRow } from '../rows/rows.ts';
import type { Caller } from './call.ts';
import { collection } from './list.ts';

type Orders = Pick<ErpConnector, 'listOrders' | 'findOrders' | 'getOrder' | 'createOrder' | 'updateOrder'>;

/** A failure of a write with outcome `unknown` may have taken effect. */
export function ordersOf(caller: Caller): Orders {
  const { list, find } = collection(caller, { path: '/v1/orders', name: 'orders', row: orderRow });
  return {
    listOrders: list,
    findOrders: (reference, signal) => find(['reference', reference], (order) => order.reference === reference, signal),

    async getOrder(id, signal) {
      const [path, purpose] = [orderPath(id), `show order ${id}`];
      return caller.find({ method: 'GET', path, purpose, answer: orderRow }, signal);
    },

    createOrder(draft, signal) {
      const purpose = `create the order with reference ${draft.reference}`;
      const call = { method: 'POST', path: '/v1/orders', body: orderBody(draft), purpose, answer: orderRow } as const;
      return caller.call(call, signal);
    },

    async updateOrder(id, change, signal) {
      const [path, purpose] = [orderPath(id), `change order ${id}`];
      return caller.call({ method: 'PATCH', path, body: changeBody(change), purpose, answer: orderRow }, signal);
    },
  };
}

/**
 * The address of one order. Its id is one segment of the path, whatever characters it has.
 * @throws CallFailure `refused`, `not-applied`, for an id that no address can name. An empty id, `.` and `..` would
 * lead to another address, encoded or not. An id with half a surrogate pair cannot be encoded.
 */
function orderPath(id: string): string {
  if (!/^\.{0,2}$/.test(id) && id.isWellFormed()) return `/v1/orders/${encodeURIComponent(id)}`;
  throw new CallFailure(
    `The ERP was not asked for its order ${JSON.stringify(id)}: no address can name it. Give it another id there.`,
    { side: 'erp', kind: 'refused', outcome: 'not-applied' },
  );
}
