import { type Cause, type Code, cause } from '../../domain/causes/cause.ts';
import { CallFailure, needsMending } from '../../domain/failure.ts';
import type { AccountRecords, Look, MarketplaceReading, StockReading } from '../../shadow/context.ts';
import { areOrdersCurrent, erpOrdersReadSince } from '../../shadow/last-read.ts';
import { readErpOrdersById } from '../../shadow/read-erp-orders.ts';
import type { CountedOrders } from './lines.ts';

/** The inputs of a decision that would raise a product's available stock. */
export interface Basis {
  readonly sku: string;
  /** The listing that reserves units of orders with unknown lines. null: the marketplace itself subtracts them. */
  readonly listing: { readonly id: number; readonly archived: boolean } | null;
  /** The listing would be restored with a figure older than the decision to sell the product again. */
  readonly isOutdated: boolean;
  /** When the ERP's figure was last read, by its clock. The latest time of several figures. */
  readonly asOf: string | null;
  /** The tick at which the ERP's figure last changed. Reading it unchanged does not update it. */
  readonly figureTick: number;
  /** Orders that count as part of the figure, but may not be. */
  readonly counted: CountedOrders;
  /** The tick at which the figures were read. All orders up to it must be known. */
  readonly tick: number;
}

export interface Looking<Seen> {
  observe(): Promise<Seen>;
  /** null: buyers are not given more. */
  basisOf(seen: Seen): Basis | null;
  hasOtherWrites(seen: Seen): boolean;
}

type Reading = 'erp-stock' | 'erp-orders' | 'doubtful' | 'orders' | 'listing';

export interface RaiseCheck {
  /** Why the stock may not be raised: a required read failed. null: it may, or this is a plan. */
  readonly unread: Cause | null;
  readonly asked: RaiseInputs;
}

/** What was known when raising the stock was decided. */
export interface RaiseInputs {
  readonly figureTick: number;
  /** When the figure was last read, by the ERP's clock. */
  readonly asOf: string | null;
  /** Numbers of the orders with unknown lines at the last read of the listing. */
  readonly withoutLines: readonly string[];
}

const MAX_READS = 6;

/**
 * Before raising stock, reads all required lists until they belong to the same figure. Returns the last snapshot, and
 * why the stock may not be raised, or null.
 * @throws CallFailure if a side does not answer and nothing else is to be done
 */
export async function readBeforeRaise<Seen>(
  context: MarketplaceReading & StockReading,
  look: Look,
  first: Seen,
  { observe, basisOf, hasOtherWrites: hasElse }: Looking<Seen>,
): Promise<Seen & RaiseCheck> {
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
    // The read did not help, or the figure keeps changing. The product is looked at again later.
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

function unreadOf(name: Reading, problem: string | null): Cause {
  return cause(UNREAD[name], { problem });
}

type Figure = Pick<Basis, 'figureTick' | 'asOf'>;

/**
 * Orders must be known as of the first read of the figure in this look. If reading the ERP's orders takes longer than
 * its poll interval for stock, they are never known as of the last read.
 */
function sameFigure(first: Figure | null, { figureTick, asOf }: Figure): Figure {
  return first?.figureTick === figureTick && first.asOf !== null && asOf !== null ? first : { figureTick, asOf };
}

/** For this time, an unchanged figure is assumed to count the same orders. */
const SAME_ORDERS_MS = 10_000;

/**
 * Returns whether the inputs still hold. While a write waited, the ERP may have counted other orders, and a webhook may
 * have named an order with unknown lines.
 */
export async function isStillKnown(context: AccountRecords, basis: Basis | null, asked: RaiseInputs): Promise<boolean> {
  if (basis?.asOf == null) return true;
  if ((await unknownLines(context, basis, asked.withoutLines)).length > 0) return false;
  const sinceAskedMs = Date.parse(basis.asOf) - Date.parse(asked.asOf ?? '');
  if (basis.figureTick === asked.figureTick && sinceAskedMs < SAME_ORDERS_MS) return true;
  if (basis.asOf !== asked.asOf && (await doubtfulIn(context, basis)).length > 0) return false;
  return erpOrdersReadSince(context, basis.asOf);
}

/**
 * Orders that may reserve units of this listing, because their lines are unknown.
 * @param seen orders that the last read of the listing already counts
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
 * Orders that the ERP may have released although its total reservation is unchanged, because an order that only the ERP
 * knows may have taken as much.
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
  readonly doubtful: readonly string[];
  readonly withoutLines: readonly string[];
  /** Identifies the purpose. A second read for the same purpose would not help. */
  readonly of: string;
}

/**
 * @param looked when this look began, the ERP figure for which the doubtful orders were read, and the orders with
 * unknown lines for which the listing was read
 */
async function nextReading(
  context: AccountRecords,
  { isOutdated, tick, sku, asOf, counted, listing }: Basis,
  looked: Omit<RaiseInputs, 'figureTick'> & { readonly sinceMs: number },
): Promise<NextReading | null> {
  const basis = { sku, asOf, listing, doubtful: [], withoutLines: [] };
  if (isOutdated) return { ...basis, name: 'erp-stock', of: `erp-stock ${asOf}` };
  // An order that the ERP released may still be open on the marketplace.
  if (asOf !== null && !(await erpOrdersReadSince(context, asOf)))
    return { ...basis, name: 'erp-orders', of: `erp-orders ${asOf}` };
  // The release may be backdated, so that no read of changes shows it.
  const doubtful = asOf === looked.asOf ? [] : await doubtfulIn(context, { counted });
  if (doubtful.length > 0) return { ...basis, doubtful, name: 'doubtful', of: `doubtful ${asOf}` };
  // A buyer may have ordered from the previous stock, which the new figure would offer again. One read serves all
  // waiting looks.
  const areKnown = await areOrdersCurrent(context, tick, looked.sinceMs);
  if (!areKnown) return { ...basis, name: 'orders', of: `orders ${tick}` };
  // A webhook may name an order long before a list shows its lines. The listing already reserves its units.
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
  else if (name === 'doubtful') await readErpOrdersById(context, look, doubtful);
  else if (name !== 'listing') await context.readNow(name, look, stillWanted);
  else if (listing !== null) await context.readListing(look, listing.id, listing.archived);
}
