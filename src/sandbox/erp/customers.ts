import type { Sql } from '../sql.ts';
import type { CustomerDraft, CustomerFields, CustomerRecord } from './records.ts';
import { Refusal } from './refusal.ts';

export interface CustomerRow {
  n: number;
  marketplace_id: number | null;
  name: string;
  /** Other fields, as JSON. */
  fields: string;
  changed_ms: number;
}

export function createCustomers(sql: Sql, nowMs: () => number) {
  return {
    /** May add a duplicate. */
    add({ marketplace_id, name, ...fields }: CustomerDraft): CustomerRecord {
      const row = { marketplace_id, name, fields: JSON.stringify(fields), changed_ms: nowMs() };
      return customerRecord({ n: sql.insert('customers', row), ...row });
    },
    /** Removes the customer, as an ERP does when it merges customers. */
    remove(id: string): void {
      sql.run('DELETE FROM customers WHERE n = ?', Number(id.replace(/^C-/, '')));
    },
    /** null removes a field. */
    change(id: string, { marketplace_id, name, ...fields }: CustomerFields): CustomerRecord {
      const row = sql.get<CustomerRow>('SELECT * FROM customers WHERE n = ?', Number(id.replace(/^C-/, '')));
      if (row === undefined) throw new Refusal(404, `There is no customer ${id}`);
      const known = { ...(JSON.parse(row.fields) as object), ...fields };
      const now = {
        ...row,
        marketplace_id: marketplace_id === undefined ? row.marketplace_id : marketplace_id,
        name: name ?? row.name,
        fields: JSON.stringify(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))),
        changed_ms: nowMs(),
      };
      sql.update('customers', 'n', now);
      return customerRecord(now);
    },
  };
}

export function customerId(n: number): string {
  return `C-${String(n).padStart(6, '0')}`;
}

export function customerRecord({ n, changed_ms, fields, ...same }: CustomerRow): CustomerRecord {
  const changed_at = new Date(changed_ms).toISOString();
  return { id: customerId(n), ...same, ...(JSON.parse(fields) as Partial<CustomerRecord>), changed_at };
}
