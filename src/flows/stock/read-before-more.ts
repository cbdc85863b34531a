import { type Cause, cause } from '../../domain/causes/cause.ts';
import { CallFailure, needsMending } from '../../domain/failure.ts';
import type { Look } from '../../shadow/context.ts';
import { recordErpStock } from '../../shadow/erp-shadow.ts';
import { areOrdersCurrent, erpOrdersReadSince } from '../../shadow/last-read.ts';
import type { AccountContext } from '../engine/context.ts';

/** The figures by which buyers would be given more of a product. */
export interface Basis {
  readonly sku: string;
  /** The listing would come back with a figure from before the ERP sold its product again. */
  readonly isOutdated: boolean;
  /** When the ERP's figure was read, on the ERP's clock: the latest of several. */
  readonly asOf: string | null;
  /** The count of reads at which the figures were seen: orders until then have to be known. */
  readonly tick: number;
}

/** How a flow looks at both sides. */
export interface Looking<Seen> {
  observe(): Promise<Seen>;
  /** null: buyers are not given more. */
  basisOf(seen: Seen): Basis | null;
  /** Something is to be done that gives buyers nothing. */
  hasElse(seen: Seen): boolean;
}

type Reading = 'erp-stock' | 'erp-orders' | 'orders';

/** As many reads as one look makes at most, while the figures go on changing. */
const MAX_READS = 6;

/**
 * Reads what has to be known before buyers are given more, until all of it is as of one and the same figure. Answers what
 * was seen last, and why no more may be given by it; null when it may.
 * @throws CallFailure when a side does not answer and nothing else is to be done
 */
export async function readBeforeMore<Seen>(
  context: AccountContext,
  look: Look,
  first: Seen,
  { observe, basisOf, hasElse }: Looking<Seen>,
): Promise<Seen & { readonly unread: Cause | null }> {
  let seen = first;
  const sinceMs = context.now();
  const next = async () => {
    const basis = basisOf(seen);
    return basis === null ? null : nextReading(context, basis, sinceMs);
  };
  let before: string | null = null;
  for (let reads = 0; ; reads += 1) {
    const reading = await next();
    if (reading === null) return { ...seen, unread: null };
    // Read in vain, or overtaken again and again: a figure that keeps changing is looked at again later.
    if (reads === MAX_READS || reading.of === before) return { ...seen, unread: unreadOf(reading.name, null) };
    before = reading.of;
    const stillWanted = async () => {
      seen = await observe();
      return (await next())?.name === reading.name;
    };
    try {
      await read(context, look, reading, stillWanted);
    } catch (error) {
      if (!needsMending(error) && !(error instanceof CallFailure && hasElse(seen))) throw error;
      return { ...seen, unread: unreadOf(reading.name, error.message) };
    }
    seen = await observe();
  }
}

/** Why no more is given yet. */
function unreadOf(name: Reading, problem: string | null): Cause {
  return cause(`${name}-unread`, { problem });
}

/** The ERP's figure may have been told anew while a write waited, with other orders in it. */
export async function isStillKnown(context: AccountContext, basis: Basis | null): Promise<boolean> {
  return basis?.asOf == null || (await erpOrdersReadSince(context, basis.asOf));
}

/** Asks the ERP for the stock of one product. */
export async function readStockOf(context: AccountContext, look: Look, sku: string): Promise<void> {
  await recordErpStock(context, await context.erp.readStock([sku], look.signal), look.lane);
}

interface NextReading {
  readonly name: Reading;
  /** The purpose of the read: a second one for the same purpose would be in vain. */
  readonly of: string;
  readonly sku: string;
}

async function nextReading(
  context: AccountContext,
  { sku, isOutdated, asOf, tick }: Basis,
  sinceMs: number,
): Promise<NextReading | null> {
  if (isOutdated) return { name: 'erp-stock', of: `erp-stock ${asOf}`, sku };
  // An order that the ERP let go of may live on the marketplace.
  if (asOf !== null && !(await erpOrdersReadSince(context, asOf)))
    return { name: 'erp-orders', of: `erp-orders ${asOf}`, sku };
  // A buyer may have ordered of what was there before: told as it is, the figure would give that away once more. One read is
  // for all who look meanwhile, however long it takes.
  return (await areOrdersCurrent(context, tick, sinceMs)) ? null : { name: 'orders', of: `orders ${tick}`, sku };
}

async function read(
  context: AccountContext,
  look: Look,
  { name, sku }: NextReading,
  stillWanted: () => Promise<boolean>,
): Promise<void> {
  if (name === 'erp-stock') await readStockOf(context, look, sku);
  else await context.readNow(name, look, stillWanted);
}
