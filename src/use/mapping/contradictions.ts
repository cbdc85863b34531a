import { likenessOf } from '../../domain/alike.ts';
import { isSold } from '../../domain/product.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { Store } from '../../store/store.ts';

interface Meant {
  readonly listing: StoredProduct;
  readonly raw: string;
  readonly product: StoredErpProduct;
  readonly sameSku: readonly StoredErpProduct[];
}

/** Reasons against the link, as sentences without full stops; empty if the two are linked. */
export async function againstLink(
  store: Store,
  account: string,
  { listing, product }: Pick<Meant, 'listing' | 'product'>,
): Promise<string[]> {
  if ((await store.mappings.linkedTo(account, 'product', product.id)) === String(listing.id)) return [];
  const alike = listing.sku === null ? [] : await store.erp.productsBySku(account, listing.sku);
  const raw = (await store.products.raw(account, listing.id)) ?? '{}';
  return contradictionsOf({ listing, product, raw, sameSku: alike.filter(({ id }) => id !== product.id) });
}

function contradictionsOf({ listing, raw, product, sameSku }: Meant): string[] {
  const { id, sku, externalId } = listing;
  const name = sku === null ? `Listing ${id}` : `Listing ${id} (SKU ${sku})`;
  const likeness = likenessOf(
    { sku, name: listing.name ?? null, body: raw },
    { ...product, body: product.attributesText },
  );
  const isAlike = likeness.length > 0;
  return [
    ...(isSold(product)
      ? []
      : [`ERP product ${product.id} (SKU ${product.sku}) is not sold: the listing would be archived`]),
    ...sameSku.map((other) => `${name} has the SKU of ERP product ${other.id}`),
    ...(externalId === null || externalId === product.id
      ? []
      : [`${name} carries the id of ERP product ${externalId}`]),
    ...(isAlike ? [] : [`${name} has neither SKU, barcode nor name of ERP product ${product.id} (SKU ${product.sku})`]),
  ];
}
