import { parseJson, rawNumber } from '../../http/json.ts';
import { Exact, fourDecimals } from '../exact.ts';
import { shownAs } from './field-names.ts';
import { showTime } from './instants.ts';
import type { Market } from './market.ts';
import { type Line, linesOf, type OrderRow } from './order-rows.ts';
import { type ProductRow, productsIn } from './product-rows.ts';
import { type Customer, customersById } from './records/customers.ts';
import type { Settings } from './settings.ts';
import { costOfLine } from './units.ts';
import { joinObjects, type Money, moneyJson, numberJson } from './wire-values.ts';

export type OrderView = 'with-lines' | 'without-lines' | 'webhook';

/** Spec 1, Line item: lines show current product data; frozen_data does not. */
export function ordersJson(market: Market, rows: readonly OrderRow[], view: OrderView): string[] {
  const settings = market.settings();
  const lines = rows.map(linesOf);
  const products = productsIn(market, lines.flat());
  const customers = customersById(
    market,
    rows.map((row) => row.customer),
  );
  return rows.map((row, index) => {
    const own = lines[index] ?? [];
    const customer = customers.get(row.customer);
    const parts = [
      head(row, customer, view, settings),
      row.fields,
      settings.orderTotals ? amounts(row, own, products, settings) : {},
      settings.orderTotals ? `{"delivery_address":${row.delivery_address}}` : {},
      `{"frozen_data":${row.frozen}}`,
    ];
    const name = view === 'webhook' ? 'orderedproduct_set' : 'line_items';
    const shown = own.map((line) => lineJson(line, products.get(line.product)));
    const lineItems = view === 'without-lines' ? {} : `{"${name}":${JSON.stringify(shown)}}`;
    return shownAs('order', joinObjects(...parts, lineItems), settings);
  });
}

export function orderJson(market: Market, row: OrderRow, view: OrderView): string {
  return ordersJson(market, [row], view)[0] ?? 'null';
}

function head(row: OrderRow, customer: Customer | undefined, view: OrderView, settings: Settings) {
  return {
    id: row.id,
    number: row.number,
    short_id: row.number.slice(0, 8),
    status: row.status,
    seller: settings.sellerId,
    customer: { id: row.customer, display_name: customer?.name ?? null },
    brand: settings.brand,
    external_id: row.external_id,
    discount_amount: rawNumber(new Exact(row.discount_amount).toFixed(2)),
    created_on: showTime(row.created_on, settings),
    // Field notes: orders in webhooks have no `modified`.
    ...(view === 'webhook' ? {} : { modified: showTime(row.modified, settings) }),
  };
}

/** After discount, shipping and tax, in cents. */
export function orderTotal(market: Market, row: OrderRow): string {
  const lines = linesOf(row);
  return totalsOf(row, lines, productsIn(market, lines), market.settings()).total.toFixed(2);
}

/** Each shown amount is rounded to cents, half up. */
function totalsOf(
  row: OrderRow,
  lines: readonly Line[],
  products: ReadonlyMap<number, ProductRow>,
  settings: Settings,
): { readonly tax: Exact; readonly total: Exact } {
  const { state = '' } = JSON.parse(row.delivery_address) as { state?: string };
  let worth = new Exact(0);
  for (const line of lines) {
    const product = products.get(line.product);
    const reduced = salesPrice(line, product).amount;
    const price = new Exact(reduced).greaterThan(0) ? reduced : line.price.amount;
    worth = worth.plus(cents(costOfLine(settings, line.quantity, price, product?.unit_multiplier ?? '1')));
  }
  const { discount_type: type } = parseJson(row.fields) as { discount_type?: string };
  // Field notes, Order create: a discount with a type.
  const discount = type === 'percent' ? cents(worth.times(row.discount_amount).dividedBy(100)) : row.discount_amount;
  const taxed = worth.minus(discount).plus(row.shipping_charge);
  const percent = settings.excise.states.includes(state) ? settings.excise.percent : 0;
  const tax = cents(taxed.times(percent).dividedBy(100));
  return { tax, total: taxed.plus(tax) };
}

function cents(amount: Exact): Exact {
  return amount.toDecimalPlaces(2, Exact.ROUND_HALF_UP);
}

function amounts(row: OrderRow, lines: readonly Line[], products: ReadonlyMap<number, ProductRow>, settings: Settings) {
  const { tax, total } = totalsOf(row, lines, products, settings);
  const money = (amount: Exact) => moneyJson({ amount: amount.toFixed(2), currency: row.currency });
  return { shipping_charge: money(new Exact(row.shipping_charge)), tax_amount: money(tax), total: money(total) };
}

export function lineJson(line: Line, product: ProductRow | undefined) {
  const currency = line.price.currency;
  return {
    id: line.id,
    product: line.product,
    quantity: fourDecimals(new Exact(line.quantity)),
    ordered_unit_price: moneyJson(line.price),
    sale_price: line.salePrice === null ? null : moneyJson(line.salePrice),
    sales_price: moneyJson(salesPrice(line, product)),
    wholesale_price: moneyJson({ amount: product?.price ?? '0', currency: product?.currency ?? currency }),
    unit_multiplier: numberJson(new Exact(product?.unit_multiplier ?? 1)),
  };
}

/** The price on the order, else the product's sale price, else 0.00. */
function salesPrice(line: Line, product: ProductRow | undefined): Money {
  return line.salePrice ?? { amount: product?.sale_price ?? '0', currency: line.price.currency };
}
