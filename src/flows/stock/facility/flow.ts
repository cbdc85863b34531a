import type { Look, MarketplaceReading, StockReading } from '../../../shadow/context.ts';
import { ordersReadAfter } from '../../../shadow/last-read.ts';
import { readMeasurements, readWantedMeasurements } from '../../../shadow/read-measurements.ts';
import type { Flow } from '../../engine/flow.ts';
import { restoreListing } from '../../product/apply.ts';
import { releaseBackorders } from '../backorders.ts';
import { readBeforeRaise } from '../read-before-raise.ts';
import { basisOfRaise, decideFacilityStock, type FacilityAction, hasOtherWrites } from './decide.ts';
import { followReconcile } from './follow.ts';
import { agreesWithOrders, isStale, type Observed, observeFacilities } from './observe.ts';
import { sendReconcile } from './send.ts';
import type { FacilitySnapshot } from './snapshot.ts';

/** Keeps the quantity on hand at each facility and batch in step with the ERP's. Key: ERP product id. */
export const facilityStockFlow: Flow<FacilitySnapshot, FacilityAction> = {
  name: 'facility-stock',
  decide: decideFacilityStock,
  wakes: releaseBackorders,
  // Excludes transitions of the product's orders.
  excludes: async (_context, key) => [key],
  apply(context, look, action) {
    switch (action.action) {
      case 'facility-stock.reconcile':
        return sendReconcile(context, look, action);
      case 'facility-stock.follow':
        return followReconcile(context, look, action);
      case 'product.restore':
        return restoreListing(context, look, action.listingId);
    }
  },

  observe: async (context, key) => (await observeFacilities(context, key)).snapshot,

  async observeFresh(context, look) {
    const observed = await observeFacilities(context, look.key);
    const { sku, deleted, listing } = observed.snapshot;
    if (sku === null || deleted || listing === null) return observed.snapshot;
    return refresh(context, look, observed);
  },
};

/** Calls a side only if something would be written. */
async function refresh(
  context: MarketplaceReading & StockReading,
  look: Look,
  first: Observed,
): Promise<FacilitySnapshot> {
  let observed = first;
  const again = async () => {
    observed = await observeFacilities(context, look.key);
    return observed.snapshot;
  };
  if (observed.measured === null) {
    await readAllMeasurements(context, look);
    await again();
  }
  const { sku, erpLagMs } = observed.snapshot;
  if (sku !== null && erpLagMs !== null) {
    await context.readStock(look, sku);
    await again();
  }
  if (isWriting(observed) && (await isStale(context, look.key, observed))) {
    await readAgain(context, look, observed);
    await again();
  }
  const unexplained = async () => isWriting(observed) && !agreesWithOrders(observed.snapshot);
  if (await unexplained()) {
    const tick = observed.measured?.tick ?? 0;
    await context.readNow('orders', look, async () => !(await ordersReadAfter(context, tick)));
    await again();
  }
  return readBeforeRaise(context, look, observed.snapshot, { observe: again, basisOf: basisOfRaise, hasOtherWrites });
}

function isWriting({ snapshot }: Observed): boolean {
  return decideFacilityStock(snapshot).actions.some(({ action }) => action !== 'facility-stock.follow');
}

async function readAllMeasurements(context: MarketplaceReading, look: Look): Promise<void> {
  const known = async () => (await observeFacilities(context, look.key)).measured !== null;
  await context.exclusively(['read:measurements'], async () => {
    if (!(await known())) await readMeasurements(context, look);
  });
}

/** One read serves all looks that wait for it. */
async function readAgain(context: MarketplaceReading, look: Look, { snapshot, measured }: Observed): Promise<void> {
  const { account, store } = context;
  const listingId = snapshot.listing?.id;
  if (listingId === undefined) return;
  await context.exclusively(['read:wanted-measurements'], async () => {
    const now = await store.measurements.get(account, listingId);
    if (now === null || now.tick === measured?.tick) await readWantedMeasurements(context, listingId, look);
  });
}
