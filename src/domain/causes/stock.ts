import { unitCountText } from '../figure-text.ts';
import { goneText, type Witness } from '../gone.ts';
import { entriesOn, erp, invalidErpRow, marketplace, nobody, operator, orNull, withSharedParams } from './entry.ts';

export const STOCK_CODES = entriesOn('stock', {
  'stock-unknown': erp(
    ({ sku }) =>
      `The ERP shows no stock for SKU ${sku}. Its stock on the marketplace stays as it is: unknown stock is never written as zero`,
    'Let the ERP show the stock of this product, even if it is zero.',
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
    { sku: 'SB-0001', place: orNull<string>(null), problem: 'available is 7, but on hand − reserved is 8' },
  ),
  'stock-cases-unknown': operator(
    ({ sku }) => `The listing of SKU ${sku} counts cases, but the units per case are unknown`,
    'Give the product a unit_multiplier on either side, or set inventory.stock_in to units.',
    { sku: 'SB-0001' },
  ),
  oversold: operator(
    ({ sku, by, place }) =>
      `SKU ${sku} is oversold by ${unitCountText(by)}${place === null ? '' : ` at ${place}`}: more units are ordered than are in stock`,
    'Get more of the product, or cancel orders.',
    { sku: 'SB-0001', by: '5', place: orNull<string>(null) },
  ),
  'stock-not-kept': nobody(
    ({ listing, sku }) =>
      `Listing ${listing} (${sku}) has no stock figure of its own on the marketplace: its inventory is unlimited, or inherited. So the ERP's stock is not written, and buyers can order more than there is`,
    'Nothing to do if the listing may be sold without a limit: what is sold beyond the stock is reported as oversold. Otherwise set its inventory to managed on the marketplace.',
    { listing: 4711, sku: 'SB-0001' },
  ),
  'reserved-unexplained': nobody(
    ({ listing, sku, quantity }) =>
      `Listing ${listing} (${sku}) has ${unitCountText(quantity)} reserved that no known order explains. As many units are not offered to buyers`,
    'Nothing to do if the order appears soon. Otherwise ask the marketplace which order reserves them.',
    { listing: 4711, sku: 'SB-0001', quantity: '7' },
  ),
  'reserved-less': nobody(
    ({ listing, sku, quantity }) =>
      `Listing ${listing} (${sku}) has ${unitCountText(quantity)} less reserved than its known orders need. These units are not offered to buyers again`,
    'Nothing to do if the status of the orders changes soon. Otherwise check the orders of this listing on the marketplace.',
    { listing: 4711, sku: 'SB-0001', quantity: '2' },
  ),
  'product-paused': withSharedParams(
    ['reason'],
    operator(
      ({ reason }) => `The listing is not restored from the archive, because the flow product is paused: ${reason}`,
      'To continue: stockbridge resume product',
      { reason: 'stocktaking' },
    ),
  ),
  'erp-stock-unread': erp(
    ({ problem }) => `The ERP sells the product again, but has shown no stock of it since${because(problem)}`,
    'Let the ERP show the stock of this product: it is then listed.',
    { problem: orNull<string>(null) },
  ),
  'erp-orders-unread': withSharedParams(
    [],
    nobody(
      ({ problem }) =>
        `The stock is not increased yet, because the ERP's orders were read before its stock. An order that was cancelled in the ERP may still be open on the marketplace${because(problem)}`,
      "Nothing to do: the ERP's orders are read again within minutes.",
      { problem: orNull<string>(null) },
    ),
  ),
  'orders-unread': withSharedParams(
    [],
    nobody(
      ({ problem }) =>
        `The stock is not increased yet, because the marketplace's orders were read before the stock. A new order may have taken some of it${because(problem)}`,
      "Nothing to do: the marketplace's orders are read again within minutes.",
      { problem: orNull<string>(null) },
    ),
  ),
  'write-without-effect': operator(
    ({ target, after, before }) =>
      `The other side accepted the write of ${target} to ${after ?? 'nothing'}, but still shows ${before ?? 'nothing'}. The write is not repeated until something changes`,
    'Compare both sides: something may ignore the write or undo it. The write is retried when one of the values changes, and once a day.',
    {
      action: 'stock.write',
      target: 'listing 4711 (SB-0001) quantity',
      after: orNull('12'),
      before: orNull('10'),
      again: false,
    },
  ),
});

