import { Decimal } from '../../../../src/domain/decimal.ts';
import type { Controller } from './documents.ts';
import { refuse } from './failures.ts';
import { all, type Doc, find, flt, folded, num, put, rows, type Site, stamp, text, today } from './site.ts';

/*
 * The sales order of ERPNext: selling/doctype/sales_order/sales_order.py, controllers/selling_controller.py,
 * controllers/accounts_controller.py, controllers/taxes_and_totals.py, controllers/status_updater.py and stock/stock_balance.py.
 */

/** Currency fields have the two digits of the currency's fraction, quantities the three of float_precision in System Settings. */
const MONEY = 2;
const QUANTITY = 3;

export const SALES_ORDER: Controller = {
  validate(site, order, at) {
    fillIn(site, order, at);
    checkDates(order);
    checkPurchaseOrder(site, order);
    checkItems(site, order);
    countTotals(order);
    order['billing_status'] ??= 'Not Billed';
    order['delivery_status'] ??= 'Not Delivered';
    setStatus(order);
  },
  onSubmit: (site, order, at) => reserve(site, order, at),
  onUpdateAfterSubmit: checkPurchaseOrder,
  onCancel(site, order, at) {
    if (order['status'] === 'Closed') refuse('Closed order cannot be cancelled. Unclose to cancel.');
    checkDeliveries(site, order);
    order['status'] = 'Cancelled';
    reserve(site, order, at);
  },
};

/** accounts_controller.py, set_missing_values; stock/get_item_details.py. A field that was sent stays as it is. */
function fillIn(site: Site, order: Doc, at: Date): void {
  const { settings } = site;
  // sales_order.json: the permission level 1 belongs to Sales Manager. document.py, validate_higher_perm_levels.
  if (!settings.roles.includes('Sales Manager')) order['ignore_pricing_rule'] = 0;
  order['naming_series'] ??= 'SAL-ORD-.YYYY.-';
  order['order_type'] ??= 'Sales';
  order['transaction_date'] ??= today(at);
  order['company'] ??= settings.company;
  order['currency'] ??= settings.currency;
  order['selling_price_list'] ??= settings.priceList;
  order['price_list_currency'] ??= settings.currency;
  order['apply_discount_on'] ??= 'Grand Total';
  order['status'] ??= 'Draft';
  if (num(order, 'conversion_rate').isZero()) order['conversion_rate'] = 1;
  if (num(order, 'plc_conversion_rate').isZero()) order['plc_conversion_rate'] = 1;
  order['customer_name'] = find(site, 'Customer', order['customer'])?.['customer_name'];
  order['title'] ??= order['customer_name'];
  for (const row of rows(order)) fillInRow(site, order, row);
}

export function fillInRow(site: Site, order: Doc, row: Doc): void {
  const item = find(site, 'Item', row['item_code']);
  if (item === undefined) return;
  if (item['disabled'] === 1) refuse(`Item ${text(item, 'name')} is disabled`);
  if (item['has_variants'] === 1) refuse(`Item ${text(item, 'name')} is a template, please select one of its variants`);
  row['item_name'] ??= item['item_name'] ?? item['name'];
  row['description'] ??= item['description'] ?? item['name'];
  row['stock_uom'] ??= item['stock_uom'];
  row['uom'] ??= item['stock_uom'];
  if (num(row, 'conversion_factor').isZero()) row['conversion_factor'] = 1;
  row['warehouse'] ??= order['set_warehouse'] ?? site.settings.warehouse;
  row['delivery_date'] ??= order['delivery_date'];
  const price = all(site, 'Item Price').find(
    (one) => one['item_code'] === item['name'] && one['price_list'] === order['selling_price_list'],
  );
  row['price_list_rate'] ??= price?.['price_list_rate'] ?? 0;
  const rule = site.settings.pricingRules[text(item, 'name')];
  // accounts/doctype/pricing_rule: a discount of the price list's rate replaces the rate that was sent.
  if (rule === undefined || order['ignore_pricing_rule'] === 1) return;
  row['discount_percentage'] = rule;
  row['rate'] = num(row, 'price_list_rate')
    .times(100 - rule)
    .dividedBy(100)
    .toNumber();
}

/** sales_order.py, validate_delivery_date */
function checkDates(order: Doc): void {
  if (order['order_type'] !== 'Sales' || order['skip_delivery_note'] === 1) return;
  const last = rows(order)
    .map((row) => text(row, 'delivery_date'))
    .toSorted()
    .at(-1);
  if (last !== undefined && last !== '') order['delivery_date'] = last;
  if (text(order, 'delivery_date') === '') refuse('Please enter Delivery Date');
}

