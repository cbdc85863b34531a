import type { Database as Sqlite, Statement } from 'better-sqlite3';

const MAX_STATEMENTS = 500;
/** Longer statements are not cached: they are bulk writes whose row count changes each time. */
const MAX_LENGTH = 4_000;

/**
 * `+?` hides the values from SQLite's planner, which would otherwise recompile most statements with an order or a limit
 * at every run.
 */
export function keepStatements(sqlite: Sqlite): void {
  const compile = sqlite.prepare.bind(sqlite) as (source: string) => Statement;
  const cache = new Map<string, Statement>();
  const prepare = (source: string): Statement => {
    const compiled = cache.get(source);
    // An earlier caller may have asked for raw rows.
    if (compiled !== undefined) return compiled.reader ? compiled.raw(false) : compiled;
    const statement = compile(source.replaceAll('?', '+?'));
    if (source.length > MAX_LENGTH) return statement;
    if (cache.size === MAX_STATEMENTS) cache.clear();
    cache.set(source, statement);
    return statement;
  };
  sqlite.prepare = prepare as Sqlite['prepare'];
}
