import { on } from './entry.ts';

export const PRODUCT_CODES = on('products', {
  'listings-unread': {
    turn: 'nobody',
    text: () => "The marketplace's listings are not completely read yet",
    next: 'Nothing to do: it goes on when the first read of all listings has ended.',
    example: {},
  },
  'names-unread': {
    turn: 'nobody',
    text: () => "The marketplace's lists of names are not read yet",
    next: 'Nothing to do: it goes on when categories, brands and product lines have been read.',
    example: {},
  },
  'erp-product-misfit': {
    turn: 'erp',
    text: ({ problem }: { problem: string }) => `The ERP's product does not fit the contract: ${problem}`,
    next: 'Correct the product in the ERP, or the ERP’s answer.',
    example: { problem: 'price.amount: expected a decimal' },
  },
  'sku-twice': {
    turn: 'erp',
    text: ({ sku, count }: { sku: string; count: number }) =>
      `SKU ${sku} stands ${count} times in the ERP, so nobody can tell which product is sold`,
    next: 'Give each product of the ERP an SKU of its own.',
    example: { sku: 'SB-0001', count: 2 },
  },
  'product-missing-once': {
    turn: 'nobody',
    text: ({ sku }: { sku: string }) => `SKU ${sku} was absent from one complete listing of the ERP`,
    next: 'Nothing to do: the next complete listing decides.',
    example: { sku: 'SB-0001' },
  },
  'archive-off': {
    turn: 'operator',
    text: ({ sku }: { sku: string }) => `SKU ${sku} is not sold any more, and products.archive is off`,
    next: 'Archive the listing on the marketplace, or set products.archive to true.',
    example: { sku: 'SB-0001' },
  },
  'listing-gone': {
    turn: 'operator',
    text: ({ listing, sku }: { listing: number; sku: string }) =>
      `Listing ${listing} is linked to SKU ${sku}, and the marketplace does not show the listing`,
    next: ({ listing }) =>
      `Unlink it to have another one created: stockbridge map unlink product --marketplace ${listing}`,
    example: { listing: 4711, sku: 'SB-0001' },
  },
  'listing-misfit': {
    turn: 'marketplace',
    text: ({ listing, problem }: { listing: number; problem: string }) =>
      `Listing ${listing} does not fit the documented shape: ${problem}`,
    next: 'Correct the listing on the marketplace, or tell the marketplace.',
    example: { listing: 4711, problem: 'wholesale_price.amount: expected a decimal' },
  },
  'comes-back-with-stock': {
    turn: 'nobody',
    text: ({ listing, sku }: { listing: number; sku: string }) =>
      `Listing ${listing} (${sku}) comes back from the archive with its stock`,
    next: 'Nothing to do here: if something keeps the listing, the stock of the same product tells.',
    example: { listing: 4711, sku: 'SB-0001' },
  },
  'price-currency': {
    turn: 'erp',
    text: ({ sku, shown, wanted }: { sku: string; shown: string; wanted: string }) =>
      `SKU ${sku} is priced in ${shown} in the ERP, and the account's currency is ${wanted}`,
    next: "Correct the price in the ERP, or the account's currency in the configuration.",
    example: { sku: 'SB-0001', shown: 'CAD', wanted: 'USD' },
  },
  'price-not-positive': {
    turn: 'erp',
    text: ({ sku, price }: { sku: string; price: string }) =>
      `SKU ${sku} costs ${price} in the ERP, which is not above zero`,
    next: 'Give the product a price above zero in the ERP.',
    example: { sku: 'SB-0001', price: '0' },
  },
  'listing-currency': {
    turn: 'marketplace',
    text: ({ listing, sku, shown, wanted }: { listing: number; sku: string; shown: string; wanted: string }) =>
      `Listing ${listing} (${sku}) is priced in ${shown}, and the account's currency is ${wanted}`,
    next: 'Correct the currency of the listing on the marketplace.',
    example: { listing: 4711, sku: 'SB-0001', shown: 'CAD', wanted: 'USD' },
  },
  'field-problem': {
    turn: 'operator',
    text: ({ sku, problem }: { sku: string; problem: string }) => `A field of SKU ${sku} cannot be made: ${problem}`,
    next: 'Correct the product in the ERP, or the field in the section products of the configuration.',
    example: { sku: 'SB-0001', problem: 'products.category: the marketplace has no category "Flowr"' },
  },
  'several-listings': {
    turn: 'operator',
    text: ({ sign, value, listings }: { sign: string; value: string; listings: string[] }) =>
      `${listings.length} listings have ${sign} ${value}: ${listings.join(', ')}`,
    next: ({ sign, value }) =>
      `Link the right one: stockbridge map link product LISTING ${sign === 'SKU' ? `--sku ${value}` : value}`,
    example: { sign: 'SKU', value: 'SB-0001', listings: ['4711', '4712'] },
  },
  'listing-of-another': {
    turn: 'operator',
    text: ({
      listing,
      sku,
      externalId,
      product,
    }: {
      listing: number;
      sku: string;
      externalId: string;
      product: string;
    }) => `Listing ${listing} has SKU ${sku} and belongs to external id ${externalId}, not to ERP product ${product}`,
    next: ({ listing, product }) =>
      `If it belongs to this product, link it: stockbridge map link product ${listing} ${product}. Otherwise correct the SKU of one of them.`,
    example: { listing: 4711, sku: 'SB-0001', externalId: 'P-9', product: 'P-1' },
  },
  'listed-by-hand-unknown': {
    turn: 'operator',
    text: ({ sku, problem }: { sku: string; problem: string }) =>
      `The listings cannot be read, so nobody can tell whether SKU ${sku} was listed by hand meanwhile: ${problem}`,
    next: 'Mend the cause; "stockbridge doctor" tries each permission.',
    example: { sku: 'SB-0001', problem: 'the marketplace answered products.list with 403' },
  },
});

export const IMAGE_CODES = on('images', {
  'image-unfetched': {
    turn: 'erp',
    text: ({ image, failure }: { image: string; failure: string }) => `Image ${image} ${failure}`,
    next: 'Correct the address in the ERP, or the image behind it. The image is tried again when the product changes and in the daily pass.',
    example: { image: 'https://cdn.example/sb-0001.png', failure: 'was answered with 404' },
  },
  'image-kept': {
    turn: 'operator',
    text: ({ image }: { image: number }) =>
      `Image ${image} is not the ERP's any more, and products.images.remove is off`,
    next: 'Delete the image on the marketplace, or set products.images.remove to true.',
    example: { image: 12 },
  },
  'images-problem': {
    turn: 'operator',
    text: ({ sku, problem }: { sku: string; problem: string }) => `The images of SKU ${sku} cannot be told: ${problem}`,
    next: 'Correct the product in the ERP, or the expression in products.images.',
    example: { sku: 'SB-0001', problem: 'products.images: expected addresses' },
  },
});
