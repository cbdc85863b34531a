import type { ErpOrder, ErpPage } from '../connector.ts';
import type { Books, TrytonSettings } from './books.ts';
import { foundBy, listOf, MAX_FOUND, parsed, searchRead } from './records.ts';
import type { Rpc } from './rpc.ts';
import { orderMapping, type Sale, saleFields, saleRecord } from './sales.ts';
import type { Asked } from './transport.ts';
import { changedSince } from './values.ts';

/** The connection and the settings that all parts of the connector share. */
export interface Tryton {
  readonly rpc: Rpc;
  readonly books: () => Promise<Books>;
  readonly settings: TrytonSettings;
}

/** The records whose change is a change of an order. Shipping a part of a sale changes its moves, and not always the sale. */
const PLACES_OF_CHANGE = ['', 'lines.', 'lines.moves.'];

export async function* listOrders(
  { rpc, books, settings }: Tryton,
  since: string | null,
  signal?: AbortSignal,
): AsyncGenerator<ErpPage<ErpOrder>> {
  const about = await books();
  const domain = since === null ? [] : [changedSince(since, PLACES_OF_CHANGE)];
  const query = { model: 'sale.sale', domain, fields: saleFields(about) };
  yield* listOf(rpc, query, orderMapping(about, settings, rpc.lastSeen), { purpose: 'list the orders', signal });
}

export async function findOrders(tryton: Tryton, reference: string, signal?: AbortSignal): Promise<ErpOrder[]> {
  const asked = { purpose: `find the order with reference ${reference}`, signal };
  const { rpc, books, settings } = tryton;
  const about = await books();
  const domain = [
    ['reference', '=', reference],
    ['create_uid', '=', about.userId],
  ];
  const query = { model: 'sale.sale', domain, fields: saleFields(about) };
  const orders = await foundBy(rpc, query, orderMapping(about, settings, rpc.lastSeen), asked);
  return orders.filter((order) => order.reference === reference && order.origin === 'marketplace');
}

export async function getOrder(tryton: Tryton, id: string, signal?: AbortSignal): Promise<ErpOrder | null> {
  const asked = { purpose: `show order ${id}`, signal };
  const sale = await getSale(tryton, id, asked);
  return sale === null ? null : toOrder(tryton, sale, asked);
}

/** null when there is no such sale. Tryton gives only short whole numbers as ids, so no sale has another id. */
export async function getSale(tryton: Tryton, id: string, asked: Asked): Promise<Sale | null> {
  if (!/^\d{1,9}$/.test(id)) return null;
  const reading = { ...asked, write: false };
  const fields = saleFields(await tryton.books());
  const query = { model: 'sale.sale', domain: [['id', '=', Number(id)]], fields };
  const rows = await searchRead(tryton.rpc, query, MAX_FOUND, reading);
  return parsed(tryton.rpc, rows, saleRecord, reading)[0] ?? null;
}

/** The order of a parsed sale. The sale becomes a row of the contract, which is parsed like any other row. */
export async function toOrder(tryton: Tryton, sale: Sale, asked: Asked): Promise<ErpOrder> {
  const { row, toRow } = orderMapping(await tryton.books(), tryton.settings, tryton.rpc.lastSeen);
  const [order] = parsed(tryton.rpc, [toRow(sale)], row, asked);
  if (order === undefined) throw tryton.rpc.misfit(asked, '', 'no order');
  return order;
}
