import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStore } from '../../src/store/sql/store.ts';
import { backupDatabase } from '../../src/store/sqlite/backup.ts';
import { databasePath, inspectDatabase, openDatabase } from '../../src/store/sqlite/database.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { laterMigrations, MIGRATIONS } from '../support/migrations.ts';
import { erpProduct } from './shelf.ts';

let root: string;
let dir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'database-'));
  dir = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

const migrationsWith = (statement: string) => laterMigrations(join(root, 'migrations'), statement);
const KNOWN = (): number => readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql')).length;

async function openOnce(migrations?: string) {
  const { migrated, close } = await openDatabase(dir, migrations);
  close();
  return migrated;
}

async function withFact(value: string): Promise<void> {
  const { db, close } = await openDatabase(dir);
  await createStore(db, Date.now).facts.set('main', 'canary', value);
  close();
}

function factIn(path: string): unknown {
  const sqlite = new SqliteDatabase(path, { readonly: true });
  const row = sqlite.prepare("select value from facts where name = 'canary'").pluck().get();
  sqlite.close();
  return row;
}

test('a new database is created with every migration, readable for its owner only, whatever the umask', async () => {
  const umask = process.umask(0);
  try {
    expect(await openOnce()).toEqual({ count: KNOWN(), backup: null });
  } finally {
    process.umask(umask);
  }
  expect([modeOf(dir), modeOf(databasePath(dir))]).toEqual([0o700, 0o600]);
  expect(await openOnce()).toEqual({ count: 0, backup: null });
  expect(inspectDatabase(dir)).toEqual({ applied: KNOWN(), known: KNOWN(), newer: false });
});

test('a database has a write-ahead log, and its commits do not wait for the disk themselves', async () => {
  const { sqlite, close } = await openDatabase(dir);
  expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(sqlite.pragma('synchronous', { simple: true })).toBe(1);
  close();
});

test('a transaction that was not answered yet is on the disk, and answered, when the database is closed', async () => {
  const { db, close } = await openDatabase(dir);
  const written = db.transaction((tx) => tx.run("insert into facts values ('main', 'canary', 'sings', 1)"));
  close();
  await written;
  const again = new SqliteDatabase(databasePath(dir));
  expect(again.prepare("select value from facts where name = 'canary'").pluck().get()).toBe('sings');
  again.close();
});

test('a database keeps nothing of what was deleted, and neither does its copy', async () => {
  const gone = 'A person who was deleted';
  const { sqlite, close } = await openDatabase(dir);
  sqlite.exec(`insert into facts values ('main', 'person', '${gone}', 1); delete from facts where name = 'person'`);
  close();
  expect(readFileSync(databasePath(dir)).includes(gone)).toBe(false);
  const old = new SqliteDatabase(databasePath(dir));
  old.pragma('secure_delete = OFF');
  old.exec(`insert into facts values ('main', 'person', '${gone}', 1); delete from facts where name = 'person'`);
  old.close();
  expect(readFileSync(databasePath(dir)).includes(gone)).toBe(true);
  await backupDatabase(dir, join(root, 'copy.db'), false);
  expect(readFileSync(join(root, 'copy.db')).includes(gone)).toBe(false);
});

test('a transaction that reads first can write, although others write meanwhile', async () => {
  const [one, other] = [await openDatabase(dir), await openDatabase(dir)];
  other.sqlite.pragma('busy_timeout = 0');
  const write = (value: string) => `insert or replace into facts values ('main', 'canary', '${value}', 1)`;
  await one.db.transaction((tx) => {
    tx.all('select * from facts');
    expect(() => other.sqlite.exec(write('of the other'))).toThrow('database is locked');
    tx.run(write('of the first'));
  });
  expect(factIn(databasePath(dir))).toBe('of the first');
  other.sqlite.exec(write('of the other'));
  for (const { close } of [one, other]) close();
});

