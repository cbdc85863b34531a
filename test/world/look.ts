import type { Sides } from '../simulation/sides.ts';
import type { Side } from './words.ts';

/** The stored rows of a side, one entry for each value: `orders/7/lines/0/quantity`. */
export type Values = ReadonlyMap<string, string>;

const TABLES: Readonly<Record<Side, readonly string[]>> = {
  marketplace: ['products', 'orders', 'records'],
  erp: ['products', 'orders', 'customers', 'payments', 'lots'],
};
/** Values that a side itself changes with every write, or that follow from others. */
const OWN = /^(modified|created\w*|changed_ms|stock_changed_ms|reserved\w*|frozen|held|modified_\w+)$/;

/** A copy of everything that people see of this side. */
export function valuesOf({ tables }: Sides, side: Side): Values {
  const values = new Map<string, string>();
  for (const table of TABLES[side]) {
    for (const row of tables[side].all<Record<string, unknown>>(`SELECT * FROM ${table}`)) {
      const key =
        table === 'records' ? `${String(row['family'])}/${String(row['key'])}` : String(row['n'] ?? row['id']);
      put(values, `${table}/${key}`, row);
    }
  }
  return values;
}

function put(values: Map<string, string>, path: string, value: unknown): void {
  const whole = typeof value === 'string' && /^[{[]/.test(value) ? (JSON.parse(value) as unknown) : value;
  if (typeof whole !== 'object' || whole === null) {
    values.set(path, String(whole));
    return;
  }
  for (const [name, part] of Object.entries(whole)) if (!OWN.test(name)) put(values, `${path}/${name}`, part);
}

/** The values that differ, with their value before. */
export function changesBetween(before: Values, after: Values): ReadonlyMap<string, string | undefined> {
  const changed = new Map<string, string | undefined>();
  for (const path of new Set([...before.keys(), ...after.keys()]))
    if (before.get(path) !== after.get(path)) changed.set(path, before.get(path));
  return changed;
}
