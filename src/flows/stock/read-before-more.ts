import { type Cause, type Code, cause } from '../../domain/causes/cause.ts';
import { CallFailure, needsMending } from '../../domain/failure.ts';
import type { AccountRecords, Look, MarketplaceReading, StockReading } from '../../shadow/context.ts';
import { areOrdersCurrent, erpOrdersReadSince } from '../../shadow/last-read.ts';
import { askForErpOrders } from '../../shadow/read-erp-orders.ts';
import type { CountedOrders } from './lines.ts';

/** The figures by which buyers would be given more of a product. */
export interface Basis {
  readonly sku: string;
  /** The listing reserves the units of orders without known lines. null: the marketplace itself subtracts these units. */
  readonly listing: { readonly id: number; readonly archived: boolean } | null;
  /** The listing would come back with a figure from before the ERP sold its product again. */
  readonly isOutdated: boolean;
  /** When the ERP's figure was read last, on the ERP's clock. The latest time if there are several figures. */
  readonly asOf: string | null;
  /** The count of reads at which the ERP's figure changed last: a figure that is read again unchanged keeps it. */
  readonly figureTick: number;
  /** The orders that count as part of the figure, and may not be in it. */
  readonly counted: CountedOrders;
  /** The count of reads at which the figures were seen. All orders until then have to be known. */
  readonly tick: number;
}

/** The functions by which a flow looks at both sides. */
export interface Looking<Seen> {
  observe(): Promise<Seen>;
  /** null: buyers are not given more. */
  basisOf(seen: Seen): Basis | null;
  /** Is there an action that gives buyers nothing? */
  hasElse(seen: Seen): boolean;
}

type Reading = 'erp-stock' | 'erp-orders' | 'doubtful' | 'orders' | 'listing';

/** The result of the reads before buyers are given more. */
export interface BeforeMore {
  /** Why buyers may not be given more: a read that is needed first has failed. null: they may, or this is a plan. */
  readonly unread: Cause | null;
  readonly asked: Asked;
}

/** The knowledge behind a decision to give buyers more. */
export interface Asked {
  readonly figureTick: number;
  /** When the figure was read last, on the ERP's clock. */
  readonly asOf: string | null;
  /** The orders without known lines as of the last read of the listing: their numbers. */
  readonly withoutLines: readonly string[];
}

/** One look makes at most so many reads while the figures go on changing. */
const MAX_READS = 6;

/**
 * Reads everything that has to be known before buyers are given more, until all of it belongs to one and the same figure.
 * Returns the last snapshot, and the reason why buyers may not be given more by it; null when they may.
 * @throws CallFailure when a side does not answer and nothing else is to be done
 */
export async function readBeforeMore<Seen>(
  context: MarketplaceReading & StockReading,
  look: Look,
  first: Seen,
  { observe, basisOf, hasElse }: Looking<Seen>,
): Promise<Seen & BeforeMore> {
  let seen = first;
  const sinceMs = context.now();
  let figure: Figure | null = null;
  let doubtedAsOf: string | null = null;
  let withoutLines: readonly string[] = [];
  const next = async () => {
    const basis = basisOf(seen);
    if (basis === null) return null;
    figure = sameFigure(figure, basis);
    return nextReading(context, { ...basis, asOf: figure.asOf }, { sinceMs, asOf: doubtedAsOf, withoutLines });
  };
  const seenWith = (unread: Cause | null) => {
    const { figureTick, asOf } = basisOf(seen) ?? { figureTick: 0, asOf: null };
    return { ...seen, unread, asked: { figureTick, asOf, withoutLines } };
  };
  let before: string | null = null;
  for (let reads = 0; ; reads += 1) {
    const reading = await next();
    if (reading === null) return seenWith(null);
    // The read did not help, or the figure changes again and again. The product is looked at again later.
    if (reads === MAX_READS || reading.of === before) return seenWith(unreadOf(reading.name, null));
    before = reading.of;
    if (reading.name === 'doubtful') doubtedAsOf = reading.asOf;
    const stillWanted = async () => {
      seen = await observe();
      return (await next())?.name === reading.name;
    };
    try {
      await read(context, look, reading, stillWanted);
    } catch (error) {
      if (!needsMending(error) && !(error instanceof CallFailure && hasElse(seen))) throw error;
      return seenWith(unreadOf(reading.name, error.message));
    }
    if (reading.name === 'listing') withoutLines = reading.withoutLines;
    seen = await observe();
  }
}

const UNREAD = {
  'erp-stock': 'erp-stock-unread',
  'erp-orders': 'erp-orders-unread',
  doubtful: 'erp-orders-unread',
  orders: 'orders-unread',
  listing: 'orders-unread',
} as const satisfies Record<Reading, Code>;

/** Why buyers are not given more yet. */
function unreadOf(name: Reading, problem: string | null): Cause {
  return cause(UNREAD[name], { problem });
}

