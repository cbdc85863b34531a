import { recordErpStock } from '../../reading/erp-shadow.ts';
import { areOrdersCurrent, erpOrdersReadSince, ordersReadAfter } from '../../reading/orders-known.ts';
import type { AccountContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { decideStock, type StockSnapshot, type WriteStock } from './decide.ts';
import { judgeDrift } from './drift.ts';
import { observeStock } from './observe.ts';
import { writeStock } from './write.ts';

/** Keeps what buyers can take in step with the ERP. Its key is the ERP's product id. */
export const stockFlow: Flow<StockSnapshot, WriteStock> = {
  name: 'stock',
  decide: decideStock,
  apply: writeStock,

  async observe(context, look, fresh) {
    const observed = () => observeStock(context, look.key);
    if (!fresh) return observed();
    if (await isReservedByUnseen(context, look.key)) {
      await context.readNow('orders', look, () => isReservedByUnseen(context, look.key));
    }
    await judgeDrift(context, look);
    // After each read it is observed again: what is decided on is never from before it.
    let snapshot = await observed();
    if (snapshot.sku === null) return snapshot;
    if (snapshot.awaitingErp || snapshot.listing?.comingBack?.isOutdated) {
      const page = await context.erp.readStock([snapshot.sku], look.signal);
      await recordErpStock(context, page, look.lane);
      snapshot = await observed();
    }
    for (const [collection, isUnseen] of BEFORE_MORE) {
      const isGiven = async () => isMore(snapshot) && (await isUnseen(context, snapshot));
      if (!(await isGiven())) continue;
      await context.readNow(collection, look, async () => {
        snapshot = await observed();
        return isGiven();
      });
      snapshot = await observed();
    }
    return snapshot;
  },
};

function isMore(snapshot: StockSnapshot): boolean {
  const [write] = decideStock(snapshot).actions;
  return write?.brake === 'increase' || write?.lists === true;
}

/** What has to be read after the ERP's figure before more of it is told to buyers. */
const BEFORE_MORE = [
  // An order that the ERP let go of may live on the marketplace.
  ['erp-orders', async (context, { stock }) => stock !== null && !(await erpOrdersReadSince(context, stock.asOf))],
  // A buyer may have ordered of what was there before: told as it is, the figure would give that away once more.
  ['orders', async (context, snapshot) => !(await areOrdersCurrent(context, ordersNeededSince(snapshot)))],
] as const satisfies readonly [string, (context: AccountContext, snapshot: StockSnapshot) => Promise<boolean>][];

/** What was ordered until a listing was archived matters when it comes back. */
function ordersNeededSince({ stock, listing }: StockSnapshot): number {
  return Math.max(stock?.changedTick ?? 0, listing?.comingBack == null ? 0 : listing.observedTick);
}

/** The listing shows a reservation, or the end of one, that no known order explains: without it, it would be given away. */
async function isReservedByUnseen(context: AccountContext, key: string): Promise<boolean> {
  const { account, store } = context;
  const linked = await store.mappings.linkedTo(account, 'product', key);
  const listing = linked === null ? null : await store.products.get(account, Number(linked));
  if (listing === null || listing.unexplained.isZero()) return false;
  return !(await ordersReadAfter(context, listing.observedTick));
}
