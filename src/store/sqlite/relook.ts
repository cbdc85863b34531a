import type { WorkKey } from '../work.ts';
import type { Queryable } from './database.ts';
import { and, eq, inArray } from './orm.ts';
import { erpCustomers, erpOrders, erpPayments } from './tables/erp.ts';
import { customers, orderLines, orders, payments } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';
import { markAll, releaseWork } from './work.ts';

/** Two entities whose link comes or goes. */
interface Linked {
  readonly account: string;
  readonly kind: 'product' | 'order' | 'customer' | 'payment';
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
}

/**
 * Marks every entity that these links matter to, so that its flow looks at it again. For a product or a customer,
 * orders made in the ERP that were held are released as well. All of it happens in the caller's transaction.
 * @param linked of one account and one kind, at most some thousand
 */
export function markLinked(tx: Queryable, linked: readonly Linked[], reason: string, nowMs: number): void {
  const [first] = linked;
  if (first === undefined) return;
  const { account, kind } = first;
  const marketplaceIds = linked.flatMap(({ marketplaceId }) => marketplaceId ?? []);
  const erpIds = linked.flatMap(({ erpId }) => erpId ?? []);
  const keys = {
    product: () => ({ product: erpIds, stock: erpIds, 'order-in': ordersWithProducts(tx, account, marketplaceIds) }),
    customer: () => ({
      'order-in': ordersOfCustomers(tx, account, marketplaceIds),
      ...customersSeen(tx, account, marketplaceIds, erpIds),
    }),
    order: () => ({
      'order-in': marketplaceIds,
      'order-out': madeInErp(tx, account, erpIds),
      stock: productsOfOrders(tx, account, marketplaceIds),
      'payment-out': erpPaymentsFor(tx, account, [...marketplaceIds, ...erpIds]),
      'payment-in': paymentsOf(tx, account, marketplaceIds),
    }),
    payment: () => ({
      'payment-out': [...erpIds, ...besideInErp(tx, account, erpIds)],
      'payment-in': [...marketplaceIds, ...besideOnMarketplace(tx, account, marketplaceIds)],
    }),
  }[kind]();
  const targets: WorkKey[] = [];
  for (const [flow, ofFlow] of Object.entries(keys)) {
    for (const key of new Set(ofFlow)) targets.push({ account, flow, key });
  }
  markAll(tx, targets, 'poll', reason, nowMs);
  // An order made in the ERP names neither by the marketplace's id.
  if (kind === 'product' || kind === 'customer') releaseWork(tx, { account, flow: 'order-out' });
}

function madeInErp(tx: Queryable, account: string, ids: readonly string[]): string[] {
  const where = and(eq(erpOrders.account, account), inArray(erpOrders.id, [...ids]), eq(erpOrders.origin, 'erp'));
  const found = tx.select({ id: erpOrders.id }).from(erpOrders).where(where).all();
  return found.map(({ id }) => id);
}

function ordersWithProducts(tx: Queryable, account: string, listingIds: readonly string[]): string[] {
  const where = and(eq(orderLines.account, account), inArray(orderLines.productId, listingIds.map(Number)));
  const found = tx.select({ number: orderLines.number }).from(orderLines).where(where).all();
  return found.map(({ number }) => number);
}

function ordersOfCustomers(tx: Queryable, account: string, customerIds: readonly string[]): string[] {
  const where = and(eq(orders.account, account), inArray(orders.customerId, customerIds.map(Number)));
  const found = tx.select({ number: orders.number }).from(orders).where(where).all();
  return found.map(({ number }) => number);
}

/** Those of them that are kept in step. */
function customersSeen(tx: Queryable, account: string, marketplaceIds: readonly string[], erpIds: readonly string[]) {
  const inErp = and(eq(erpCustomers.account, account), inArray(erpCustomers.id, [...erpIds]));
  const there = and(eq(customers.account, account), inArray(customers.id, marketplaceIds.map(Number)));
  const erpRows = tx.select({ id: erpCustomers.id }).from(erpCustomers).where(inErp).all();
  const rows = tx.select({ id: customers.id }).from(customers).where(there).all();
  return { 'customer-out': erpRows.map(({ id }) => id), 'customer-in': rows.map(({ id }) => String(id)) };
}

/** The ERP's products in these orders: the link of an order decides how many of their units the ERP counts. */
function productsOfOrders(tx: Queryable, account: string, numbers: readonly string[]): string[] {
  const lines = tx
    .select({ id: orderLines.productId })
    .from(orderLines)
    .where(and(eq(orderLines.account, account), inArray(orderLines.number, [...numbers])))
    .all();
  const listingIds = [...new Set(lines.map(({ id }) => String(id)))];
  const linked = and(
    eq(mappings.account, account),
    eq(mappings.kind, 'product'),
    inArray(mappings.marketplaceId, listingIds),
  );
  const found = tx.select({ erpId: mappings.erpId }).from(mappings).where(linked).all();
  return found.flatMap(({ erpId }) => erpId ?? []);
}

function erpPaymentsFor(tx: Queryable, account: string, references: readonly string[]): string[] {
  const where = and(eq(erpPayments.account, account), inArray(erpPayments.reference, [...references]));
  const found = tx.select({ id: erpPayments.id }).from(erpPayments).where(where).all();
  return found.map(({ id }) => id);
}

function paymentsOf(tx: Queryable, account: string, numbers: readonly string[]): string[] {
  const where = and(eq(payments.account, account), inArray(payments.orderNumber, [...numbers]));
  const found = tx.select({ id: payments.id }).from(payments).where(where).all();
  return found.map(({ id }) => id);
}

/** Payments of the same orders: one that is equal waits until it is settled which is which. */
function besideInErp(tx: Queryable, account: string, erpIds: readonly string[]): string[] {
  const where = and(eq(erpPayments.account, account), inArray(erpPayments.id, [...erpIds]));
  const found = tx.select({ reference: erpPayments.reference }).from(erpPayments).where(where).all();
  const references = found.map(({ reference }) => reference);
  return references.length === 0 ? [] : erpPaymentsFor(tx, account, references);
}

function besideOnMarketplace(tx: Queryable, account: string, ids: readonly string[]): string[] {
  const where = and(eq(payments.account, account), inArray(payments.id, [...ids]));
  const found = tx.select({ number: payments.orderNumber }).from(payments).where(where).all();
  const numbers = found.map(({ number }) => number);
  return numbers.length === 0 ? [] : paymentsOf(tx, account, numbers);
}