/** sales_order.py, validate_po. The comparison is the database's, so "po-1" is "PO-1". */
function checkPurchaseOrder(site: Site, order: Doc): void {
  const number = text(order, 'po_no');
  if (number === '' || site.settings.repeatedPurchaseOrders) return;
  const other = all(site, 'Sales Order').find(
    (one) =>
      folded(one['po_no']) === folded(number) &&
      one['name'] !== order['name'] &&
      Number(one['docstatus']) < 2 &&
      one['customer'] === order['customer'],
  );
  if (other === undefined) return;
  const setting = "'Allow Multiple Sales Orders Against a Customer's Purchase Order'";
  const words = `Sales Order ${text(other, 'name')} already exists against Customer's Purchase Order ${number}`;
  refuse(`${words}. To allow multiple Sales Orders, Enable ${setting} in Selling Settings`);
}

/** selling_controller.py, and utilities/transaction_base.py, validate_uom_is_integer */
function checkItems(site: Site, order: Doc): void {
  for (const row of rows(order)) {
    const [index, code, quantity] = [text(row, 'idx'), text(row, 'item_code'), num(row, 'qty')];
    if (quantity.isZero()) refuse(`Row #${index}: Quantity for Item ${code} cannot be zero.`);
    const whole = find(site, 'UOM', row['uom'])?.['must_be_whole_number'] === 1;
    if (whole && !quantity.isInteger())
      refuse(
        `Row ${index}: Quantity (${quantity.toFixed()}) cannot be a fraction. To allow this, disable 'Must be Whole Number' in UOM ${text(row, 'uom')}.`,
        'UOMMustBeIntegerError',
      );
    const stocked = find(site, 'Item', code)?.['is_stock_item'] === 1;
    if (stocked && text(row, 'warehouse') === '')
      refuse(`Delivery warehouse required for stock item ${code}`, 'WarehouseRequired');
  }
}

/** taxes_and_totals.py. Amounts are rounded line by line. A rate of nothing is the rate of the price list. */
export function countTotals(order: Doc): void {
  const items = rows(order);
  for (const row of items) {
    row['qty'] = flt(row['qty'], QUANTITY).toNumber();
    row['price_list_rate'] = flt(row['price_list_rate'], MONEY).toNumber();
    const rate = flt(row['rate'], MONEY);
    row['rate'] = (rate.isZero() ? num(row, 'price_list_rate') : rate).toNumber();
    row['amount'] = flt(num(row, 'rate').times(num(row, 'qty')), MONEY).toNumber();
    row['net_amount'] = row['amount'];
    row['stock_uom_rate'] = flt(num(row, 'rate').dividedBy(num(row, 'conversion_factor')), MONEY).toNumber();
    row['stock_qty'] = num(row, 'qty').times(num(row, 'conversion_factor')).toNumber();
  }
  const total = items.reduce((sum, row) => sum.plus(num(row, 'amount')), new Decimal(0));
  const before = total.plus(countTaxes(order, total));
  order['total_qty'] = items.reduce((sum, row) => sum.plus(num(row, 'qty')), new Decimal(0)).toNumber();
  order['total'] = total.toNumber();
  order['discount_amount'] = flt(order['discount_amount'], MONEY).toNumber();
  const percent = num(order, 'additional_discount_percentage');
  if (!percent.isZero()) order['discount_amount'] = flt(before.times(percent).dividedBy(100), MONEY).toNumber();
  const net = distribute(order, total);
  const taxes = countTaxes(order, net);
  order['net_total'] = net.toNumber();
  order['total_taxes_and_charges'] = taxes.toNumber();
  order['grand_total'] = net.plus(taxes).toNumber();
  order['base_grand_total'] = order['grand_total'];
  // The dollar's smallest fraction is a cent, so rounding changes nothing (utils/data.py, round_based_on_smallest_currency_fraction).
  order['rounded_total'] = order['disable_rounded_total'] === 1 ? 0 : order['grand_total'];
  order['rounding_adjustment'] = 0;
}

/** Rows of the type "Actual" have the amount that was sent; others are a percentage of the net total. */
function countTaxes(order: Doc, net: Decimal): Decimal {
  let sum = new Decimal(0);
  for (const row of rows(order, 'taxes')) {
    const type = text(row, 'charge_type');
    if (type !== 'Actual' && type !== 'On Net Total') refuse(`Charge Type ${type} is not played here`);
    const amount =
      type === 'Actual' ? flt(row['tax_amount'], MONEY) : flt(net.times(num(row, 'rate')).dividedBy(100), MONEY);
    sum = sum.plus(amount);
    row['tax_amount'] = amount.toNumber();
    row['tax_amount_after_discount_amount'] = amount.toNumber();
    row['total'] = net.plus(sum).toNumber();
  }
  return sum;
}

