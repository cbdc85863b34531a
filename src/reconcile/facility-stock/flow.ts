import { recordErpStock } from '../../reading/erp-shadow.ts';
import { erpOrdersReadSince, ordersReadAfter } from '../../reading/orders-known.ts';
import { readMeasurements, readWantedMeasurements } from '../../reading/read-measurements.ts';
import type { AccountContext, Look } from '../context.ts';
import type { Flow } from '../flow.ts';
import { restoreListing } from '../product/apply.ts';
import { decideFacilityStock, type FacilityAction, type FacilitySnapshot, type SendReconcile } from './decide.ts';
import { followReconcile } from './follow.ts';
import { agreesWithOrders, isStale, type Observed, observeFacilities } from './observe.ts';
import { sendReconcile } from './send.ts';

/** Keeps what is on hand at each facility and batch in step with the ERP. Its key is the ERP's product id. */
export const facilityStockFlow: Flow<FacilitySnapshot, FacilityAction> = {
  name: 'facility-stock',
  decide: decideFacilityStock,
  apply(context, look, action) {
    switch (action.action) {
      case 'stock.reconcile':
        return sendReconcile(context, look, action);
      case 'stock.follow':
        return followReconcile(context, look, action);
      case 'product.restore':
        return restoreListing(context, look, action.listingId);
    }
  },

  async observe(context, look, fresh) {
    const observed = await observeFacilities(context, look.key);
    if (!fresh || observed.snapshot.sku === null || observed.snapshot.listing === null) return observed.snapshot;
    return (await refresh(context, look, observed)).snapshot;
  },
};

/** Calls are spent only where something is about to be written. */
async function refresh(context: AccountContext, look: Look, first: Observed): Promise<Observed> {
  let observed = first;
  const again = async () => {
    observed = await observeFacilities(context, look.key);
  };
  if (observed.measured === null) {
    await readAllMeasurements(context, look);
    await again();
  }
  const { sku, listing, awaitingErp } = observed.snapshot;
  if (sku !== null && (awaitingErp || listing?.comingBack?.isOutdated)) {
    await recordErpStock(context, await context.erp.readStock([sku], look.signal), look.lane);
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
  if (await isFreedByUnseen(context, observed)) {
    await context.readNow('erp-orders', look, () => isFreedByUnseen(context, observed));
    await again();
  }
  return observed;
}

const isComingBack = ({ snapshot }: Observed): boolean => snapshot.listing?.comingBack != null;

function isWriting({ snapshot }: Observed): boolean {
  return decideFacilityStock(snapshot).actions.some(({ action }) => action !== 'stock.follow');
}

function sendsOf({ snapshot }: Observed): SendReconcile[] {
  return decideFacilityStock(snapshot).actions.filter((action) => action.action === 'stock.reconcile');
}

async function readAllMeasurements(context: AccountContext, look: Look): Promise<void> {
  const known = async () => (await observeFacilities(context, look.key)).measured !== null;
  await context.exclusively(['read:measurements'], async () => {
    if (!(await known())) await readMeasurements(context, look);
  });
}

/** One call for all that wait for it. */
async function readAgain(context: AccountContext, look: Look, { snapshot, measured }: Observed): Promise<void> {
  const { account, store } = context;
  const listingId = snapshot.listing?.id;
  if (listingId === undefined) return;
  await context.exclusively(['read:wanted-measurements'], async () => {
    const now = await store.measurements.get(account, listingId);
    if (now === null || now.tick === measured?.tick) await readWantedMeasurements(context, listingId, look);
  });
}

/** More can be sold, and the ERP's orders have not been read since: one it let go of may live on the marketplace. */
async function isFreedByUnseen(context: AccountContext, observed: Observed): Promise<boolean> {
  const { asOf } = observed;
  if (asOf === null) return false;
  if (!isComingBack(observed) && !sendsOf(observed).some(({ brake }) => brake === 'increase')) return false;
  return !(await erpOrdersReadSince(context, asOf));
}