export const FACILITY_CODES = entriesOn('facility-stock', {
  'measurements-unread': withSharedParams(
    [],
    nobody(
      "The marketplace's stock by facility has not been read yet",
      'Nothing to do: it continues when the stock by facility has been read.',
    ),
  ),
  'measurements-invalid': marketplace(
    ({ listing, problem }) =>
      `The marketplace's stock by facility of listing ${listing} does not fit the documented shape: ${problem}`,
    'Report it to the marketplace.',
    { listing: 4711, problem: 'on_hand_quantity: expected a decimal' },
  ),
  'places-unmapped': withSharedParams(
    [],
    operator(
      ({ sku, places }) => `The ERP has stock of SKU ${sku} at ${places.join(', ')}, which is not in facilities.map`,
      'Add the location to facilities.map.',
      { sku: 'SB-0001', places: ['NORTH'] },
    ),
  ),
  'lots-without-batch': nobody(
    ({ sku, places }) =>
      `The ERP has stock of SKU ${sku} at ${places.join(', ')}, but the marketplace has no batch for it yet`,
    'Nothing to do if the flow batch-out creates it. If that flow holds the lot, resolve its cause. If the ERP does not list the lot, correct its list.',
    { sku: 'SB-0001', places: ['EAST batch LOT-7'] },
  ),
  'batches-unread': withSharedParams(
    [],
    nobody(
      'The batches of the marketplace have not been read yet',
      'Nothing to do: it continues when they have been read.',
    ),
  ),
  'lot-invalid': invalidErpRow('lot', 'batch: expected an id, in whole characters'),
  'batch-fields-problem': operator(
    ({ lot, problem }) => `Cannot compute the batch fields of lot ${lot}: ${problem}`,
    'Correct facilities.batches, or the lot in the ERP.',
    { lot: 'L-000007', problem: 'facilities.batches.fields.name: it is empty' },
  ),
  'batch-gone': operator(
    ({ lot, batch, ...gone }) => `Batch ${batch}, which is linked to lot ${lot}, is ${goneText(gone)}`,
    ({ batch }) =>
      `To have a new batch created for the lot, unlink this one: stockbridge map unlink batch --marketplace ${batch}`,
    {
      lot: 'L-000007',
      batch: 31,
      since: orNull('2026-11-02T10:00:00.000Z'),
      witness: orNull<Witness>('second-list'),
    },
  ),
  'batch-taken': operator(
    ({ lot, batch, other, key }) =>
      `Lots ${lot} and ${other} get the same batch name "${key}", and batch ${batch} of that name belongs to lot ${other}`,
    'Change facilities.batches.fields so that the names differ, for example by the product.',
    { lot: 'L-000007', batch: 31, other: 'L-000003', key: 'LOT-7' },
  ),
  'batch-several': operator(
    ({ lot, batches, key }) =>
      `Batches ${batches.join(', ')} all have the name "${key}", so it is unknown which one is lot ${lot}`,
    ({ lot }) => `Link one of them: stockbridge map link batch ID ${lot}`,
    { lot: 'L-000007', batches: [31, 32], key: 'LOT-7' },
  ),
  'unmapped-offer': operator(
    ({ listing, sku, quantity, place }) =>
      `Listing ${listing} offers ${unitCountText(quantity)} of SKU ${sku} at facility/batch ${place}. The ERP shows no stock for that location`,
    'Correct the stock on the marketplace, or add the location to facilities.map. Stockbridge does not change this stock.',
    { listing: 4711, sku: 'SB-0001', quantity: '3', place: '1/2' },
  ),
  'command-failed': marketplace(
    ({ said }) => `The marketplace twice failed to apply an inventory command: ${said}`,
    'Fix the cause that the marketplace reports. The command is sent again every ten minutes.',
    { said: 'command 17 is Failed (reason: locked)' },
  ),
});

function because(problem: string | null): string {
  return problem === null ? '' : ` (${problem})`;
}
