import { knownReserved, type LedgerLine } from '../../domain/ledger.ts';
import { STRATEGIES } from '../../domain/strategy.ts';
import { erpMisfitOf } from '../../shadow/erp-misfits.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { AccountContext } from '../engine/context.ts';
import { comingBack } from './coming-back.ts';
import type { StockSnapshot } from './decide.ts';
import { countLines } from './lines.ts';
import { lostWriteOf } from './lost-write.ts';

/**
 * Both sides as the shadows have them.
 * @param lostWrite what is known of an earlier write; looked up when left out
 */
export async function observeStock(
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
  const unknown = [...unknownReservation(listing, counted.lines), ...(await unseenSale(context, key))];
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
            comingBack: await comingBack(context, product, listing, stock?.asOf ?? null),
            managed: listing.managed,
            observedTick: listing.observedTick,
            misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
            quantity: listing.figures.quantity,
            available: listing.figures.available,
            certain: listing.certain,
          },
    ...counted,
    lines: [...counted.lines, ...unknown],
    unread: null,
    lostWrite: lostWrite === undefined ? await lostWriteOf(context, key) : lostWrite,
    rules: {
      strategy: STRATEGIES[config.inventory.strategy],
      write: config.inventory.write,
      buffer: config.inventory.buffer,
    },
  };
}

/** What an order that no list shows has taken: the ERP does not count it. */
async function unseenSale({ account, store }: AccountContext, key: string): Promise<LedgerLine[]> {
  const quantity = await store.unseenSales.kept({ account, erpId: key });
  return quantity.isZero() ? [] : [{ order: null, quantity, effect: 'consumed', counted: false }];
}

/**
 * What the listing shows as reserved beyond its known orders, such as one that cannot be read, is not given away. What it
 * shows less than theirs is not added to a quantity that it will not be taken from.
 */
function unknownReservation(listing: StoredProduct | null, lines: readonly LedgerLine[]): LedgerLine[] {
  if (listing?.figures.reserved == null) return [];
  const quantity = listing.certain ? listing.figures.reserved.minus(knownReserved(lines)) : listing.unexplained;
  if (quantity.isZero()) return [];
  return [{ order: null, quantity, effect: 'reserved', counted: quantity.isNegative() }];
}
