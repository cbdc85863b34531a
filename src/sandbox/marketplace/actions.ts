import { Exact, fourDecimals } from '../exact.ts';
import type { CustomerDraft, LineChange, OrderedItem, OrderPlacement } from './control-schema.ts';
import { createInventoryActions } from './inventory/actions.ts';
import type { Market, OpenMarket } from './market.ts';
import { orderTotal } from './order-json.ts';
import { findOrder, findOrderById, findOrderOfLine, linesOf, type OrderRow } from './order-rows.ts';
import { createOrder, deleteLine, deleteOrder, forceStatus, patchOrder, transitionOrder } from './orders.ts';
import { ACTIVE, figures, findProduct, isManaged, type ProductRow } from './product-rows.ts';
import { archiveProduct, createProduct, deleteProduct, patchProduct } from './products.ts';
import { addCustomer, allCustomers, archiveCustomer, findCustomer } from './records/customers.ts';
import { createRecordActions } from './records/families.ts';
import { takenFromStock } from './units.ts';
import { type Fields, type Money, moneyJson, refuse } from './wire-values.ts';

/** Acts of people on the marketplace's pages, and its state. Refusals are thrown as `Refusal`. */
export function createActions(open: OpenMarket) {
  const { market } = open;
  const orderAfter = (work: (inside: Market) => OrderRow) => orderState(market, open.change(work));
  const productAfter = (work: (inside: Market) => ProductRow) => productState(open.change(work));
  const inventory = createInventoryActions(open);
  const look = <Result>(read: () => Result): Result => {
    inventory.settleCommands();
    return read();
  };
  return {
    ...inventory,
    /** @throws Refusal 409 for more than is available */
    placeOrder: (order: OrderPlacement) => orderAfter((inside) => placeOrder(inside, order)),
    /** In one transaction without webhooks. */
    placeOrders: (orders: readonly OrderPlacement[]) =>
      open.quietly((inside) => orders.map((order) => orderState(inside, placeOrder(inside, order)))),
    editLine: (line: number, change: LineChange) =>
      orderAfter((inside) => {
        const { number } = findOrderOfLine(inside, line);
        const entry = { id: line, ...wireItem(change) };
        return patchOrder(inside, number, { line_items: [entry] }, 'buyer');
      }),
    addLine: (number: string, item: OrderedItem) =>
      orderAfter((inside) => patchOrder(inside, number, { line_items: [wireEntry(inside, item)] }, 'staff')),
    removeLine: (line: number) => orderAfter((inside) => deleteLine(inside, line, 'buyer')),
    /** Fields of the order: discount_amount, shipping_charge, external_id, notes, ... */
    editOrder: (number: string, fields: Fields) => orderAfter((inside) => patchOrder(inside, number, fields, 'staff')),
    /** Staff submit, accept, fulfill, ship, complete, reject or cancel. */
    transition: (number: string, action: string) =>
      orderAfter((inside) => transitionOrder(inside, number, action, 'staff')),
    /** The order disappears from all answers. */
    deleteOrder: (number: string) => open.change((inside) => deleteOrder(inside, number, 'staff')),
    /** By the buyer. */
    cancel: (number: string) => orderAfter((inside) => transitionOrder(inside, number, 'cancel', 'buyer')),
    /** Any status, known or not. */
    forceStatus: (number: string, status: string) =>
      orderAfter((inside) => forceStatus(inside, number, status, 'staff')),
    createProduct: (fields: Fields) => productAfter((inside) => createProduct(inside, fields, 'staff')),
    /** In one transaction without webhooks. */
    createProducts: (products: readonly Fields[]) =>
      open.quietly((inside) => products.map((fields) => productState(createProduct(inside, fields, 'staff')))),
    /** As in PATCH /products/{id}/. */
    setProduct: (id: number, fields: Fields) => productAfter((inside) => patchProduct(inside, id, fields, 'staff')),
    archiveProduct: (id: number) => productAfter((inside) => archiveProduct(inside, id, 'staff')),
    /** Deletes the listing for good. */
    deleteProduct: (id: number) => open.change((inside) => deleteProduct(inside, id, 'staff')),
    addCustomer: (draft: CustomerDraft) => open.change((inside) => addCustomer(inside, draft)),
    archiveCustomer: (id: number) => open.change((inside) => archiveCustomer(inside, id)),
    customers: () => allCustomers(market).map(({ id, name, state, archived }) => ({ id, name, state, archived })),
    ...createRecordActions(open),
    order: (number: string) => orderState(market, findOrder(market, number)),
    /** By the id in events. */
    orderById: (id: number) => orderState(market, findOrderById(market, id)),
    orders: () => allOrders(market).map((row) => orderState(market, row)),
    /** Without totals, which need every product of the order. */
    orderContents: () => allOrders(market).map(orderContent),
    product: (id: number) => look(() => productState(findProduct(market, id))),
    products: () => look(() => market.sql.all<ProductRow>('SELECT * FROM products ORDER BY id').map(productState)),
    /** Products that buyers may order. */
    activeProductIds: () =>
      market.sql.all<{ id: number }>(`SELECT id FROM products WHERE ${ACTIVE} ORDER BY id`).map(({ id }) => id),
    /** The first of several. */
    productBySku(sku: string) {
      inventory.settleCommands();
      const row = market.sql.get<ProductRow>('SELECT * FROM products WHERE sku = ? ORDER BY id', sku);
      if (!row) throw refuse(404, `No product has the SKU ${sku}.`);
      return productState(row);
    },
  };
}

