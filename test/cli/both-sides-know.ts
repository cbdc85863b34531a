import { erpProduct, product } from '../store/shelf.ts';

/** Replaces `use/mapping/afresh.ts`: both sides know every id. The stories of links made by hand use the real answers. */

export async function readProductPair(_: unknown, __: unknown, ids: { marketplaceId: string; erpId: string }) {
  const sides = { sku: 'SB-1', name: 'Kush' };
  const listing = { ...product({ id: Number(ids.marketplaceId), externalId: null }), ...sides };
  return { listing, product: { ...erpProduct({ id: ids.erpId }), ...sides, attributesText: '{}', absences: 0 } };
}

export async function missingOfOrder(): Promise<string[]> {
  return [];
}
