import { goneText, type Witness } from '../gone.ts';
import { entriesOn, erp, marketplace, nobody, operator, orNull, withDifference, withSharedParams } from './entry.ts';

/** Example parameters: marketplace order number and line id, ERP order id and SKU. */
const LINE = { order: '9f1c0a52', line: '3' };

/** null: the order is not in the ERP. undefined: stored by an earlier version. */
const NOT_EXPORTED = null as string | null | undefined;

/** null: the ERP's product of this SKU is not linked to another listing. undefined: stored by an earlier version. */
const NOT_LINKED_ELSEWHERE = null as { readonly product: string; readonly listing: string } | null | undefined;

/** null: the ERP has no such order. undefined: stored by an earlier version. */
const NO_OTHER = null as string | null | undefined;

export const ORDER_CODES = entriesOn('orders', {
  'order-invalid': marketplace(
    ({ order, problem }) => `Order ${order} does not fit the documented shape: ${problem}`,
    'Correct the order on the marketplace, or report it to the marketplace.',
    { order: '9f1c0a52', problem: 'line_items[0].quantity: expected a decimal' },
  ),
  'order-status-unknown': withSharedParams(
    ['status'],
    operator(
      ({ order, status, erpOrder }) =>
        `Order ${order} has the unknown status "${status}". ${erpOrder == null ? 'It reserves no stock and is not exported' : `ERP order ${erpOrder}, to which it is linked, stays unchanged`}`,
      ({ erpOrder }) =>
        `If this marketplace uses it for a documented status, name it in marketplace.statuses. Otherwise set the order to a documented status on the marketplace.${erpOrder == null ? '' : ` If the order is over on the marketplace, for example because it was combined with another one, cancel ERP order ${erpOrder}.`}`,
      { order: '9f1c0a52', status: 'Parked', erpOrder: NOT_EXPORTED },
    ),
  ),
  backorder: nobody(
    ({ order }) => `Order ${order} is on backorder. It reserves no stock and is not exported`,
    'Nothing to do here: it continues when the status changes. With orders.accept_backorders, the order is accepted when its stock is available again.',
    { order: '9f1c0a52' },
  ),
  'order-unread': nobody(
    ({ order }) => `The lines of order ${order} have not been read yet`,
    'Nothing to do: they come with the list of orders.',
    { order: '9f1c0a52' },
  ),
  'order-adopted-soon': nobody(
    ({ order, erpOrder }) =>
      `Order ${order} has the id of ERP order ${erpOrder} as its external_id, and will be linked to it`,
    ({ erpOrder }) => `Nothing to do, unless ERP order ${erpOrder} is held itself.`,
    { order: '9f1c0a52', erpOrder: 'SO-17' },
  ),
  'order-maybe-ours': nobody(
    ({ order, erpOrder }) =>
      `Order ${order} may be the order that is being created for ERP order ${erpOrder}. It waits for the result of that create`,
    ({ erpOrder }) =>
      `Nothing to do, unless the result of the create for ERP order ${erpOrder} is unknown: stockbridge jobs list`,
    { order: '9f1c0a52', erpOrder: 'SO-17' },
  ),
  'erp-order-invalid': erp(
    ({ order, problem }) => `The ERP's order ${order} does not fit the contract: ${problem}`,
    "Correct the order in the ERP, or the ERP's answer.",
    { order: 'SO-17', problem: 'lines[0].quantity: expected a decimal' },
  ),
  'cancelled-just-now': nobody(
    ({ order, erpOrder, at }) =>
      `ERP order ${erpOrder} of order ${order} was cancelled at ${at}. An amended copy may replace it`,
    'Nothing to do: if no copy is created within orders.cancel_grace, the order is rejected on the marketplace.',
    { order: '9f1c0a52', erpOrder: 'SO-17', at: '2026-07-01T09:30:00Z' },
  ),
  'erp-order-gone': operator(
    ({ order }) => `Order ${order} is linked to an ERP order that is not in the ERP any more`,
    ({ order }) => `Restore the ERP order, or unlink it: stockbridge map unlink order --marketplace ${order}`,
    { order: '9f1c0a52' },
  ),
  'external-id-without-order': operator(
    ({ order, externalId, other }) =>
      other == null
        ? `Order ${order} has the external_id ${externalId}, but the ERP has no such order`
        : `Order ${order} has the external_id ${externalId}, but ERP order ${externalId} belongs to order ${other}`,
    ({ order, externalId, other }) =>
      other == null
        ? 'Clear the external_id on the marketplace, or restore the order in the ERP.'
        : `Clear the external_id of order ${order} on the marketplace: the order is then entered in the ERP. If ERP order ${externalId} was entered for order ${order} and not for ${other}, link it: stockbridge map link order ${order} ${externalId} --replace`,
    { order: '9f1c0a52', externalId: 'SO-17', other: NO_OTHER },
  ),
  'external-id-differs': operator(
    ({ order, externalId, erpOrder }) =>
      `Order ${order} has the external_id ${externalId}, but is linked to ERP order ${erpOrder}`,
    'Correct the external_id on the marketplace, or link the right order with "stockbridge map link order".',
    { order: '9f1c0a52', externalId: 'SO-9', erpOrder: 'SO-17' },
  ),
  'order-customer-gone': operator(
    ({ order, customer, name, erpCustomer, ...gone }) =>
      `ERP customer ${erpCustomer}, the customer of order ${order} (marketplace customer ${customer}${name === null ? '' : `, ${name}`}), is ${goneText(gone)}`,
    ({ customer }) =>
      `If another ERP customer has replaced it, link that one: stockbridge map link customer ${customer} ERP_ID --replace. If not, unlink it: stockbridge map unlink customer --marketplace ${customer}`,
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
        ? `Order ${order} has no customer id, so no ERP customer can be found for it`
        : `Customer ${customer} of order ${order} is not linked to an ERP customer`,
    ({ customer }) => `Link the customer: stockbridge map link customer ${customer ?? 'ID'} ERP_ID`,
    { order: '9f1c0a52', customer: orNull(815) },
  ),
  'customer-in-doubt': nobody(
    ({ order, customer, name }) =>
      `Order ${order} waits for its customer (${name}, marketplace customer ${customer}), who may be in the ERP already or not: the answer to the create was lost`,
    'Nothing to do here: it continues once you have decided about the customer, which is in doubt.',
    { order: '9f1c0a52', customer: 815, name: 'Corner Shop' },
  ),
  'products-unread': withSharedParams(
    [],
    nobody(
      'The products of the ERP have not been compared with the listings yet, so it is not known which of them the order means',
      'Nothing to do: it continues when both sides have been read to the end and compared.',
    ),
  ),
  'product-unlinked': operator(
    ({ order, line, product, sku, elsewhere }) =>
      `Marketplace product ${product}${sku === null ? '' : ` (SKU ${sku})`} in line ${line} of order ${order} is not linked to an ERP product${elsewhere == null ? '' : `. The ERP's product with this SKU, ${elsewhere.product}, is linked to listing ${elsewhere.listing}`}`,
    ({ product, sku, elsewhere }) =>
      elsewhere != null
        ? `If listing ${product} is the one to keep, move the link to it: stockbridge map link product ${product} ${elsewhere.product} --replace. If not, replace the line by one with listing ${elsewhere.listing}.`
        : `Link it to the ERP's product: stockbridge map link product ${product} --sku SKU. ${sku === null ? 'If it was deleted on the marketplace, replace the line by one with another listing.' : `If the ERP does not have it yet, create it there with SKU ${sku}: it is then linked automatically.`}`,
    { ...LINE, product: 4711, sku: orNull('SB-0001'), elsewhere: NOT_LINKED_ELSEWHERE },
  ),
  'line-sku-taken': erp(
    ({ order, line, product, sku, by }) =>
      `Two products of the ERP have SKU ${sku}: the one that is linked to marketplace product ${product}, and ${by}. Line ${line} of order ${order} could deliver the wrong goods`,
    'Correct the SKUs in the ERP. If one of the two products was deleted, there is nothing to do: the next complete list of products shows it.',
    { ...LINE, product: 4711, sku: 'SB-0001', by: 'P-000002' },
  ),
  'product-made-first': nobody(
    ({ order, line, product, sku }) =>
      `Marketplace product ${product} (SKU ${sku}) in line ${line} of order ${order} is created in the ERP before the order`,
    ({ product }) => `Nothing to do, unless product-in/${product} is held. To see it: stockbridge jobs list`,
    { ...LINE, product: 4711, sku: 'SB-0001' },
  ),
  'line-quantity': operator(
    ({ order, line, problem }) => `The quantity of line ${line} of order ${order} ${problem}`,
    'Correct the line, or the units per case of its product.',
    { ...LINE, problem: 'has more than 4 fractional digits (0.33333)' },
  ),
  'line-cases-unknown': operator(
    ({ order, line }) =>
      `Line ${line} of order ${order} counts cases, but the units per case of its product are unknown`,
    'Give the product a unit_multiplier on either side, or set inventory.line_quantity_in to units.',
    LINE,
  ),
  'line-multiplier': operator(
    ({ order, line, multiplier }) =>
      `The units per case of line ${line} of order ${order} are ${multiplier}, which is not above zero`,
    'Correct the unit_multiplier of the product.',
    { ...LINE, multiplier: '0' },
  ),
  'line-currency': withSharedParams(
    ['shown'],
    operator(
      ({ order, line, shown, wanted }) =>
        `The price of line ${line} of order ${order} is in ${shown}, but the account's currency is ${wanted}`,
      'Correct the price of the line on the marketplace.',
      { ...LINE, shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'line-price': erp(
    ({ order, line, price, negative }) =>
      `Line ${line} of ERP order ${order} costs ${price}, which ${negative ? 'is negative' : 'has more decimals than the marketplace supports'}`,
    'Correct the price in the ERP.',
    { order: 'SO-17', line: 'SB-0001', price: '1.005 USD', negative: false },
  ),
  'line-price-terms': erp(
    ({ order, line, price, productPrice, countsCases }) =>
      `Line ${line} of ERP order ${order} costs ${price}. That is the price of a ${countsCases ? 'unit' : 'case'} (the product costs ${productPrice}), but the line counts ${countsCases ? 'cases' : 'units'}`,
    'Correct the quantity and the price of the line in the ERP. If the price is right, change it by a cent.',
    { order: 'SO-17', line: 'SB-0001', price: '120.00 USD', productPrice: '10.00 USD', countsCases: false },
  ),
  'erp-order-status-unknown': withSharedParams(
    ['status'],
    erp(
      ({ erpOrder, status }) => `ERP order ${erpOrder} has the status "${status}", which is not in the contract`,
      'Set the order to a status of the contract in the ERP.',
      { erpOrder: 'SO-17', status: 'parked' },
    ),
  ),
  'nothing-left': operator(
    ({ order, erpOrder }) => `ERP order ${erpOrder} of order ${order} has no units left`,
    'Cancel the order in the ERP.',
    { order: '9f1c0a52', erpOrder: 'SO-17' },
  ),
  'order-deleted': operator(
    ({ order, erpOrder, erpStatus }) =>
      `Order ${order} was deleted on the marketplace, but ERP order ${erpOrder} is ${erpStatus}`,
    'Cancel it in the ERP, unless the goods are to be shipped anyway.',
    { order: '9f1c0a52', erpOrder: 'SO-17', erpStatus: 'reserved' },
  ),
  'charges-not-taken': withDifference(
    operator(
      ({ erpOrder, erp: here, there }) => `ERP order ${erpOrder} has ${here} and the marketplace shows ${there}`,
      'Enter the charges on the marketplace by hand, or correct them in the ERP. Stockbridge never sends tax, and sends each charge only once.',
      {
        erpOrder: 'SO-17',
        erp: 'discount 0.00 USD, shipping 5.00 USD, tax 0.00 USD',
        there: 'discount 0.00 USD, shipping 0.00 USD, tax 0.00 USD',
      },
    ),
  ),
  'erp-order-currency': withSharedParams(
    ['shown'],
    erp(
      ({ erpOrder, shown, wanted }) => `ERP order ${erpOrder} is in ${shown}, and the account's currency is ${wanted}`,
      'Correct the currency of the order in the ERP.',
      { erpOrder: 'SO-17', shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'erp-order-customer-unknown': operator(
    ({ erpOrder }) => `The customer of ERP order ${erpOrder} is not linked to a marketplace customer`,
    'Give the ERP customer a marketplace_id, or link the customer: stockbridge map link customer ID ERP_ID',
    { erpOrder: 'SO-17' },
  ),
  'order-rule-problem': operator(
    ({ erpOrder, problem }) =>
      `Cannot determine whether ERP order ${erpOrder} is to be created on the marketplace: ${problem}`,
    'Correct orders.from_erp.when, so that it is true or false for every order.',
    { erpOrder: 'SO-17', problem: 'Attempted to invoke a non-function' },
  ),
  'listing-archived': operator(
    ({ erpOrder, sku, listing }) => `Listing ${listing} of SKU ${sku}, a line of ERP order ${erpOrder}, is archived`,
    'Bring the listing back, or remove the line from the order in the ERP.',
    { erpOrder: 'SO-17', sku: 'SB-0001', listing: 4711 },
  ),
  'sku-unlisted': operator(
    ({ erpOrder, sku }) => `SKU ${sku} of ERP order ${erpOrder} is not listed on the marketplace`,
    'List the product, or remove the line from the order in the ERP.',
    { erpOrder: 'SO-17', sku: 'SB-0001' },
  ),
  'erp-order-empty': operator(
    ({ erpOrder }) => `ERP order ${erpOrder} has no lines`,
    'Give the order a line in the ERP, or cancel it.',
    { erpOrder: 'SO-17' },
  ),
});
