import type { Database as Sqlite, Statement } from 'better-sqlite3';

const MAX_STATEMENTS = 500;
/** Longer statements write many rows at once, each time another number of them, and are not kept. */
const MAX_LENGTH = 4_000;

/**
 * The same few statements run again and again: each is compiled once. SQLite has to be kept from looking at the values
 * for its plan, or it compiles most of those with an order or a limit anew at every run: `+?` is a value that it cannot see.
 */
export function keepStatements(sqlite: Sqlite): void {
  const compile = sqlite.prepare.bind(sqlite) as (source: string) => Statement;
  const kept = new Map<string, Statement>();
  const prepare = (source: string): Statement => {
    const known = kept.get(source);
    // An earlier user may have wanted bare rows.
    if (known !== undefined) return known.reader ? known.raw(false) : known;
    const statement = compile(source.replaceAll('?', '+?'));
    if (source.length > MAX_LENGTH) return statement;
    if (kept.size === MAX_STATEMENTS) kept.clear();
    kept.set(source, statement);
    return statement;
  };
  sqlite.prepare = prepare as Sqlite['prepare'];
}
