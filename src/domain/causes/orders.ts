import { on } from './entry.ts';

interface Line {
  /** On the marketplace its number, in the ERP its id. */
  order: string;
  /** On the marketplace its id, in the ERP its SKU. */
  line: string;
}

export const ORDER_CODES = on('orders', {
  'order-misfit': {
    turn: 'marketplace',
    text: ({ order, problem }: { order: string; problem: string }) =>
      `Order ${order} does not fit the documented shape: ${problem}`,
    next: 'Correct the order on the marketplace, or tell the marketplace.',
    example: { order: '9f1c0a52', problem: 'line_items[0].quantity: expected a decimal' },
  },
  'order-status-unknown': {
    turn: 'operator',
    text: ({ order, status }: { order: string; status: string }) =>
      `Order ${order} has the status "${status}", which is not known, so it holds no stock and is not exported`,
    next: 'Move the order to a documented status on the marketplace.',
    example: { order: '9f1c0a52', status: 'Parked' },
  },
  backorder: {
    turn: 'marketplace',
    text: ({ order }: { order: string }) =>
      `Order ${order} waits on backorder, so it holds no stock and is not exported`,
    next: 'Nothing to do here: it goes on when the order leaves the backorder on the marketplace.',
    example: { order: '9f1c0a52' },
  },
  'order-unread': {
    turn: 'nobody',
    text: ({ order }: { order: string }) => `The lines of order ${order} have not been read yet`,
    next: 'Nothing to do: the list of orders brings them.',
    example: { order: '9f1c0a52' },
  },
  'order-adopted-soon': {
    turn: 'nobody',
    text: ({ order, erpOrder }: { order: string; erpOrder: string }) =>
      `Order ${order} carries the id of ERP order ${erpOrder}, which is about to adopt it`,
    next: ({ erpOrder }) => `Nothing to do, unless ERP order ${erpOrder} is held itself.`,
    example: { order: '9f1c0a52', erpOrder: 'SO-17' },
  },
  'order-maybe-ours': {
    turn: 'nobody',
    text: ({ order, erpOrder }: { order: string; erpOrder: string }) =>
      `Order ${order} may be the one that is being created for ERP order ${erpOrder}, which has to be settled first`,
    next: ({ erpOrder }) =>
      `Nothing to do, unless the create of ERP order ${erpOrder} is in doubt: stockbridge jobs list`,
    example: { order: '9f1c0a52', erpOrder: 'SO-17' },
  },
  'erp-order-misfit': {
    turn: 'erp',
    text: ({ order, problem }: { order: string; problem: string }) =>
      `The ERP's order ${order} does not fit the contract: ${problem}`,
    next: "Correct the order in the ERP, or the ERP's answer.",
    example: { order: 'SO-17', problem: 'lines[0].quantity: expected a decimal' },
  },
  'several-erp-orders': {
    turn: 'erp',
    text: ({ order, erpOrders }: { order: string; erpOrders: string[] }) =>
      `${erpOrders.length} ERP orders carry the number of order ${order}: ${erpOrders.join(', ')}`,
    next: 'Cancel the wrong ones in the ERP.',
    example: { order: '9f1c0a52', erpOrders: ['SO-17', 'SO-18'] },
  },
  'erp-orders-beside': {
    turn: 'erp',
    text: ({ order, erpOrder, others }: { order: string; erpOrder: string; others: string[] }) =>
      `Order ${order} is linked to ERP order ${erpOrder}, and its number is carried by ${others.join(', ')} besides`,
    next: 'Cancel the wrong ones in the ERP: what the ERP has twice leaves its stock twice.',
    example: { order: '9f1c0a52', erpOrder: 'SO-17', others: ['SO-18 (reserved)'] },
  },
  'erp-order-gone': {
    turn: 'operator',
    text: ({ order }: { order: string }) => `Order ${order} is linked to an ERP order that the ERP does not show`,
    next: ({ order }) => `Restore it in the ERP, or unlink it: stockbridge map unlink order --marketplace ${order}`,
    example: { order: '9f1c0a52' },
  },
  'external-id-without-order': {
    turn: 'operator',
    text: ({ order, externalId }: { order: string; externalId: string }) =>
      `Order ${order} carries external_id ${externalId}, and the ERP has no order for it`,
    next: 'Clear the external_id on the marketplace, or restore the order in the ERP.',
    example: { order: '9f1c0a52', externalId: 'SO-17' },
  },
  'external-id-differs': {
    turn: 'operator',
    text: ({ order, externalId, erpOrder }: { order: string; externalId: string; erpOrder: string }) =>
      `Order ${order} carries external_id ${externalId} and is linked to ERP order ${erpOrder}, so one of them is wrong`,
    next: 'Correct the external_id on the marketplace, or link the right order with "stockbridge map link order".',
    example: { order: '9f1c0a52', externalId: 'SO-9', erpOrder: 'SO-17' },
  },
  'customer-unlinked': {
    turn: 'operator',
    text: ({ order, customer }: { order: string; customer: number | null }) =>
      customer === null
        ? `Order ${order} does not tell the id of its customer, so no ERP customer can be linked to it`
        : `Customer ${customer} of order ${order} is not linked to an ERP customer`,
    next: ({ customer }) => `Link the customer: stockbridge map link customer ${customer ?? 'ID'} ERP_ID`,
    example: { order: '9f1c0a52', customer: 815 },
  },
  'product-unlinked': {
    turn: 'operator',
    text: ({ order, line, product, sku }: Line & { product: number; sku: string | null }) =>
      `Marketplace product ${product}${sku === null ? '' : ` (SKU ${sku})`}, line ${line} of order ${order}, is not linked to an ERP product`,
    next: ({ product }) => `Link the product: stockbridge map link product ${product} --sku SKU`,
    example: { order: '9f1c0a52', line: '3', product: 4711, sku: 'SB-0001' },
  },
  'line-quantity': {
    turn: 'operator',
    text: ({ order, line, problem }: Line & { problem: string }) =>
      `The quantity of line ${line} of order ${order} ${problem}`,
    next: 'Correct the line, or the units per case of its product.',
    example: { order: '9f1c0a52', line: '3', problem: 'has more than 4 fractional digits (0.33333)' },
  },
  'line-cases-unknown': {
    turn: 'operator',
    text: ({ order, line }: Line) =>
      `The quantity of line ${line} of order ${order} is in cases, and the units per case are not known`,
    next: 'Give the product a unit_multiplier on either side, or set inventory.line_quantity_in to units.',
    example: { order: '9f1c0a52', line: '3' },
  },
  'line-multiplier': {
    turn: 'operator',
    text: ({ order, line, multiplier }: Line & { multiplier: string }) =>
      `The units per case of line ${line} of order ${order} are ${multiplier}, which is not above zero`,
    next: 'Correct the unit_multiplier of the product.',
    example: { order: '9f1c0a52', line: '3', multiplier: '0' },
  },
  'line-currency': {
    turn: 'operator',
    text: ({ order, line, shown, wanted }: Line & { shown: string; wanted: string }) =>
      `Line ${line} of order ${order} is priced in ${shown}, and the account's currency is ${wanted}`,
    next: 'Correct the price of the line on the marketplace.',
    example: { order: '9f1c0a52', line: '3', shown: 'CAD', wanted: 'USD' },
  },
  'line-price': {
    turn: 'erp',
    text: ({ order, line, price, negative }: Line & { price: string; negative: boolean }) =>
      `Line ${line} of ERP order ${order} costs ${price}, which ${negative ? 'is negative' : 'has more digits than the marketplace shows'}`,
    next: 'Correct the price in the ERP.',
    example: { order: 'SO-17', line: 'SB-0001', price: '1.005', negative: false },
  },
  'dead-but-shipped': {
    turn: 'operator',
    text: ({ order, status }: { order: string; status: string }) =>
      `Order ${order} is ${status} on the marketplace and shipped in the ERP`,
    next: 'Settle it by hand: get the goods back, or a new order.',
    example: { order: '9f1c0a52', status: 'Rejected' },
  },
  'erp-order-status-unknown': {
    turn: 'erp',
    text: ({ erpOrder, status }: { erpOrder: string; status: string }) =>
      `ERP order ${erpOrder} has the status "${status}", which is not in the contract`,
    next: 'Move the order to a status of the contract in the ERP.',
    example: { erpOrder: 'SO-17', status: 'parked' },
  },
  'statuses-apart': {
    turn: 'operator',
    text: ({ order, status, erpStatus }: { order: string; status: string; erpStatus: string }) =>
      `Order ${order} is ${status} on the marketplace and ${erpStatus} in the ERP`,
    next: 'Move the order on, on one of the two sides.',
    example: { order: '9f1c0a52', status: 'Backorder', erpStatus: 'shipped' },
  },
  'shipped-and-edited': {
    turn: 'operator',
    text: ({ order, erpOrder, lines }: { order: string; erpOrder: string; lines: string }) =>
      `Order ${order} was edited and its ERP order ${erpOrder} is shipped with other lines; the marketplace has ${lines}`,
    next: 'Settle the difference by hand: ship the rest, or correct the order on the marketplace.',
    example: { order: '9f1c0a52', erpOrder: 'SO-17', lines: '3 x SB-0001 at 12' },
  },
  'shipped-not-accepted': {
    turn: 'operator',
    text: ({ order }: { order: string }) =>
      `Order ${order} is shipped in the ERP and only Submitted on the marketplace`,
    next: 'Accept it on the marketplace, or name the action in marketplace.transitions.accept.',
    example: { order: '9f1c0a52' },
  },
  'cancelled-not-rejected': {
    turn: 'operator',
    text: ({ order, status }: { order: string; status: string }) =>
      `Order ${order} is cancelled in the ERP and ${status} on the marketplace`,
    next: 'Reject it on the marketplace, or name the action in marketplace.transitions.reject.',
    example: { order: '9f1c0a52', status: 'Accepted' },
  },
  'figure-differs': {
    turn: 'operator',
    text: ({
      order,
      figure,
      ours,
      theirs,
      by,
    }: {
      order: string;
      figure: string;
      ours: string;
      theirs: string;
      by: string;
    }) => `The ${figure} of order ${order} is ${ours} by the rules and ${theirs} on the marketplace (${by})`,
    next: 'Compare the order with its rules of tax and discount; the ERP gets the figure by the rules.',
    example: { order: '9f1c0a52', figure: 'total', ours: '36', theirs: '36.01', by: '0.01' },
  },
  'erp-money-differs': {
    turn: 'nobody',
    text: ({ erpOrder, ours, theirs }: { erpOrder: string; ours: string; theirs: string }) =>
      `ERP order ${erpOrder} shows ${theirs}, not ${ours}`,
    next: 'Nothing to do: the ERP is told, unless the order is shipped already.',
    example: {
      erpOrder: 'SO-17',
      ours: 'discount 1, shipping 0, tax 0, total 35',
      theirs: 'discount 0, shipping 0, tax 0, total 36',
    },
  },
  'erp-money-kept': {
    turn: 'erp',
    text: ({ erpOrder, ours, theirs }: { erpOrder: string; ours: string; theirs: string }) =>
      `ERP order ${erpOrder} keeps ${theirs}, and should show ${ours}`,
    next: 'Correct it in the ERP before it is shipped.',
    example: {
      erpOrder: 'SO-17',
      ours: 'discount 1, shipping 0, tax 0, total 35',
      theirs: 'discount 0, shipping 0, tax 0, total 36',
    },
  },
  'edited-on-marketplace': {
    turn: 'operator',
    text: ({ order, there, erp }: { order: string; there: string; erp: string }) =>
      `Order ${order} was made in the ERP and edited on the marketplace; there it has ${there}, in the ERP ${erp}`,
    next: 'Correct it on one of the two sides: the ERP owns an order that was made there.',
    example: { order: '9f1c0a52', there: '3 x SB-0001 at 12', erp: '2 x SB-0001 at 12' },
  },
  'charges-not-taken': {
    turn: 'operator',
    text: ({ erpOrder, erp, there }: { erpOrder: string; erp: string; there: string }) =>
      `ERP order ${erpOrder} has ${erp} and the marketplace shows ${there}, because a create takes neither of them`,
    next: 'Enter them on the marketplace by hand.',
    example: { erpOrder: 'SO-17', erp: 'shipping 5, tax 0', there: 'shipping 0, tax 0' },
  },
  'erp-order-currency': {
    turn: 'erp',
    text: ({ erpOrder, shown, wanted }: { erpOrder: string; shown: string; wanted: string }) =>
      `ERP order ${erpOrder} is in ${shown}, and the account's currency is ${wanted}`,
    next: 'Correct the currency of the order in the ERP.',
    example: { erpOrder: 'SO-17', shown: 'CAD', wanted: 'USD' },
  },
  'erp-order-customer-unknown': {
    turn: 'operator',
    text: ({ erpOrder }: { erpOrder: string }) =>
      `The customer of ERP order ${erpOrder} is not known on the marketplace`,
    next: 'Give the ERP customer a marketplace_id, or link the customer: stockbridge map link customer ID ERP_ID',
    example: { erpOrder: 'SO-17' },
  },
  'listing-archived': {
    turn: 'operator',
    text: ({ erpOrder, sku, listing }: { erpOrder: string; sku: string; listing: number }) =>
      `Listing ${listing} of SKU ${sku}, which ERP order ${erpOrder} has, is archived`,
    next: 'Sell the product again, or take the line out of the order in the ERP.',
    example: { erpOrder: 'SO-17', sku: 'SB-0001', listing: 4711 },
  },
  'sku-unlisted': {
    turn: 'operator',
    text: ({ erpOrder, sku }: { erpOrder: string; sku: string }) =>
      `SKU ${sku}, which ERP order ${erpOrder} has, is not listed on the marketplace`,
    next: 'List the product, or take the line out of the order in the ERP.',
    example: { erpOrder: 'SO-17', sku: 'SB-0001' },
  },
  'erp-order-empty': {
    turn: 'erp',
    text: ({ erpOrder }: { erpOrder: string }) => `ERP order ${erpOrder} has no lines`,
    next: 'Give the order a line in the ERP, or cancel it.',
    example: { erpOrder: 'SO-17' },
  },
});
