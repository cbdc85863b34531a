import type { Known } from './context.ts';
import { isCurrent, lastRead } from './last-read.ts';

/** Fact that says that every listing has been read at least once. */
export const LISTINGS_KNOWN = 'listings-known';

/**
 * Were the listings read since the ERP's products changed last, and just now? People list new products of the ERP by hand: a
 * listing that was not there a while ago, or before the program was stopped, may be there by now.
 */
export async function areListingsCurrent({
  account,
  store,
  now,
}: Pick<Known, 'account' | 'store' | 'now'>): Promise<boolean> {
  const read = await lastRead({ account, store }, 'listings');
  return isCurrent(read, await store.erp.productsChangedTick(account), now());
}
