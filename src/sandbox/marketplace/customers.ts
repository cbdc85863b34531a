import type { CustomerDraft } from './control-schema.ts';
import type { Market } from './market.ts';
import { createRecord } from './records/crud.ts';
import { customers } from './records/customers.ts';
import type { RecordRow } from './records/family.ts';
import { allRecords, fieldsOf, findRecord, needRecord, updateRecord } from './records/rows.ts';
import type { Fields } from './wire-values.ts';

/** A customer as orders see it. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  /** An archived customer is not active. */
  readonly archived: boolean;
  readonly deliveryAddress: Fields;
  /** State of the delivery address ("CA"). */
  readonly state: string;
  /** Decimal text. */
  readonly shippingCharge: string;
}

export function addCustomer(market: Market, draft: CustomerDraft): number {
  const { delivery_address: address, ...fields } = draft.fields ?? {};
  return createRecord(market, customers, {
    owner_id: market.settings().sellerId,
    ...fields,
    name: draft.name,
    is_archived: draft.archived ?? false,
    shipping_charge: draft.shippingCharge ?? '0',
    delivery_address: { ...(address as Fields | undefined), state: draft.state },
  }).id;
}

/** @throws Refusal 404 */
export function archiveCustomer(market: Market, id: number): void {
  const row = needRecord(market, customers, id);
  updateRecord(market, customers, row, { ...fieldsOf(row), is_archived: true });
}

export function findCustomer(market: Market, id: number): Customer | undefined {
  const row = findRecord(market, customers.name, id);
  return row && customerOf(row);
}

export function allCustomers(market: Market): Customer[] {
  return allRecords(market, customers.name).map(customerOf);
}

export function customersById(market: Market, ids: Iterable<number>): Map<number, Customer> {
  const wanted = JSON.stringify([...new Set(ids)]);
  const rows = market.sql.all<RecordRow>(
    "SELECT * FROM records WHERE family = 'customers' AND id IN (SELECT value FROM json_each(?))",
    wanted,
  );
  return new Map(rows.map((row) => [row.id, customerOf(row)]));
}

function customerOf(row: RecordRow): Customer {
  const { name, is_archived: archived, delivery_address: address, shipping_charge: shipping } = fieldsOf(row);
  const deliveryAddress = (address ?? {}) as Fields & { readonly state?: string };
  return {
    id: row.id,
    name: String(name),
    archived: archived === true,
    deliveryAddress,
    state: deliveryAddress.state ?? '',
    shippingCharge: typeof shipping === 'string' ? shipping : '0',
  };
}
