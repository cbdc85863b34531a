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
import { wakeDependents } from './wakes.ts';

/** Keeps listings in step with the ERP's products. Key: ERP product id. */
export const productFlow: Flow<ProductSnapshot, ProductAction> = {
  name: 'product',
  decide: decideProduct,
  apply: applyProduct,
  wakes: wakeDependents,

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

/**
 * Whether facility stock has to be lowered first: stock in cases is set at each facility separately, so no write of the
 * listing changes it with the case.
 */
function growsCase({ config }: AccountRecords, { erp, linked }: ProductSnapshot): boolean {
  const [next, shown] = [erp?.multiplier ?? null, linked?.listing?.unitMultiplier ?? null];
  if (config.facilities === null || config.units.marketplace.stockIn === 'units') return false;
  return next !== null && shown !== null && next.greaterThan(shown);
}

/** A create in doubt looks for its result itself. */
function isToBeListed(snapshot: ProductSnapshot): boolean {
  if (snapshot.linked !== null || snapshot.createInDoubt) return false;
  return decideProduct(snapshot).actions.some(({ action }) => action === 'product.create');
}

/**
 * Reads the listings, because the product may have been listed by hand. One read serves all products read before it.
 * @returns why the listings cannot be read; null: they were
 * @throws CallFailure if the marketplace does not answer now
 */
async function readListingsFirst(context: MarketplaceReading, look: Look): Promise<string | null> {
  try {
    const isStale = async () => !(await areListingsCurrent(context));
    if (await isStale()) await context.readNow('products', look, isStale);
    return null;
  } catch (error) {
    if (!needsMending(error)) throw error;
    // The product is not the cause. It waits until the list can be read.
    return error.message;
  }
}
