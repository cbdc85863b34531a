import type { SQL } from 'drizzle-orm';
import { INTENT_KINDS } from '../intent-kinds.ts';
import type { MappingKind } from '../links.ts';
import type { CustomerIds } from '../personal.ts';
import type { Readable } from './database.ts';
import { sql } from './orm.ts';
import { erpOrders } from './tables/erp.ts';
import { orders } from './tables/marketplace.ts';

/** Flows whose records may name a person. Their keys are customer ids, or order numbers and ids. */
export const PERSONAL_FLOWS = {
  customer: ['customer-in', 'customer-out'],
  order: ['order-in', 'order-out', 'approval-out', 'transport-in'],
} as const satisfies Partial<Record<MappingKind, readonly string[]>>;

/** Flow names in records. Earlier versions recorded links under the kind of the link. */
const flowsOf = (of: keyof typeof PERSONAL_FLOWS): readonly string[] => [of, ...PERSONAL_FLOWS[of]];
const CUSTOMER_FLOWS = flowsOf('customer');
const ORDER_FLOWS = flowsOf('order');

const kindsOf = (flows: readonly string[]) =>
  Object.entries(INTENT_KINDS).flatMap(([kind, { flow }]) => (flows.includes(flow) ? [kind] : []));

/** Flows and kinds whose rows contain nothing but personal data of a customer. */
export const ONLY_OF_CUSTOMERS: ReadonlySet<unknown> = new Set([...CUSTOMER_FLOWS, ...kindsOf(CUSTOMER_FLOWS)]);

/** A customer with all orders, or the person named by some orders. */
export interface Subject {
  readonly ids: CustomerIds;
  readonly numbers: readonly string[];
  readonly inErp: readonly string[];
}

export function customerSubject(db: Readable, account: string, ids: CustomerIds): Subject {
  const { marketplaceId, erpId } = ids;
  const ofAccount = sql`account = ${account}`;
  const numbers = db
    .select({ number: orders.number })
    .from(orders)
    .where(sql`${ofAccount} and customer_id = ${marketplaceId}`)
    .all()
    .map(({ number }) => number);
  const found = [
    sql`reference in ${listed(numbers)}`,
    sql`content ->> '$.customer.id' = ${erpId}`,
    sql`content ->> '$.customer.marketplaceId' = ${marketplaceId}`,
  ].flatMap((is) => db.select({ id: erpOrders.id }).from(erpOrders).where(sql`${ofAccount} and ${is}`).all());
  const inErp = [...new Set(found.map(({ id }) => id))];
  return { ids, numbers, inErp };
}

export function orderSubject(numbers: readonly string[], inErp: readonly string[]): Subject {
  return { ids: { marketplaceId: null, erpId: null }, numbers, inErp };
}

/** One bound value, whatever the list's length. */
function listed(values: readonly string[]): SQL {
  return sql`(select value from json_each(${JSON.stringify(values)}))`;
}

/** All rows about a person, for export and for erasure. */
export function placesOf(account: string, subject: Subject) {
  const { marketplaceId, erpId } = subject.ids;
  const ofAccount = sql`account = ${account}`;
  const id = String(marketplaceId ?? '');
  const idInErp = erpId ?? '';
  const [numbers, inErp] = [listed(subject.numbers), listed(subject.inErp)];
  const ofCustomer = sql`key in (${id}, ${idInErp}) and key <> ''`;
  const ofOrders = sql`(key in ${numbers} or key in ${inErp})`;
  const work = sql`${ofAccount} and (flow in ${CUSTOMER_FLOWS} and ${ofCustomer} or flow in ${ORDER_FLOWS} and ${ofOrders})`;
  return {
    customers: sql`${ofAccount} and id = ${marketplaceId}`,
    erp_customers: sql`${ofAccount} and id = ${erpId}`,
    mappings: sql`${ofAccount} and kind = 'customer' and (marketplace_id = ${id} or erp_id = ${idInErp})`,
    invalid_rows: sql`${ofAccount} and (collection in ('customers', 'erp-customers') and what in (${id}, ${idInErp})
      or collection in ('orders', 'erp-orders') and (what in ${numbers} or what in ${inErp}))`,
    inbox: sql`${ofAccount} and exists (select 1 from json_each(${JSON.stringify(subject.numbers)}) as mine
      where instr(inbox.body, mine.value) > 0)`,
    work,
    failed_jobs: work,
    brake_items: work,
    journal: work,
    intents: sql`${ofAccount} and (kind in ${kindsOf(CUSTOMER_FLOWS)} and ${ofCustomer} or kind in ${kindsOf(ORDER_FLOWS)} and ${ofOrders})`,
    order_bases: sql`${ofAccount} and number in ${numbers}`,
    orders: sql`${ofAccount} and number in ${numbers}`,
    erp_orders: sql`${ofAccount} and id in ${inErp}`,
    order_lines: sql`${ofAccount} and number in ${numbers}`,
    payments: sql`${ofAccount} and order_number in ${numbers}`,
    erp_payments: sql`${ofAccount} and reference in ${numbers}`,
    forgotten: sql`${ofAccount} and (kind = 'customer' and id = ${id} or kind = 'erp-customer' and id = ${idInErp}
      or kind = 'order' and id in ${numbers} or kind = 'erp-order' and id in ${inErp})`,
  } satisfies Record<string, SQL>;
}

export type Place = keyof ReturnType<typeof placesOf>;
