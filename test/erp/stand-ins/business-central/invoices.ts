import { Decimal } from '../../../../src/domain/decimal.ts';
import type { Row } from './odata.ts';
import { AMOUNT, BLANK, type Business, blank, drop, linesOf, num, rounded, touch } from './sales.ts';

/*
 * Posted invoices: codeunit 80 "Sales-Post" with Invoice, the tables Sales Invoice Header and Sales Invoice Line, and page 30012 "APIV2 -
 * Sales Invoices" of microsoft/ALAppExtensions.
 */

const SHARED = [
  'externalDocumentNumber',
  'customerId',
  'customerNumber',
  'customerName',
  'currencyCode',
  'postingDate',
] as const;
const OF_LINE = [
  'sequence',
  'itemId',
  'accountId',
  'lineType',
  'lineObjectNumber',
  'description',
  'unitPrice',
] as const;

const copied = (row: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]));

export const linesOfInvoice = ({ state }: Business, { id }: Row): Row[] =>
  state.salesInvoiceLines.filter(({ documentId }) => documentId === id);

/** The orders that were invoiced whole, by their invoices. */
export function invoicedWhole({ state }: Business): Row[][] {
  const present = new Set(state.salesOrders.map(({ number }) => number));
  const gone = state.salesInvoices.filter(({ orderNumber }) => !present.has(orderNumber));
  return [...Map.groupBy(gone, ({ orderNumber }) => orderNumber).values()];
}

/**
 * An invoice of everything that was shipped and not invoiced yet. Its lines keep the numbers that they have in the order. An order that is
 * shipped and invoiced whole is deleted. The pages do not say what `orderId` is afterwards, so it is blank.
 */
export function invoice(of: Business, order: Row, at: Date): void {
  const { state } = of;
  state.numbers += 1;
  const head = blank('salesInvoices');
  const number = { number: `PS-INV${state.numbers}`, orderId: BLANK, orderNumber: order['number'] };
  Object.assign(head, copied(order, SHARED), number, { invoiceDate: order['postingDate'], status: 'Open' });
  let sum = new Decimal(0);
  for (const line of linesOf(of, order)) {
    const quantity = num(line, 'shippedQuantity').minus(num(line, 'invoicedQuantity'));
    if (quantity.isZero()) continue;
    const amount = rounded(quantity.times(num(line, 'unitPrice')), AMOUNT);
    const own = { documentId: head['id'], quantity: quantity.toNumber(), amountExcludingTax: amount };
    const posted: Row = { ...blank('salesInvoiceLines'), ...copied(line, OF_LINE), ...own };
    touch(of, posted, at);
    delete posted['lastModifiedDateTime'];
    state.salesInvoiceLines.push(posted);
    line['invoicedQuantity'] = line['shippedQuantity'];
    sum = sum.plus(amount);
  }
  const total = sum.minus(discountOf(of, order, sum, head)).toNumber();
  Object.assign(head, { totalAmountExcludingTax: total, totalAmountIncludingTax: total });
  touch(of, head, at);
  state.salesInvoices.push(head);
  if (order['fullyShipped'] === true) drop(of, order);
}

/** The invoice discount is spread over the invoices of an order by their amounts; the last one has the rest. */
function discountOf({ state }: Business, order: Row, sum: Decimal, head: Row): Decimal {
  const whole = num(order, 'discountAmount');
  const before = state.salesInvoices
    .filter(({ orderNumber }) => orderNumber === order['number'])
    .reduce((taken, one) => taken.plus(num(one, 'discountAmount')), new Decimal(0));
  const all = num(order, 'totalAmountExcludingTax').plus(whole);
  const share = all.isZero() ? whole : whole.times(sum).dividedBy(all);
  const own = order['fullyShipped'] === true ? whole.minus(before) : new Decimal(rounded(share, AMOUNT));
  head['discountAmount'] = own.toNumber();
  return own;
}
