import { isBefore } from '../domain/instant.ts';
import type { AccountContext } from '../reconcile/context.ts';

/** Fact: the tick at which the last complete read of the orders began. */
export const ORDERS_READ_TICK = 'orders-read-tick';

/** Did a complete read of the orders begin after this tick? Then every order of before it is known. */
export async function ordersReadAfter(
  { account, store }: Pick<AccountContext, 'account' | 'store'>,
  tick: number,
): Promise<boolean> {
  return Number((await store.facts.get(account, ORDERS_READ_TICK)) ?? 0) > tick;
}

/** Did a complete read of the ERP's orders begin at this instant of its clock, or later? */
export async function erpOrdersReadSince(
  { account, store }: Pick<AccountContext, 'account' | 'store'>,
  asOf: string,
): Promise<boolean> {
  const read = await store.cursors.get(account, 'erp-orders');
  return read !== null && !isBefore(read.value, asOf);
}
