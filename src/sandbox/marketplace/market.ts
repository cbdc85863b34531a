import type { Sql } from '../sql.ts';
import type { Faults } from './faults.ts';
import type { Micros } from './instants.ts';
import { createLateRows } from './late-rows.ts';
import type { Settings } from './settings.ts';

/** The cause of a change. */
export type Actor = 'api' | 'buyer' | 'staff';

/** An event that a webhook may report. */
export interface MarketEvent {
  readonly type: 'order' | 'product';
  readonly action: 'create' | 'edit' | 'delete';
  /** The row's id in its table. */
  readonly id: number;
  readonly by: Actor;
  /** For a deleted row: the row as it was last shown, in JSON. */
  readonly was?: string;
}

/** The base of every part of the marketplace. Changes run inside `change`, which is one transaction. */
export interface Market {
  readonly sql: Sql;
  readonly settings: () => Settings;
  readonly now: () => Micros;
  /** The `modified` of a row written now: strictly increasing unless a fault says otherwise. */
  readonly stamp: (table: 'orders' | 'products' | 'records') => Micros;
  /** A random order number, drawn from the seed. */
  readonly uuid: () => string;
  /** Called before a row changes (`created` for a new row). A fault may make the change visible late. */
  readonly beforeWrite: (table: 'orders' | 'products', id: number, created: boolean) => void;
  /** The source of lists: the table, or the part of it that is visible by now. */
  readonly listSource: (table: 'orders' | 'products') => string;
  /** Whether a fault strikes something that the marketplace does by itself, such as a queued command. */
  readonly strike: Faults['strike'];
  readonly emit: (event: MarketEvent) => void;
}

export function openMarket(parts: {
  sql: Sql;
  settings: () => Settings;
  now: () => Micros;
  faults: Faults;
  uuid: () => string;
}) {
  const late = createLateRows(parts.sql, parts.faults, parts.now);
  const listeners: ((event: MarketEvent) => void)[] = [];
  let emitted: MarketEvent[] = [];
  const market: Market = {
    sql: parts.sql,
    settings: parts.settings,
    now: parts.now,
    stamp: createStamps(parts.now, parts.faults),
    uuid: parts.uuid,
    beforeWrite: late.beforeWrite,
    listSource: late.source,
    strike: parts.faults.strike,
    emit: (event) => {
      emitted.push(event);
    },
  };
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
    /** Runs work in one transaction. Listeners get its events once it is committed. */
    change<Result>(work: (market: Market) => Result): Result {
      const { result, events } = commit(work);
      for (const event of events) for (const listener of listeners) listener(event);
      return result;
    },
    /** Runs work in one transaction, without events. */
    quietly: <Result>(work: (market: Market) => Result): Result => commit(work).result,
    onEvent: (listener: (event: MarketEvent) => void): void => {
      listeners.push(listener);
    },
    listed: late.listed,
  };
}

export type OpenMarket = ReturnType<typeof openMarket>;

/** Gives every written row its `modified`: strictly increasing, unless a fault says otherwise. */
function createStamps(now: () => Micros, faults: Faults): (entity: 'orders' | 'products' | 'records') => Micros {
  let last: Micros = 0;
  return (entity) => {
    const occasion = entity === 'records' ? {} : ({ entity } as const);
    if (last > 0 && faults.strike(['same-modified'], occasion)) return last;
    last = Math.max(now(), last + 1);
    if (!faults.strike(['whole-second-modified'], occasion)) return last;
    return Math.floor(last / 1_000_000) * 1_000_000;
  };
}
