import { goneText, type Witness } from '../gone.ts';
import { differing, erp, marketplace, nobody, on, operator, orNull, sharing } from './entry.ts';

/** Example parameters: marketplace order number and line id, ERP order id and SKU. */
const LINE = { order: '9f1c0a52', line: '3' };

export const ORDER_CODES = on('orders', {
  'order-invalid': marketplace(
    ({ order, problem }) => `Order ${order} does not fit the documented shape: ${problem}`,
    'Correct the order on the marketplace, or report it to the marketplace.',
    { order: '9f1c0a52', problem: 'line_items[0].quantity: expected a decimal' },
  ),
  'order-status-unknown': sharing(
    ['status'],
    operator(
      ({ order, status }) =>
        `Order ${order} has the status "${status}", which is not known, so it holds no stock and is not exported`,
      'If it is the word of this marketplace for a documented status, name it in marketplace.statuses. Otherwise move the order to a documented status on the marketplace.',
      { order: '9f1c0a52', status: 'Parked' },
    ),
  ),
  backorder: nobody(
    ({ order }) => `Order ${order} waits on backorder, so it holds no stock and is not exported`,
    'Nothing to do here: it goes on when the order leaves the backorder. orders.accept_backorders accepts it when its stock is there again.',
    { order: '9f1c0a52' },
  ),
  'order-unread': nobody(
    ({ order }) => `The lines of order ${order} have not been read yet`,
    'Nothing to do: the list of orders brings them.',
    { order: '9f1c0a52' },
  ),
  'order-adopted-soon': nobody(
    ({ order, erpOrder }) => `Order ${order} carries the id of ERP order ${erpOrder}, which is about to adopt it`,
    ({ erpOrder }) => `Nothing to do, unless ERP order ${erpOrder} is held itself.`,
    { order: '9f1c0a52', erpOrder: 'SO-17' },
  ),
  'order-maybe-ours': nobody(
    ({ order, erpOrder }) =>
      `Order ${order} may be the one that is being created for ERP order ${erpOrder}, which has to be settled first`,
    ({ erpOrder }) => `Nothing to do, unless the create of ERP order ${erpOrder} is in doubt: stockbridge jobs list`,
    { order: '9f1c0a52', erpOrder: 'SO-17' },
  ),
  'erp-order-invalid': erp(
    ({ order, problem }) => `The ERP's order ${order} does not fit the contract: ${problem}`,
    "Correct the order in the ERP, or the ERP's answer.",
    { order: 'SO-17', problem: 'lines[0].quantity: expected a decimal' },
  ),
  'cancelled-just-now': nobody(
    ({ order, erpOrder, at }) =>
      `ERP order ${erpOrder} of order ${order} was cancelled at ${at}, and a copy may be about to take its place`,
    'Nothing to do: without a copy, the order is rejected on the marketplace after orders.cancel_grace.',
    { order: '9f1c0a52', erpOrder: 'SO-17', at: '2026-07-01T09:30:00Z' },
  ),
  'erp-order-gone': operator(
    ({ order }) => `Order ${order} is linked to an ERP order that the ERP does not show`,
    ({ order }) => `Restore it in the ERP, or unlink it: stockbridge map unlink order --marketplace ${order}`,
    { order: '9f1c0a52' },
  ),
  'external-id-without-order': operator(
    ({ order, externalId }) => `Order ${order} carries external_id ${externalId}, and the ERP has no order for it`,
    'Clear the external_id on the marketplace, or restore the order in the ERP.',
    { order: '9f1c0a52', externalId: 'SO-17' },
  ),
  'external-id-differs': operator(
    ({ order, externalId, erpOrder }) =>
      `Order ${order} carries external_id ${externalId} and is linked to ERP order ${erpOrder}, so one of them is wrong`,
    'Correct the external_id on the marketplace, or link the right order with "stockbridge map link order".',
    { order: '9f1c0a52', externalId: 'SO-9', erpOrder: 'SO-17' },
  ),
  'order-customer-gone': operator(
    ({ order, customer, name, erpCustomer, ...gone }) =>
      `Order ${order} is from customer ${customer}${name === null ? '' : ` (${name})`}, and its ERP customer ${erpCustomer} is ${goneText(gone)}`,
    ({ customer }) =>
      `If another one has taken its place, link that: stockbridge map link customer ${customer} ERP_ID --replace. If not, unlink it: stockbridge map unlink customer --marketplace ${customer}`,
    {
      order: '9f1c0a52',
      customer: 815,
      name: orNull('Corner Shop'),
      erpCustomer: 'C-1003',
      since: orNull('2026-11-02T10:00:00.000Z'),
      witness: orNull<Witness>('second-list'),
    },
  ),
  'customer-unlinked': operator(
    ({ order, customer }) =>
      customer === null
        ? `Order ${order} does not show the id of its customer, so no ERP customer can be linked to it`
        : `Customer ${customer} of order ${order} is not linked to an ERP customer`,
    ({ customer }) => `Link the customer: stockbridge map link customer ${customer ?? 'ID'} ERP_ID`,
    { order: '9f1c0a52', customer: orNull(815) },
  ),
  'product-unlinked': operator(
    ({ order, line, product, sku }) =>
      `Marketplace product ${product}${sku === null ? '' : ` (SKU ${sku})`}, line ${line} of order ${order}, is not linked to an ERP product`,
    ({ product, sku }) =>
      `Link it to the ERP's product: stockbridge map link product ${product} --sku SKU. ${sku === null ? 'If it is gone from the marketplace, give the order a line with another listing there instead.' : `If the ERP does not have it yet, create it there with SKU ${sku}: it is linked by itself then.`}`,
    { ...LINE, product: 4711, sku: orNull('SB-0001') },
  ),
  'line-sku-taken': erp(
    ({ order, line, product, sku, by }) =>
      `The ERP gave SKU ${sku} to its product ${by}, while the product of marketplace product ${product} has it on record as well: line ${line} of order ${order} could bring other goods`,
    'Correct the SKUs in the ERP. If one of the two products is gone there, nothing is to be done: the next whole list of its products shows it.',
    { ...LINE, product: 4711, sku: 'SB-0001', by: 'P-000002' },
  ),
  'product-made-first': nobody(
    ({ order, line, product, sku }) =>
      `Marketplace product ${product} (SKU ${sku}), line ${line} of order ${order}, is made in the ERP before the order`,
    ({ product }) => `Nothing to do, unless product-in/${product} is held itself: "stockbridge jobs list" shows it.`,
    { ...LINE, product: 4711, sku: 'SB-0001' },
  ),
  'line-quantity': operator(
    ({ order, line, problem }) => `The quantity of line ${line} of order ${order} ${problem}`,
    'Correct the line, or the units per case of its product.',
    { ...LINE, problem: 'has more than 4 fractional digits (0.33333)' },
  ),
  'line-cases-unknown': operator(
    ({ order, line }) =>
      `The quantity of line ${line} of order ${order} is in cases, and the units per case are not known`,
    'Give the product a unit_multiplier on either side, or set inventory.line_quantity_in to units.',
    LINE,
  ),
  'line-multiplier': operator(
    ({ order, line, multiplier }) =>
      `The units per case of line ${line} of order ${order} are ${multiplier}, which is not above zero`,
    'Correct the unit_multiplier of the product.',
    { ...LINE, multiplier: '0' },
  ),
  'line-currency': sharing(
    ['shown'],
    operator(
      ({ order, line, shown, wanted }) =>
        `Line ${line} of order ${order} is priced in ${shown}, and the account's currency is ${wanted}`,
      'Correct the price of the line on the marketplace.',
      { ...LINE, shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'line-price': erp(
    ({ order, line, price, negative }) =>
      `Line ${line} of ERP order ${order} costs ${price}, which ${negative ? 'is negative' : 'has more digits than the marketplace shows'}`,
    'Correct the price in the ERP.',
    { order: 'SO-17', line: 'SB-0001', price: '1.005', negative: false },
  ),
  'line-price-terms': erp(
    ({ order, line, price, productPrice, countsCases }) =>
      `Line ${line} of ERP order ${order} costs ${price}, which is the price of a ${countsCases ? 'unit' : 'case'} for a product at ${productPrice}, and its lines count ${countsCases ? 'cases' : 'units'}`,
    'Correct the quantity and the price of the line in the ERP. If the price is meant, change it by a cent.',
    { order: 'SO-17', line: 'SB-0001', price: '120', productPrice: '10', countsCases: false },
  ),
  'erp-order-status-unknown': sharing(
    ['status'],
    erp(
      ({ erpOrder, status }) => `ERP order ${erpOrder} has the status "${status}", which is not in the contract`,
      'Move the order to a status of the contract in the ERP.',
      { erpOrder: 'SO-17', status: 'parked' },
    ),
  ),
  'nothing-left': erp(
    ({ order, erpOrder }) => `ERP order ${erpOrder} of order ${order} has no units left`,
    'Cancel the order in the ERP.',
    { order: '9f1c0a52', erpOrder: 'SO-17' },
  ),
  'order-deleted': operator(
    ({ order, erpOrder, erpStatus }) =>
      `Order ${order} is gone from the marketplace, and ERP order ${erpOrder} is ${erpStatus}`,
    'Cancel it in the ERP, unless the goods are to go out all the same.',
    { order: '9f1c0a52', erpOrder: 'SO-17', erpStatus: 'reserved' },
  ),
  'charges-not-taken': differing(
    operator(
      ({ erpOrder, erp: here, there }) => `ERP order ${erpOrder} has ${here} and the marketplace shows ${there}`,
      'Enter them on the marketplace by hand, or correct them in the ERP. Tax is never sent, and a charge only once.',
      { erpOrder: 'SO-17', erp: 'discount 0, shipping 5, tax 0', there: 'discount 0, shipping 0, tax 0' },
    ),
  ),
  'erp-order-currency': sharing(
    ['shown'],
    erp(
      ({ erpOrder, shown, wanted }) => `ERP order ${erpOrder} is in ${shown}, and the account's currency is ${wanted}`,
      'Correct the currency of the order in the ERP.',
      { erpOrder: 'SO-17', shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'erp-order-customer-unknown': operator(
    ({ erpOrder }) => `The customer of ERP order ${erpOrder} is not known on the marketplace`,
    'Give the ERP customer a marketplace_id, or link the customer: stockbridge map link customer ID ERP_ID',
    { erpOrder: 'SO-17' },
  ),
  'order-rule-problem': operator(
    ({ erpOrder, problem }) =>
      `Whether ERP order ${erpOrder} is to be entered on the marketplace cannot be told: ${problem}`,
    'Correct orders.from_erp.when, so that it is true or false for every order.',
    { erpOrder: 'SO-17', problem: 'Attempted to invoke a non-function' },
  ),
  'listing-archived': operator(
    ({ erpOrder, sku, listing }) =>
      `Listing ${listing} of SKU ${sku}, a line of ERP order ${erpOrder}, is taken off sale`,
    'Sell the product again, or take the line out of the order in the ERP.',
    { erpOrder: 'SO-17', sku: 'SB-0001', listing: 4711 },
  ),
  'sku-unlisted': operator(
    ({ erpOrder, sku }) => `SKU ${sku} of ERP order ${erpOrder} is not listed on the marketplace`,
    'List the product, or take the line out of the order in the ERP.',
    { erpOrder: 'SO-17', sku: 'SB-0001' },
  ),
  'erp-order-empty': erp(
    ({ erpOrder }) => `ERP order ${erpOrder} has no lines`,
    'Give the order a line in the ERP, or cancel it.',
    { erpOrder: 'SO-17' },
  ),
});
