import type { Database as Sqlite } from 'better-sqlite3';
import { StoreError } from '../store-error.ts';

/*
 * The 29 former migrations are one now (decisions/one-first-migration.md). A database with all of them has the same
 * columns in another order, and is converted.
 */

export interface Former {
  readonly count: number;
  /** Hashes of the first and the last one. */
  readonly first: string;
  readonly last: string;
}

export const FORMER: Former = {
  count: 29,
  first: '992529f4479d6c1d1ac051b1c30b9957bd5fc28cb0f0f77fa59dc216fe2f6ddf',
  last: 'e362dcf26f0beba17342a5d5488adf19c64282167b7ba7eecbd7cfb25cb78ba8',
};

/**
 * Does the database have exactly the former migrations?
 * @throws StoreError when it has some of them
 */
export function hasFormer({ count, first, last }: Former, hashes: ReadonlySet<string>, database: string): boolean {
  if (!hashes.has(first)) return false;
  if (hashes.size < count) {
    throw new StoreError(
      `${database} is from before version 0.2: it has ${hashes.size} of the ${count} migrations of that time, and this version takes over a database that has them all. Go on with the version that wrote it last, or move it away and run "stockbridge rebuild"`,
    );
  }
  return hashes.size === count && hashes.has(last);
}

/** A table's statement with its columns in a fixed order, for comparison. */
export function inAnyOrder(sql: string): string {
  const [, head, body, tail] = /^(CREATE TABLE [^(]+\()(.*)(\).*)$/.exec(sql) ?? [];
  if (head === undefined || body === undefined) return sql;
  const parts = body.split(/,(?![^()]*\))/).map((part) => part.trim());
  return `${head}${parts.toSorted().join(', ')}${tail}`;
}

/** Recreates the tables by the first migration and copies their rows. The schema has been compared before. */
export function adopt(sqlite: Sqlite, first: { sql: string[]; hash: string; folderMillis: number }): void {
  const all = (query: string) => sqlite.prepare(query).pluck().all() as string[];
  const run = (statements: readonly string[]) => {
    for (const statement of statements) sqlite.exec(statement);
  };
  sqlite
    .transaction(() => {
      const tables = all(
        `select name from sqlite_master where type = 'table' and substr(name, 1, 1) <> '_' and name not like 'sqlite@_%' escape '@'`,
      );
      const indexes = all("select name from sqlite_master where type = 'index' and sql is not null");
      const triggers = all("select sql from sqlite_master where type = 'trigger'");
      const given = sqlite.prepare('select name, seq from sqlite_sequence').raw().all();
      run(indexes.map((name) => `drop index "${name}"`));
      run(tables.map((name) => `alter table "${name}" rename to "former_${name}"`));
      run(first.sql);
      for (const name of tables) {
        const columns = all(`select '"' || name || '"' from pragma_table_info('${name}')`).join(', ');
        run([
          `insert into "${name}" (${columns}) select ${columns} from "former_${name}" order by rowid`,
          `drop table "former_${name}"`,
        ]);
      }
      // An id is never assigned twice, even when the last row was deleted.
      sqlite.exec('delete from sqlite_sequence');
      for (const counter of given) sqlite.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(counter);
      run(triggers);
      sqlite.exec('delete from __drizzle_migrations');
      const note = sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)');
      note.run(first.hash, first.folderMillis);
    })
    .immediate();
}
