import type { ErpCustomer, ErpOrderCustomer } from '../erp/connector.ts';
import type { ErpReading, Look, MarketplaceReading } from './context.ts';
import { noteInJournal } from './note.ts';
import { noteGone } from './roll-call.ts';

/** How long a customer counts as existing after the ERP showed it. */
const SEEN_FOR_MS = 24 * 60 * 60_000;
/** Fact: epoch milliseconds of the last full list of ERP orders. Customers are then asked for again. */
export const ERP_LISTED = 'erp-listed-at';
/** Prefix of facts: epoch milliseconds when the ERP last showed a linked customer. */
const SEEN = 'erp-customer-seen:';
/** Links made because the ERP showed the marketplace's id, so it can be searched by that id. */
const KNOWN_BY_ID = ['created', 'adopted'];

type Asking = ErpReading & Pick<MarketplaceReading, 'exclusively'>;
type At = Pick<Look, 'signal' | 'lane'>;

interface Pair {
  readonly id: string;
  readonly marketplaceId: number;
}

/**
 * Checks before an order whether its linked customer is gone from the ERP. If customers are not synchronized, no list
 * shows that, so the ERP is asked by the marketplace's id, once after each full pass. If exactly one other customer has
 * that id now, the link moves to it.
 * @returns true: the link changed or the customer is gone, so the order is decided again
 */
export async function isErpCustomerGone(
  context: Asking,
  look: At,
  { id, marketplaceId }: ErpOrderCustomer,
): Promise<boolean> {
  if (context.config.customers !== null || id === undefined || marketplaceId === undefined) return false;
  // Concurrent orders of one customer share a question.
  return context.exclusively([`erp-customer ${marketplaceId}`], () => isGone(context, look, { id, marketplaceId }));
}

async function isGone(context: ErpReading, look: At, { id, marketplaceId }: Pair): Promise<boolean> {
  const { account, now, store } = context;
  const name = `${SEEN}${marketplaceId}`;
  const seenAtMs = Number((await store.facts.get(account, name)) ?? 0);
  const listedAtMs = Number((await store.facts.get(account, ERP_LISTED)) ?? 0);
  const isFresh = seenAtMs > listedAtMs && now() - seenAtMs < SEEN_FOR_MS;
  if (isFresh && seenAtMs <= now()) return false;
  return hasLeft(context, look, { id, marketplaceId });
}

/**
 * Checks whether an order was refused because its customer is gone. Without this, each order would be refused until the
 * next list of customers.
 * @returns as `isErpCustomerGone`
 */
export async function checkErpCustomerGone(
  context: Asking,
  look: At,
  { id, marketplaceId }: ErpOrderCustomer,
): Promise<boolean> {
  if (id === undefined || marketplaceId === undefined) return false;
  return context.exclusively([`erp-customer ${marketplaceId}`], () => hasLeft(context, look, { id, marketplaceId }));
}

async function hasLeft(context: ErpReading, look: At, { id, marketplaceId }: Pair): Promise<boolean> {
  const { account, erp, now, store } = context;
  const mapping = await store.mappings.byMarketplaceId(account, 'customer', String(marketplaceId));
  if (mapping?.erpId !== id) return false;
  const found = await erp.findCustomers(marketplaceId, look.signal);
  const own = found.find((customer) => customer.id === id);
  const [other, another] = found.filter((customer) => customer.id !== id && isThere(customer));
  if (own !== undefined && isThere(own)) {
    await store.facts.set(account, SEEN + marketplaceId, String(now()));
    return false;
  }
  // A customer linked by hand may lack the marketplace's id.
  if (own === undefined && other === undefined && !KNOWN_BY_ID.includes(mapping.how)) return false;
  if (other === undefined || another !== undefined) {
    const witness = own === undefined ? 'own-get' : 'told';
    if (context.config.customers === null) await store.gone.note(account, 'erp-customers', id, witness);
    else await noteGone(context, look, 'erp-customers', [id], witness);
    return true;
  }
  await moveLink(context, { id, marketplaceId }, other);
  return true;
}

function isThere({ active, deleted }: ErpCustomer): boolean {
  return active !== false && deleted !== true;
}

async function moveLink(context: ErpReading, { id, marketplaceId }: Pair, other: ErpCustomer): Promise<void> {
  const { account, store } = context;
  const ids = { marketplaceId: String(marketplaceId), erpId: other.id };
  await store.links.link({ account, kind: 'customer', ...ids, how: 'external_id' }, true, 'order-in');
  const change = { before: `linked to ERP customer ${id}`, after: `linked to ERP customer ${other.id}` };
  const why = `ERP customer ${id} has left, and ${other.id} has the marketplace's id`;
  const found = { account, flow: 'customer-out', key: other.id, action: 'customer-out.relink' };
  await noteInJournal(context, { ...found, target: `customer ${marketplaceId}`, ...change, why });
}