/** taxes_and_totals.py, apply_discount_amount: a discount is taken off the net amounts of the lines, the last one by the rest. */
function distribute(order: Doc, total: Decimal): Decimal {
  const discount = num(order, 'discount_amount');
  if (discount.isZero()) return total;
  if (text(order, 'apply_discount_on') === '') refuse('Please select Apply Discount On');
  const items = rows(order);
  let left = discount;
  for (const [index, row] of items.entries()) {
    const share = total.isZero() ? new Decimal(0) : flt(discount.times(num(row, 'amount')).dividedBy(total), MONEY);
    const part = index === items.length - 1 ? left : share;
    left = left.minus(part);
    row['net_amount'] = num(row, 'amount').minus(part).toNumber();
  }
  return total.minus(discount);
}

/** status_updater.py, status_map. A document that is inserted as submitted keeps "Draft": set_status leaves new ones alone. */
export function setStatus(order: Doc, asked?: string): void {
  if (order['__islocal'] === 1) return;
  const [delivered, billed] = [num(order, 'per_delivered'), num(order, 'per_billed')];
  const status = asked ?? text(order, 'status');
  if (status === 'Closed' || status === 'On Hold') order['status'] = status;
  else if (order['docstatus'] === 2) order['status'] = 'Cancelled';
  else if (order['docstatus'] !== 1) order['status'] = 'Draft';
  else if (delivered.eq(100)) order['status'] = billed.eq(100) ? 'Completed' : 'To Bill';
  else order['status'] = billed.eq(100) ? 'To Deliver' : 'To Deliver and Bill';
}

/** document.py, check_no_back_links_exist */
function checkDeliveries(site: Site, order: Doc): void {
  const linked = all(site, 'Delivery Note Item').find(
    (row) => row['docstatus'] === 1 && row['against_sales_order'] === order['name'],
  );
  if (linked === undefined) return;
  refuse(
    `Cannot delete or cancel because Sales Order ${text(order, 'name')} is linked with Delivery Note ${text(linked, 'parent')}`,
    'LinkExistsError',
  );
}

/** sales_order.py, update_reserved_qty, with stock_balance.py, get_reserved_qty and update_bin_qty */
export function reserve(site: Site, order: Doc, at: Date, more: readonly Doc[] = []): void {
  const places = new Set(
    [...rows(order), ...more].map((row) => `${text(row, 'item_code')}\n${text(row, 'warehouse')}`),
  );
  for (const place of places) {
    const [item = '', warehouse = ''] = place.split('\n');
    const bin = binOf(site, item, warehouse, at);
    const reserved = reservedIn(site, item, warehouse).toNumber();
    if (bin['reserved_qty'] === reserved) continue;
    bin['reserved_qty'] = reserved;
    bin['projected_qty'] = num(bin, 'actual_qty').minus(reserved).toNumber();
    bin['modified'] = stamp(at);
  }
}

function reservedIn(site: Site, item: string, warehouse: string): Decimal {
  const orders = all(site, 'Sales Order').filter(
    (one) => one['docstatus'] === 1 && !['On Hold', 'Closed'].includes(text(one, 'status')),
  );
  return orders
    .flatMap((one) => rows(one))
    .filter((row) => row['item_code'] === item && row['warehouse'] === warehouse)
    .reduce((sum, row) => sum.plus(Decimal.max(0, num(row, 'qty').minus(num(row, 'delivered_qty')))), new Decimal(0));
}

/** stock/utils.py, get_bin: a place without a bin gets one. */
export function binOf(site: Site, item: string, warehouse: string, at: Date): Doc {
  const known = all(site, 'Bin').find((one) => one['item_code'] === item && one['warehouse'] === warehouse);
  if (known !== undefined) return known;
  const name = `bin${all(site, 'Bin').length + 1}`;
  const figures = { actual_qty: 0, reserved_qty: 0, projected_qty: 0 };
  const bin: Doc = { doctype: 'Bin', name, item_code: item, warehouse, ...figures, docstatus: 0 };
  bin['creation'] = stamp(at);
  bin['modified'] = stamp(at);
  put(site, bin);
  return bin;
}
