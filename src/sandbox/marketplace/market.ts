import type { Sql } from '../sql.ts';
import type { Fault, Faults } from './faults.ts';
import type { Micros } from './instants.ts';
import type { Settings } from './settings.ts';

export type Actor = 'api' | 'buyer' | 'staff';

/** Tables whose rows a fault may show late. */
type Table = 'orders' | 'products';

/** For webhooks. */
export interface MarketEvent {
  readonly type: 'order' | 'product';
  readonly action: 'create' | 'edit' | 'delete';
  /** In its table. */
  readonly id: number;
  readonly by: Actor;
  /** A deleted row's last JSON. */
  readonly was?: string;
}

interface MarketParts {
  readonly sql: Sql;
  readonly settings: () => Settings;
  readonly now: () => Micros;
  /** Drawn from the seed. */
  readonly uuid: () => string;
  readonly faults: Faults;
}

/** The base of every part. Changes run inside `change`, one transaction. */
export interface Market extends MarketParts {
  /** A new `modified`, strictly increasing unless a fault applies. */
  readonly stamp: (table: Table | 'records') => Micros;
  readonly late: LateRows;
  readonly emit: (event: MarketEvent) => void;
}

export function openMarket(parts: MarketParts) {
  const late = createLateRows(parts);
  const listeners: ((event: MarketEvent) => void)[] = [];
  let emitted: MarketEvent[] = [];
  const market: Market = { ...parts, late, stamp: createStamps(parts), emit: (event) => void emitted.push(event) };
  const commit = <Result>(work: (market: Market) => Result): { result: Result; events: MarketEvent[] } => {
    try {
      const result = parts.sql.transaction(() => work(market));
      late.committed();
      return { result, events: emitted };
    } catch (error) {
      late.rolledBack();
      throw error;
    } finally {
      emitted = [];
    }
  };
  return {
    market,
    /** Runs one transaction. Listeners get its events after the commit. */
    change<Result>(work: (market: Market) => Result): Result {
      const { result, events } = commit(work);
      for (const event of events) for (const listener of listeners) listener(event);
      return result;
    },
    /** Without events. */
    quietly: <Result>(work: (market: Market) => Result): Result => commit(work).result,
    onEvent: (listener: (event: MarketEvent) => void): void => {
      listeners.push(listener);
    },
  };
}

export type OpenMarket = ReturnType<typeof openMarket>;

function createStamps({ now, faults }: MarketParts): Market['stamp'] {
  let last: Micros = 0;
  return (entity) => {
    const occasion = entity === 'records' ? {} : ({ entity } as const);
    if (last > 0 && faults.strike(['same-modified'], occasion)) return last;
    last = Math.max(now(), last + 1);
    if (!faults.strike(['whole-second-modified'], occasion)) return last;
    return Math.floor(last / 1_000_000) * 1_000_000;
  };
}

interface Hidden {
  readonly fault: Fault;
  readonly until: Micros | null;
  listsLeft: number | null;
}

/**
 * Committed rows that appear late in lists. Until then, or until the fault is cleared, lists show the earlier row or
 * nothing.
 */
function createLateRows({ sql, faults, now }: MarketParts) {
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
    /** Call before a row changes, or right after its creation. */
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
    /** The table, or its visible part. */
    source(table: Table): string {
      if (hidden[table].size === 0) return table;
      release(table);
      const ids = [...hidden[table].keys()];
      if (ids.length === 0) return table;
      return `(SELECT * FROM ${table} WHERE id NOT IN (${ids.join(', ')}) UNION ALL SELECT * FROM ${table}_before)`;
    },
    /** Call after a list of this table was answered. */
    listed(table: Table): void {
      for (const entry of hidden[table].values()) if (entry.listsLeft !== null) entry.listsLeft -= 1;
    },
  };
}

type LateRows = ReturnType<typeof createLateRows>;
