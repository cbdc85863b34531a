import { unitCountText } from '../figure-text.ts';
import { goneText, type Witness } from '../gone.ts';
import { erp, invalidErpRow, marketplace, nobody, on, operator, orNull, sharing } from './entry.ts';

export const STOCK_CODES = on('stock', {
  'stock-unknown': erp(
    ({ sku }) => `The ERP shows no stock for SKU ${sku}, and unknown stock is never written as zero`,
    'Have the ERP show the stock of this product, zero included.',
    { sku: 'SB-0001' },
  ),
  'stock-invalid': erp(
    ({ product, problem }) => `The ERP's stock of ${product} does not fit the contract: ${problem}`,
    "Correct the product's stock in the ERP, or the ERP's answer.",
    { product: 'SKU SB-0001', problem: 'on_hand: expected a decimal' },
  ),
  'stock-unusable': erp(
    ({ sku, place, problem }) =>
      `The ERP's stock of SKU ${sku}${place === null ? '' : ` at ${place}`} cannot be used: ${problem}`,
    "Correct the product's stock in the ERP.",
    { sku: 'SB-0001', place: orNull<string>(null), problem: 'available 7 is not on hand − reserved (8)' },
  ),
  'stock-cases-unknown': operator(
    ({ sku }) => `The stock of the listing of SKU ${sku} counts cases, and the units in a case are not known`,
    'Give the product a unit_multiplier on either side, or set inventory.stock_in to units.',
    { sku: 'SB-0001' },
  ),
  oversold: operator(
    ({ sku, by, place }) =>
      `SKU ${sku} is oversold by ${unitCountText(by)}${place === null ? '' : ` at ${place}`}: more is ordered than there is`,
    'Get more of the product, or cancel orders.',
    { sku: 'SB-0001', by: '5', place: orNull<string>(null) },
  ),
  'reserved-unexplained': nobody(
    ({ listing, sku, quantity }) =>
      `Listing ${listing} (${sku}) has ${unitCountText(quantity)} reserved that no known order explains, and as many units are kept back`,
    'Nothing to do if an order shows soon. Otherwise ask the marketplace which order reserves it.',
    { listing: 4711, sku: 'SB-0001', quantity: '7' },
  ),
  'reserved-less': nobody(
    ({ listing, sku, quantity }) =>
      `Listing ${listing} (${sku}) has ${unitCountText(quantity)} less reserved than its known orders need, and these units are not sold again`,
    'Nothing to do if the orders move on soon. Otherwise compare the orders of this listing on the marketplace.',
    { listing: 4711, sku: 'SB-0001', quantity: '2' },
  ),
  'product-paused': sharing(
    ['reason'],
    operator(
      ({ reason }) => `The listing is not brought back from the archive, because the flow product is paused: ${reason}`,
      'To let it go on: stockbridge resume product',
      { reason: 'stocktaking' },
    ),
  ),
  'erp-stock-unread': erp(
    ({ problem }) => `The ERP has shown no stock since it began to sell the product again${because(problem)}`,
    'Have the ERP show the stock of this product: it is listed then.',
    { problem: orNull<string>(null) },
  ),
  'erp-orders-unread': sharing(
    [],
    nobody(
      ({ problem }) =>
        `The stock is not raised before the ERP's orders are known as of its stock figure, because an order that the ERP cancelled may still be open on the marketplace${because(problem)}`,
      "Nothing to do: the ERP's orders are read again within minutes.",
      { problem: orNull<string>(null) },
    ),
  ),
  'orders-unread': sharing(
    [],
    nobody(
      ({ problem }) =>
        `The stock is not raised before the marketplace's orders are known as of the stock figure, because an order may have taken some of it${because(problem)}`,
      "Nothing to do: the marketplace's orders are read again within minutes.",
      { problem: orNull<string>(null) },
    ),
  ),
  'write-without-effect': operator(
    ({ target, after, before }) =>
      `A write of ${target} to ${after ?? 'nothing'} was accepted, and ${before ?? 'nothing'} is still shown. It is not repeated without news`,
    'Compare both sides: something there may ignore the write or set it back. It is tried again once when one of the values changes, and at the daily pass.',
    {
      action: 'stock.write',
      target: 'listing 4711 (SB-0001) quantity',
      after: orNull('12'),
      before: orNull('10'),
      again: false,
    },
  ),
});

