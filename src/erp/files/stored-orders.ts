import type { ReportedState, Written } from './order-state.ts';
import type { View } from './view.ts';

/** An order written for the ERP, as stored in the view. */
export interface StoredOrder {
  readonly reference: string;
  readonly id: string;
  readonly written: Written;
  readonly told: ReportedState | null;
  /** Its last change, on the order list's clock. */
  readonly seen: number;
}

interface Row {
  readonly reference: string;
  readonly id: string;
  readonly written: string;
  readonly told: string | null;
  readonly seen: number;
}

function orderOf(row: Row | undefined): StoredOrder | null {
  if (row === undefined) return null;
  const told = row.told === null ? null : (JSON.parse(row.told) as ReportedState);
  return { ...row, written: JSON.parse(row.written) as Written, told };
}

export function readOrder({ db }: View, reference: string): StoredOrder | null {
  return orderOf(db.prepare('SELECT * FROM orders WHERE reference = ?').get(reference) as Row | undefined);
}

export function readOrderById({ db }: View, id: string): StoredOrder | null {
  return orderOf(db.prepare('SELECT * FROM orders WHERE id = ?').get(id) as Row | undefined);
}

/** Orders changed since this clock, by reference. */
export function ordersSince({ db }: View, seen: number): StoredOrder[] {
  const rows = db.prepare('SELECT * FROM orders WHERE seen >= ? ORDER BY reference').all(seen) as Row[];
  return rows.map((row) => orderOf(row)).filter((order) => order !== null);
}

export function saveOrder({ db }: View, { reference, id, written, told, seen }: StoredOrder): void {
  db.prepare(
    `INSERT INTO orders VALUES (?, ?, ?, ?, ?) ON CONFLICT (reference) DO UPDATE SET
       written = excluded.written, told = excluded.told, seen = excluded.seen`,
  ).run(reference, id, JSON.stringify(written), told === null ? null : JSON.stringify(told), seen);
}

export function forgetOrder({ db }: View, reference: string): void {
  db.prepare('DELETE FROM orders WHERE reference = ?').run(reference);
}