export type Actions = ReturnType<typeof createActions>;
export type OrderState = ReturnType<typeof orderState>;
export type LineState = OrderState['lines'][number];
export type ProductState = ReturnType<typeof productState>;

function placeOrder(market: Market, order: OrderPlacement): OrderRow {
  if (!findCustomer(market, order.customer)) throw refuse(404, `There is no customer ${order.customer}.`);
  if (!order.oversell) for (const item of order.items) checkAvailable(market, item);
  return createOrder(
    market,
    {
      ...order.fields,
      seller: market.settings().sellerId,
      customer: { id: order.customer },
      status: order.status ?? 'Submitted',
      line_items: order.items.map((item) => wireEntry(market, item)),
      discount_amount: order.discount ?? '0',
      external_id: order.externalId ?? null,
      ...(order.shipping === undefined ? {} : { shipping_charge: order.shipping }),
    },
    'buyer',
  );
}

function checkAvailable(market: Market, item: OrderedItem): void {
  const product = findProduct(market, item.product);
  if (!isManaged(product)) return;
  const wanted = takenFromStock(market.settings(), item.quantity, () => product.unit_multiplier);
  const { available } = figures(product);
  if (wanted.greaterThan(available)) {
    throw refuse(409, `${product.sku}: ${wanted.toFixed()} ordered, ${available.toFixed()} available.`);
  }
}

function wireEntry(market: Market, item: OrderedItem): Fields {
  const product = findProduct(market, item.product);
  const price = item.price ?? { amount: product.price, currency: product.currency };
  return { product: item.product, ...wireItem({ ...item, price }) };
}

function wireItem(item: LineChange): Fields {
  return {
    ...(item.quantity === undefined ? {} : { quantity: fourDecimals(new Exact(item.quantity)) }),
    ...(item.price === undefined ? {} : { ordered_unit_price: moneyJson(item.price) }),
    ...(item.salePrice === undefined ? {} : { sale_price: item.salePrice && moneyJson(item.salePrice) }),
  };
}

function allOrders(market: Market): OrderRow[] {
  return market.sql.all<OrderRow>('SELECT * FROM orders ORDER BY id');
}

/** Decimals as text. */
function orderState(market: Market, row: OrderRow) {
  // After discount, shipping and tax, in cents.
  return { ...orderContent(row), total: orderTotal(market, row) };
}

function orderContent(row: OrderRow) {
  const { id, number, status, customer } = row;
  return {
    id,
    number,
    status,
    customer,
    externalId: row.external_id,
    discount: row.discount_amount,
    lines: linesOf(row).map((line) => {
      const { held, unreserved: _, ...shown } = line;
      return { ...shown, counted: held.counted };
    }),
  };
}

/** Decimals as text. */
function productState(row: ProductRow) {
  const { id, sku, name, listing_state: listingState } = row;
  const { quantity, reserved, available } = figures(row);
  const price: Money = { amount: row.price, currency: row.currency };
  return {
    id,
    sku,
    name,
    listingState,
    archived: row.archived === 1,
    managed: isManaged(row),
    /** Per sold-in unit. */
    price,
    /** Units per sold-in unit. */
    unitMultiplier: row.unit_multiplier,
    quantity: quantity.toFixed(),
    reserved: reserved.toFixed(),
    available: available.toFixed(),
    externalIds: JSON.parse(row.external_ids) as Readonly<Record<string, string>>,
  };
}
