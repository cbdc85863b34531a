import type { Known, Look, MarketplaceReading } from './context.ts';

/** When a complete read began: by this installation's count of reads, and in epoch milliseconds. */
export interface Began {
  readonly tick: number;
  readonly atMs: number;
}

type Collection = 'orders' | 'listings' | 'customers' | 'payments';

/** How such facts begin. A backup that is restored forgets them (`store/restore.ts`). */
const READ_AT = 'read-at:';
/** For this long, the last read counts as the state of now. */
const CURRENT_FOR_MS = 10_000;

/** To be told before a read asks for anything, and handed to `noteRead` once it has ended. */
export async function beginRead({ account, store, now }: Known): Promise<Began> {
  return { tick: await store.cursors.tick(account), atMs: now() };
}

export async function noteRead(
  { account, store }: Pick<Known, 'account' | 'store'>,
  collection: Collection,
  began: Began,
): Promise<void> {
  await store.facts.set(account, factOf(collection), JSON.stringify(began));
}

/** The last complete read; null when there was none. */
export async function lastRead(
  { account, store }: Pick<Known, 'account' | 'store'>,
  collection: Collection,
): Promise<Began | null> {
  const fact = await store.facts.get(account, factOf(collection));
  return fact === null ? null : (JSON.parse(fact) as Began);
}

/**
 * Did the read begin after this tick, and just before the look that asks, or since? An entity that was not there before, or
 * before the program was stopped, may be there by now.
 */
export function isCurrent(read: Began | null, tick: number, nowMs: number, lookedSinceMs: number = nowMs): boolean {
  if (read === null || read.tick <= tick) return false;
  return read.atMs >= lookedSinceMs - CURRENT_FOR_MS && read.atMs <= nowMs + CURRENT_FOR_MS;
}

/**
 * Reads a collection of the marketplace before something is created there, unless that was done just before this look:
 * people work there too, and a backup that was restored knows less than there is.
 */
export async function readBeforeCreate(
  context: MarketplaceReading,
  look: Look,
  collection: 'orders' | 'customers' | 'payments',
): Promise<void> {
  const sinceMs = context.now();
  const isStale = async () => !isCurrent(await lastRead(context, collection), -1, context.now(), sinceMs);
  if (await isStale()) await context.readNow(collection, look, isStale);
}

function factOf(collection: Collection): string {
  return `${READ_AT}${collection}`;
}
