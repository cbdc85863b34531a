import { isSold, type StoredErpProduct } from '../store/erp-products.ts';
import type { AccountContext } from './context.ts';
import { pausedBy } from './paused.ts';
import { priceProblem } from './product/decide.ts';

interface Shown {
  readonly archived: boolean;
  /** The marketplace keeps its quantity. */
  readonly managed: boolean;
}

/**
 * A listing is archived, and the ERP sells its product again. Buyers could take what it had long ago, so it is the flow of
 * its stock that lists it, with the stock of now. Where the marketplace keeps no quantity, the product's own flow does.
 */
export async function isComingBack(
  context: AccountContext,
  product: StoredErpProduct | null,
  listing: Shown | null,
): Promise<boolean> {
  if (listing?.archived !== true || !listing.managed || product === null || !isSold(product)) return false;
  return priceProblem(product.price, context.config.currency) === null && (await pausedBy(context, 'product')) === null;
}