test('an observation reads the database as of one instant, although others write between its queries', async () => {
  const [one, other] = [await openDatabase(dir), await openDatabase(dir)];
  const [reader, writer] = [createStore(one.db, Date.now), createStore(other.db, Date.now)];
  await writer.erp.recordProducts('main', [erpProduct({ sku: 'SB-1' })], { listing: null, lane: 'poll' });
  const { prepare } = one.sqlite;
  one.sqlite.prepare = (query: string) => {
    if (query.includes('"mappings"')) other.sqlite.exec("update erp_products set sku = 'SB-2'");
    return prepare(query);
  };
  const looks = [reader.observe.stock('main', 'P-1', []), reader.observe.stock('main', 'P-1', [])];
  expect(await looks[0]).toMatchObject({ product: { sku: 'SB-1' }, twins: 1 });
  expect(await looks[1], 'looks of one turn share one state').toEqual(await looks[0]);
  await nextTurn();
  expect(await reader.observe.stock('main', 'P-1', [])).toMatchObject({ product: { sku: 'SB-2' }, twins: 1 });
  for (const { close } of [one, other]) close();
});

test('a database is created once by several processes that start together', async () => {
  const script = `import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, '../../src/store/sqlite/database.ts'))};
      const { migrated, close } = await openDatabase(${JSON.stringify(dir)}); console.log(migrated.count); close();`;
  const counts = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const args = ['--input-type=module-typescript', '-e', script];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      return Number(printed);
    }),
  );
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, KNOWN()]);
});

test('inspecting a database changes nothing, and says when there is none', async () => {
  expect(inspectDatabase(dir)).toBeNull();
  expect(existsSync(dir)).toBe(false);
  await openOnce();
  const later = migrationsWith('create table later (id integer);');
  await openOnce(later);
  expect(inspectDatabase(dir)).toEqual({ applied: KNOWN(), known: KNOWN(), newer: true });
});

test('a migration first makes a backup with all content', async () => {
  await withFact('before');
  const later = migrationsWith("update facts set value = 'migrated';");
  const { count, backup } = await openOnce(later);
  expect([count, backup]).toEqual([1, join(dir, `backup-before-migration-${KNOWN() + 1}.db`)]);
  expect(factIn(databasePath(dir))).toBe('migrated');
  expect(factIn(backup ?? '')).toBe('before');
  expect(modeOf(backup ?? '')).toBe(0o600);
});

test('a migration never overwrites an earlier backup', async () => {
  await withFact('before');
  const earlier = join(dir, `backup-before-migration-${KNOWN() + 1}.db`);
  writeFileSync(earlier, 'of an earlier attempt');
  const { backup } = await openOnce(migrationsWith('create table later (id integer);'));
  expect(backup).toBe(join(dir, `backup-before-migration-${KNOWN() + 1}-2.db`));
  expect(readFileSync(earlier, 'utf8')).toBe('of an earlier attempt');
});

test('a failed migration leaves the database unchanged', async () => {
  await withFact('before');
  const broken = migrationsWith("update facts set value = 'half';--> statement-breakpoint\nnot sql;");
  await expect(openOnce(broken)).rejects.toThrow();
  expect(factIn(databasePath(dir))).toBe('before');
  expect(await openOnce()).toEqual({ count: 0, backup: null });
});

