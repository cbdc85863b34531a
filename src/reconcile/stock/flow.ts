import { sum } from '../../domain/decimal.ts';
import { isBefore } from '../../domain/instant.ts';
import type { LedgerLine } from '../../domain/ledger.ts';
import type { StockFigures } from '../../domain/product.ts';
import { STRATEGIES } from '../../domain/strategy.ts';
import { quantityBody } from '../../marketplace/entities/bodies.ts';
import { readFigures } from '../../marketplace/entities/product.ts';
import { erpMisfitOf } from '../../reading/erp-misfits.ts';
import { recordErpStock } from '../../reading/erp-shadow.ts';
import { areOrdersCurrent, erpOrdersReadSince, ordersReadAfter } from '../../reading/orders-known.ts';
import type { StoredProduct } from '../../store/product-rows.ts';
import { afterWrite } from '../after-write.ts';
import { comingBack } from '../coming-back.ts';
import { type AccountContext, decidedBy, type Look } from '../context.ts';
import type { Applied, Flow } from '../flow.ts';
import { readListings, recordListing } from '../product/listing.ts';
import { decideStock, type StockSnapshot, type WriteStock } from './decide.ts';
import { judgeDrift } from './drift.ts';
import { countLines } from './lines.ts';
import { lostWriteOf } from './lost-write.ts';

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
    if (snapshot.awaitingErp || snapshot.isOutdated) {
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
  ['orders', async (context, { stock }) => stock !== null && !(await areOrdersCurrent(context, stock.changedTick))],
] as const satisfies readonly [string, (context: AccountContext, snapshot: StockSnapshot) => Promise<boolean>][];

/** The listing shows a reservation, or the end of one, that no known order explains: without it, it would be given away. */
async function isReservedByUnseen(context: AccountContext, key: string): Promise<boolean> {
  const { account, store } = context;
  const linked = await store.mappings.linkedTo(account, 'product', key);
  const listing = linked === null ? null : await store.products.get(account, Number(linked));
  if (listing === null || listing.unexplained.isZero()) return false;
  return !(await ordersReadAfter(context, listing.observedTick));
}

/** @param lostWrite what is known of an earlier write; looked up when left out */
async function observeStock(
  context: AccountContext,
  key: string,
  lostWrite?: StockSnapshot['lostWrite'],
): Promise<StockSnapshot> {
  const { account, config, store } = context;
  const product = await store.erp.product(account, key);
  const linked = await store.mappings.linkedTo(account, 'product', key);
  const listingId = linked === null ? null : Number(linked);
  const listing = listingId === null ? null : await store.products.get(account, listingId);
  const misfit = listingId === null ? null : await store.misfits.get(account, 'products', String(listingId));
  const stock = await store.erp.stock(account, key);
  const counted = await countLines({ account, config, store }, listingId, {
    sku: product?.sku ?? '',
    asOf: stock?.asOf ?? null,
    unitMultiplier: listing?.unitMultiplier ?? product?.unitMultiplier ?? null,
  });
  const unknown = unknownReservation(listing, counted.lines);
  const back = await comingBack(context, key, listing);
  // What is not sold any more but still listed can be bought: as long as the ERP tells its stock, it is kept in step.
  const gone = product === null || product.deleted;
  return {
    sku: gone ? null : product.sku,
    twins: product === null ? 0 : (await store.erp.productsBySku(account, product.sku)).length,
    stock,
    erpMisfit: await erpMisfitOf({ account, store }, 'erp-stock', key),
    listing:
      listing === null
        ? null
        : {
            id: listing.id,
            archived: listing.archived,
            comingBack: back,
            managed: listing.managed,
            misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
            quantity: listing.figures.quantity,
            available: listing.figures.available,
            certain: listing.certain,
          },
    isOutdated: back !== null && stock !== null && product !== null && isBefore(stock.asOf, product.changedAt),
    ...counted,
    lines: [...counted.lines, ...unknown],
    lostWrite: lostWrite === undefined ? await lostWriteOf(context, key) : lostWrite,
    rules: {
      strategy: STRATEGIES[config.inventory.strategy],
      write: config.inventory.write,
      buffer: config.inventory.buffer,
    },
  };
}

/**
 * What the listing shows as reserved beyond its known orders, such as one that cannot be read, is not given away. What it
 * shows less than theirs is not added to a quantity that it will not be taken from.
 */
function unknownReservation(listing: StoredProduct | null, lines: readonly LedgerLine[]): LedgerLine[] {
  if (listing?.figures.reserved == null) return [];
  const known = sum(lines.filter(({ effect }) => effect === 'reserved').map(({ quantity }) => quantity));
  const quantity = listing.certain ? listing.figures.reserved.minus(known) : listing.unexplained;
  if (quantity.isZero()) return [];
  return [{ order: null, quantity, effect: 'reserved', counted: quantity.isNegative() }];
}

/** One PATCH. There is no compare-and-set: the answer's reserved_qty tells whether an order slipped in. */
async function writeStock(context: AccountContext, look: Look, action: WriteStock): Promise<Applied> {
  const { account, client, store } = context;
  const listed = action.lists ? context.config.products.restoreFields : {};
  const body = { ...listed, ...quantityBody(action.field, action.value) };
  const request = { path: { id: action.listingId }, body };
  // This very write is on record already: it is not one that was lost.
  const sameNow = async () => {
    const [first] = decideStock(await observeStock(context, look.key, action.lostWrite)).actions;
    return first?.after === action.after && first.lists === action.lists ? first : null;
  };
  // The same figure may give buyers more by now, which another brake judges.
  const again = async () => {
    const same = await sameNow();
    return same !== null && same.brake === action.brake;
  };
  const sent = await client.call('products.patch', request, decidedBy(look, again));
  const figures = readFigures(sent);
  const observe = (seen: StockFigures, { knownReserved }: WriteStock) =>
    store.products.observeFigures(account, action.listingId, { figures: seen, expectedReserved: knownReserved });
  await afterWrite(showFigures(figures), async () => {
    if (action.lists) return recordListing(context, look, sent, action.listingId, listed, { archived: false });
    if (figures.quantity !== null) return observe(figures, action);
    // Answers need not show the figures (spec 1). While the same would be decided, they follow from it; what was read since
    // it was decided is not undone by a figure from before it.
    const same = await sameNow();
    if (same !== null) return observe(assumedFigures(same), same);
    await readListings(context, look, { id: String(action.listingId) });
  });
  const slipped = figures.reserved !== null && !figures.reserved.equals(action.expectedReserved);
  if (slipped) await context.requestRead('orders');
  const note = slipped ? `; ${action.expectedReserved.toFixed()} reserved was expected: orders are read again` : '';
  return { outcome: 'written', answer: showFigures(figures) + note };
}

function showFigures({ quantity, reserved, available }: StockFigures): string {
  if (quantity === null) return 'answered without figures';
  return `quantity ${quantity.toFixed()}, reserved ${reserved?.toFixed() ?? '?'}, available ${available?.toFixed() ?? '?'}`;
}

/** The spec's rule (spec 1, Inventory setting rules 2 and 3). */
function assumedFigures({ field, value, expectedReserved }: WriteStock) {
  return field === 'quantity'
    ? { quantity: value, reserved: expectedReserved, available: value.minus(expectedReserved) }
    : { quantity: value.plus(expectedReserved), reserved: expectedReserved, available: value };
}
