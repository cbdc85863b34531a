import { needsMending } from '../../domain/failure.ts';
import type { AccountRecords, Look, MarketplaceReading } from '../../shadow/context.ts';
import { areListingsCurrent } from '../../shadow/last-read.ts';
import type { Flow } from '../engine/flow.ts';
import { isStockDown } from '../stock/facility/decide.ts';
import { observeFacilities } from '../stock/facility/observe.ts';
import { applyProduct } from './apply.ts';
import { rememberState } from './archived.ts';
import { decideProduct } from './decide.ts';
import { observeProduct } from './observe.ts';
import type { ProductAction, ProductSnapshot } from './snapshot.ts';
import { wakeRest } from './wakes.ts';

/** Keeps listings in step with the ERP's products. Its key is the ERP's product id. */
export const productFlow: Flow<ProductSnapshot, ProductAction> = {
  name: 'product',
  decide: decideProduct,
  apply: applyProduct,
  wakes: wakeRest,

  observe: observeProduct,

  remember: (context, look, snapshot) => rememberState(context, look.key, snapshot),

  async observeFresh(context, look) {
    const snapshot = await observeProduct(context, look.key);
    if (growsCase(context, snapshot)) {
      const facilities = await observeFacilities(context, look.key);
      return { ...snapshot, offersTooMuch: !isStockDown(facilities.snapshot) };
    }
    if (!isToBeListed(snapshot)) return snapshot;
    const unread = await readListingsFirst(context, look);
    return { ...(await observeProduct(context, look.key)), listingsUnread: unread };
  },
};

/** Stock that counts cases is set at each facility by itself: no write of the listing changes it along with the case. */
function growsCase({ config }: AccountRecords, { erp, linked }: ProductSnapshot): boolean {
  const [next, shown] = [erp?.multiplier ?? null, linked?.listing?.unitMultiplier ?? null];
  if (config.facilities === null || config.units.marketplace.stockIn === 'units') return false;
  return next !== null && shown !== null && next.greaterThan(shown);
}

/** The create of a product looks for the result of an earlier create in doubt itself. */
function isToBeListed(snapshot: ProductSnapshot): boolean {
  if (snapshot.linked !== null || snapshot.createInDoubt) return false;
  return decideProduct(snapshot).actions.some(({ action }) => action === 'product.create');
}

/**
 * Somebody may have listed the product by hand meanwhile. One read serves all products that the ERP showed before it.
 * @returns why the listings cannot be read
 * @throws CallFailure when the marketplace does not answer now
 */
async function readListingsFirst(context: MarketplaceReading, look: Look): Promise<string | null> {
  try {
    const isStale = async () => !(await areListingsCurrent(context));
    if (await isStale()) await context.readNow('products', look, isStale);
    return null;
  } catch (error) {
    if (!needsMending(error)) throw error;
    // The product did not cause the failure. It waits until the list can be read.
    return error.message;
  }
}
