import SqliteDatabase from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { databasePath } from '../../src/store/sqlite/database.ts';
import type { Store } from '../../src/store/store.ts';
import { installation } from '../cli/installation.ts';

const act = (target: string, account = 'main') => ({
  who: 'alice',
  account,
  flow: 'order-in',
  key: 'N-1',
  action: 'job.replay',
  target,
  before: null,
  after: 'looked at afresh',
  outcome: 'done',
  resultOf: null,
});

let store: Store;
let sqlite: SqliteDatabase.Database;

beforeEach(async () => {
  const site = installation();
  ({ store } = await site.open());
  sqlite = new SqliteDatabase(databasePath(site.dir));
});

/** Changes the log as somebody would who has the file and can remove its guards. */
function tamper(statement: string): void {
  sqlite.exec('drop trigger audit_refuses_update; drop trigger audit_refuses_delete');
  sqlite.exec(statement);
}

test('the audit log is a chain in which each row carries the hash of the row before it', async () => {
  for (const target of ['one', 'two', 'three']) await store.audit.add(act(target));
  const rows = await store.audit.latest(10);
  expect(rows.map(({ id, target, who }) => [id, target, who])).toEqual([
    [1, 'one', 'alice'],
    [2, 'two', 'alice'],
    [3, 'three', 'alice'],
  ]);
  expect(rows.map(({ previousHash }) => previousHash)).toEqual(['', rows[0]?.hash, rows[1]?.hash]);
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(3);
  expect(await store.audit.verify()).toEqual({ rows: 3, lastHash: rows[2]?.hash, broken: null });
});

test('the audit log stays intact over pages, truncated characters and invalid characters', async () => {
  await store.audit.add({ ...act('x'.repeat(3_999) + '😀'), before: '\ud800 and \u0000', key: 'k'.repeat(5_000) });
  await Promise.all(Array.from({ length: 1_001 }, (_, n) => store.audit.add(act(`act ${n}`))));
  expect(await store.audit.verify()).toMatchObject({ rows: 1_002, broken: null });
});

test('the audit log refuses to change or delete its rows', async () => {
  await store.audit.add(act('one'));
  for (const statement of [
    "update audit set who = 'bob'",
    'delete from audit',
    'delete from audit where id = 1',
    "insert or replace into audit select 1, 0, who, account, flow, key, action, target, before, after, outcome, result_of, '', hash from audit",
  ]) {
    expect(() => sqlite.prepare(statement).run(), statement).toThrow('the audit log is only ever added to');
  }
  expect(await store.audit.verify()).toMatchObject({ rows: 1, broken: null });
});

test.each([
  ['a changed word', "update audit set who = 'bob' where id = 2", 2, 'what it says is not'],
  ['a changed hash', "update audit set hash = 'ab' where id = 2", 2, 'what it says is not'],
  ['a changed row before', "update audit set previous_hash = 'ab' where id = 3", 3, 'another hash'],
  ['a row taken out', 'delete from audit where id = 2', 3, 'row 2 before it is missing'],
  ['the first row taken out', 'delete from audit where id = 1', 2, 'row 1 before it is missing'],
  ['the last row taken out', 'delete from audit where id = 4', 4, 'removed, from the end'],
  ['all of it taken out', 'delete from audit', 1, 'removed, from the end'],
  ['a row put before', 'update audit set id = -1 where id = 2', -1, 'row 1 before it is missing'],
])('verifying the audit log finds %s', async (_what, statement, id, why) => {
  for (const target of ['one', 'two', 'three', 'four']) await store.audit.add(act(target));
  tamper(statement);
  expect((await store.audit.verify()).broken).toEqual({ id, why: expect.stringContaining(why) as string });
});

test('the audit log of an account lists its own acts and the acts that concern all accounts', async () => {
  for (const account of ['main', 'other', '']) await store.audit.add(act(`of ${account}`, account));
  expect((await store.audit.latest(10, 'main')).map(({ target }) => target)).toEqual(['of main', 'of ']);
  expect((await store.audit.latest(1)).map(({ target }) => target)).toEqual(['of ']);
});

test('the audit log records a setting only when it changes', async () => {
  for (const mode of ['dry-run', 'dry-run', 'live', 'live']) await store.audit.noteSetting('', 'mode', mode, 'alice');
  const told = (await store.audit.latest(10)).map(({ action, before, after }) => [action, before, after]);
  expect(told).toEqual([
    ['config.mode', null, 'dry-run'],
    ['config.mode', 'dry-run', 'live'],
  ]);
});

test('the audit log is never pruned', async () => {
  await store.pauses.pause('main', 'stock', 'stocktaking', 'alice');
  await store.journal.prune(Date.now() + 1_000_000);
  await store.intents.prune(Date.now() + 1_000_000);
  expect(await store.journal.of('main', 'stock', '*', 5)).toEqual([]);
  expect(await store.audit.latest(5)).toMatchObject([{ action: 'pause', who: 'alice', outcome: 'done' }]);
});
