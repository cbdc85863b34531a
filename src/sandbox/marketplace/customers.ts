import type { CustomerDraft } from './control-schema.ts';
import type { Market } from './market.ts';

export interface CustomerRow {
  readonly id: number;
  readonly name: string;
  /** 0 or 1; an archived customer is not active. */
  readonly archived: number;
  /** State of the delivery address ("CA"). */
  readonly state: string;
  readonly shipping_charge: string;
  readonly created_on: number;
  readonly modified: number;
  /** JSON object: delivery_address, license_number and the like. */
  readonly fields: string;
}

export function insertCustomer(market: Market, draft: CustomerDraft): number {
  const at = market.stamp('customers');
  const { lastInsertRowid } = market.sql.run(
    'INSERT INTO customers (name, archived, state, shipping_charge, created_on, modified, fields) VALUES (?, ?, ?, ?, ?, ?, ?)',
    draft.name,
    draft.archived ? 1 : 0,
    draft.state,
    draft.shippingCharge ?? '0',
    at,
    at,
    JSON.stringify(draft.fields ?? {}),
  );
  return Number(lastInsertRowid);
}

export function findCustomer(market: Market, id: number): CustomerRow | undefined {
  return market.sql.get<CustomerRow>('SELECT * FROM customers WHERE id = ?', id);
}

export function customersById(market: Market, ids: Iterable<number>): Map<number, CustomerRow> {
  const wanted = JSON.stringify([...new Set(ids)]);
  const rows = market.sql.all<CustomerRow>(
    'SELECT * FROM customers WHERE id IN (SELECT value FROM json_each(?))',
    wanted,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
