import { appendFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { type Dispatcher, Pool } from 'undici';

/** Right before or right after an effect. */
export interface Point {
  /**
   * `commit 12`, `POST /v1/orders 1`: a number within each kind, since effects of two kinds do not come in the same order each
   * time.
   */
  readonly effect: string;
  readonly moment: 'before' | 'after';
}

/**
 * Numbers every effect of this process when it begins, and calls `reach` before and after each effect. An effect is a commit
 * of SQLite that changes a row, or a call that is no GET. The packages that cause effects are patched, so the tested code is unchanged. Each
 * effect is a line of `file` as it begins, a commit with what it changes: `commit 12: insert work`. Commits of PostgreSQL are
 * numbered by the line to the server (line.ts), with the functions that are returned here.
 *
 * "Before a commit" means: everything is done but the commit. "After a call" means: the answer has arrived, and the program
 * has not seen it.
 */
export function numberEffects(file: string, reach: (point: Point) => void): Counting {
  const counts = new Map<string, number>();
  const begin = (kind: string, changes = ''): string => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const effect = `${kind} ${count}`;
    appendFileSync(file, `${effect}${changes}\n`);
    reach({ effect, moment: 'before' });
    return effect;
  };
  const end = (effect: string): void => reach({ effect, moment: 'after' });
  numberCommits(begin, end);
  numberCalls(begin, end);
  return { begin, end };
}

/** The functions that count effects. Each effect has a name from its beginning on. */
export interface Counting {
  readonly begin: Begin;
  readonly end: End;
}

type Begin = (kind: string, changes?: string) => string;
type End = (effect: string) => void;

function numberCommits(begin: Begin, end: End): void {
  const { transaction } = Sqlite.prototype;
  const changed = watchStatements();
  Sqlite.prototype.transaction = function numbered(this: Sqlite.Database, work: (...args: unknown[]) => unknown) {
    let begun = '';
    // A transaction within another one is a savepoint: after it, nothing is on the disk yet.
    let isWithin = false;
    const whole = transaction.call(this, (...args: unknown[]) => {
      if (isWithin) return work(...args);
      changed.clear();
      const before = rowsChanged(this);
      const result = work(...args);
      // A snapshot for reading ends with a commit too, and leaves the disk as it was.
      begun = rowsChanged(this) === before ? '' : begin('commit', `: ${[...changed].join(', ')}`);
      return result;
    });
    const run =
      (variant: (...args: unknown[]) => unknown) =>
      (...args: unknown[]) => {
        // The same function may begin a transaction and the savepoints within it.
        const isInner = this.inTransaction;
        isWithin = isInner;
        const result = variant(...args);
        if (!isInner && begun !== '') end(begun);
        return result;
      };
    const { deferred, immediate, exclusive } = whole;
    return Object.assign(run(whole), {
      deferred: run(deferred),
      immediate: run(immediate),
      exclusive: run(exclusive),
    });
  } as typeof transaction;
}

const counters = new WeakMap<Sqlite.Database, Sqlite.Statement>();

/** The number of rows that this connection has changed so far. */
function rowsChanged(db: Sqlite.Database): unknown {
  const counter = counters.get(db) ?? db.prepare('select total_changes()').pluck();
  counters.set(db, counter);
  return counter.get();
}

/** The tables that the statements of a transaction have changed. They tell commits apart. */
function watchStatements(): Set<string> {
  const changed = new Set<string>();
  const memory = new Sqlite(':memory:');
  const statement = Object.getPrototypeOf(memory.prepare('select 1')) as Record<string, unknown>;
  memory.close();
  for (const name of ['run', 'get', 'all', 'values']) {
    const original = statement[name];
    if (typeof original !== 'function') continue;
    statement[name] = function noting(this: Sqlite.Statement, ...args: unknown[]): unknown {
      const [, verb, table] = /^\s*(insert into|update|delete from)\s+"?(\w+)/i.exec(this.source) ?? [];
      if (verb !== undefined) changed.add(`${verb.split(' ')[0]?.toLowerCase()} ${table}`);
      return Reflect.apply(original, this, args) as unknown;
    };
  }
  return changed;
}

function numberCalls(begin: Begin, end: End): void {
  const { dispatch } = Pool.prototype;
  Pool.prototype.dispatch = function numbered(this: Pool, options, handler) {
    if (options.method === 'GET') return dispatch.call(this, options, handler);
    const effect = begin(`${options.method} ${options.path}`);
    const watching: Dispatcher.DispatchHandler = {
      ...handler,
      onResponseEnd(controller, trailers) {
        end(effect);
        handler.onResponseEnd?.(controller, trailers);
      },
    };
    return dispatch.call(this, options, watching);
  };
}
