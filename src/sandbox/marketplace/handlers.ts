import type { OperationId } from '../../marketplace/operations/table.ts';
import { type Answer, type Handler, NO_CONTENT } from './call.ts';
import { bulkUpdate } from './catalog/bulk-update.ts';
import { tileHandlers } from './catalog/tiles.ts';
import { inventoryHandlers } from './inventory/handlers.ts';
import { choices, type Listed, listPage } from './list-query.ts';
import { listOrders, listProducts } from './listing.ts';
import type { Market } from './market.ts';
import { lineJson, orderJson, ordersJson } from './order-json.ts';
import { findOrder, findOrderOfLine, type Line, linesOf, type OrderRow } from './order-rows.ts';
import { createOrder, deleteLine, deleteOrder, patchOrder, transitionOrder } from './orders.ts';
import { type ProductRow, productJson, productsIn } from './product-rows.ts';
import { archiveProduct, createProduct, LISTING_STATES, patchProduct } from './products.ts';
import { recordHandlers } from './records/families.ts';
import { listWithAssignments } from './records/products.ts';
import { invalid } from './wire-values.ts';

const GROW_OPERATION_TYPES = ['Greenhouse', 'Indoor', 'Mixed Light', 'Outdoor'];

/** All orders' lines as JSON with the order number. */
const LINES = `(
  SELECT json_extract(l.value, '$.id') AS id, orders.number AS number, l.value AS line
  FROM orders, json_each(orders.lines) AS l
)`;
/** As SQL, for sorting lines. */
const LINE_ATTRIBUTES: Readonly<Record<string, string>> = {
  id: 'id',
  order: 'number',
  product: "json_extract(line, '$.product')",
  quantity: "CAST(json_extract(line, '$.quantity') AS REAL)",
};
const LISTED_LINES: Listed = {
  source: LINES,
  sqlOf(name) {
    const sql = LINE_ATTRIBUTES[name];
    if (sql === undefined) throw invalid('ordering', `${name} is no attribute to order by.`);
    return sql;
  },
  isTime: () => false,
  searched: [],
  filters: { search: (number) => ({ sql: 'number = ?', values: [number] }) },
  ordering: 'id',
};

/** By operation id. Each runs inside a transaction. */
export const HANDLERS: Readonly<Partial<Record<OperationId, Handler>>> = {
  ...recordHandlers,
  'orders.list': (market, call) => {
    const page = listOrders(market, call);
    const view = call.query['include_children'] === 'line_items' ? 'with-lines' : 'without-lines';
    return { kind: 'rows', count: page.count, rows: ordersJson(market, page.rows, view) };
  },
  'orders.get': (market, { params }) => {
    const everywhere = market.settings().lineItemsIn === 'everywhere';
    const order = findOrder(market, String(params['number']));
    return { kind: 'entity', json: orderJson(market, order, everywhere ? 'with-lines' : 'without-lines') };
  },
  'orders.create': (market, { body }) => written(market, createOrder(market, body, 'api')),
  'orders.patch': (market, { params, body }) =>
    written(market, patchOrder(market, String(params['number']), body, 'api')),
  'orders.transition': (market, { params }) =>
    written(market, transitionOrder(market, String(params['number']), String(params['action']), 'api')),
  'orders.delete': (market, { params }) => {
    deleteOrder(market, String(params['number']), 'api');
    return NO_CONTENT;
  },
  // Spec 1, Permissions, /line-items/: lines of all orders.
  'line-items.list': (market, call) => {
    const { count, rows } = listPage<{ id: number; number: string; line: string }>(market, LISTED_LINES, call, []);
    const lines = rows.map(({ number, line }) => ({ number, line: JSON.parse(line) as Line }));
    return { kind: 'rows', count, rows: linesJson(market, lines) };
  },
  'line-items.get': (market, { params }) => lineAnswer(market, params['id'] as number),
  'line-items.patch': (market, { params, body }) => {
    const id = params['id'] as number;
    patchOrder(market, findOrderOfLine(market, id).number, { line_items: [{ ...body, id }] }, 'api');
    return lineAnswer(market, id);
  },
  'line-items.delete': (market, { params }) => {
    deleteLine(market, params['id'] as number, 'api');
    return NO_CONTENT;
  },
  'products.list': (market, call) => {
    const page = listProducts(market, call);
    const settings = market.settings();
    return { kind: 'rows', count: page.count, rows: page.rows.map((row) => productJson(row, settings)) };
  },
  'products.create': (market, { body }) => product(market, createProduct(market, body, 'api')),
  'products.patch': (market, { params, body }) =>
    product(market, patchProduct(market, params['id'] as number, body, 'api')),
  'products.archive': (market, { params }) => {
    const row = archiveProduct(market, params['id'] as number, 'api');
    if (market.settings().archiveAnswer === 'empty') return { kind: 'entity', json: null, status: 204 };
    return product(market, row);
  },
  'products.bulk-update': bulkUpdate,
  ...inventoryHandlers,
  'products.list-with-assignments': listWithAssignments,
  ...tileHandlers,
  // Spec 2, Grow operation type, listing state.
  'grow-operation-types.list': choices(GROW_OPERATION_TYPES, (name) => name.toLowerCase().replaceAll(' ', '_')),
  'listing-states.list': choices(LISTING_STATES, (name) => name),
};

function written(market: Market, row: OrderRow): Answer {
  const view = market.settings().lineItemsIn === 'list' ? 'without-lines' : 'with-lines';
  return { kind: 'entity', json: orderJson(market, row, view) };
}

function product(market: Market, row: ProductRow): Answer {
  return { kind: 'entity', json: productJson(row, market.settings()) };
}

function lineAnswer(market: Market, id: number): Answer {
  const order = findOrderOfLine(market, id);
  const lines = linesOf(order).filter((line) => line.id === id);
  const numbered = lines.map((line) => ({ number: order.number, line }));
  return { kind: 'entity', json: linesJson(market, numbered)[0] ?? null };
}

function linesJson(market: Market, lines: readonly { readonly number: string; readonly line: Line }[]): string[] {
  const own = lines.map(({ line }) => line);
  const products = productsIn(market, own);
  return lines.map(({ number, line }) =>
    JSON.stringify({ ...lineJson(line, products.get(line.product)), order: number }),
  );
}
