import type { ErpConnector, ErpOrder } from '../connector.ts';
import { changeBody, orderBody } from '../rows/bodies.ts';
import { ORDERS } from '../rows/kinds.ts';
import { orderRow } from '../rows/rows.ts';
import { type Compiled, finderOf, listing, missing, plain, recordOf, writeOf } from './compiled.ts';
import { ignoredFailure } from './failures.ts';
import type { Found } from './find.ts';

type Orders = Pick<ErpConnector, 'listOrders' | 'findOrders' | 'getOrder' | 'createOrder' | 'updateOrder'>;

export function ordersOf(of: Compiled): Orders {
  const { caller, description } = of;
  const find = finderOf(of, ORDERS);
  const record = recordOf(of, 'order-by-id', orderRow);
  const create = writeOf(of, 'order-create', 'orders', orderRow);
  const update = writeOf(of, 'order-update', 'orders', orderRow);
  const ends = description.writes?.['order-update']?.gone === 'cancelled';
  const looksAfter = description.writes?.['order-update']?.result === 'read';

  /** An ERP that does not know the address may return another order. */
  async function byId(id: string, purpose: string, signal: AbortSignal | undefined): Promise<Found<ErpOrder> | null> {
    const found = await record(id, purpose, signal);
    if (found === null || found.row.id === id) return found;
    throw caller.reading(purpose, signal).invalidAnswer('id', `order ${found.row.id} where ${id} was asked for`);
  }
  const reader = (purpose: string, signal: AbortSignal | undefined, id?: string) => async (kept: unknown) => {
    const wanted = kept ?? id;
    if (wanted === undefined) return null;
    return byId(typeof wanted === 'string' ? wanted : JSON.stringify(wanted), purpose, signal);
  };

  /** The order with the status cancelled. */
  async function cancelled(id: string, purpose: string, signal: AbortSignal | undefined) {
    const found = await byId(id, purpose, signal);
    return found === null ? null : { ...found, row: { ...found.row, status: 'cancelled' as const } };
  }

  return {
    listOrders: listing(of, 'orders', { row: orderRow }) ?? missing('lists.orders'),
    findOrders: (reference, signal) => find(reference, signal),
    getOrder: async (id, signal) => (await byId(id, `show order ${id}`, signal))?.row ?? null,
    async createOrder(draft, signal) {
      const purpose = `create the order with reference ${draft.reference}`;
      const given = { draft: plain(orderBody(draft)) };
      return (await create({ given, purpose, read: reader(purpose, signal) }, signal)).row;
    },
    async updateOrder(id, change, signal) {
      const purpose = `change order ${id}`;
      const given = { change: plain(changeBody(change)), id };
      const gone = ends && change.status === 'cancelled' ? await cancelled(id, purpose, signal) : null;
      const { row } = await update({ given, purpose, read: reader(purpose, signal, id), gone }, signal);
      if (!looksAfter || change.status === undefined || row.status === change.status) return row;
      const others = Object.entries(change).filter(([name, value]) => name !== 'status' && value !== undefined);
      const { called } = caller.writing(purpose, signal);
      throw ignoredFailure(called, `the order is still ${row.status}`, others.length > 0);
    },
  };
}
