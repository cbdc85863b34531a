import { Exact, fourDecimals } from '../exact.ts';
import type { CustomerDraft, LineChange, OrderedItem, OrderPlacement } from './control-schema.ts';
import { addCustomer, allCustomers, archiveCustomer, findCustomer } from './customers.ts';
import { createInventoryActions, type InventoryActions } from './inventory/actions.ts';
import type { Counted } from './inventory-effects.ts';
import type { Actor, Market, OpenMarket } from './market.ts';
import { orderTotal } from './order-json.ts';
import { findOrder, findOrderById, findOrderOfLine, type Line, linesOf, type OrderRow } from './order-rows.ts';
import { createOrder, deleteLine, forceStatus, patchOrder, transitionOrder } from './orders.ts';
import { ACTIVE, figures, findProduct, isManaged, type ProductRow } from './product-rows.ts';
import { archiveProduct, createProduct, patchProduct } from './products.ts';
import { createRecordActions, type RecordActions } from './records/actions.ts';
import { refuse } from './refusal.ts';
import { type Fields, type Money, moneyJson } from './wire-values.ts';

/** An order as it stands, decimals as text. */
export interface OrderState extends OrderContent {
  /** After discount, shipping and tax, to cents. */
  readonly total: string;
}

/** The same without what it comes to, which takes a look at every product in it. */
export interface OrderContent {
  readonly id: number;
  readonly number: string;
  readonly status: string;
  readonly customer: number;
  readonly externalId: string | null;
  readonly discount: string;
  readonly lines: readonly LineState[];
}

export interface LineState {
  readonly id: number;
  readonly product: number;
  readonly quantity: string;
  readonly price: Money;
  readonly salePrice: Money | null;
  readonly counted: Counted;
  readonly late: boolean;
}

/** A product with its three figures, decimals as text. */
export interface ProductState {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
  readonly listingState: string;
  readonly archived: boolean;
  readonly managed: boolean;
  /** Per sold-in unit. */
  readonly price: Money;
  /** Units per sold-in unit. */
  readonly unitMultiplier: string;
  readonly quantity: string;
  readonly reserved: string;
  readonly available: string;
  readonly externalIds: Readonly<Record<string, string>>;
}

export interface CustomerState {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly archived: boolean;
}

/** The deeds of people on the marketplace's own pages, and a look at its state. Every refusal is a `Refusal`. */
export interface Actions extends InventoryActions, RecordActions {
  /** A buyer orders. Refused with 409 when more is ordered than is available. */
  placeOrder(order: OrderPlacement): OrderState;
  /** Many orders in one transaction, without webhooks. */
  placeOrders(orders: readonly OrderPlacement[]): OrderState[];
  editLine(line: number, change: LineChange): OrderState;
  addLine(number: string, item: OrderedItem): OrderState;
  removeLine(line: number): OrderState;
  /** Fields of the order itself: discount_amount, shipping_charge, external_id, notes, ... */
  editOrder(number: string, fields: Fields): OrderState;
  /** Staff move the order: submit, accept, fulfill, ship, complete, reject, cancel. */
  transition(number: string, action: string): OrderState;
  /** The buyer cancels. */
  cancel(number: string): OrderState;
  /** Any status, known or not, from any other. */
  forceStatus(number: string, status: string): OrderState;
  createProduct(fields: Fields): ProductState;
  /** Many products in one transaction, without webhooks. */
  createProducts(products: readonly Fields[]): ProductState[];
  /** Fields as in PATCH /products/{id}/. */
  setProduct(id: number, fields: Fields): ProductState;
  archiveProduct(id: number): ProductState;
  addCustomer(draft: CustomerDraft): number;
  archiveCustomer(id: number): void;
  customers(): CustomerState[];
  order(number: string): OrderState;
  /** By the id that events tell. */
  orderById(id: number): OrderState;
  orders(): OrderState[];
  orderContents(): OrderContent[];
  product(id: number): ProductState;
  products(): ProductState[];
  /** The products that buyers may order. */
  activeProductIds(): number[];
  /** The first one, if there are several. */
  productBySku(sku: string): ProductState;
}

