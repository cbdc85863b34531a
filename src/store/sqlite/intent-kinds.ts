/**
 * Every kind of write without an idempotency key: the flow that sends it, what it links, and where it makes something. An
 * `unseen-sale` was sent by nobody here: what an order that no list shows has taken of a listing (unseen-sales.ts).
 */
export const INTENT_KINDS = {
  'erp-order': { flow: 'order', links: 'order', madeOn: 'erp', makes: 'ERP order' },
  'marketplace-order': { flow: 'erp-order', links: 'order', madeOn: 'marketplace', makes: 'order' },
  product: { flow: 'product', links: 'product', madeOn: 'marketplace', makes: 'listing' },
  customer: { flow: 'new-customer', links: 'customer', madeOn: 'erp', makes: 'ERP customer' },
  'marketplace-customer': { flow: 'customer', links: 'customer', madeOn: 'marketplace', makes: 'customer' },
  'erp-payment': { flow: 'payment', links: 'payment', madeOn: 'erp', makes: 'ERP payment' },
  'marketplace-payment': { flow: 'erp-payment', links: 'payment', madeOn: 'marketplace', makes: 'payment' },
  'product-line': { flow: 'product', links: null, madeOn: 'marketplace', makes: 'product line' },
  'product-image': { flow: 'product-images', links: null, madeOn: 'marketplace', makes: 'image' },
  reconcile: { flow: 'facility-stock', links: null, madeOn: 'marketplace', makes: 'inventory command' },
  'unseen-sale': { flow: 'stock', links: null, madeOn: 'marketplace', makes: 'nothing' },
  transition: { flow: 'order', links: null, madeOn: 'marketplace', makes: 'nothing' },
} as const;
export type IntentKind = keyof typeof INTENT_KINDS;

/** As it stands in the database. */
export function intentKind(kind: string): (typeof INTENT_KINDS)[IntentKind] {
  return INTENT_KINDS[kind as IntentKind];
}

/** The two ids of what a create links: it begins with one of them, and makes the other. */
export function linkedIds(
  kind: string,
  { key, madeId }: { readonly key: string; readonly madeId: string },
): { marketplaceId: string; erpId: string } {
  return intentKind(kind).madeOn === 'erp'
    ? { marketplaceId: key, erpId: madeId }
    : { marketplaceId: madeId, erpId: key };
}
