/**
 * Every kind of write without an idempotency key: the flow that sends it, the mapping that it makes, and the side on which it
 * creates something. A kind has the name of its flow, unless the flow creates several things. An `unseen-sale` is no write of
 * ours. It stands for units of a listing that an order took, when no list shows the order (unseen-sales.ts).
 */
export const INTENT_KINDS = {
  'order-in': { flow: 'order-in', links: 'order', madeOn: 'erp', makes: 'ERP order' },
  'order-out': { flow: 'order-out', links: 'order', madeOn: 'marketplace', makes: 'order' },
  'product-in': { flow: 'product-in', links: 'product', madeOn: 'erp', makes: 'ERP product' },
  product: { flow: 'product', links: 'product', madeOn: 'marketplace', makes: 'listing' },
  'customer-in': { flow: 'customer-in', links: 'customer', madeOn: 'erp', makes: 'ERP customer' },
  'customer-out': { flow: 'customer-out', links: 'customer', madeOn: 'marketplace', makes: 'customer' },
  'payment-in': { flow: 'payment-in', links: 'payment', madeOn: 'erp', makes: 'ERP payment' },
  'payment-out': { flow: 'payment-out', links: 'payment', madeOn: 'marketplace', makes: 'payment' },
  'batch-out': { flow: 'batch-out', links: 'batch', madeOn: 'marketplace', makes: 'batch' },
  'product-line': { flow: 'product', links: null, madeOn: 'marketplace', makes: 'product line' },
  image: { flow: 'images', links: null, madeOn: 'marketplace', makes: 'image' },
  'facility-stock': { flow: 'facility-stock', links: null, madeOn: 'marketplace', makes: 'inventory command' },
  'unseen-sale': { flow: 'stock', links: null, madeOn: 'marketplace', makes: 'nothing' },
  'approval-out': { flow: 'approval-out', links: null, madeOn: 'marketplace', makes: 'verdict' },
  transition: { flow: 'order-in', links: null, madeOn: 'marketplace', makes: 'nothing' },
} as const;
export type IntentKind = keyof typeof INTENT_KINDS;

/** The kinds that create no entity with an id. An operator can name no id as the created entity. */
const NAMELESS: ReadonlySet<string> = new Set(['approval-out', 'unseen-sale', 'transition'] satisfies IntentKind[]);

export function canBeAdopted(kind: string): boolean {
  return !NAMELESS.has(kind);
}

/** The kind as it stands in the database. */
export function intentKind(kind: string): (typeof INTENT_KINDS)[IntentKind] {
  return INTENT_KINDS[kind as IntentKind];
}

/** The two ids that a create links. The create begins with one of them and makes the other. */
export function linkedIds(
  kind: string,
  { key, madeId }: { readonly key: string; readonly madeId: string },
): { marketplaceId: string; erpId: string } {
  return intentKind(kind).madeOn === 'erp'
    ? { marketplaceId: key, erpId: madeId }
    : { marketplaceId: madeId, erpId: key };
}
