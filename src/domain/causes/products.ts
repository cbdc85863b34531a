import { type Likeness, MOST_ALIKE } from '../alike.ts';
import { goneText, type Witness } from '../gone.ts';
import { erp, invalidErpRow, marketplace, nobody, on, operator, orNull, sharing } from './entry.ts';

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

/** The most similar products that a sentence names. */
const MOST_NAMED = 5;

function alikeText(what: string, found: readonly Alike[]): string {
  const named = found
    .slice(0, MOST_NAMED)
    .map((one) => likenessText(what, one))
    .join(', ');
  if (found.length === 1) return named;
  const count = found.length < MOST_ALIKE ? `${found.length} ${what}s` : `${MOST_ALIKE} ${what}s or more`;
  const more = found.length - MOST_NAMED;
  return `${count} may be it: ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

export const PRODUCT_CODES = on('products', {
  'listings-unread': sharing(
    [],
    nobody(
      "The marketplace's listings are not completely read yet",
      'Nothing to do: it goes on when the first read of all listings has ended.',
    ),
  ),
  'names-unread': sharing(
    [],
    nobody(
      "The marketplace's lists of names are not read yet",
      'Nothing to do: it goes on when categories, brands and product lines have been read.',
    ),
  ),
  'erp-product-invalid': invalidErpRow('product', 'price.amount: expected a decimal'),
  'sku-twice': erp(
    ({ sku, count }) => `SKU ${sku} stands ${count} times in the ERP, so nobody can tell which product is sold`,
    'Give each product of the ERP an SKU of its own.',
    { sku: 'SB-0001', count: 2 },
  ),
  'product-missing-once': nobody(
    ({ sku }) => `SKU ${sku} was absent from one complete listing of the ERP`,
    'Nothing to do: the next complete listing decides.',
    { sku: 'SB-0001' },
  ),
  'archive-off': sharing(
    [],
    operator(
      ({ sku }) => `SKU ${sku} is not sold any more, and products.archive is off`,
      'Archive the listing on the marketplace, or set products.archive to true.',
      { sku: 'SB-0001' },
    ),
  ),
  'listing-gone': operator(
    ({ listing, sku, ...gone }) => `Listing ${listing}, which is linked to SKU ${sku}, is ${goneText(gone)}`,
    ({ listing }) =>
      `To have it listed again, unlink it, and a new listing is created where products.create is on: stockbridge map unlink product --marketplace ${listing}. If the product is not to be sold there any more, deactivate it in the ERP.`,
    {
      listing: 4711,
      sku: 'SB-0001',
      since: orNull('2026-11-02T10:00:00.000Z'),
      witness: orNull<Witness>('own-get'),
    },
  ),
  'sku-reused': operator(
    ({ sku, product, name, listing, former }) =>
      `SKU ${sku} is that of ERP product ${product} (${name}) now, and listing ${listing} of ERP product ${former} has another name: nobody can tell whether it is the same product`,
    ({ product, listing }) =>
      `If it is the same, link it: stockbridge map link product ${listing} ${product} --replace. Otherwise archive listing ${listing} on the marketplace, and the product is listed anew.`,
    { sku: 'SB-0001', product: 'P-7', name: 'Wild Berry Gummies', listing: 4711, former: 'P-1' },
  ),
  'product-became-another': operator(
    ({ sku, product, name, listing, other }) =>
      `ERP product ${product} of listing ${listing} has another name now (${name}) and SKU ${sku}, which is that of listing ${other}: nobody can tell which product it is`,
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
      `Listing ${listing} (${sku}) was archived on the marketplace, not by us: buyers can take none, and its stock is not written`,
    'Restore the listing on the marketplace, or deactivate the product in the ERP. To have such listings brought back, set products.archived_by_hand to restore.',
    { listing: 4711, sku: 'SB-0001' },
  ),
  'comes-back-with-stock': nobody(
    ({ listing, sku }) => `Listing ${listing} (${sku}) comes back from the archive with its stock`,
    'Nothing to do here: if something keeps the listing back, the flow stock of the same product says what.',
    { listing: 4711, sku: 'SB-0001' },
  ),
  'larger-case-waits': nobody(
    ({ listing, sku, units }) =>
      `Listing ${listing} (${sku}) is sold in cases of ${units} as soon as the stock at its facilities has gone down`,
    'Nothing to do here: if something keeps that stock as it is, the flow facility-stock of the same product says what.',
    { listing: 4711, sku: 'SB-0001', units: '18' },
  ),
  'price-currency': sharing(
    ['shown'],
    erp(
      ({ sku, shown, wanted }) =>
        `SKU ${sku} is priced in ${shown} in the ERP, and the account's currency is ${wanted}`,
      "Correct the price in the ERP, or the account's currency in the configuration.",
      { sku: 'SB-0001', shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'name-missing': erp(
    ({ sku }) => `SKU ${sku} has no name in the ERP, and the marketplace takes no listing without one`,
    'Give the product a name in the ERP.',
    { sku: 'SB-0001' },
  ),
  'field-rewritten': sharing(
    ['what'],
    nobody(
      ({ what, entity, sent, shown }) =>
        `The marketplace keeps the ${what} otherwise than it is sent: of ${entity}${sent === null || shown === null ? '' : `, it was sent ${sent} and shows ${shown}`}`,
      'Nothing to do: it is not written again while both stay as they are. Each case is told once, and "stockbridge explain" and the journal keep it. If the shown value is wrong, change it in the ERP to one that the marketplace keeps.',
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
      `SKU ${sku} costs ${price} in the ERP, which is less than half a cent: buyers would get it for nothing`,
    'Give the product a price of a cent at least in the ERP, or sell more units in one.',
    { sku: 'SB-0001', price: '0.004' },
  ),
  'price-shown-as-nothing': operator(
    ({ listing, sku, sent, shown }) =>
      `Listing ${listing} (${sku}) was sent the price ${sent} and shows ${shown}, so buyers get it for nothing`,
    'Give the product a price in the ERP that the marketplace keeps. Until then, archive the listing on the marketplace.',
    { listing: 4711, sku: 'SB-0001', sent: '0.4', shown: '0' },
  ),
  'listing-sku-empty': operator(
    ({ listing }) => `Listing ${listing} has no SKU, so its product cannot be made in the ERP`,
    'Give the listing a SKU on the marketplace.',
    { listing: 4711 },
  ),
  'listing-price-not-positive': operator(
    ({ listing, sku, price }) =>
      `Listing ${listing} (${sku}) costs ${price} on the marketplace, so its product is not made in the ERP`,
    'Give the listing a price above zero on the marketplace, or make the product in the ERP by hand: it is linked by itself.',
    { listing: 4711, sku: 'SB-0001', price: '0' },
  ),
  'listing-multiplier': operator(
    ({ listing, sku, multiplier }) =>
      `Listing ${listing} (${sku}) has ${multiplier} units in a case, so its product is not made in the ERP`,
    'Correct the unit_multiplier of the listing on the marketplace.',
    { listing: 4711, sku: 'SB-0001', multiplier: '0' },
  ),
  'price-not-positive': erp(
    ({ sku, price }) => `SKU ${sku} costs ${price} in the ERP, which is not above zero`,
    'Give the product a price above zero in the ERP.',
    { sku: 'SB-0001', price: '0' },
  ),
  'listing-currency': sharing(
    ['shown'],
    marketplace(
      ({ listing, sku, shown, wanted }) =>
        `Listing ${listing} (${sku}) is priced in ${shown}, and the account's currency is ${wanted}`,
      'Correct the currency of the listing on the marketplace.',
      { listing: 4711, sku: 'SB-0001', shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'field-problem': operator(
    ({ sku, problem }) => `A field of SKU ${sku} cannot be made: ${problem}`,
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
      `Listing ${listing} has SKU ${sku} and belongs to external id ${externalId}, not to ERP product ${product}`,
    ({ listing, product }) =>
      `If it belongs to this product, link it: stockbridge map link product ${listing} ${product}. Otherwise correct the SKU of one of them.`,
    { listing: 4711, sku: 'SB-0001', externalId: 'P-9', product: 'P-1' },
  ),
  'sku-still-listed': nobody(
    ({ sku, listing, product }) =>
      `SKU ${sku} is to be listed, and listing ${listing} still shows it, which is linked to ERP product ${product}`,
    ({ product }) =>
      `Nothing to do if that listing gets the present SKU of ERP product ${product} soon. If it is held itself, mend that first: stockbridge jobs list`,
    { sku: 'SB-0001', listing: 4711, product: 'P-9' },
  ),
  'could-be-listed': operator(
    ({ sku, listings }) => `SKU ${sku} is to be listed, and it may be there already: ${alikeText('listing', listings)}`,
    ({ product, listings }) =>
      `If it is the same, link it: stockbridge map link product ${listings.length === 1 ? listings[0]?.id : 'LISTING'} ${product}. Otherwise say so: stockbridge map suggest --refuse ${listings
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
      `Listing ${listing} (SKU ${sku}) is to be made in the ERP, and it may be there already: ${alikeText('ERP product', products)}`,
    ({ listing, products }) =>
      `If it is the same, link it: stockbridge map link product ${listing} ${products.length === 1 ? products[0]?.id : 'ERP_ID'}. Otherwise say so: stockbridge map suggest --refuse ${products
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
      `Link it: stockbridge map link product ${listing} ${first}. "stockbridge explain ${first}" says why it is not linked by itself.`,
    { listing: 4711, sku: 'SB-0001', products: ['P-1'] as readonly string[] },
  ),
  'ordered-and-archived': operator(
    ({ listing, sku }) =>
      `Listing ${listing} (SKU ${sku}) is archived, so it is not made in the ERP: there it would go on sale again`,
    ({ listing }) =>
      `Make the product in the ERP by hand, and link it: stockbridge map link product ${listing} ERP_ID. Or bring the listing back.`,
    { listing: 4711, sku: 'SB-0001' },
  ),
  'listing-set-back': sharing(
    [],
    operator(
      ({ listing, sku, fields }) =>
        `Somebody changed listing ${listing} (SKU ${sku}) on the marketplace, and the ERP's values were written again: ${fields}`,
      'If the change was meant, make it in the ERP. With products.fields: { FIELD: false }, a field is left to the marketplace. This message ends after a day.',
      { listing: 4711, sku: 'SB-0001', fields: 'name "New name" is "Old name" again' },
    ),
  ),
  'listed-beside': operator(
    ({ sku, listing, others, sold }) =>
      sold
        ? `SKU ${sku} is on sale more than once: listing ${listing} is linked, and ${others.join(', ')} ${others.length === 1 ? 'keeps its' : 'keep their'} price and stock`
        : `SKU ${sku} is not sold any more, and listing ${others.join(', ')} beside the linked one is on sale`,
    ({ others: [first] }) =>
      `Archive listing ${first} on the marketplace, or link it to the product that it is: stockbridge map link product ${first} ERP_ID`,
    { sku: 'SB-0001', listing: 4711, others: [4712], sold: true },
  ),
  'listed-by-hand-unknown': sharing(
    [],
    operator(
      ({ sku, problem }) =>
        `The listings cannot be read, so nobody can tell whether SKU ${sku} was listed by hand meanwhile: ${problem}`,
      'Mend the cause; "stockbridge doctor" tries each permission.',
      { sku: 'SB-0001', problem: 'the marketplace answered products.list with 403' },
    ),
  ),
});

export const IMAGE_CODES = on('images', {
  'image-unfetched': erp(
    ({ image, failure }) => `Image ${image} ${failure}`,
    'Correct the address in the ERP, or the image behind it. The image is tried again when the product changes and in the daily pass.',
    { image: 'https://cdn.example/sb-0001.png', failure: 'was answered with 404' },
  ),
  'image-kept': sharing(
    [],
    operator(
      ({ image }) => `Image ${image} is not the ERP's any more, and products.images.remove is off`,
      'Delete the image on the marketplace, or set products.images.remove to true.',
      { image: 12 },
    ),
  ),
  'images-problem': operator(
    ({ sku, problem }) => `The images of SKU ${sku} are not known: ${problem}`,
    'Correct the product in the ERP, or the expression in products.images.',
    { sku: 'SB-0001', problem: 'products.images: expected addresses' },
  ),
});
