import type { AccountContext } from '../reconcile/context.ts';

/** Fact: the tick and the instant, in epoch milliseconds, at which the last complete read of the listings began. */
const LISTINGS_READ = 'listings-read';
/** For this long, what was read is taken for what is there. */
const CURRENT_FOR_MS = 10_000;

interface Began {
  readonly tick: number;
  readonly atMs: number;
}

/** To be told before a read asks for anything, and handed to `noteListingsRead` once it has ended. */
export async function beginListingsRead({ account, store, now }: AccountContext): Promise<Began> {
  return { tick: await store.cursors.tick(account), atMs: now() };
}

export async function noteListingsRead({ account, store }: AccountContext, began: Began): Promise<void> {
  await store.facts.set(account, LISTINGS_READ, JSON.stringify(began));
}

/**
 * Were the listings read since the ERP's products changed last, and just now? People list by hand what is new in the
 * ERP: what was not there a while ago, or before the program was stopped, may be there by now.
 */
export async function areListingsCurrent({
  account,
  store,
  now,
}: Pick<AccountContext, 'account' | 'store' | 'now'>): Promise<boolean> {
  const fact = await store.facts.get(account, LISTINGS_READ);
  if (fact === null) return false;
  const { tick, atMs } = JSON.parse(fact) as Began;
  return Math.abs(now() - atMs) <= CURRENT_FOR_MS && tick > (await store.erp.productsChangedTick(account));
}
