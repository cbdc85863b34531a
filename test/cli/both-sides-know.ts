import { erpProduct, product } from '../store/shelf.ts';

/** In the place of `use/mapping/afresh.ts`: both sides know every id. Stories of links made by hand show what they answer in truth. */

export async function readProductPair(_: unknown, __: unknown, ids: { marketplaceId: string; erpId: string }) {
  const sides = { sku: 'SB-1', name: 'Kush' };
  const listing = { ...product({ id: Number(ids.marketplaceId), externalId: null }), ...sides };
  return { listing, product: { ...erpProduct({ id: ids.erpId }), ...sides, attributesText: '{}', absences: 0 } };
}

export async function missingOfOrder(): Promise<string[]> {
  return [];
}
