import { ordersReadAfter } from '../../reading/orders-known.ts';
import type { AccountContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { readListings } from '../product/listing.ts';
import { readBeforeMore, readStockOf } from '../read-before-more.ts';
import { basisOfMore, decideStock, type StockSnapshot, type WriteStock } from './decide.ts';
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
    const listingId = guessedFor(snapshot);
    if (listingId !== null) {
      await readListings(context, look, { id: String(listingId) });
      snapshot = await observed();
    }
    if (snapshot.sku !== null && snapshot.awaitingErp) {
      await readStockOf(context, look, snapshot.sku);
      snapshot = await observed();
    }
    return readBeforeMore(context, look, snapshot, { observe: observed, basisOf: basisOfMore, hasElse: () => false });
  },
};

/**
 * The listing that would be written by a guess: it showed a reservation that no known order explained, and orders have moved
 * since. They may be what it was, or have come beside it.
 */
function guessedFor(snapshot: StockSnapshot): number | null {
  const { listing, lines } = snapshot;
  if (listing === null || listing.certain) return null;
  const isGuess = lines.some(({ order, effect }) => order === null && effect === 'reserved');
  return isGuess && decideStock(snapshot).actions.length > 0 ? listing.id : null;
}

/** The listing shows a reservation, or the end of one, that no known order explains: without it, it would be given away. */
async function isReservedByUnseen(context: AccountContext, key: string): Promise<boolean> {
  const { account, store } = context;
  const linked = await store.mappings.linkedTo(account, 'product', key);
  const listing = linked === null ? null : await store.products.get(account, Number(linked));
  if (listing === null || listing.unexplained.isZero()) return false;
  return !(await ordersReadAfter(context, listing.observedTick));
}
