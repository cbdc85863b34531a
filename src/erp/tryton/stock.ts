import { z } from 'zod';
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { ErpConnector, ErpPage, StockRow } from '../connector.ts';
import { checkSkus, stockPurpose } from '../rows/asked-skus.ts';
import { stockRow } from '../rows/rows.ts';
import type { Books, Tryton } from './books.ts';
import { figuresOf, lineRecord } from './lines.ts';
import { SOLD, WITH_ARCHIVED } from './products.ts';
import { allRecords, pageOf, searchRead } from './records.ts';
import type { Rpc, RpcCallOptions } from './rpc.ts';
import { changedSince, cut, figure, stampOut } from './values.ts';

/** Products whose figures are read together. */
const BATCH = 200;

const idRow = z.object({ id: z.int() });
const moveOf = z.object({ product: z.int() });
const lineOf = z.object({ product: z.int().nullable() });
const pendingMove = z.object({ product: z.int(), internal_quantity: figure });
const stockRecord = z.object({ id: z.int(), code: z.string(), quantity: figure });

export function stockOf(tryton: Tryton): Pick<ErpConnector, 'listStock' | 'readStock'> {
  const { rpc, books } = tryton;
  return {
    listStock: (since, signal) => listStock(tryton, since, signal),
    async readStock(skus, signal) {
      checkSkus(skus);
      const asked = { purpose: stockPurpose(skus), context: WITH_ARCHIVED, signal };
      const { time } = await rpc.clock(signal);
      const ids = await productIds(rpc, [...SOLD, ['code', 'in', skus]], asked);
      return readFigures(rpc, await books(), ids, { asOf: time, complete: true }, asked);
    },
  };
}

async function* listStock(
  { rpc, books }: Tryton,
  since: string | null,
  signal?: AbortSignal,
): AsyncGenerator<ErpPage<StockRow>> {
  const asked = { purpose: 'list the stock', context: WITH_ARCHIVED, signal };
  const about = await books();
  const { time: asOf } = await rpc.clock(signal);
  const ids = since === null ? await productIds(rpc, SOLD, asked) : await changedProducts(rpc, since, asked);
  for (let from = 0; from === 0 || from < ids.length; from += BATCH) {
    const complete = from + BATCH >= ids.length;
    yield await readFigures(rpc, about, ids.slice(from, from + BATCH), { asOf, complete }, asked);
  }
}

/** Products with changed moves, sale lines or sales, since only these change stock. */
async function changedProducts(rpc: Rpc, since: string, asked: RpcCallOptions): Promise<number[]> {
  const changed = (...paths: readonly string[]) => [changedSince(since, paths)];
  const moved = await allRecords(rpc, { model: 'stock.move', domain: changed(''), record: moveOf }, asked);
  const sold = await allRecords(rpc, { model: 'sale.line', domain: changed('', 'sale.'), record: lineOf }, asked);
  const made = await productIds(rpc, [...SOLD, ['create_date', '>=', stampOut(since)]], asked);
  const ids = new Set([...moved, ...sold].flatMap(({ product }) => (product === null ? [] : [product])));
  return [...new Set([...ids, ...made])].toSorted((a, b) => a - b);
}

async function productIds(rpc: Rpc, domain: readonly unknown[], asked: RpcCallOptions): Promise<number[]> {
  const found = await allRecords(rpc, { model: 'product.product', domain, record: idRow }, asked);
  return found.map(({ id }) => id);
}

/**
 * The stock of these products in the warehouse for sales.
 * Reserved is the open quantity of sales plus other planned outgoing moves. Tryton's forecast lacks late moves,
 * unpicked goods, and cancelled shipments awaiting a decision. Reservations are read before the quantity on hand, so
 * that goods shipped in between are subtracted twice rather than not at all.
 */
async function readFigures(
  rpc: Rpc,
  about: Books,
  ids: readonly number[],
  { asOf, complete }: { readonly asOf: string; readonly complete: boolean },
  asked: RpcCallOptions,
): Promise<ErpPage<StockRow>> {
  if (ids.length === 0) return { items: [], invalidRows: [], asOf, complete };
  const reserved = await reservations(rpc, about, ids, asked);
  // Without a date, "quantity" is today's. The whole warehouse counts, including goods at its exit.
  const context = { ...WITH_ARCHIVED, locations: [about.warehouse], with_childs: true };
  const query = { model: 'product.product', domain: [...SOLD, ['id', 'in', ids]], record: stockRecord };
  const rows = await searchRead(rpc, query, ids.length, { ...asked, context });
  return pageOf(rows, mappingOf(reserved, asOf), { asOf, servedAt: rpc.lastSeen(), complete });
}

async function reservations(
  rpc: Rpc,
  { warehouse }: Books,
  ids: readonly number[],
  asked: RpcCallOptions,
): Promise<ReadonlyMap<number, Decimal>> {
  const ofOpenSales = [
    ['type', '=', 'line'],
    ['product', 'in', ids],
    ['sale.state', 'in', ['confirmed', 'processing']],
    ['sale.shipment_state', '!=', 'sent'],
    ['sale.warehouse', '=', warehouse],
  ];
  const plannedOtherwise = [
    ['product', 'in', ids],
    ['state', 'in', ['draft', 'assigned']],
    ['from_location', 'child_of', [warehouse], 'parent'],
    ['to_location', 'not child_of', [warehouse], 'parent'],
    ['OR', ['origin', '=', null], ['origin', 'not like', 'sale.line,%']],
  ];
  const lines = { model: 'sale.line', domain: ofOpenSales, record: lineRecord };
  const moves = { model: 'stock.move', domain: plannedOtherwise, record: pendingMove };
  const reserved = new Map<number, Decimal>();
  const add = (id: number, quantity: Decimal) => reserved.set(id, (reserved.get(id) ?? ZERO).plus(quantity));
  for (const line of await allRecords(rpc, lines, asked)) {
    if (line['product.'] !== null) add(line['product.'].id, figuresOf(line).open);
  }
  for (const move of await allRecords(rpc, moves, asked)) add(move.product, move.internal_quantity);
  return reserved;
}

function mappingOf(open: ReadonlyMap<number, Decimal>, asOf: string) {
  return {
    row: stockRow,
    idField: 'product_id' as const,
    record: stockRecord,
    toRow({ id, code, quantity }: z.output<typeof stockRecord>) {
      const onHand = cut(quantity);
      const reserved = cut(open.get(id) ?? ZERO);
      const available = onHand.minus(reserved).toFixed();
      const place = { sku: code, product_id: String(id), as_of: asOf };
      return { ...place, on_hand: onHand.toFixed(), reserved: reserved.toFixed(), available };
    },
  };
}
