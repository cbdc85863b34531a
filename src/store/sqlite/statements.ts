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
  const kept = new Map<string, Statement>();
  const prepare = (source: string): Statement => {
    const known = kept.get(source);
    // An earlier caller may have asked for raw rows.
    if (known !== undefined) return known.reader ? known.raw(false) : known;
    const statement = compile(source.replaceAll('?', '+?'));
    if (source.length > MAX_LENGTH) return statement;
    if (kept.size === MAX_STATEMENTS) kept.clear();
    kept.set(source, statement);
    return statement;
  };
  sqlite.prepare = prepare as Sqlite['prepare'];
}
