import { appendFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { type Dispatcher, Pool } from 'undici';

/** Right before or right after an effect. */
export interface Point {
  /** `commit 12`, `POST /v1/orders 1`: which one of its kind, since those of two kinds do not come in the same order each time. */
  readonly effect: string;
  readonly moment: 'before' | 'after';
}

/**
 * Numbers every effect of this process as it begins, and says when it comes to one and has done one. An effect is a commit
 * of SQLite, or a call that is no GET. It patches the packages that do them, so what is tested knows nothing of it. Each
 * effect is a line of `file` as it begins, a commit with what it changes: `commit 12: insert work`. Commits of PostgreSQL are
 * numbered by the line to it (line.ts), with what is answered here.
 *
 * Before a commit: all of it is done, and not yet the commit. After a call: its answer has arrived, and nobody has seen it.
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

/** Of effects: each has a name from its beginning on. */
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
    // Within another one it is a savepoint, and nothing is on the disk after it.
    let isWithin = false;
    const whole = transaction.call(this, (...args: unknown[]) => {
      if (isWithin) return work(...args);
      changed.clear();
      const result = work(...args);
      begun = begin('commit', `: ${[...changed].join(', ') || 'nothing'}`);
      return result;
    });
    const run =
      (variant: (...args: unknown[]) => unknown) =>
      (...args: unknown[]) => {
        isWithin = this.inTransaction;
        const result = variant(...args);
        if (!isWithin) end(begun);
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

/** What the statements of a transaction have changed, to tell commits apart. */
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
