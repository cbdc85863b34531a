import { on } from './entry.ts';

export const STOCK_CODES = on('stock', {
  'stock-unknown': {
    turn: 'erp',
    text: ({ sku }: { sku: string }) =>
      `The ERP tells no stock of SKU ${sku}, and unknown stock is never written as zero`,
    next: 'Have the ERP tell the stock of this product, zero included.',
    example: { sku: 'SB-0001' },
  },
  'stock-misfit': {
    turn: 'erp',
    text: ({ product, problem }: { product: string; problem: string }) =>
      `The ERP's stock of ${product} does not fit the contract: ${problem}`,
    next: "Correct the product's stock in the ERP, or the ERP's answer.",
    example: { product: 'SKU SB-0001', problem: 'on_hand: expected a decimal' },
  },
  'stock-unusable': {
    turn: 'erp',
    text: ({ sku, place, problem }: { sku: string; place: string | null; problem: string }) =>
      `The ERP's stock of SKU ${sku}${place === null ? '' : ` at ${place}`} cannot be used: ${problem}`,
    next: "Correct the product's stock in the ERP.",
    example: { sku: 'SB-0001', place: null, problem: 'available 7 is not on hand − reserved (8)' },
  },
  oversold: {
    turn: 'operator',
    text: ({ sku, by, place }: { sku: string; by: string; place: string | null }) =>
      `SKU ${sku} is oversold by ${by}${place === null ? '' : ` at ${place}`}, so buyers can take none`,
    next: 'Get more of the product, or cancel orders.',
    example: { sku: 'SB-0001', by: '5', place: null },
  },
  'reserved-unexplained': {
    turn: 'nobody',
    text: ({ listing, sku, quantity }: { listing: number; sku: string; quantity: string }) =>
      `Listing ${listing} (${sku}) has ${quantity} reserved that no known order explains, and so much is kept back`,
    next: 'Nothing to do if an order shows soon. Otherwise ask the marketplace which order reserves it.',
    example: { listing: 4711, sku: 'SB-0001', quantity: '7' },
  },
  'reserved-less': {
    turn: 'nobody',
    text: ({ listing, sku, quantity }: { listing: number; sku: string; quantity: string }) =>
      `Listing ${listing} (${sku}) has ${quantity} less reserved than its known orders, which is not sold again`,
    next: 'Nothing to do if the orders move on soon. Otherwise compare the orders of this listing on the marketplace.',
    example: { listing: 4711, sku: 'SB-0001', quantity: '2' },
  },
  'product-paused': {
    turn: 'operator',
    text: ({ reason }: { reason: string }) =>
      `The listing is not brought back from the archive, because the flow product is paused: ${reason}`,
    next: 'When it may go on: stockbridge resume product',
    example: { reason: 'stocktaking' },
  },
  'erp-stock-unread': {
    turn: 'erp',
    text: ({ problem }: { problem: string | null }) =>
      `The ERP has not told the stock since it sells the product again${because(problem)}`,
    next: 'Nothing to do if the ERP tells its stock soon: the product is listed then.',
    example: { problem: null },
  },
  'erp-orders-unread': {
    turn: 'nobody',
    text: ({ problem }: { problem: string | null }) =>
      `No more is offered before the ERP's orders are known as of its stock figure, because an order that it cancelled may be open on the marketplace${because(problem)}`,
    next: "Nothing to do: the ERP's orders are read again within minutes.",
    example: { problem: null },
  },
  'orders-unread': {
    turn: 'nobody',
    text: ({ problem }: { problem: string | null }) =>
      `No more is offered before the marketplace's orders are known as of the stock figure, because one may have taken some of it${because(problem)}`,
    next: "Nothing to do: the marketplace's orders are read again within minutes.",
    example: { problem: null },
  },
  'write-without-effect': {
    turn: 'operator',
    text: ({ target, after, before }: { target: string; after: string | null; before: string | null }) =>
      `A write set ${target} to ${after}, and ${before} is still shown`,
    next: 'Compare both sides: something there may set it back, or the answer hides the change.',
    example: { target: 'listing 4711 (SB-0001) quantity', after: '12', before: '10' },
  },
});

export const FACILITY_CODES = on('facility-stock', {
  'measurements-unread': {
    turn: 'nobody',
    text: () => "The marketplace's stock by facility has not been read yet",
    next: 'Nothing to do: it goes on when the stock by facility has been read.',
    example: {},
  },
  'measurements-misfit': {
    turn: 'marketplace',
    text: ({ listing, problem }: { listing: number; problem: string }) =>
      `The marketplace's stock by facility of listing ${listing} does not fit the documented shape: ${problem}`,
    next: 'Tell the marketplace.',
    example: { listing: 4711, problem: 'on_hand_quantity: expected a decimal' },
  },
  'places-unmapped': {
    turn: 'operator',
    text: ({ sku, places }: { sku: string; places: string[] }) =>
      `The ERP has stock of SKU ${sku} at ${places.join(', ')}, and no entry of facilities.map names it`,
    next: 'Name the place in facilities.map.',
    example: { sku: 'SB-0001', places: ['NORTH'] },
  },
  'unmapped-offer': {
    turn: 'operator',
    text: ({ listing, sku, quantity, place }: { listing: number; sku: string; quantity: string; place: string }) =>
      `Listing ${listing} offers ${quantity} of SKU ${sku} at facility/batch ${place}, of which the ERP says nothing`,
    next: 'The stock there is left as it is: correct it on the marketplace, or map the place in facilities.map.',
    example: { listing: 4711, sku: 'SB-0001', quantity: '3', place: '1/2' },
  },
  'command-failed': {
    turn: 'marketplace',
    text: ({ said }: { said: string }) => `The marketplace did not apply an inventory command: ${said}`,
    next: 'The command is sent again after ten minutes. If that one fails as well, mend the cause that the marketplace tells.',
    example: { said: 'command 17 is Failed (reason: locked)' },
  },
});

function because(problem: string | null): string {
  return problem === null ? '' : ` (${problem})`;
}
