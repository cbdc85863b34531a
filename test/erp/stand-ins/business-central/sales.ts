import { randomUUID } from 'node:crypto';
import { Decimal } from '../../../../src/domain/decimal.ts';
import { ENTITIES, kept } from './entities.ts';
import { refuse } from './failures.ts';
import type { Row } from './odata.ts';

/*
 * Sales orders: page 30028 "APIV2 - Sales Orders" of microsoft/ALAppExtensions with codeunit "Graph Mgt - Sales Order Buffer", and the
 * tables Sales Header and Sales Line. A property is validated in the order in which it was sent, and the validation of a quantity
 * looks the price up.
 */

export interface State {
  readonly companies: Row[];
  readonly customers: Row[];
  readonly accounts: Row[];
  readonly items: Row[];
  readonly salesOrders: Row[];
  readonly salesOrderLines: Row[];
  readonly salesInvoices: Row[];
  readonly salesInvoiceLines: Row[];
  /** The orders that were deleted. Nothing shows them; the comparison of both sides knows them as cancelled. */
  readonly deleted: Row[];
  numbers: number;
  tags: number;
}

export interface Business {
  state: State;
}

export const BLANK = '00000000-0000-0000-0000-000000000000';
/** General Ledger Setup, Amount Rounding Precision and Unit-Amount Rounding Precision; a quantity has five decimals. */
export const AMOUNT = 2;
const FINE = 5;

export const num = (row: Row, name: string): Decimal => new Decimal(Number(row[name] ?? 0));
export const rounded = (value: Decimal, places: number): number =>
  value.toDecimalPlaces(places, Decimal.ROUND_HALF_UP).toNumber();

/** The record was written: it has a new tag, and the time of the writing. */
export function touch({ state }: Business, row: Row, at: Date): void {
  state.tags += 1;
  row['@odata.etag'] = `W/"JzIwO${Buffer.from(`${state.tags};1;00;`).toString('base64')}"`;
  row['lastModifiedDateTime'] = at.toISOString();
}

export function blank(set: string): Row {
  const empty: Readonly<Record<string, unknown>> = {
    guid: BLANK,
    decimal: 0,
    int: 0,
    bool: false,
    date: '0001-01-01',
    datetime: '0001-01-01T00:00:00Z',
  };
  const row = Object.fromEntries(
    Object.entries(ENTITIES[set] ?? {}).map(([name, { type }]) => [name, empty[type] ?? '']),
  );
  return { ...row, id: randomUUID() };
}

export function make(of: Business, set: 'companies' | 'customers' | 'accounts' | 'items', values: Row, at: Date): Row {
  const row = { ...blank(set), ...values };
  touch(of, row, at);
  of.state[set].push(row);
  return row;
}

export const linesOf = ({ state }: Business, order: Row): Row[] =>
  state.salesOrderLines.filter(({ documentId }) => documentId === order['id']);

export function byId(rows: readonly Row[], id: unknown): Row {
  const found = rows.find((row) => row['id'] === String(id).toLowerCase());
  return (
    found ??
    refuse(
      'Internal_RecordNotFound',
      `The record does not exist. Identification fields and values: Id='{${String(id)}}'`,
    )
  );
}

/** Sales Line, TestStatusOpen: a released order is reopened by hand before it changes. */
function checkOpen(order: Row): void {
  if (order['status'] === 'Draft') return;
  refuse(
    'Application_FieldValidationException',
    `Status must be equal to 'Open'  in Sales Header: Document Type=Order, No.=${String(order['number'])}. Current value is 'Released'.`,
  );
}

export function createOrder(of: Business, body: Row, at: Date): Row {
  const { salesOrderLines: lines = [], ...head } = body;
  const { state } = of;
  if (head['customerId'] === undefined && head['customerNumber'] === undefined)
    refuse('Application_DialogException', 'A "customerNumber" or a "customerId" must be provided.');
  state.numbers += 1;
  const order = blank('salesOrders');
  const today = at.toISOString().slice(0, 10);
  Object.assign(order, { number: `S-ORD${state.numbers}`, orderDate: today, postingDate: today, status: 'Draft' });
  Object.assign(order, { currencyCode: 'USD', partialShipping: true });
  state.salesOrders.push(order);
  setHead(of, order, head);
  // Deep insert: the order is inserted before its lines, and its discount applied (OnInsertRecord, UpdateDiscount).
  checkDiscount(of, order);
  for (const line of lines as Row[]) createLine(of, order, line, at);
  count(of, order, at);
  return order;
}

