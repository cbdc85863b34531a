import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { restoreDatabase } from '../../src/store/sqlite/backup.ts';
import { databasePath, inspectDatabase, openDatabase } from '../../src/store/sqlite/database.ts';
import { verifyData } from '../../src/store/sqlite/verify.ts';

/** Statements that would silence the audit log, if the program let them run. */
const evil = (name: string) =>
  `create trigger ${name} after insert on audit begin update audit set who = 'nobody'; end`;
const note = (type: string, name: string, sql: string) =>
  `insert into sqlite_master (type, name, tbl_name, rootpage, sql) values ('${type}', '${name}', 'audit', 0, '${sql.replaceAll("'", "''")}')`;

const ATTACKS: [string, string, string][] = [
  ['a trigger named like the table of the migrator', evil('"__drizzle_migrations"'), ''],
  [
    'a trigger named like what SQLite keeps',
    note('trigger', 'sqlite_evil', evil('sqlite_evil')),
    'trigger sqlite_evil was added',
  ],
  ['the same in large letters', note('trigger', 'SQLITE_EVIL', evil('SQLITE_EVIL')), 'trigger SQLITE_EVIL was added'],
  ['a trigger noted as an index of SQLite', note('index', 'sqlite_autoindex_audit_9', evil('spy')), 'malformed'],
  ['a trigger noted under the name of one of ours', note('trigger', 'audit_refuses_update', evil('spy')), 'malformed'],
  [
    'a view named like what SQLite keeps',
    note('view', 'sqlite_stat9', 'create view sqlite_stat9 as select 1'),
    'malformed',
  ],
  [
    'a view in the place of the table of the migrator, which never ends',
    `alter table "__drizzle_migrations" rename to kept;
     create view "__drizzle_migrations" as with recursive n(i) as (select 1 union all select i + 1 from n)
     select hash from kept union all select 'x' from n where i < 0`,
    '',
  ],
  [
    'a table of the migrator that computes',
    `alter table "__drizzle_migrations" add column more text as (hex(zeroblob(100)))`,
    '',
  ],
];

test.each(ATTACKS)(
  'a hostile database with %s is refused when it is opened, inspected, verified and restored',
  async (_, sql, difference) => {
    const root = mkdtempSync(join(tmpdir(), 'hostile-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [dir, home] = [join(root, 'data'), join(root, 'home')];
    (await openDatabase(dir)).close();
    (await openDatabase(home)).close();
    const sqlite = new SqliteDatabase(databasePath(dir)).unsafeMode();
    sqlite.pragma('writable_schema = ON');
    sqlite.exec(sql);
    sqlite.close();

    await expect(openDatabase(dir)).rejects.toThrow(difference);
    expect(() => inspectDatabase(dir)).toThrow(difference);
    const { findings } = await verifyData(dir, 0, { keysOf: {}, isReadByTime: () => false });
    expect(findings).toEqual([expect.objectContaining({ text: expect.stringContaining(difference) })]);
    await expect(restoreDatabase(home, databasePath(dir), 0)).rejects.toThrow(difference);
    await expect(restoreDatabase(home, databasePath(dir), 0)).rejects.toThrow('nothing was changed');
    (await openDatabase(home)).close();
  },
);

/** A waiting row of work, with another value in one of its columns. */
const workWith = (column: string, value: string) =>
  `insert into work (account, flow, key, version, lane, reason, state, since_ms) values ('main', 'order-in', 'N-1', 1, 'poll', '', 'held', 1);
   update work set ${column} = ${value}`;

test.each([
  ['bytes in the place of a text', workWith('flow', "x'ff0001'"), 'work.flow (1 row)'],
  ['a text in the place of a time', workWith('since_ms', "'now'"), 'work.since_ms (1 row)'],
  ['a cause that is no JSON', workWith('hold_reason', "'held'"), 'work.hold_reason (1 row)'],
])('a hostile database with %s is detected before it is used, and is not restored', async (_, sql, named) => {
  const root = mkdtempSync(join(tmpdir(), 'hostile-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [dir, home] = [join(root, 'data'), join(root, 'home')];
  (await openDatabase(dir)).close();
  const sqlite = new SqliteDatabase(databasePath(dir));
  sqlite.exec(sql);
  sqlite.close();
  (await openDatabase(home)).close();
  const { findings } = await verifyData(dir, 0, { keysOf: {}, isReadByTime: () => false });
  expect(findings).toEqual([expect.objectContaining({ text: expect.stringContaining(named) })]);
  await expect(restoreDatabase(home, databasePath(dir), 0)).rejects.toThrow(named);
  (await openDatabase(home)).close();
});
