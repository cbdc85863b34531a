import type { MappingKind } from './links.ts';

/**
 * Every write without an idempotency key, with the flow, the link and the side on which it creates something. A kind is
 * named after its flow, unless the flow creates several things. An `unseen-sale` is not a write: it records units taken
 * by an order that no list shows (unseen-sales.ts).
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
  'unseen-sale': {
    flow: 'stock',
    links: null,
    madeOn: 'marketplace',
    makes: 'nothing',
    nameless: 'the order that took it is not known, and is linked by itself once it shows',
  },
  'approval-out': {
    flow: 'approval-out',
    links: null,
    madeOn: 'marketplace',
    makes: 'verdict',
    nameless: 'a verdict makes nothing that could be adopted',
  },
  transition: {
    flow: 'order-in',
    links: null,
    madeOn: 'marketplace',
    makes: 'nothing',
    nameless: 'a transition makes nothing that could be adopted',
  },
} as const satisfies Readonly<Record<string, IntentKindRow>>;
export type IntentKind = keyof typeof INTENT_KINDS;

interface IntentKindRow {
  readonly flow: string;
  readonly links: MappingKind | null;
  readonly madeOn: 'erp' | 'marketplace';
  readonly makes: string;
  /** Why an operator cannot name the created entity by an id. */
  readonly nameless?: string;
}

type Nameless = { [K in IntentKind]: (typeof INTENT_KINDS)[K] extends { nameless: string } ? K : never }[IntentKind];
export type NamedKind = Exclude<IntentKind, Nameless>;
export type UnlinkedKind = { [K in NamedKind]: (typeof INTENT_KINDS)[K]['links'] extends null ? K : never }[NamedKind];

/** Why an operator cannot name the created entity of this kind by an id; null: possible. */
export function namelessBecause(kind: string): string | null {
  return (intentKind(kind) as IntentKindRow).nameless ?? null;
}

export function isIntentKind(name: string): name is IntentKind {
  return Object.hasOwn(INTENT_KINDS, name);
}

export function intentKind(kind: string): (typeof INTENT_KINDS)[IntentKind] {
  return INTENT_KINDS[kind as IntentKind];
}

export function linkedIds(
  kind: string,
  { key, madeId }: { readonly key: string; readonly madeId: string },
): { marketplaceId: string; erpId: string } {
  return intentKind(kind).madeOn === 'erp'
    ? { marketplaceId: key, erpId: madeId }
    : { marketplaceId: madeId, erpId: key };
}