export function createActions(open: OpenMarket): Actions {
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
    placeOrder: (order) => orderAfter((inside) => placeOrder(inside, order)),
    placeOrders: (orders) =>
      open.quietly((inside) => orders.map((order) => orderState(inside, placeOrder(inside, order)))),
    editLine: (line, change) =>
      orderAfter((inside) => {
        const { number } = findOrderOfLine(inside, line);
        const entry = { id: line, ...wireItem(change) };
        return patchOrder(inside, number, { line_items: [entry] }, 'buyer');
      }),
    addLine: (number, item) =>
      orderAfter((inside) => patchOrder(inside, number, { line_items: [wireEntry(inside, item)] }, 'staff')),
    removeLine: (line) => orderAfter((inside) => deleteLine(inside, line, 'buyer')),
    editOrder: (number, fields) => orderAfter((inside) => patchOrder(inside, number, fields, 'staff')),
    transition: (number, action) => orderAfter((inside) => transitionOrder(inside, number, action, 'staff')),
    cancel: (number) => orderAfter((inside) => transitionOrder(inside, number, 'cancel', 'buyer')),
    forceStatus: (number, status) => orderAfter((inside) => forceStatus(inside, number, status, 'staff')),
    createProduct: (fields) => productAfter((inside) => createProduct(inside, fields, 'staff')),
    createProducts: (products) =>
      open.quietly((inside) => products.map((fields) => productState(createProduct(inside, fields, 'staff')))),
    setProduct: (id, fields) => productAfter((inside) => patchProduct(inside, id, fields, 'staff')),
    archiveProduct: (id) => productAfter((inside) => archiveProduct(inside, id, 'staff')),
    addCustomer: (draft) => open.change((inside) => addCustomer(inside, draft)),
    archiveCustomer: (id) => open.change((inside) => archiveCustomer(inside, id)),
    customers: () => allCustomers(market).map(({ id, name, state, archived }) => ({ id, name, state, archived })),
    ...createRecordActions(open),
    order: (number) => orderState(market, findOrder(market, number)),
    orderById: (id) => orderState(market, findOrderById(market, id)),
    orders: () => allOrders(market).map((row) => orderState(market, row)),
    orderContents: () => allOrders(market).map(orderContent),
    product: (id) => look(() => productState(findProduct(market, id))),
    products: () => look(() => market.sql.all<ProductRow>('SELECT * FROM products ORDER BY id').map(productState)),
    activeProductIds: () =>
      market.sql.all<{ id: number }>(`SELECT id FROM products WHERE ${ACTIVE} ORDER BY id`).map(({ id }) => id),
    productBySku(sku) {
      inventory.settleCommands();
      const row = market.sql.get<ProductRow>('SELECT * FROM products WHERE sku = ? ORDER BY id', sku);
      if (!row) throw refuse(404, `No product has the SKU ${sku}.`);
      return productState(row);
    },
  };
}

function placeOrder(market: Market, order: OrderPlacement): OrderRow {
  if (!findCustomer(market, order.customer)) throw refuse(404, `There is no customer ${order.customer}.`);
  if (!order.oversell) for (const item of order.items) checkAvailable(market, item);
  const by: Actor = 'buyer';
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
    by,
  );
}

/** A buyer cannot take more than the page shows as available. */
function checkAvailable(market: Market, item: OrderedItem): void {
  const product = findProduct(market, item.product);
  if (!isManaged(product)) return;
  const factor = market.settings().lineQuantityIn === 'cases' ? product.unit_multiplier : '1';
  const wanted = new Exact(item.quantity).times(factor);
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

function orderState(market: Market, row: OrderRow): OrderState {
  return { ...orderContent(row), total: orderTotal(market, row) };
}

function orderContent(row: OrderRow): OrderContent {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    customer: row.customer,
    externalId: row.external_id,
    discount: row.discount_amount,
    lines: linesOf(row).map((line: Line) => ({
      id: line.id,
      product: line.product,
      quantity: line.quantity,
      price: line.price,
      salePrice: line.salePrice,
      counted: line.held.counted,
      late: line.late,
    })),
  };
}

function productState(row: ProductRow): ProductState {
  const { quantity, reserved, available } = figures(row);
  return {
    id: row.id,
    sku: row.sku,
    name: row.name,
    listingState: row.listing_state,
    archived: row.archived === 1,
    managed: isManaged(row),
    price: { amount: row.price, currency: row.currency },
    unitMultiplier: row.unit_multiplier,
    quantity: quantity.toFixed(),
    reserved: reserved.toFixed(),
    available: available.toFixed(),
    externalIds: JSON.parse(row.external_ids) as Record<string, string>,
  };
}
