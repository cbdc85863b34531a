import { needsMending } from '../../domain/failure.ts';
import type { AccountRecords, Look, MarketplaceReading } from '../../shadow/context.ts';
import { ordersReadAfter } from '../../shadow/last-read.ts';
import type { Flow } from '../engine/flow.ts';
import { releaseBackorders } from './backorders.ts';
import { basisOfRaise, decideStock, mayRaise, type StockSnapshot, type WriteStock } from './decide.ts';
import { judgeDrift } from './drift.ts';
import { observeStock } from './observe.ts';
import { readBeforeRaise } from './read-before-raise.ts';
import { writeStock } from './write.ts';

/** Keeps the stock available to buyers in step with the ERP. Key: ERP product id. */
export const stockFlow = {
  name: 'stock',
  decide: decideStock,
  apply: writeStock,
  wakes: releaseBackorders,
  // Only one of the two flows writes.
  handsTo: ({ facilities }) => (facilities === null ? null : 'facility-stock'),
  // Excludes transitions of the product's orders.
  excludes: async (_context, key) => [key],

  observe: (context, key) => observeStock(context, key),

  remember: passOn,

  async observeFresh(context, look) {
    const observed = () => observeStock(context, look.key);
    // Observes again after each read, so that no decision uses older figures.
    let snapshot = await observed();
    if (await isReservedByUnseen(context, snapshot)) {
      await context.readNow('orders', look, async () => isReservedByUnseen(context, await observed()));
      snapshot = await observed();
    }
    if (snapshot.hasDrift) {
      await judgeDrift(context, look);
      snapshot = await observed();
    }
    if (snapshot.listing !== null && isGuess(snapshot)) {
      await readAgain(context, look, snapshot.listing);
      snapshot = await observed();
    }
    if (snapshot.sku !== null && !snapshot.deleted && snapshot.erpLagMs !== null) {
      await context.readStock(look, snapshot.sku);
      snapshot = await observed();
    }
    const sinceTick = basisOfRaise(snapshot, 0) === null ? 0 : await context.store.cursors.tick(context.account);
    return readBeforeRaise(context, look, snapshot, {
      observe: observed,
      basisOf: (seen) => basisOfRaise(seen, sinceTick),
      hasOtherWrites: () => false,
    });
  },
} satisfies Flow<StockSnapshot, WriteStock>;

/**
 * An order marks the product that its listing is linked to. If that product is deleted, the work passes to the product
 * that took over the SKU.
 */
async function passOn(
  { account, store }: AccountRecords,
  look: Look,
  { deleted, twins, sku }: StockSnapshot,
): Promise<void> {
  if (!deleted || twins === 0 || sku === null) return;
  const heirs = await store.erp.productsBySku(account, sku);
  const targets = heirs.map(({ id }) => ({ account, flow: 'stock', key: id }));
  await store.work.mark(targets, look.lane, `the listing of ERP product ${look.key} has its SKU`);
}

/**
 * Returns whether the figure would be a guess. Case 1: the listing showed an unexplained reservation, and orders moved
 * since, which may or may not explain it. Case 2: the expected figure would be written again, but the listing may have
 * shown units before the order that released them was read.
 */
function isGuess(snapshot: StockSnapshot): boolean {
  const { listing, lines } = snapshot;
  if (listing?.certain !== false) return false;
  const isUnexplained = lines.some(({ order, effect }) => order === null && effect === 'reserved');
  const { actions } = decideStock(snapshot);
  return isUnexplained ? actions.length > 0 : actions.some(mayRaise);
}

/**
 * If the listing cannot be read, the guess stays. It sells too little rather than too much, and a write that ends a
 * sale must not wait.
 */
async function readAgain(
  context: MarketplaceReading,
  look: Look,
  listing: { readonly id: number; readonly archived: boolean },
): Promise<void> {
  try {
    await context.readListing(look, listing.id, listing.archived);
  } catch (error) {
    if (!needsMending(error)) throw error;
  }
}

/** The listing shows an unexplained reservation, or its end. Its units must not be offered again. */
async function isReservedByUnseen(context: AccountRecords, { listing }: StockSnapshot): Promise<boolean> {
  if (listing === null || listing.unexplained.isZero()) return false;
  return !(await ordersReadAfter(context, listing.observedTick));
}
