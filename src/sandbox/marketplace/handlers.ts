import type { OperationId } from '../../marketplace/operations/table.ts';
import { type Answer, type Handler, NO_CONTENT } from './call.ts';
import { bulkUpdate } from './catalog/bulk-update.ts';
import { tileHandlers } from './catalog/tiles.ts';
import { inventoryHandlers } from './inventory/handlers.ts';
import { choices } from './list-query.ts';
import { listOrders, listProducts } from './listing.ts';
import type { Market } from './market.ts';
import { orderJson, ordersJson } from './order-json.ts';
import { lineHandlers } from './order-lines.ts';
import { findOrder, type OrderRow } from './order-rows.ts';
import { createOrder, deleteLine, deleteOrder, patchOrder, transitionOrder } from './orders.ts';
import { type ProductRow, productJson } from './product-rows.ts';
import { archiveProduct, createProduct, LISTING_STATES, patchProduct } from './products.ts';
import { recordHandlers } from './records/families.ts';
import { listWithAssignments } from './records/products.ts';

const GROW_OPERATION_TYPES = ['Greenhouse', 'Indoor', 'Mixed Light', 'Outdoor'];

/** The handler of each operation, by operation id. A handler runs inside one transaction. */
export const HANDLERS: Readonly<Partial<Record<OperationId, Handler>>> = {
  ...recordHandlers,
  ...lineHandlers,
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