function setHead({ state }: Business, order: Row, sent: Row): void {
  for (const [name, value] of Object.entries(sent)) order[name] = kept('salesOrders', name, value);
  if (sent['customerId'] !== undefined || sent['customerNumber'] !== undefined) {
    const customer = state.customers.find(({ id, number }) =>
      sent['customerId'] === undefined ? number === order['customerNumber'] : id === sent['customerId'],
    );
    if (customer === undefined) refuse('Application_DialogException', 'The sell-to customer cannot be found.');
    Object.assign(order, {
      customerId: customer['id'],
      customerNumber: customer['number'],
      customerName: customer['displayName'],
    });
  }
  if (sent['currencyCode'] !== undefined && !['USD', 'EUR'].includes(String(order['currencyCode'])))
    refuse('Application_DialogException', 'The "currencyCode" does not match to a Currency.');
}

/** Codeunit 56 "Sales - Calc Discount By Type", ApplyInvDiscBasedOnAmt */
function checkDiscount(of: Business, order: Row): void {
  if (num(order, 'discountAmount').isZero() || linesOf(of, order).length > 0) return;
  refuse(
    'Application_DialogException',
    'Cannot apply an invoice discount because the document does not include lines where the Allow Invoice Disc. field is selected.',
  );
}

export function changeOrder(of: Business, order: Row, sent: Row, at: Date): void {
  if (order['status'] !== 'Draft') checkOpen(order);
  setHead(of, order, sent);
  checkDiscount(of, order);
  count(of, order, at);
}

export function createLine(of: Business, order: Row, sent: Row, at: Date): Row {
  checkOpen(order);
  const line = blank('salesOrderLines');
  const last = Math.max(0, ...linesOf(of, order).map(({ sequence }) => Number(sequence)));
  Object.assign(line, { documentId: order['id'], sequence: last + 10_000, lineType: 'Comment' });
  setLine(of, line, sent);
  of.state.salesOrderLines.push(line);
  touch(of, line, at);
  delete line['lastModifiedDateTime'];
  count(of, order, at);
  return line;
}

export function changeLine(of: Business, order: Row, line: Row, sent: Row, at: Date): void {
  checkOpen(order);
  setLine(of, line, sent);
  touch(of, line, at);
  delete line['lastModifiedDateTime'];
  count(of, order, at);
}

function setLine(of: Business, line: Row, sent: Row): void {
  for (const [name, value] of Object.entries(sent)) {
    if (name === 'documentId') continue;
    line[name] = kept('salesOrderLines', name, value);
    if (name === 'itemId' || name === 'lineObjectNumber' || name === 'accountId') chooseObject(of, line, name);
    if (name === 'quantity') chooseQuantity(of, line);
    if (name === 'unitPrice') line['unitPrice'] = rounded(num(line, 'unitPrice'), FINE);
  }
  countLine(line);
}

function chooseObject({ state }: Business, line: Row, name: string): void {
  if (name === 'itemId') line['lineType'] = 'Item';
  if (name === 'accountId') line['lineType'] = 'Account';
  const table = line['lineType'] === 'Account' ? 'accounts' : 'items';
  const found = state[table].find((row) =>
    name === 'lineObjectNumber' ? row['number'] === line[name] : row['id'] === line[name],
  );
  if (line['lineType'] === 'Comment') refuse('Application_DialogException', 'The "lineType" must be provided.');
  if (found === undefined && name !== 'lineObjectNumber')
    refuse(
      'Application_DialogException',
      `The "${name}" does not match to ${table === 'items' ? 'an Item' : 'an Account'}.`,
    );
  if (found === undefined)
    refuse(
      'Internal_InvalidTableRelation',
      `The field No. of table Sales Line contains a value (${String(line[name])}) that cannot be found in the related table (${table === 'items' ? 'Item' : 'G/L Account'}).`,
    );
  if (found['blocked'] === true)
    refuse(
      'Application_FieldValidationException',
      `Blocked must be equal to 'No'  in Item: No.=${String(found['number'])}. Current value is 'Yes'.`,
    );
  line[table === 'items' ? 'itemId' : 'accountId'] = found['id'];
  Object.assign(line, { lineObjectNumber: found['number'], description: found['displayName'] });
  if (table === 'items')
    Object.assign(line, { unitPrice: found['unitPrice'], unitOfMeasureCode: found['baseUnitOfMeasureCode'] });
}

