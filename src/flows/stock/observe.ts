import type { Decimal } from '../../domain/decimal.ts';
import { knownReserved, type LedgerLine } from '../../domain/ledger.ts';
import { STRATEGIES } from '../../domain/strategy.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import { misfitText } from '../../store/reading.ts';
import type { AccountContext } from '../engine/context.ts';
import { comingBack } from './coming-back.ts';
import type { StockSnapshot } from './decide.ts';
import { countLines } from './lines.ts';
import { lostWriteIn } from './lost-write.ts';

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
  const rows = await store.observe.stock(account, key);
  const { product, listing, stock } = rows;
  const counted = countLines(config, rows, {
    asOf: stock?.asOf ?? null,
    unitMultiplier: listing?.unitMultiplier ?? product?.unitMultiplier ?? null,
  });
  const unknown = [...unknownReservation(listing, counted.lines), ...unseenSale(rows.unseen)];
  // What is not sold any more but still listed can be bought: as long as the ERP tells its stock, it is kept in step.
  const gone = product === null || product.deleted;
  return {
    sku: gone ? null : product.sku,
    twins: rows.twins,
    stock,
    erpMisfit: misfitText(rows.erpMisfit),
    listing:
      listing === null
        ? null
        : {
            id: listing.id,
            archived: listing.archived,
            comingBack: await comingBack(context, product, listing, stock?.asOf ?? null),
            managed: listing.managed,
            observedTick: listing.observedTick,
            misfit: misfitText(rows.listingMisfit),
            quantity: listing.figures.quantity,
            available: listing.figures.available,
            certain: listing.certain,
          },
    ...counted,
    lines: [...counted.lines, ...unknown],
    unread: null,
    lostWrite: lostWrite === undefined ? lostWriteIn(context, rows.latestWrites) : lostWrite,
    rules: {
      strategy: STRATEGIES[config.inventory.strategy],
      write: config.inventory.write,
      buffer: config.inventory.buffer,
    },
  };
}

/** What an order that no list shows has taken: the ERP does not count it. */
function unseenSale(quantity: Decimal): LedgerLine[] {
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
