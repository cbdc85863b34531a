import type Database from 'better-sqlite3';

const MAX_STATEMENTS = 500;

/** Each is compiled once. A value that SQLite sees may change its plan, so it would compile the statement anew at every run. */
export function keepStatements(db: Database.Database): void {
  const compile = db.prepare.bind(db) as (text: string) => Database.Statement;
  const kept = new Map<string, Database.Statement>();
  const prepare = (text: string): Database.Statement => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (kept.size >= MAX_STATEMENTS) kept.clear();
    const statement = compile(text.replaceAll('?', '+?'));
    kept.set(text, statement);
    return statement;
  };
  db.prepare = prepare as typeof db.prepare;
}
