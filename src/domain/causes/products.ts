import { type Likeness, MOST_ALIKE } from '../alike.ts';
import { goneText, type Witness } from '../gone.ts';
import { entriesOn, erp, invalidErpRow, marketplace, nobody, operator, orNull, withSharedParams } from './entry.ts';

interface Alike {
  readonly id: number | string;
  readonly sku: string | null;
  readonly by: readonly Likeness[];
}

interface AlikeProduct extends Alike {
  readonly id: string;
  readonly sku: string;
}

export const LIKENESS: Readonly<Record<Likeness, string>> = {
  'sku-spelling': 'the same SKU in another spelling',
  'sku-part': 'one SKU is a part of the other',
  barcode: 'the same barcode',
  name: 'the same name',
};

function likenessText(what: string, { id, sku, by }: Alike): string {
  return `${what} ${id} (${sku ?? 'no SKU'}: ${by.map((sign) => LIKENESS[sign]).join(', ')})`;
}

/** A sentence names at most this many similar products. */
const MOST_NAMED = 5;

function alikeText(what: string, found: readonly Alike[]): string {
  const named = found
    .slice(0, MOST_NAMED)
    .map((one) => likenessText(what, one))
    .join(', ');
  if (found.length === 1) return named;
  const count = found.length < MOST_ALIKE ? `${found.length} ${what}s` : `${MOST_ALIKE} ${what}s or more`;
  const more = found.length - MOST_NAMED;
  return `${count}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

export const PRODUCT_CODES = entriesOn('products', {
  'listings-unread': withSharedParams(
    [],
    nobody(
      "The marketplace's listings have not been read completely yet",
      'Nothing to do: it continues after the first read of all listings.',
    ),
  ),
  'names-unread': withSharedParams(
    [],
    nobody(
      "The marketplace's categories, brands and product lines have not been read yet",
      'Nothing to do: it continues when they have been read.',
    ),
  ),
  'erp-product-invalid': invalidErpRow('product', 'price.amount: expected a decimal'),
  'sku-twice': erp(
    ({ sku, count }) => `${count} products of the ERP have SKU ${sku}, so it is unknown which of them is sold`,
    'Give each product of the ERP its own SKU.',
    { sku: 'SB-0001', count: 2 },
  ),
  'product-missing-once': nobody(
    ({ sku }) => `SKU ${sku} was missing from a complete list of ERP products`,
    'Nothing to do: it counts as deleted if the next complete list lacks it too.',
    { sku: 'SB-0001' },
  ),
  'archive-off': withSharedParams(
    [],
    operator(
      ({ sku }) => `SKU ${sku} is not sold any more, but its listing stays, because products.archive is off`,
      'Archive the listing on the marketplace, or set products.archive to true.',
      { sku: 'SB-0001' },
    ),
  ),
  'listing-gone': operator(
    ({ listing, sku, ...gone }) => `Listing ${listing}, which is linked to SKU ${sku}, is ${goneText(gone)}`,
    ({ listing }) =>
      `To have a new listing created, set products.create to true and unlink the old one: stockbridge map unlink product --marketplace ${listing}. If the product is not to be sold there any more, deactivate it in the ERP.`,
    {
      listing: 4711,
      sku: 'SB-0001',
      since: orNull('2026-11-02T10:00:00.000Z'),
      witness: orNull<Witness>('own-get'),
    },
  ),
  'sku-reused': operator(
    ({ sku, product, name, listing, former }) =>
      `ERP product ${product} (${name}) now has SKU ${sku}. Listing ${listing}, which belongs to ERP product ${former}, has that SKU too, but another name. It is unknown whether they are the same product`,
    ({ product, listing }) =>
      `If they are the same, link them: stockbridge map link product ${listing} ${product} --replace. Otherwise archive listing ${listing} on the marketplace: a new listing is then created for the product.`,
    { sku: 'SB-0001', product: 'P-7', name: 'Wild Berry Gummies', listing: 4711, former: 'P-1' },
  ),
  'product-became-another': operator(
    ({ sku, product, name, listing, other }) =>
      `ERP product ${product}, which is linked to listing ${listing}, now has another name (${name}) and SKU ${sku}. That is the SKU of listing ${other}. It is unknown which product it is`,
    ({ product, listing, other }) =>
      `If it is the product of listing ${other}, link it: stockbridge map link product ${other} ${product} --replace. If it is still the product of listing ${listing}, give that listing the new name on the marketplace.`,
    { sku: 'SB-0002', product: 'P-1', name: 'Wild Berry Gummies', listing: 4711, other: 4712 },
  ),
  'listing-invalid': marketplace(
    ({ listing, problem }) => `Listing ${listing} does not fit the documented shape: ${problem}`,
    'Correct the listing on the marketplace, or report it to the marketplace.',
    { listing: 4711, problem: 'wholesale_price.amount: expected a decimal' },
  ),
  'archived-by-hand': operator(
    ({ listing, sku }) =>
      `Somebody archived listing ${listing} (${sku}) on the marketplace. Buyers cannot order it, and its stock is not written`,
    'Restore the listing on the marketplace, or deactivate the product in the ERP. To restore such listings automatically, set products.archived_by_hand to restore.',
    { listing: 4711, sku: 'SB-0001' },
  ),
  'comes-back-with-stock': nobody(
    ({ listing, sku }) => `Listing ${listing} (${sku}) is restored from the archive when its stock is written`,
    'Nothing to do here: if the listing stays archived, the flow stock of the same product says why.',
    { listing: 4711, sku: 'SB-0001' },
  ),
  'larger-case-waits': nobody(
    ({ listing, sku, units }) =>
      `Listing ${listing} (${sku}) will be sold in cases of ${units}. First its stock at the facilities has to be reduced`,
    'Nothing to do here: if that stock is not reduced, the flow facility-stock of the same product says why.',
    { listing: 4711, sku: 'SB-0001', units: '18' },
  ),
  'price-currency': withSharedParams(
    ['shown'],
    erp(
      ({ sku, shown, wanted }) =>
        `The price of SKU ${sku} in the ERP is in ${shown}, but the account's currency is ${wanted}`,
      "Correct the price in the ERP, or the account's currency in the configuration.",
      { sku: 'SB-0001', shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'name-missing': erp(
    ({ sku }) => `SKU ${sku} has no name in the ERP, and the marketplace requires one`,
    'Give the product a name in the ERP.',
    { sku: 'SB-0001' },
  ),
  'field-rewritten': withSharedParams(
    ['what'],
    nobody(
      ({ what, entity, sent, shown }) =>
        `The marketplace changes the ${what} that it is sent. Of ${entity}${sent === null || shown === null ? '' : `, it was sent ${sent} and shows ${shown}`}`,
      'Nothing to do: the value is not written again until one of the two sides changes. Each case is reported once; later see "stockbridge explain" or the journal. If the shown value is wrong, enter a value in the ERP that the marketplace stores unchanged.',
      {
        what: 'wholesale_price of a product',
        entity: 'P-17',
        sent: orNull('0.495'),
        shown: orNull('0.50'),
        /** Epoch milliseconds. */
        atMs: 1_900_000_000_000,
      },
    ),
  ),
  'price-too-small': erp(
    ({ sku, price }) =>
      `SKU ${sku} costs ${price} in the ERP. That is less than half a cent, so buyers would get it for nothing`,
    'Give the product a price of at least one cent in the ERP, or sell it in cases of more units.',
    { sku: 'SB-0001', price: '0.004 USD' },
  ),
  'price-shown-as-nothing': operator(
    ({ listing, sku, sent, shown }) =>
      `The price ${sent} was written to listing ${listing} (${sku}), but the marketplace shows ${shown}. Buyers get it for nothing`,
    'Enter a price in the ERP that the marketplace stores unchanged. Until then, archive the listing on the marketplace.',
    { listing: 4711, sku: 'SB-0001', sent: '0.40 USD', shown: '0.00 USD' },
  ),
  'listing-sku-empty': operator(
    ({ listing }) => `Listing ${listing} has no SKU, so its product cannot be created in the ERP`,
    'Give the listing a SKU on the marketplace.',
    { listing: 4711 },
  ),
  'listing-price-not-positive': operator(
    ({ listing, sku, price }) =>
      `The product of listing ${listing} (${sku}) is not created in the ERP, because its price on the marketplace is ${price}`,
    'Give the listing a price above zero on the marketplace, or create the product in the ERP by hand: it is then linked automatically.',
    { listing: 4711, sku: 'SB-0001', price: '0.00 USD' },
  ),
  'listing-multiplier': operator(
    ({ listing, sku, multiplier }) =>
      `The product of listing ${listing} (${sku}) is not created in the ERP, because its case has ${multiplier} units`,
    'Correct the unit_multiplier of the listing on the marketplace.',
    { listing: 4711, sku: 'SB-0001', multiplier: '0' },
  ),
  'price-not-positive': erp(
    ({ sku, price }) => `SKU ${sku} costs ${price} in the ERP, which is not above zero`,
    'Give the product a price above zero in the ERP.',
    { sku: 'SB-0001', price: '0.00 USD' },
  ),
  'listing-currency': withSharedParams(
    ['shown'],
    marketplace(
      ({ listing, sku, shown, wanted }) =>
        `The price of listing ${listing} (${sku}) is in ${shown}, but the account's currency is ${wanted}`,
      'Correct the currency of the listing on the marketplace.',
      { listing: 4711, sku: 'SB-0001', shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'field-problem': operator(
    ({ sku, problem }) => `Cannot compute a field of SKU ${sku}: ${problem}`,
    'Correct the product in the ERP, or the field in the section products of the configuration.',
    { sku: 'SB-0001', problem: 'products.category: the marketplace has no category "Flowr"' },
  ),
  'several-listings': operator(
    ({ sign, value, listings }) => `${listings.length} listings have ${sign} ${value}: ${listings.join(', ')}`,
    ({ sign, value }) =>
      `Link the right one, and archive the others: stockbridge map link product LISTING ${sign === 'SKU' ? `--sku ${value}` : value}`,
    { sign: 'SKU', value: 'SB-0001', listings: ['4711', '4712'] },
  ),
  'listing-of-another': operator(
    ({ listing, sku, externalId, product }) =>
      `Listing ${listing} has SKU ${sku} of ERP product ${product}, but the external_id ${externalId}`,
    ({ listing, product }) =>
      `If it belongs to this product, link it: stockbridge map link product ${listing} ${product}. Otherwise correct the SKU of one of them.`,
    { listing: 4711, sku: 'SB-0001', externalId: 'P-9', product: 'P-1' },
  ),
  'sku-still-listed': nobody(
    ({ sku, listing, product }) =>
      `SKU ${sku} cannot be listed yet, because listing ${listing} of ERP product ${product} still has it`,
    ({ product }) =>
      `Nothing to do if that listing gets the current SKU of ERP product ${product} soon. If that write is held, resolve its cause first: stockbridge jobs list`,
    { sku: 'SB-0001', listing: 4711, product: 'P-9' },
  ),
  'could-be-listed': operator(
    ({ sku, listings }) =>
      `SKU ${sku} is not listed yet, because it may be on the marketplace already as ${alikeText('listing', listings)}`,
    ({ product, listings }) =>
      `If it is the same product, link it: stockbridge map link product ${listings.length === 1 ? listings[0]?.id : 'LISTING'} ${product}. If not: stockbridge map suggest --refuse ${listings
        .slice(0, MOST_NAMED)
        .map(({ id }) => `${id}=${product}`)
        .join(' ')}`,
    {
      sku: 'SB-0001',
      product: 'P-1',
      listings: [{ id: 4711, sku: orNull('JRB-SB-0001'), by: ['sku-part'] as readonly Likeness[] }],
    },
  ),
  'could-be-known': operator(
    ({ listing, sku, products }) =>
      `The product of listing ${listing} (SKU ${sku}) is not created in the ERP yet, because it may be there already as ${alikeText('ERP product', products)}`,
    ({ listing, products }) =>
      `If it is the same product, link it: stockbridge map link product ${listing} ${products.length === 1 ? products[0]?.id : 'ERP_ID'}. If not: stockbridge map suggest --refuse ${products
        .slice(0, MOST_NAMED)
        .map(({ id }) => `${listing}=${id}`)
        .join(' ')}`,
    {
      listing: 4711,
      sku: 'SB-0001',
      products: [{ id: 'P-1', sku: 'JRB-SB-0001', by: ['sku-part'] }] as readonly AlikeProduct[],
    },
  ),
  'erp-has-sku': operator(
    ({ listing, sku, products }) =>
      `The ERP has product ${products.join(', ')} with SKU ${sku}, which is not linked to listing ${listing}`,
    ({ listing, products: [first] }) =>
      `Link it: stockbridge map link product ${listing} ${first}. To see why it is not linked automatically: stockbridge explain ${first}`,
    { listing: 4711, sku: 'SB-0001', products: ['P-1'] as readonly string[] },
  ),
  'ordered-and-archived': operator(
    ({ listing, sku }) =>
      `The product of listing ${listing} (SKU ${sku}) is not created in the ERP, because the listing is archived. A new ERP product would put it on sale again`,
    ({ listing }) =>
      `Create the product in the ERP by hand, and link it: stockbridge map link product ${listing} ERP_ID. Or restore the listing.`,
    { listing: 4711, sku: 'SB-0001' },
  ),
  'listing-set-back': withSharedParams(
    [],
    operator(
      ({ listing, sku, fields }) =>
        `Somebody changed listing ${listing} (SKU ${sku}) on the marketplace. The change was overwritten with the ERP's values: ${fields}`,
      'If the change was intended, make it in the ERP. To let the marketplace own a field, set products.fields: { FIELD: false }. This message disappears after a day.',
      { listing: 4711, sku: 'SB-0001', fields: 'name "New name" is "Old name" again' },
    ),
  ),
  'listed-beside': operator(
    ({ sku, listing, others, sold }) =>
      sold
        ? `SKU ${sku} is on sale more than once. Listing ${listing} is linked; price and stock of ${others.join(', ')} are not updated`
        : `SKU ${sku} is not sold any more, but listing ${others.join(', ')}, which is not linked, is still on sale`,
    ({ sku, others: [first], sold }) =>
      `Archive listing ${first} on the marketplace, or link it to its own product: stockbridge map link product ${first} ERP_ID${sold ? `. If it is the one to keep, move the link to it: stockbridge map link product ${first} --sku ${sku} --replace` : ''}`,
    { sku: 'SB-0001', listing: 4711, others: [4712], sold: true },
  ),
  'listed-by-hand-unknown': withSharedParams(
    [],
    operator(
      ({ sku, problem }) =>
        `SKU ${sku} is not listed, because it may have been listed by hand meanwhile and the listings cannot be read: ${problem}`,
      'Fix the cause. To test each permission: stockbridge doctor',
      { sku: 'SB-0001', problem: 'the marketplace answered products.list with 403' },
    ),
  ),
});

export const IMAGE_CODES = entriesOn('images', {
  'image-unfetched': erp(
    ({ image, failure }) => `Image ${image} ${failure}`,
    'Correct the address or the image in the ERP. The image is fetched again when the product changes, and once a day.',
    { image: 'https://cdn.example/sb-0001.png', failure: 'was answered with 404' },
  ),
  'image-kept': withSharedParams(
    [],
    operator(
      ({ image }) => `Image ${image} is not in the ERP any more, but products.images.remove is off`,
      'Delete the image on the marketplace, or set products.images.remove to true.',
      { image: 12 },
    ),
  ),
  'images-problem': operator(
    ({ sku, problem }) => `Cannot determine the images of SKU ${sku}: ${problem}`,
    'Correct the product in the ERP, or the expression in products.images.',
    { sku: 'SB-0001', problem: 'products.images: expected addresses' },
  ),
});
