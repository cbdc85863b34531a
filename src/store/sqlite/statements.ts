import type { Database as Sqlite, Statement } from 'better-sqlite3';

const MAX_STATEMENTS = 500;
/** Longer statements are not kept. They write many rows at once, each time another number of rows. */
const MAX_LENGTH = 4_000;

/**
 * Compiles each statement once, because the same few statements run again and again. SQLite must not look at the values for its
 * plan. Otherwise it compiles most statements with an order or a limit anew at every run. It cannot see the value of `+?`.
 */
export function keepStatements(sqlite: Sqlite): void {
  const compile = sqlite.prepare.bind(sqlite) as (source: string) => Statement;
  const kept = new Map<string, Statement>();
  const prepare = (source: string): Statement => {
    const known = kept.get(source);
    // An earlier caller may have asked for bare rows.
    if (known !== undefined) return known.reader ? known.raw(false) : known;
    const statement = compile(source.replaceAll('?', '+?'));
    if (source.length > MAX_LENGTH) return statement;
    if (kept.size === MAX_STATEMENTS) kept.clear();
    kept.set(source, statement);
    return statement;
  };
  sqlite.prepare = prepare as Sqlite['prepare'];
}
