import type { Code } from '../domain/causes/cause.ts';
import { CallFailure } from '../domain/failure.ts';
import { isBefore } from '../domain/instant.ts';
import { sideOfList } from '../domain/lists.ts';
import type { AccountRecords, Look, MarketplaceReading } from './context.ts';

/** The freshness of the shadow: it holds every row as of the last complete read of its list. */

/** When a complete read began: by this installation's count of reads, and in epoch milliseconds. */
export interface Began {
  readonly tick: number;
  readonly atMs: number;
}

/** A complete read. */
interface Read extends Began {
  /** undefined: a version that did not time reads has recorded it. */
  readonly tookMs?: number;
}

type Collection = 'listings' | ReadFirst;

/** The lists that are read right before something is created on their side. */
type ReadFirst = 'orders' | 'batches' | 'customers' | 'payments' | 'erp-customers' | 'erp-payments';
type Shadow = Pick<AccountRecords, 'account' | 'store'>;

/** The prefix of these facts. A restored backup forgets them (`store/sqlite/backup.ts`). */
const READ_AT = 'read-at:';
/** For this long, the last read counts as the present state. */
const CURRENT_FOR_MS = 10_000;
/** Fact that says that every listing has been read at least once. */
export const LISTINGS_KNOWN = 'listings-known';

/** Called before a read makes its first call. The result goes to `noteRead` once the read has ended. */
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

/** From now on, a missing entity is known to be absent. Work that was held for this reason is looked at. */
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

/** The last complete read; null when there was none. */
export async function lastRead({ account, store }: Shadow, collection: Collection): Promise<Read | null> {
  const fact = await store.facts.get(account, READ_AT + collection);
  return fact === null ? null : (JSON.parse(fact) as Read);
}

/**
 * Did the read begin after this tick, and not long before the look that asks? An entity that was absent before, or before the
 * program was stopped, may be there by now.
 */
function isCurrent(read: Began | null, tick: number, nowMs: number, lookedSinceMs: number = nowMs): boolean {
  if (read === null || read.tick <= tick) return false;
  return read.atMs >= lookedSinceMs - CURRENT_FOR_MS && read.atMs <= nowMs + CURRENT_FOR_MS;
}

/**
 * Were the listings read just now, and since the ERP's products changed last? People list new products of the ERP by hand. A
 * listing that was absent a while ago, or before the program was stopped, may be there by now.
 */
export async function areListingsCurrent(context: Shadow & Pick<AccountRecords, 'now'>): Promise<boolean> {
  const read = await lastRead(context, 'listings');
  return isCurrent(read, await context.store.erp.productsChangedTick(context.account), context.now());
}

/** Did a complete read of the orders begin after this tick? Then every order from before it is known. */
export async function ordersReadAfter(shadow: Shadow, tick: number): Promise<boolean> {
  const read = await lastRead(shadow, 'orders');
  return read !== null && read.tick > tick;
}

/**
 * Did a complete read of the orders begin after this tick, and not long before this look? Buyers also order while the program
 * is stopped.
 */
export async function areOrdersCurrent(
  context: Shadow & Pick<AccountRecords, 'now'>,
  tick: number,
  lookedSinceMs: number,
): Promise<boolean> {
  return isCurrent(await lastRead(context, 'orders'), tick, context.now(), lookedSinceMs);
}

/** Did a complete read of the ERP's orders begin at this instant of its clock, or later? */
export async function erpOrdersReadSince({ account, store }: Shadow, asOf: string): Promise<boolean> {
  const read = await store.cursors.get(account, 'erp-orders');
  return read !== null && !isBefore(read.value, asOf);
}

/**
 * Reads a list before something is created on its side: people also make entries there, and a restored backup lacks recent
 * ones. One read serves all looks that wait for it.
 * @throws CallFailure when the list cannot be read to its end: then nothing is created
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
