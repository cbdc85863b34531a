import type { Sql } from '../sql.ts';
import type { Fault, Faults } from './faults.ts';
import type { Micros } from './instants.ts';

type Table = 'orders' | 'products';

interface Hidden {
  readonly fault: Fault;
  readonly until: Micros | null;
  listsLeft: number | null;
}

/**
 * Rows that were committed but show up late in lists. Until a row shows up, or the fault is cleared, lists show the earlier row,
 * or nothing for a new row.
 */
export function createLateRows(sql: Sql, faults: Faults, now: () => Micros) {
  const hidden: Record<Table, Map<number, Hidden>> = { orders: new Map(), products: new Map() };
  let pending: { table: Table; id: number; entry: Hidden }[] = [];

  const release = (table: Table) => {
    const at = now();
    const set = new Set(faults.list().map(({ fault }) => fault));
    for (const [id, entry] of hidden[table]) {
      const isOver = (entry.until !== null && at >= entry.until) || (entry.listsLeft !== null && entry.listsLeft <= 0);
      if (set.has(entry.fault) && !isOver) continue;
      hidden[table].delete(id);
      sql.run(`DELETE FROM ${table}_before WHERE id = ?`, id);
    }
  };

  return {
    /** To be called before a row changes, or right after it was created. */
    beforeWrite(table: Table, id: number, created: boolean): void {
      if (hidden[table].has(id) || pending.some((row) => row.table === table && row.id === id)) return;
      const fault = faults.strike(['late-rows'], { entity: table });
      if (!fault) return;
      if (!created) sql.run(`INSERT INTO ${table}_before SELECT * FROM ${table} WHERE id = ?`, id);
      const until = fault.ms === undefined ? null : now() + fault.ms * 1000;
      pending.push({ table, id, entry: { fault, until, listsLeft: fault.lists ?? null } });
    },
    committed(): void {
      for (const { table, id, entry } of pending) hidden[table].set(id, entry);
      pending = [];
    },
    rolledBack(): void {
      pending = [];
    },
    source(table: Table): string {
      if (hidden[table].size === 0) return table;
      release(table);
      const ids = [...hidden[table].keys()];
      if (ids.length === 0) return table;
      return `(SELECT * FROM ${table} WHERE id NOT IN (${ids.join(', ')}) UNION ALL SELECT * FROM ${table}_before)`;
    },
    /** To be called when a list of this table was answered. */
    listed(table: Table): void {
      for (const entry of hidden[table].values()) if (entry.listsLeft !== null) entry.listsLeft -= 1;
    },
  };
}
