import type { SQL } from 'drizzle-orm';
import type { CustomerIds } from '../personal.ts';
import { sql } from './orm.ts';

/** Everything that is kept of a customer: an export shows these rows, and forgetting goes through them. */
export function placesOf(account: string, { marketplaceId, erpId }: CustomerIds) {
  const mine = sql`account = ${account}`;
  const id = String(marketplaceId ?? '');
  const inErp = erpId ?? '';
  const numbers = sql`(select number from orders where ${mine} and customer_id = ${marketplaceId})`;
  const erpOrder = sql`(reference in ${numbers} or json_extract(content, '$.customer.id') = ${erpId}
    or json_extract(content, '$.customer.marketplaceId') = ${marketplaceId})`;
  const erpOrders = sql`(select id from erp_orders where ${mine} and ${erpOrder})`;
  const ofCustomer = sql`(flow like 'customer%' and key in (${id}, ${inErp}) and key <> '')`;
  const ofOrders = sql`(flow not like 'customer%' and (key in ${numbers} or key in ${erpOrders}))`;
  const work = sql`${mine} and (${ofCustomer} or ${ofOrders})`;
  return {
    customers: sql`${mine} and id = ${marketplaceId}`,
    erp_customers: sql`${mine} and id = ${erpId}`,
    mappings: sql`${mine} and kind = 'customer' and (marketplace_id = ${id} or erp_id = ${inErp})`,
    misfits: sql`${mine} and (collection in ('customers', 'erp-customers') and what in (${id}, ${inErp})
      or what in ${numbers} or what in ${erpOrders})`,
    inbox: sql`${mine} and exists (select 1 from orders as o where o.account = inbox.account
      and o.customer_id = ${marketplaceId} and instr(cast(inbox.body as text), o.number) > 0)`,
    work,
    failed_jobs: work,
    brake_items: work,
    journal: work,
    intents: sql`${mine} and (kind like 'customer%' and key in (${id}, ${inErp}) or key in ${numbers} or key in ${erpOrders})`,
    order_bases: sql`${mine} and number in ${numbers}`,
    orders: sql`${mine} and customer_id = ${marketplaceId}`,
    erp_orders: sql`${mine} and ${erpOrder}`,
    order_lines: sql`${mine} and number in ${numbers}`,
    payments: sql`${mine} and order_number in ${numbers}`,
    erp_payments: sql`${mine} and reference in ${numbers}`,
  } satisfies Record<string, SQL>;
}

/** A table that holds something about a customer. */
export type Place = keyof ReturnType<typeof placesOf>;
