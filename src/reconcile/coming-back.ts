import { PRODUCT_PAUSED } from '../store/pauses.ts';
import type { AccountContext } from './context.ts';
import { pausedBy } from './paused.ts';
import { decideProduct, WITH_ITS_STOCK } from './product/decide.ts';
import { observeProduct } from './product/observe.ts';

interface Shown {
  readonly archived: boolean;
  /** The marketplace keeps its quantity. */
  readonly managed: boolean;
}

/** A listing on its way back from the archive. */
export interface ComingBack {
  /** Why it waits for an operator; null when it does not. */
  readonly hold: string | null;
}

/**
 * A listing is archived, and the ERP sells its product again. Buyers could take what it had long ago, so it is the flow of
 * its stock that lists it, with the stock of now. Where the marketplace keeps no quantity, the product's own flow does.
 */
export async function comingBack(
  context: AccountContext,
  key: string,
  listing: Shown | null,
): Promise<ComingBack | null> {
  if (listing?.archived !== true || !listing.managed) return null;
  const { hold } = decideProduct(await observeProduct(context, key));
  if (hold?.endsWith(WITH_ITS_STOCK) !== true) return null;
  const paused = await pausedBy(context, 'product');
  return { hold: paused === null ? null : `${PRODUCT_PAUSED}${paused}` };
}
