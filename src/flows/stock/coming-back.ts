import { type Cause, cause } from '../../domain/causes/cause.ts';
import { isBefore } from '../../domain/instant.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import { pausedBy } from '../engine/paused.ts';
import { decideProduct, restoreReason } from '../product/decide.ts';
import { observeProduct } from '../product/observe.ts';

export interface ComingBack {
  readonly why: string;
  /** Why it waits for an operator. null: it does not. */
  readonly hold: Cause | null;
  /** The ERP's stock figure is older than its decision to sell the product again. */
  readonly isOutdated: boolean;
}

/**
 * The archived listing of a product that is sold again would offer its old stock. So the stock flow restores it
 * together with the current stock. The flow `product` does it if the marketplace does not track quantities.
 */
export async function comingBack(
  context: AccountRecords,
  product: StoredErpProduct | null,
  listing: Pick<StoredProduct, 'archived' | 'managed'> | null,
  stockAsOf: string | null,
): Promise<ComingBack | null> {
  if (product === null || listing?.archived !== true || !listing.managed) return null;
  const snapshot = await observeProduct(context, product.id);
  const { holds } = decideProduct(snapshot);
  if (!holds.some(({ code }) => code === 'comes-back-with-stock')) return null;
  const paused = await pausedBy(context, 'product');
  return {
    why: restoreReason(snapshot),
    hold: paused === null ? null : cause('product-paused', { reason: paused }),
    isOutdated: stockAsOf !== null && isBefore(stockAsOf, product.changedAt),
  };
}
