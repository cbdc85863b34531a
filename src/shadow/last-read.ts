import type { Code } from '../domain/causes/cause.ts';
import { CallFailure } from '../domain/failure.ts';
import { isBefore } from '../domain/instant.ts';
import { sideOfList } from '../domain/lists.ts';
import type { AccountRecords, Look, MarketplaceReading } from './context.ts';

/** The freshness of the shadow: it contains every row as of the last complete read of its list. */

/** When a complete read began: the tick, and epoch milliseconds. */
export interface Began {
  readonly tick: number;
  readonly atMs: number;
}

interface Read extends Began {
  /** undefined: recorded by an earlier version. */
  readonly tookMs?: number;
}

type Collection = 'listings' | ReadFirst;

/** Lists that are read right before a create on their side. */
type ReadFirst = 'orders' | 'batches' | 'customers' | 'payments' | 'erp-customers' | 'erp-payments';
type Shadow = Pick<AccountRecords, 'account' | 'store'>;

/** Prefix of these facts. A restored backup drops them (`store/sqlite/backup.ts`). */
const READ_AT = 'read-at:';
/** How long the last read counts as current. */
const CURRENT_FOR_MS = 10_000;
/** Fact: every listing was read at least once. */
export const LISTINGS_KNOWN = 'listings-known';

/** Called before a read's first call. The result goes to `recordReadTime` after the read. */
export async function beginRead({ account, store, now }: AccountRecords): Promise<Began> {
  return { tick: await store.cursors.tick(account), atMs: now() };
}

export async function recordReadTime(
  { account, store, now }: Shadow & Pick<AccountRecords, 'now'>,
  collection: Collection,
  began: Began,
): Promise<void> {
  const read: Read = { ...began, tookMs: now() - began.atMs };
  await store.facts.set(account, READ_AT + collection, JSON.stringify(read));
}

/** Records that a missing entity is now known to be absent, and releases the work that waited for this. */
export async function markListKnown(
  { account, store }: Shadow,
  fact: string,
  heldFor: Code,
  value = 'yes',
): Promise<void> {
  if ((await store.facts.get(account, fact)) !== null) return;
  await store.facts.set(account, fact, value);
  await store.work.release({ account, codes: [heldFor], isOver: true });
}

export async function lastRead({ account, store }: Shadow, collection: Collection): Promise<Read | null> {
  const fact = await store.facts.get(account, READ_AT + collection);
  return fact === null ? null : (JSON.parse(fact) as Read);
}

/**
 * Returns whether the read began after this tick, and not long before the look. An entity that was absent earlier, or
 * before a stop of the program, may exist by now.
 */
function isCurrent(read: Began | null, tick: number, nowMs: number, lookedSinceMs: number = nowMs): boolean {
  if (read === null || read.tick <= tick) return false;
  return read.atMs >= lookedSinceMs - CURRENT_FOR_MS && read.atMs <= nowMs + CURRENT_FOR_MS;
}

/**
 * Returns whether the listings were read just now, and since the ERP's products last changed. People list new ERP
 * products by hand, also while the program is stopped.
 */
export async function areListingsCurrent(context: Shadow & Pick<AccountRecords, 'now'>): Promise<boolean> {
  const read = await lastRead(context, 'listings');
  return isCurrent(read, await context.store.erp.productsChangedTick(context.account), context.now());
}

/** Returns whether a complete read of the orders began after this tick, so that every earlier order is known. */
export async function ordersReadAfter(shadow: Shadow, tick: number): Promise<boolean> {
  const read = await lastRead(shadow, 'orders');
  return read !== null && read.tick > tick;
}

/** As `ordersReadAfter`, and not long before this look. Buyers also order while the program is stopped. */
export async function areOrdersCurrent(
  context: Shadow & Pick<AccountRecords, 'now'>,
  tick: number,
  lookedSinceMs: number,
): Promise<boolean> {
  return isCurrent(await lastRead(context, 'orders'), tick, context.now(), lookedSinceMs);
}

/** Returns whether a complete read of the ERP's orders began at this ERP time or later. */
export async function erpOrdersReadSince({ account, store }: Shadow, asOf: string): Promise<boolean> {
  const read = await store.cursors.get(account, 'erp-orders');
  return read !== null && !isBefore(read.value, asOf);
}

/**
 * Reads a list before a create on its side, because people create entries there too, and a restored backup lacks recent
 * ones. One read serves all waiting looks.
 * @throws CallFailure if the list cannot be read to its end, so that nothing is created
 */
export async function readBeforeCreate(context: MarketplaceReading, look: Look, collection: ReadFirst): Promise<void> {
  const sinceMs = context.now();
  const isStale = async () => {
    const read = await lastRead(context, collection);
    return read === null || read.atMs < sinceMs || read.atMs > context.now() + CURRENT_FOR_MS;
  };
  await context.readNow(collection, look, isStale);
  if (!(await isStale())) return;
  const side = sideOfList(collection);
  const message = `The ${side} called its list of ${collection.replace('erp-', '')} incomplete: nothing is created before it has been read to its end.`;
  throw new CallFailure(message, { side, kind: 'incomplete', outcome: 'not-applied', ofRead: true });
}