type Figure = Pick<Basis, 'figureTick' | 'asOf'>;

/**
 * The orders have to be known as of the first time that the figure was read in this look. Where an ERP's orders take longer to
 * read than the time between two polls of its stock, they are never known as of the last time.
 */
function sameFigure(first: Figure | null, { figureTick, asOf }: Figure): Figure {
  return first?.figureTick === figureTick && first.asOf !== null && asOf !== null ? first : { figureTick, asOf };
}

/** For this long, a figure that is read again unchanged is taken to count the same orders. */
const SAME_ORDERS_MS = 10_000;

/**
 * While a write waited, the ERP may have shown a figure that counts other orders, and a webhook may have named an order whose
 * lines are not known.
 */
export async function isStillKnown(context: AccountRecords, basis: Basis | null, asked: Asked): Promise<boolean> {
  if (basis?.asOf == null) return true;
  if ((await unknownLines(context, basis, asked.withoutLines)).length > 0) return false;
  const sinceAskedMs = Date.parse(basis.asOf) - Date.parse(asked.asOf ?? '');
  if (basis.figureTick === asked.figureTick && sinceAskedMs < SAME_ORDERS_MS) return true;
  if (basis.asOf !== asked.asOf && (await doubtfulIn(context, basis)).length > 0) return false;
  return erpOrdersReadSince(context, basis.asOf);
}

/**
 * The orders that may reserve units of this listing, because their lines are not known.
 * @param seen the orders that the last read of the listing counts already
 */
async function unknownLines(
  { account, store }: AccountRecords,
  { listing }: Pick<Basis, 'listing'>,
  seen: readonly string[],
): Promise<readonly string[]> {
  if (listing === null) return [];
  return (await store.orders.withoutLines(account)).filter((number) => !seen.includes(number));
}

/**
 * The orders that the ERP may have let go of although the sum of its reservations is unchanged: an order that only the ERP
 * knows may take as much.
 */
async function doubtfulIn(
  { account, store }: AccountRecords,
  { counted }: Pick<Basis, 'counted'>,
): Promise<readonly string[]> {
  const { ids, known, skus, areAll } = counted;
  const isSure = ids.length === 0 || (areAll && !(await store.history.isHeldBeside(account, skus, known)));
  return isSure ? [] : ids;
}

interface NextReading extends Pick<Basis, 'sku' | 'asOf' | 'listing'> {
  readonly name: Reading;
  /** Ids of the ERP's orders. */
  readonly doubtful: readonly string[];
  readonly withoutLines: readonly string[];
  /** The purpose of the read: a second read for the same purpose would not help. */
  readonly of: string;
}

/**
 * @param looked when this look began, the figure of the ERP for which it has asked for the orders in doubt, and the orders
 *   without known lines for which it has read the listing
 */
async function nextReading(
  context: AccountRecords,
  { isOutdated, tick, sku, asOf, counted, listing }: Basis,
  looked: Omit<Asked, 'figureTick'> & { readonly sinceMs: number },
): Promise<NextReading | null> {
  const basis = { sku, asOf, listing, doubtful: [], withoutLines: [] };
  if (isOutdated) return { ...basis, name: 'erp-stock', of: `erp-stock ${asOf}` };
  // An order that the ERP released may still be open on the marketplace.
  if (asOf !== null && !(await erpOrdersReadSince(context, asOf)))
    return { ...basis, name: 'erp-orders', of: `erp-orders ${asOf}` };
  // The release may be dated back. Then no read of changes shows it.
  const doubtful = asOf === looked.asOf ? [] : await doubtfulIn(context, { counted });
  if (doubtful.length > 0) return { ...basis, doubtful, name: 'doubtful', of: `doubtful ${asOf}` };
  // A buyer may have ordered some of the former stock. Then the new figure would offer these units once more. One read serves
  // all looks that wait for it.
  const areKnown = await areOrdersCurrent(context, tick, looked.sinceMs);
  if (!areKnown) return { ...basis, name: 'orders', of: `orders ${tick}` };
  // A webhook may name an order long before a list shows its lines. The listing reserves its units already.
  const more = await unknownLines(context, basis, looked.withoutLines);
  if (more.length === 0) return null;
  const withoutLines = [...looked.withoutLines, ...more];
  return { ...basis, withoutLines, name: 'listing', of: `listing ${withoutLines.join(' ')}` };
}

async function read(
  context: MarketplaceReading & StockReading,
  look: Look,
  { name, sku, doubtful, listing }: NextReading,
  stillWanted: () => Promise<boolean>,
): Promise<void> {
  if (name === 'erp-stock') await context.readStock(look, sku);
  else if (name === 'doubtful') await askForErpOrders(context, look, doubtful);
  else if (name !== 'listing') await context.readNow(name, look, stillWanted);
  else if (listing !== null) await context.readListing(look, listing.id, listing.archived);
}