test('a migration is made by one of several processes that start together, and the others wait', async () => {
  await withFact('before');
  const later = migrationsWith("update facts set value = value || '+';");
  const all = await Promise.all([openOnce(later), openOnce(later), openOnce(later)]);
  expect(all.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
  expect(factIn(databasePath(dir))).toBe('before+');
});

describe('a database that cannot be used', () => {
  test('a database with a newer schema is not opened, and the error says what to do', async () => {
    await withFact('newer');
    await openOnce(migrationsWith('create table later (id integer);'));
    const refused = openOnce();
    await expect(refused).rejects.toThrow(StoreError);
    await expect(refused).rejects.toThrow(/written by a newer version of stockbridge.*Start that version, or restore/);
    expect(factIn(databasePath(dir))).toBe('newer');
  });

  test.each([
    ['alter table orders drop column raw', /table orders lacks its column raw.*stockbridge restore/],
    ['drop index mappings_by_erp', /index mappings_by_erp is missing.*stockbridge restore/],
    ['create table mine (id)', /table mine was added.*\(drop table mine\)/],
    ['create table _litestream_lock (id text)', /table _litestream_lock was added/],
    [
      'drop trigger audit_refuses_delete; create trigger audit_refuses_delete before delete on audit begin select 1; end',
      /trigger audit_refuses_delete is not as it was made/,
    ],
  ])(
    'a database whose schema differs from its migrations is refused, with the difference: %s',
    async (statement, message) => {
      await openOnce();
      const sqlite = new SqliteDatabase(databasePath(dir));
      sqlite.exec(statement);
      sqlite.close();
      await expect(openOnce()).rejects.toThrow(StoreError);
      await expect(openOnce()).rejects.toThrow(message);
      expect(() => inspectDatabase(dir)).toThrow(message);
      // A database is also refused before it is migrated, because it is compared with the schema of its own version.
      await expect(openOnce(migrationsWith('create table later (id integer);'))).rejects.toThrow(message);
      expect(readdirSync(dir).filter((name) => name.startsWith('backup'))).toEqual([]);
    },
  );

  test('the tables that Litestream adds are accepted', async () => {
    await openOnce();
    const sqlite = new SqliteDatabase(databasePath(dir));
    sqlite.exec('CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)');
    sqlite.exec('CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)');
    sqlite.close();
    await openOnce();
    expect(inspectDatabase(dir)).toMatchObject({ newer: false });
  });

  test('missing triggers of the audit log are put back', async () => {
    await openOnce();
    const sqlite = new SqliteDatabase(databasePath(dir));
    sqlite.exec('drop trigger audit_refuses_delete');
    await openOnce();
    expect(sqlite.prepare("select name from sqlite_master where name = 'audit_refuses_delete'").all()).toHaveLength(1);
    sqlite.close();
  });

  test('a file that is not a database is reported, and left unchanged', async () => {
    mkdirSync(dir);
    writeFileSync(databasePath(dir), 'not a database '.repeat(100));
    await expect(openOnce()).rejects.toThrow(
      /stockbridge\.db cannot be opened: file is not a database.*stockbridge restore/,
    );
    expect(() => inspectDatabase(dir)).toThrow(StoreError);
    expect(readFileSync(databasePath(dir), 'utf8')).toContain('not a database');
  });
});

describe('a file that changes under an open database', () => {
  const later = 'create table later (id integer primary key)';
  const removed = async () => rmSync(databasePath(dir));
  const replaced = async () => {
    rmSync(databasePath(dir));
    writeFileSync(databasePath(dir), '');
  };
  const migrated = async () => void (await openOnce(migrationsWith(later)));

  test.each([
    { what: 'removed', change: removed, message: /was removed while the program has it open/ },
    { what: 'replaced', change: replaced, message: /was replaced while the program has it open/ },
    { what: 'migrated by a newer version', change: migrated, message: /a newer version/ },
  ])('after an open database is $what, every transaction is refused with that reason', async ({ change, message }) => {
    const { db, close } = await openDatabase(dir);
    const { facts } = createStore(db, Date.now);
    await facts.set('main', 'canary', 'before');
    await change();
    const written = async () => {
      for (;;) await facts.set('main', 'canary', 'after');
    };
    const refused = (await written().catch((error: unknown) => error)) as StoreError;
    expect(refused).toBeInstanceOf(StoreError);
    expect([refused.passes, message.test(refused.message)]).toEqual([true, true]);
    close();
  });

  test('a change of the tables by the running version refuses no transaction', async () => {
    const { db, sqlite, close } = await openDatabase(dir);
    sqlite.exec('vacuum');
    await createStore(db, Date.now).facts.set('main', 'canary', 'sings');
    close();
    expect(factIn(databasePath(dir))).toBe('sings');
  });
});
