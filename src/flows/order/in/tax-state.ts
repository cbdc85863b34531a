import { cause } from '../../../domain/causes/cause.ts';
import { alertFact, setAlert } from '../../../shadow/alerts.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import type { Facts } from '../../../store/observe.ts';
import type { OrderInSnapshot } from './snapshot.ts';

/** Fact: an order has shown its state of delivery. */
export const STATE_SHOWN = 'order-state-shown';
const ALERT = 'orders:tax-state';
const TOLD = alertFact(ALERT);

export const STATE_FACTS = [STATE_SHOWN, TOLD];

/**
 * Whether states of delivery are read at all. If so, an order without one is an exception that a person can correct.
 */
export function statesIn({ config }: Pick<AccountRecords, 'config'>, facts: Facts) {
  return { statesRead: config.customers !== null || facts.has(STATE_SHOWN), statesUnreadTold: facts.has(TOLD) };
}

/**
 * If no state is read at all, orders without one are normal, and the settings decide about their tax. This raises one
 * alert for the account. It ends when states, taxes or totals are read, or when the tax needs no state.
 */
export async function noteTaxState(
  context: Pick<AccountRecords, 'account' | 'config' | 'store'>,
  { linked, order, statesRead, statesUnreadTold, wanted }: OrderInSnapshot,
): Promise<void> {
  if (order === null) return;
  const { account, config, store } = context;
  const { number, deliveryState, taxAmount, total } = order.order;
  if (!statesRead && deliveryState !== null) await store.facts.set(account, STATE_SHOWN, number);
  const isRead = statesRead || [deliveryState, taxAmount, total].some((shown) => shown !== null);
  if (isRead || config.orders.exciseTax.applies !== 'california') {
    if (statesUnreadTold) await setAlert(context, ALERT, []);
    return;
  }
  if (statesUnreadTold || !linked || wanted === null || 'problem' in wanted || wanted.taxUnknown === null) return;
  await setAlert(context, ALERT, [cause('tax-states-unread')]);
}
