import type { ErpOrder, ErpPage } from '../connector.ts';
import type { Books, TrytonSettings } from './books.ts';
import { listOf, pageOf, parsed } from './records.ts';
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
/** The most sales of a look-up, each with its lines and moves. */
const MAX_FOUND = 100;

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
  const { userId } = await tryton.books();
  const domain = [
    ['reference', '=', reference],
    ['create_uid', '=', userId],
  ];
  const { items, misfits } = await ordersIn(tryton, await salesIn(tryton, domain, asked));
  const [misfit] = misfits;
  if (misfit !== undefined) throw tryton.rpc.misfit(asked, misfit.path, misfit.message);
  return items.filter((order) => order.reference === reference && order.origin === 'marketplace');
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
  const rows = await salesIn(tryton, [['id', '=', Number(id)]], reading);
  return parsed(tryton.rpc, rows, saleRecord, reading)[0] ?? null;
}

/** The order of a parsed sale. The sale becomes a row of the contract, which is parsed like any other row. */
export async function toOrder(tryton: Tryton, sale: Sale, asked: Asked): Promise<ErpOrder> {
  const { row, toRow } = orderMapping(await tryton.books(), tryton.settings, tryton.rpc.lastSeen);
  const [order] = parsed(tryton.rpc, [toRow(sale)], row, asked);
  if (order === undefined) throw tryton.rpc.misfit(asked, '', 'no order');
  return order;
}

async function salesIn(tryton: Tryton, domain: readonly unknown[], asked: Asked): Promise<unknown[]> {
  const fields = saleFields(await tryton.books());
  const args = [domain, 0, MAX_FOUND, [['id', 'ASC']], fields];
  const rows = await tryton.rpc.call('model.sale.sale.search_read', args, asked);
  if (!Array.isArray(rows)) throw tryton.rpc.misfit(asked, 'result', 'expected rows');
  return rows as unknown[];
}

async function ordersIn({ rpc, books, settings }: Tryton, rows: readonly unknown[]): Promise<ErpPage<ErpOrder>> {
  const mapping = orderMapping(await books(), settings, rpc.lastSeen);
  return pageOf(rows, mapping, { asOf: rpc.lastSeen(), servedAt: rpc.lastSeen(), complete: true });
}
