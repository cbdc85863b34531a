import { isGone } from '../../../domain/product.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import { TAKEN_SKUS, takenSkus } from '../../../store/erp.ts';
import type { OrderInRows } from '../../../store/observe.ts';
import type { KnownProduct } from './wanted.ts';

type Rows = Pick<OrderInRows, 'products' | 'facts'>;

/** The products of an order's lines, by listing. */
export async function knownProducts(context: AccountRecords, rows: Rows): Promise<Map<number, KnownProduct>> {
  const taken = await takenIn(context, rows);
  const known = new Map<number, KnownProduct>();
  for (const [id, { listing, erp }] of rows.products) {
    known.set(id, {
      sku: erp?.sku ?? null,
      skuTakenBy: erp === null ? null : (taken.get(erp.sku) ?? null),
      skuLinked: erp === null && listing !== null ? await linkedElsewhere(context, listing.sku, id) : null,
      listingSku: listing?.sku ?? null,
      listingName: listing?.name ?? null,
      unitMultiplier: listing?.unitMultiplier ?? erp?.unitMultiplier ?? null,
    });
  }
  return known;
}

/** SKUs of the order's products that another product has taken over, with the id of that product. */
async function takenIn({ account, store }: AccountRecords, { products, facts }: Rows): Promise<Map<string, string>> {
  const all = takenSkus(facts.get(TAKEN_SKUS) ?? null);
  const taken = new Map<string, string>();
  for (const { erp } of products.values()) {
    const by = erp === null ? undefined : all.get(erp.sku);
    if (erp === null || by === undefined || by === erp.id) continue;
    const other = await store.erp.product(account, by);
    if (other !== null && !isGone(other) && other.sku === erp.sku) taken.set(erp.sku, by);
  }
  return taken;
}

/** The ERP's product of this SKU that is linked to another listing. */
async function linkedElsewhere(
  { account, store }: AccountRecords,
  sku: string | null,
  listing: number,
): Promise<KnownProduct['skuLinked']> {
  if (sku === null || sku === '') return null;
  for (const product of await store.erp.productsBySku(account, sku)) {
    const link = isGone(product) ? null : await store.mappings.byErpId(account, 'product', product.id);
    const other = link?.state === 'linked' ? link.marketplaceId : null;
    if (other !== null && other !== String(listing)) return { product: product.id, listing: other };
  }
  return null;
}
