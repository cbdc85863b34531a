import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Code } from '../../domain/causes/cause.ts';
import type { IntentKind } from '../intent-kinds.ts';
import type { Mapping } from '../links.ts';
import type { Queryable } from './database.ts';
import { and, eq, inArray, sql } from './orm.ts';
import { inParts } from './queries.ts';
import { erpCustomers, erpLots, erpOrders, erpPayments } from './tables/erp.ts';
import { customers, orderLines, orders, payments, transportOrders } from './tables/marketplace.ts';
import { mappings, work } from './tables/work.ts';
import { markAll, newOrdersFirst, releaseWork } from './work.ts';

type Linked = Pick<Mapping, 'account' | 'kind' | 'marketplaceId' | 'erpId'>;

/**
 * For a product or a customer, held orders from the ERP are released too.
 * @param linked links of one account and one kind, at most a few thousand
 */
export function markLinked(tx: Queryable, linked: readonly Linked[], reason: string, nowMs: number): void {
  const [first] = linked;
  if (first === undefined) return;
  const { account, kind } = first;
  const marketplaceIds = linked.flatMap(({ marketplaceId }) => marketplaceId ?? []);
  const erpIds = linked.flatMap(({ erpId }) => erpId ?? []);
  const keys = AFFECTED_KEYS[kind](finder(tx, account), marketplaceIds, erpIds);
  const targets = Object.entries(keys).flatMap(([flow, ofFlow]) =>
    [...new Set(ofFlow)].map((key) => ({ account, flow, key })),
  );
  markAll(tx, targets, 'poll', reason, nowMs);
  for (const some of inParts(keys['order-in'] ?? []))
    newOrdersFirst(tx, and(eq(work.account, account), inArray(work.key, some)));
  // An order from the ERP names neither products nor customers by the marketplace's id.
  if (kind === 'product' || kind === 'customer') releaseWork(tx, { account, flow: 'order-out' });
}

/** By kind of create: the code of work that waits because its entity may be the one being created. */
const WAITING: Readonly<Partial<Record<IntentKind, Code>>> = {
  'order-out': 'order-maybe-ours',
  'customer-out': 'customer-maybe-ours',
  'customer-in': 'erp-customer-maybe-ours',
};

export function releaseWaiting(tx: Queryable, account: string, kinds: readonly string[]): void {
  const codes = kinds.flatMap((kind) => WAITING[kind as IntentKind] ?? []);
  if (codes.length > 0) releaseWork(tx, { account, codes });
}

/** Finds values of `column` in the account's rows whose column `by` has one of these values. */
type Find = (column: SQLiteColumn, by: SQLiteColumn, values: readonly string[], also?: SQL) => string[];
type Keys = (
  find: Find,
  marketplaceIds: readonly string[],
  erpIds: readonly string[],
) => Record<string, readonly string[]>;

/** The keys by flow that links of a kind affect. */
export const AFFECTED_KEYS: Readonly<Record<Mapping['kind'], Keys>> = {
  product: (find, marketplaceIds, erpIds) => ({
    product: erpIds,
    stock: erpIds,
    'order-in': find(orderLines.number, orderLines.productId, marketplaceIds),
    // Only existing work is marked, because few products are created in the ERP.
    'product-in': find(work.key, work.key, marketplaceIds, eq(work.flow, 'product-in')),
  }),

  // Only stored customers are marked: those that are synchronised.
  customer: (find, marketplaceIds, erpIds) => ({
    'order-in': find(orders.number, orders.customerId, marketplaceIds),
    'customer-out': find(erpCustomers.id, erpCustomers.id, erpIds),
    'customer-in': find(customers.id, customers.id, marketplaceIds),
  }),

  order: (find, marketplaceIds, erpIds) => ({
    // An ERP order without its link is told of at the order that its reference names.
    'order-in': [
      ...marketplaceIds,
      ...find(erpOrders.reference, erpOrders.id, erpIds, eq(erpOrders.origin, 'marketplace')),
    ],
    'order-out': find(erpOrders.id, erpOrders.id, erpIds, eq(erpOrders.origin, 'erp')),
    'transport-in': find(transportOrders.orderKey, transportOrders.orderKey, [...marketplaceIds, ...erpIds]),
    'approval-out': find(erpOrders.id, erpOrders.id, erpIds, sql`${erpOrders.content} ->> '$.approval' is not null`),
    // The order's link decides how many units of its products the ERP counts.
    stock: productsOf(find, marketplaceIds),
    'payment-out': find(erpPayments.id, erpPayments.reference, [...marketplaceIds, ...erpIds]),
    'payment-in': find(payments.id, payments.orderNumber, marketplaceIds),
  }),

  // Stock of the lot waits for its batch.
  batch: (find, _marketplaceIds, erpIds) => ({
    'batch-out': find(erpLots.id, erpLots.id, erpIds),
    stock: find(erpLots.productId, erpLots.id, erpIds),
  }),

  // Payments of the same order are marked too: an equal payment waits until it is known which of them is linked.
  payment: (find, marketplaceIds, erpIds) => {
    const references = find(erpPayments.reference, erpPayments.id, erpIds);
    const numbers = find(payments.orderNumber, payments.id, marketplaceIds);
    return {
      'payment-out': [...erpIds, ...find(erpPayments.id, erpPayments.reference, references)],
      'payment-in': [...marketplaceIds, ...find(payments.id, payments.orderNumber, numbers)],
    };
  },
};

function productsOf(find: Find, numbers: readonly string[]): string[] {
  const listings = [...new Set(find(orderLines.productId, orderLines.number, numbers))];
  return find(mappings.erpId, mappings.marketplaceId, listings, eq(mappings.kind, 'product'));
}

export function markStockOfOrders(
  tx: Queryable,
  account: string,
  numbers: readonly string[],
  reason: string,
  nowMs: number,
): void {
  const keys = [...new Set(productsOf(finder(tx, account), numbers))];
  markAll(
    tx,
    keys.map((key) => ({ account, flow: 'stock', key })),
    'poll',
    reason,
    nowMs,
  );
}

function finder(tx: Queryable, account: string): Find {
  return (column, by, values, also) => {
    const table = column.table as SQLiteTable & { readonly account: SQLiteColumn };
    const keys = by.dataType === 'number' ? values.map(Number) : [...values];
    const found = tx
      .select({ value: column })
      .from<SQLiteTable>(table)
      .where(and(eq(table.account, account), inArray(by, keys), also))
      .all() as { value: string | number | null }[];
    return found.flatMap(({ value }) => (value === null ? [] : String(value)));
  };
}