export const FACILITY_CODES = on('facility-stock', {
  'measurements-unread': sharing(
    [],
    nobody(
      "The marketplace's stock by facility has not been read yet",
      'Nothing to do: it goes on when the stock by facility has been read.',
    ),
  ),
  'measurements-invalid': marketplace(
    ({ listing, problem }) =>
      `The marketplace's stock by facility of listing ${listing} does not fit the documented shape: ${problem}`,
    'Report it to the marketplace.',
    { listing: 4711, problem: 'on_hand_quantity: expected a decimal' },
  ),
  'places-unmapped': sharing(
    [],
    operator(
      ({ sku, places }) =>
        `The ERP has stock of SKU ${sku} at ${places.join(', ')}, and no entry of facilities.map names it`,
      'Name the place in facilities.map.',
      { sku: 'SB-0001', places: ['NORTH'] },
    ),
  ),
  'lots-without-batch': nobody(
    ({ sku, places }) =>
      `The ERP has stock of SKU ${sku} at ${places.join(', ')}, and the marketplace has no batch for it yet`,
    'Nothing to do once the flow batch-out has made it. If that holds the lot, or the ERP does not list it, mend that.',
    { sku: 'SB-0001', places: ['EAST batch LOT-7'] },
  ),
  'batches-unread': sharing(
    [],
    nobody(
      'The batches of the marketplace have not been read yet',
      'Nothing to do: it goes on when they have been read.',
    ),
  ),
  'lot-invalid': invalidErpRow('lot', 'batch: expected an id, in whole characters'),
  'batch-fields-problem': operator(
    ({ lot, problem }) => `The fields of a batch for lot ${lot} cannot be made: ${problem}`,
    'Correct facilities.batches, or the lot in the ERP.',
    { lot: 'L-000007', problem: 'facilities.batches.fields.name: it is empty' },
  ),
  'batch-gone': operator(
    ({ lot, batch, ...gone }) => `Batch ${batch}, which is linked to lot ${lot}, is ${goneText(gone)}`,
    ({ batch }) =>
      `Unlink it, and another one is made for the lot: stockbridge map unlink batch --marketplace ${batch}`,
    {
      lot: 'L-000007',
      batch: 31,
      since: orNull('2026-11-02T10:00:00.000Z'),
      witness: orNull<Witness>('second-list'),
    },
  ),
  'batch-taken': operator(
    ({ lot, batch, other, key }) =>
      `Lot ${lot} and lot ${other} are both "${key}", and batch ${batch} belongs to lot ${other}`,
    'Make facilities.batches.fields tell them apart, for example by the product.',
    { lot: 'L-000007', batch: 31, other: 'L-000003', key: 'LOT-7' },
  ),
  'batch-several': operator(
    ({ lot, batches, key }) => `Batches ${batches.join(', ')} are all "${key}", and lot ${lot} may be any of them`,
    ({ lot }) => `Link one of them: stockbridge map link batch ID ${lot}`,
    { lot: 'L-000007', batches: [31, 32], key: 'LOT-7' },
  ),
  'unmapped-offer': operator(
    ({ listing, sku, quantity, place }) =>
      `Listing ${listing} offers ${unitCountText(quantity)} of SKU ${sku} at facility/batch ${place}, of which the ERP says nothing`,
    'The stock there is left as it is: correct it on the marketplace, or map the place in facilities.map.',
    { listing: 4711, sku: 'SB-0001', quantity: '3', place: '1/2' },
  ),
  'command-failed': marketplace(
    ({ said }) => `The marketplace did not apply an inventory command, twice: ${said}`,
    'Mend the cause that the marketplace tells. The command is sent again every ten minutes.',
    { said: 'command 17 is Failed (reason: locked)' },
  ),
});

function because(problem: string | null): string {
  return problem === null ? '' : ` (${problem})`;
}
