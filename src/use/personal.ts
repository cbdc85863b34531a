import { type CustomerIds, type Forgotten, LAST_FORGOTTEN } from '../store/personal.ts';
import { findEntity } from './entity.ts';
import { NotFound, Refused, UsageError } from './faults.ts';
import type { Opened } from './open.ts';
import { openStoredPlans } from './plans/stored.ts';

interface Exported {
  readonly account: string;
  readonly customer: CustomerIds;
  readonly kept: Readonly<Record<string, readonly unknown[]>>;
}

/** @throws NotFound, or UsageError for an ambiguous id */
export async function exportCustomer({ store }: Opened, account: string, id: string): Promise<Exported> {
  const customer = await theCustomer({ store }, account, id);
  return { account, customer, kept: await store.personal.rows(account, customer) };
}

const NAMED = 5;

/**
 * Forgets a customer without open orders.
 * @throws NotFound, UsageError for an ambiguous id, or Refused for an open order
 */
export async function forgetCustomer(
  { config, store, by }: Opened,
  account: string,
  id: string,
): Promise<Forgotten & { readonly customer: CustomerIds }> {
  const customer = await theCustomer({ store }, account, id);
  const open = await store.personal.openOrders(account, customer, NAMED);
  if (open.length > 0) {
    throw new Refused(
      `these orders of customer ${id} are open: ${open.join(', ')}. Nothing was forgotten. Try again when each of them is Shipped or Complete, cancelled or rejected on the marketplace`,
    );
  }
  const forgotten = await store.personal.forget(account, customer, by);
  // A plan shows all customers' writes, so it may name the forgotten one.
  openStoredPlans(config.state.dir, Date.now).tidy(account, await store.facts.get(account, LAST_FORGOTTEN));
  return { customer, ...forgotten };
}

async function theCustomer({ store }: Pick<Opened, 'store'>, account: string, id: string): Promise<CustomerIds> {
  const named = await store.personal.find(account, id);
  const meant = named.length > 0 ? null : await findEntity(store, account, id, 'customer');
  const [found, another] =
    meant === null
      ? named
      : [{ marketplaceId: meant.marketplaceId === null ? null : Number(meant.marketplaceId), erpId: meant.erpId }];
  if (found === undefined) throw new NotFound(`nothing is kept of a customer ${id} of account ${account}`);
  if (another !== undefined) {
    throw new UsageError(
      `${id} is one customer on the marketplace and another one in the ERP: name the other id of it`,
    );
  }
  return found;
}
