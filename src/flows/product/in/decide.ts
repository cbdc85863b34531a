import { cause } from '../../../domain/causes/cause.ts';
import { beyondLimits, LISTING_LIMITS } from '../../../domain/limits.ts';
import type { ErpProductDraft } from '../../../erp/connector.ts';
import type { ProductInRows } from '../../../store/observe.ts';
import { act, createWords, type Decision, hold, holdForLink, inSync, type Planned } from '../../engine/decision.ts';
import type { Braked } from '../../engine/policy.ts';

export interface ProductInSnapshot extends Pick<ProductInRows, 'alike' | 'createInDoubt'> {
  /** The ERP's products were read to the end, and compared with the listings. */
  readonly productsKnown: boolean;
  /** null: no such listing, or it has no SKU. */
  readonly listing: { readonly id: number; readonly archived: boolean; readonly draft: ErpProductDraft } | null;
  readonly invalidRow: string | null;
  readonly linked: boolean;
  readonly neededBy: readonly string[];
  readonly sameSku: readonly string[];
  /** Products are to be created in the ERP, and it can do that. */
  readonly create: boolean;
}

export interface CreateErpProduct extends Planned, Braked {
  readonly action: 'product-in.create';
  readonly draft: ErpProductDraft;
  /** Only settle an earlier create. */
  readonly adoptOnly: boolean;
}

const UNREAD_LOOK_AGAIN_MS = 5_000;

/** Creates the product unless the ERP has it. A product of both sides is linked by the flow `product`. */
export function decideProductIn(snapshot: ProductInSnapshot): Decision<CreateErpProduct> {
  const { listing, linked, createInDoubt, sameSku, alike } = snapshot;
  const isWanted = snapshot.create && snapshot.neededBy.length > 0;
  if (linked || listing === null || !(isWanted || createInDoubt)) return inSync();
  if (snapshot.invalidRow !== null)
    return hold(cause('listing-invalid', { listing: listing.id, problem: snapshot.invalidRow }));
  const { draft, id } = listing;
  if (!createInDoubt) {
    if (!snapshot.productsKnown) return { ...inSync(), lookAgainMs: UNREAD_LOOK_AGAIN_MS };
    if (listing.archived) return hold(cause('ordered-and-archived', { listing: id, sku: draft.sku }));
    if (sameSku.length > 0)
      return holdForLink(cause('erp-has-sku', { listing: id, sku: draft.sku, products: sameSku }));
    const { sku, price, unitMultiplier = null } = draft;
    const unfit = beyondLimits(LISTING_LIMITS, { listing: id, sku, price: price ?? null, unitMultiplier });
    if (unfit !== null) return hold(unfit);
    if (alike.length > 0) return holdForLink(cause('could-be-known', { listing: id, sku: draft.sku, products: alike }));
  }
  const shown = showDraft(draft);
  const why = `the ERP does not know it, and order ${snapshot.neededBy.join(', ')} has it`;
  const words = createWords(shown, why, { isWanted, createInDoubt });
  // A create in doubt has passed the brake already.
  const asPlanned = { before: 'not in the ERP', after: shown };
  const braked = isWanted && !createInDoubt ? { brake: 'create' as const, asPlanned } : {};
  return act([{ action: 'product-in.create', target: `ERP product for listing ${id}`, ...words, draft, ...braked }]);
}

function showDraft({ sku, name, price, unitMultiplier }: ErpProductDraft): string {
  const cost = price === undefined ? '' : ` at ${price.amount.toFixed()} ${price.currency}`;
  const units = unitMultiplier === undefined ? '' : `, ${unitMultiplier.toFixed()} in a case`;
  return `SKU ${sku}: ${name}${cost}${units}`;
}