/** Sales Line, Quantity, OnValidate: UpdateUnitPrice, and nothing below what has left. */
function chooseQuantity({ state }: Business, line: Row): void {
  line['quantity'] = rounded(num(line, 'quantity'), FINE);
  if (num(line, 'quantity').lt(num(line, 'shippedQuantity')))
    refuse('Application_FieldValidationException', `Quantity must not be less than Quantity Shipped in Sales Line.`);
  const item = state.items.find(({ id }) => id === line['itemId']);
  if (item !== undefined) line['unitPrice'] = item['unitPrice'];
  line['shipQuantity'] = num(line, 'quantity').minus(num(line, 'shippedQuantity')).toNumber();
}

function countLine(line: Row): void {
  const gross = num(line, 'quantity').times(num(line, 'unitPrice'));
  const amount = rounded(gross.minus(num(line, 'discountAmount')), AMOUNT);
  Object.assign(line, { amountExcludingTax: amount, amountIncludingTax: amount, netAmount: amount });
}

/** The totals, "fully shipped", and the stamp of the buffer that the API shows: every change of a line writes it. */
export function count(of: Business, order: Row, at: Date): void {
  const lines = linesOf(of, order);
  const sum = lines.reduce((total, line) => total.plus(num(line, 'amountExcludingTax')), new Decimal(0));
  const discount = Decimal.min(num(order, 'discountAmount'), sum);
  const total = sum.minus(discount).toNumber();
  const goods = lines.filter(({ lineType }) => lineType !== 'Comment');
  const shipped = goods.length > 0 && goods.every((line) => num(line, 'shippedQuantity').eq(num(line, 'quantity')));
  Object.assign(order, {
    discountAmount: discount.toNumber(),
    totalAmountExcludingTax: total,
    totalAmountIncludingTax: total,
  });
  order['fullyShipped'] = shipped;
  touch(of, order, at);
}

/** Sales Line, OnDelete: TestField("Qty. Shipped Not Invoiced", 0). */
function checkUnshipped(line: Row): void {
  if (num(line, 'shippedQuantity').eq(num(line, 'invoicedQuantity'))) return;
  refuse(
    'Application_FieldValidationException',
    `Qty. Shipped Not Invoiced must be equal to '0'  in Sales Line: Line No.=${String(line['sequence'])}. Current value is '${String(line['shippedQuantity'])}'.`,
  );
}

export function deleteLine(of: Business, order: Row, line: Row, at: Date): void {
  checkOpen(order);
  checkUnshipped(line);
  of.state.salesOrderLines.splice(of.state.salesOrderLines.indexOf(line), 1);
  count(of, order, at);
}

export function deleteOrder(of: Business, order: Row): void {
  const lines = linesOf(of, order);
  for (const line of lines) checkUnshipped(line);
  of.state.deleted.push(order);
  drop(of, order);
}

export function drop(of: Business, order: Row): void {
  for (const line of linesOf(of, order)) of.state.salesOrderLines.splice(of.state.salesOrderLines.indexOf(line), 1);
  of.state.salesOrders.splice(of.state.salesOrders.indexOf(order), 1);
}

/** Sales-Post with Ship: an order is released, and its units leave the inventory. */
export function ship(of: Business, order: Row, units: (line: Row) => number, at: Date): void {
  order['status'] = 'Open';
  for (const line of linesOf(of, order)) {
    const left = num(line, 'quantity').minus(num(line, 'shippedQuantity')).toNumber();
    const leaving = Math.min(left, units(line));
    const item = of.state.items.find(({ id }) => id === line['itemId']);
    if (leaving <= 0) continue;
    line['shippedQuantity'] = num(line, 'shippedQuantity').plus(leaving).toNumber();
    line['shipQuantity'] = left - leaving;
    // The inventory is a sum over entries: the item itself is not written.
    if (item !== undefined) item['inventory'] = num(item, 'inventory').minus(leaving).toNumber();
  }
  count(of, order, at);
}

/** A person reopens the order, and takes the quantities down to what was shipped. */
export function giveUpRest(of: Business, order: Row, at: Date): void {
  order['status'] = 'Draft';
  for (const line of linesOf(of, order)) {
    line['quantity'] = line['shippedQuantity'];
    countLine(line);
  }
  order['status'] = 'Open';
  count(of, order, at);
}
