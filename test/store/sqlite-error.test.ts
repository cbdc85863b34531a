import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStore } from '../../src/store/sql/store.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/sqlite/database.ts';
import { withAdvice } from '../../src/store/sqlite/disk-trouble.ts';
import { LockHeldError } from '../../src/store/sqlite/lock.ts';
import { StoreError } from '../../src/store/store-error.ts';

let dir: string;
let opened: OpenDatabase;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'sqlite-error-'));
  opened = await openDatabase(dir);
});
afterEach(() => {
  opened.close();
  rmSync(dir, { recursive: true });
});

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error as Error,
  );
const store = () => createStore(opened.db, Date.now);
const write = () => store().facts.set('main', 'canary', 'x'.repeat(1_000_000));
const path = () => join(dir, 'stockbridge.db');

test('a full disk is a temporary error of the store, and a command says what to do', async () => {
  opened.sqlite.pragma('max_page_count = 1');
  const error = await failureOf(write());
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ passes: true, code: 'SQLITE_FULL', message: 'database or disk is full' });
  expect(error.cause).toMatchObject({ name: 'SqliteError', code: 'SQLITE_FULL' });
  expect(withAdvice(error, path())).toMatchObject({
    name: 'StoreError',
    message: `${path()} cannot be written: database or disk is full. Free some space on the disk of ${dir}`,
    cause: error,
  });
});

test('another program that keeps writing is a temporary error of the store, and a command says so', async () => {
  const other = await openDatabase(dir);
  other.sqlite.exec('begin immediate');
  opened.sqlite.pragma('busy_timeout = 0');
  const error = await failureOf(write());
  other.sqlite.exec('rollback');
  other.close();
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ passes: true, message: 'database is locked' });
  const said = withAdvice(error, path());
  expect(said).toBeInstanceOf(LockHeldError);
  expect(said).toMatchObject({ message: `another process keeps writing to ${path()}: try again` });
});

test('a statement that the schema refuses is a permanent error, in a write as in a read', async () => {
  const wrong = (db: { all(query: string): unknown }) => db.all('select nothing from nowhere');
  const database = opened.db as typeof opened.db & Parameters<typeof wrong>[0];
  const ofWork = await failureOf(opened.db.transaction((tx) => wrong(tx as never)));
  const ofRead = await failureOf((async () => opened.db.snapshot(() => wrong(database)))());
  for (const error of [ofWork, ofRead]) {
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ passes: false, code: 'SQLITE_ERROR' });
    expect(withAdvice(error, path())).toBe(error);
  }
});

test.each([
  [
    'an earlier create',
    'intents',
    () => store().intents.earlier({ account: 'main', kind: 'order-in', key: 'M-1', externalId: 'M-1' }),
  ],
  ['the waiting writes of a key', 'brake_items', () => store().brakes.keepOnly('main', 'product', 'P-1', [])],
  [
    'links by hand',
    'mappings',
    () =>
      store().links.linkAll(
        [{ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'by hand', createdAtMs: 0 }],
        false,
        'Ann',
      ),
  ],
])('a read of %s that fails is an error of the store', async (_, table, read) => {
  opened.sqlite.exec(`alter table ${table} rename to elsewhere`);
  expect(await failureOf(read())).toBeInstanceOf(StoreError);
});

test('an error of the program is passed on unchanged', async () => {
  const wrong = new Error('not so');
  const throwing = () => {
    throw wrong;
  };
  expect(await failureOf(opened.db.transaction(throwing))).toBe(wrong);
  expect(() => opened.db.snapshot(throwing)).toThrow(wrong);
  expect(withAdvice(wrong, path())).toBe(wrong);
});
