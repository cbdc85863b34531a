import type { ErpOrder, ErpPage } from '../connector.ts';
import type { Tryton } from './books.ts';
import { findRecords, findRows, listOf, parsed } from './records.ts';
import type { RpcCallOptions } from './rpc.ts';
import { orderMapping, type Sale } from './sales.ts';

export async function* listOrders(
  tryton: Tryton,
  since: string | null,
  signal?: AbortSignal,
): AsyncGenerator<ErpPage<ErpOrder>> {
  yield* listOf(tryton.rpc, await orderMapping(tryton), since, { purpose: 'list the orders', signal });
}

export async function findOrders(tryton: Tryton, reference: string, signal?: AbortSignal): Promise<ErpOrder[]> {
  const asked = { purpose: `find the order with reference ${reference}`, signal };
  const condition = [
    ['reference', '=', reference],
    ['create_uid', '=', (await tryton.books()).userId],
  ];
  const orders = await findRows(tryton.rpc, await orderMapping(tryton), condition, asked);
  return orders.filter((order) => order.reference === reference && order.origin === 'marketplace');
}

export async function getOrder(tryton: Tryton, id: string, signal?: AbortSignal): Promise<ErpOrder | null> {
  const asked = { purpose: `show order ${id}`, signal };
  const sale = await getSale(tryton, id, asked);
  return sale === null ? null : toOrder(tryton, sale, asked);
}

/** null: no such sale. Tryton's ids are short whole numbers. */
export async function getSale(tryton: Tryton, id: string, asked: RpcCallOptions): Promise<Sale | null> {
  if (!/^\d{1,9}$/.test(id)) return null;
  const query = { ...(await orderMapping(tryton)), domain: [['id', '=', Number(id)]] };
  const [sale] = await findRecords(tryton.rpc, query, { ...asked, write: false });
  return sale ?? null;
}

/** The sale as a row of the contract, parsed like any other. */
export async function toOrder(tryton: Tryton, sale: Sale, asked: RpcCallOptions): Promise<ErpOrder> {
  const { row, toRow } = await orderMapping(tryton);
  const [order] = parsed(tryton.rpc, [toRow(sale)], row, asked);
  if (order === undefined) throw tryton.rpc.invalidAnswer(asked, '', 'no order');
  return order;
}
