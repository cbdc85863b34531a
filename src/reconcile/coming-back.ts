import { isSold, type StoredErpProduct } from '../store/erp-products.ts';
import type { AccountContext, Look } from './context.ts';

/**
 * A listing is archived and the ERP sells its product again. Buyers could take what it had long ago, so its stock is
 * brought into step while nobody sees it, and then it is listed.
 */
export function isComingBack(
  product: StoredErpProduct | null,
  listing: { readonly archived: boolean } | null,
): boolean {
  return listing?.archived === true && product !== null && isSold(product);
}

/** Its stock is in step: the listing that waited for it may come back. */
export async function markComingBack({ account, store }: AccountContext, { key, lane }: Look): Promise<void> {
  const linked = await store.mappings.linkedTo(account, 'product', key);
  const listing = linked === null ? null : await store.products.get(account, Number(linked));
  if (!isComingBack(await store.erp.product(account, key), listing)) return;
  await store.work.mark([{ account, flow: 'product', key }], lane, 'its stock is in step');
}
