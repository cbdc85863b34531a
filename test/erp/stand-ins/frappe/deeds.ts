import { DOCTYPES } from './doctypes.ts';
import { type Controllers, insert } from './documents.ts';
import { refuse } from './failures.ts';
import { binOf, countTotals, fillInRow, reserve, SALES_ORDER, setStatus } from './sales-order.ts';
import { type Doc, flt, load, num, rows, type Site, stamp, text } from './site.ts';

/* Deeds on sales orders beyond saving them: ERPNext's functions for the form, and what the delivery note does to its order. */

/** controllers/accounts_controller.py, update_child_qty_rate: "Update Items" of a submitted order. */
export function updateItems(site: Site, order: Doc, wanted: readonly Doc[], at: Date): void {
  const kept = new Set(wanted.map(({ docname }) => docname));
  const deleted = rows(order).filter(({ name }) => !kept.has(name));
  for (const row of deleted)
    if (!num(row, 'delivered_qty').isZero())
      refuse(`Row #${text(row, 'idx')}: Cannot delete item ${text(row, 'item_code')} which has already been delivered`);
  const changed = wanted.filter((one) => one['item_code'] !== undefined).map((one) => changedRow(site, order, one));
  if (changed.length === 0) refuse(`[Sales Order, ${text(order, 'name')}]: items`, 'MandatoryError');
  const left = rows(order).filter(({ name }) => kept.has(name));
  const added = changed.filter((row) => !left.includes(row));
  order['items'] = [...left, ...added];
  for (const [index, row] of rows(order).entries()) {
    Object.assign(row, { doctype: 'Sales Order Item', parent: order['name'], parenttype: 'Sales Order' });
    Object.assign(row, { parentfield: 'items', docstatus: 1, idx: index + 1, modified: stamp(at) });
  }
  countTotals(order);
  countDelivered(order);
  setStatus(order);
  order['modified'] = stamp(at);
  reserve(site, order, at, deleted);
}

function changedRow(site: Site, order: Doc, wanted: Doc): Doc {
  const row = rows(order).find(({ name }) => name === wanted['docname']) ?? newRow(site, order, wanted);
  if (flt(wanted['qty']).lt(num(row, 'delivered_qty'))) refuse('Cannot set quantity less than delivered quantity');
  row['qty'] = flt(wanted['qty']).toNumber();
  row['rate'] = flt(wanted['rate'], 2).toNumber();
  if (wanted['delivery_date'] !== undefined) row['delivery_date'] = wanted['delivery_date'];
  return row;
}

function newRow(site: Site, order: Doc, wanted: Doc): Doc {
  if (wanted['docname'] !== undefined && wanted['docname'] !== null && wanted['docname'] !== '')
    refuse(`Sales Order Item ${text(wanted, 'docname')} not found`, 'DoesNotExistError');
  const item = load(site, 'Item', text(wanted, 'item_code'));
  const row: Doc = { item_code: item['name'], delivered_qty: 0, billed_amt: 0, price_list_rate: 0 };
  // set_order_defaults asks for no price.
  row['name'] = `new${Math.random().toString(36).slice(2, 9)}`;
  fillInRow(site, { ...order, ignore_pricing_rule: 1 }, row);
  for (const [name, { type }] of Object.entries(DOCTYPES['Sales Order Item']?.fields ?? {}))
    row[name] ??= ['Float', 'Currency', 'Percent', 'Check'].includes(type) ? 0 : null;
  return row;
}

/** status_updater.py, _update_percent_field: rounded to six digits. */
function countDelivered(order: Doc): void {
  const total = rows(order).reduce((sum, row) => sum.plus(num(row, 'qty')), flt(0));
  const out = rows(order).reduce((sum, row) => sum.plus(num(row, 'delivered_qty')), flt(0));
  const percent = total.isZero() ? flt(0) : flt(out.dividedBy(total).times(100), 6);
  order['per_delivered'] = percent.toNumber();
  const word = percent.lt('0.001') ? 'Not' : percent.gte('99.999999') ? 'Fully' : 'Partly';
  order['delivery_status'] = `${word} Delivered`;
}

/** sales_order.py, update_status: closes an order, holds it, or takes it up again ("Draft"). */
export function updateStatus(site: Site, name: string, status: string, at: Date): void {
  const order = load(site, 'Sales Order', name);
  order['modified'] = stamp(at);
  setStatus(order, status);
  reserve(site, order, at);
}

/** Delivery notes take their units off the stock, and off what is reserved, when they are submitted. */
const DELIVERY_NOTE: Controllers[string] = {
  validate(_site, note) {
    note['status'] = 'Draft';
  },
  onSubmit(site, note, at) {
    for (const row of rows(note)) {
      const order = load(site, 'Sales Order', text(row, 'against_sales_order'));
      if (order['docstatus'] !== 1) refuse(`Sales Order ${text(order, 'name')} is not submitted`);
      const line = rows(order).find(({ name }) => name === row['so_detail']) as Doc;
      const delivered = num(line, 'delivered_qty').plus(num(row, 'qty'));
      if (delivered.gt(num(line, 'qty'))) refuse('This document is over limit', 'OverAllowanceError');
      line['delivered_qty'] = delivered.toNumber();
      line['modified'] = stamp(at);
      order['modified'] = stamp(at);
      countDelivered(order);
      setStatus(order);
      takeOff(site, row, at);
      reserve(site, order, at);
    }
  },
};

function takeOff(site: Site, row: Doc, at: Date): void {
  const bin = binOf(site, text(row, 'item_code'), text(row, 'warehouse'), at);
  const actual = num(bin, 'actual_qty').minus(num(row, 'qty'));
  if (actual.lt(0)) refuse(`${text(row, 'qty')} units of ${text(row, 'item_code')} needed`, 'NegativeStockError');
  bin['actual_qty'] = actual.toNumber();
  bin['projected_qty'] = actual.minus(num(bin, 'reserved_qty')).toNumber();
  bin['modified'] = stamp(at);
}

export const CONTROLLERS: Controllers = {
  'Sales Order': SALES_ORDER,
  'Delivery Note': DELIVERY_NOTE,
  Item: {
    validate(_site, item) {
      item['item_name'] ??= item['item_code'];
      item['is_stock_item'] ??= 1;
      item['is_sales_item'] ??= 1;
    },
  },
};

/** sales_order.py, make_delivery_note, and its submission: at most `units` of each line. */
export function deliver(site: Site, order: Doc, units: (line: Doc) => number, at: Date): void {
  const open = rows(order).flatMap((line) => {
    const left = num(line, 'qty').minus(num(line, 'delivered_qty')).toNumber();
    const quantity = Math.min(left, units(line));
    if (quantity <= 0) return [];
    const { item_code: item, warehouse } = line;
    return [{ item_code: item, warehouse, qty: quantity, against_sales_order: order['name'], so_detail: line['name'] }];
  });
  if (open.length === 0) return;
  const note = { customer: order['customer'], company: order['company'], items: open, docstatus: 1 };
  insert(site, CONTROLLERS, 'Delivery Note', note, at);
}
