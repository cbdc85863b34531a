import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restoreDatabase } from '../../src/store/sqlite/backup.ts';
import { databasePath, inspectDatabase, openDatabase } from '../../src/store/sqlite/database.ts';
import { adoptFormer, schemaDifferences } from '../../src/store/sqlite/schema.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { laterMigrations, MIGRATIONS } from '../support/migrations.ts';
import { LAST_GIVEN, makeFormer, TODAY } from './former.ts';

let root: string;
let dir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'adopt-'));
  dir = join(root, 'data');
  mkdirSync(dir);
  makeFormer(dir);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function openOnce(migrations?: string) {
  const { migrated, close } = await openDatabase(dir, migrations);
  close();
  return migrated;
}

function edit(statements: string): void {
  const sqlite = new SqliteDatabase(databasePath(dir));
  sqlite.exec(statements);
  sqlite.close();
}

/** All rows of a database by table, with the ids that were given. */
function rowsIn(path: string): Record<string, unknown[]> {
  const sqlite = new SqliteDatabase(path, { readonly: true });
  const names = sqlite.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all();
  const rows = (names as string[])
    .filter((name) => name !== '__drizzle_migrations')
    .map((name) => [name, sqlite.prepare(`select * from "${name}" order by ${KEY[name] ?? 'rowid'}`).all()] as const);
  sqlite.close();
  return Object.fromEntries(rows);
}
const KEY: Readonly<Record<string, string>> = { sqlite_sequence: 'name' };

test('a database with the former migrations is adopted with all its rows and counters, and a backup is made', async () => {
  edit('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); insert into _litestream_seq values (1, 5)');
  const before = rowsIn(databasePath(dir));
  expect(Object.keys(before).length).toBeGreaterThan(40);
  expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
  expect(inspectDatabase(dir)).toEqual({ applied: 29, known: 29 + TODAY, newer: false });
  const backup = join(dir, 'backup-before-migration-30.db');
  expect(await openOnce()).toEqual({ count: TODAY, backup });
  expect(rowsIn(databasePath(dir))).toEqual(before);
  expect(rowsIn(backup)).toEqual(before);
  expect(inspectDatabase(dir)).toEqual({ applied: TODAY, known: TODAY, newer: false });
  expect(await openOnce()).toEqual({ count: 0, backup: null });
  expect(rowsIn(databasePath(dir))).toEqual(before);
  expect(readdirSync(dir).filter((name) => name.startsWith('backup'))).toHaveLength(1);
});

test('an adopted database gives no id twice, and its audit log is still append-only', async () => {
  const { sqlite, close } = await openDatabase(dir);
  expect(schemaDifferences(sqlite)).toEqual([]);
  const counters = sqlite.prepare("select name from sqlite_sequence where name <> 'audit'").pluck().all() as string[];
  expect(counters.length).toBeGreaterThan(10);
  for (const table of counters) {
    const columns = sqlite.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[];
    const others = columns.filter((name) => name !== 'id').map((name) => `"${name}"`);
    sqlite.exec(`create temp table one as select * from "${table}" limit 1; delete from "${table}"`);
    sqlite.exec(`insert into "${table}" (${others.join()}) select ${others.join()} from one; drop table one`);
    expect(sqlite.prepare(`select id from "${table}"`).pluck().all(), table).toEqual([LAST_GIVEN + 1]);
  }
  for (const change of [
    "update audit set who = 'Eve'",
    'delete from audit',
    'replace into audit select * from audit',
  ]) {
    expect(() => sqlite.exec(change)).toThrow('only ever added to');
  }
  close();
});

test('a failed adoption leaves the database unchanged, and a successful one needs no repair', () => {
  const broken = laterMigrations(join(root, 'migrations'), 'select 1;');
  appendFileSync(join(broken, '0000_first.sql'), '--> statement-breakpoint\nnot sql;');
  const before = rowsIn(databasePath(dir));
  const sqlite = new SqliteDatabase(databasePath(dir));
  expect(() => adoptFormer(sqlite, broken)).toThrow('syntax error');
  expect(rowsIn(databasePath(dir))).toEqual(before);
  expect(schemaDifferences(sqlite)).toEqual([]);
  adoptFormer(sqlite, MIGRATIONS);
  expect(schemaDifferences(sqlite)).toEqual([]);
  expect(rowsIn(databasePath(dir))).toEqual(before);
  sqlite.close();
});

test('a database is adopted by one of several processes that start together', async () => {
  const all = await Promise.all([openOnce(), openOnce(), openOnce()]);
  expect(all.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([0, 0, TODAY]);
});

test('a version with more migrations applies them when it adopts a database', async () => {
  const later = laterMigrations(join(root, 'migrations'), "update facts set value = 'migrated';");
  expect(await openOnce(later)).toMatchObject({ count: TODAY + 1 });
  expect(rowsIn(databasePath(dir))['facts']).toMatchObject([{ value: 'migrated' }, { value: 'migrated' }]);
});

test('a backup with the former migrations is restored, and adopted at the next start', async () => {
  const home = join(root, 'home');
  mkdirSync(home);
  const restored = await restoreDatabase(home, databasePath(dir), 0);
  expect(restored.schema).toEqual({ applied: 29, known: 29 + TODAY, newer: false });
  const { migrated, close } = await openDatabase(home);
  close();
  expect([migrated.count, rowsIn(databasePath(home))]).toEqual([TODAY, rowsIn(databasePath(dir))]);
});

test.each([
  [
    'delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)',
    /from before version 0\.2: it has 28 of the 29 migrations.*the version that wrote it last.*stockbridge rebuild/,
  ],
  ["insert into __drizzle_migrations (hash, created_at) values ('x', 1)", /written by a newer version of stockbridge/],
  ['alter table orders drop column raw', /table orders lacks its column raw/],
  ['alter table orders add column more text', /table orders has a column more that was added/],
  ['drop index mappings_by_erp', /index mappings_by_erp is missing/],
  ['create table mine (id)', /table mine was added/],
  ["create trigger spy after insert on audit begin update audit set who = 'nobody'; end", /trigger spy was added/],
  ['drop table pauses; create table pauses (account, flow, reason, since_ms)', /table pauses is not as it was made/],
])('a database with another schema is not adopted, and stays unchanged: %s', async (statement, message) => {
  edit(statement);
  const before = rowsIn(databasePath(dir));
  await expect(openOnce()).rejects.toThrow(StoreError);
  await expect(openOnce()).rejects.toThrow(message);
  expect(rowsIn(databasePath(dir))).toEqual(before);
  expect(readdirSync(dir).filter((name) => name.startsWith('backup'))).toEqual([]);
});
