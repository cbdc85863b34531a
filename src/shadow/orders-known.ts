import { isBefore } from '../domain/instant.ts';
import type { Known } from './context.ts';
import { isCurrent, lastRead } from './last-read.ts';

/** Did a complete read of the orders begin after this tick? Then every order of before it is known. */
export async function ordersReadAfter(
  { account, store }: Pick<Known, 'account' | 'store'>,
  tick: number,
): Promise<boolean> {
  const read = await lastRead({ account, store }, 'orders');
  return read !== null && read.tick > tick;
}

/** Did one begin after this tick, and since just before this look? Buyers go on ordering, also while the program is stopped. */
export async function areOrdersCurrent(
  { account, store, now }: Pick<Known, 'account' | 'store' | 'now'>,
  tick: number,
  lookedSinceMs: number,
): Promise<boolean> {
  return isCurrent(await lastRead({ account, store }, 'orders'), tick, now(), lookedSinceMs);
}

/** Did a complete read of the ERP's orders begin at this instant of its clock, or later? */
export async function erpOrdersReadSince(
  { account, store }: Pick<Known, 'account' | 'store'>,
  asOf: string,
): Promise<boolean> {
  const read = await store.cursors.get(account, 'erp-orders');
  return read !== null && !isBefore(read.value, asOf);
}
