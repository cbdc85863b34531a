import { type Cause, cause } from '../../domain/causes/cause.ts';
import { isBefore } from '../../domain/instant.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import { pausedBy } from '../engine/paused.ts';
import { decideProduct, whyBack } from '../product/decide.ts';
import { observeProduct } from '../product/observe.ts';

/** A listing that is to be brought back from the archive. */
export interface ComingBack {
  readonly why: string;
  /** Why the listing waits for an operator; null when it does not wait. */
  readonly hold: Cause | null;
  /** The ERP's stock figure is older than its decision to sell the product again. */
  readonly isOutdated: boolean;
}

/**
 * The listing of a product that the ERP sells again is archived. If it were listed as it is, it would offer its old stock. So
 * the flow of its stock lists it, together with the present stock. Where the marketplace keeps no quantity, the flow product
 * lists it.
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
    why: whyBack(snapshot),
    hold: paused === null ? null : cause('product-paused', { reason: paused }),
    isOutdated: stockAsOf !== null && isBefore(stockAsOf, product.changedAt),
  };
}
