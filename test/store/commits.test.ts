import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCommits } from '../../src/store/sql/commits.ts';
import { storeRows } from '../../src/store/sql/row-by-row.ts';
import { sqliteEngine } from '../../src/store/sqlite/commit-engine.ts';

let dir: string;
let sqlite: SqliteDatabase.Database;
let other: SqliteDatabase.Database;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'commits-'));
  sqlite = new SqliteDatabase(join(dir, 'a.db'));
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec('create table notes (text text primary key)');
  other = new SqliteDatabase(join(dir, 'a.db'), { timeout: 0 });
});
afterEach(() => {
  for (const each of [sqlite, other]) each.close();
  rmSync(dir, { recursive: true });
});

const notes = (from: SqliteDatabase.Database) => from.prepare('select text from notes order by text').pluck().all();
const write = (text: string) => (tx: SqliteDatabase.Database) => tx.prepare('insert into notes values (?)').run(text);

test('writes of one turn become visible to others at once, when their callers are answered', async () => {
  const { transaction } = createCommits(sqliteEngine(sqlite), sqlite);
  const seen: unknown[] = [];
  const look = () => seen.push(notes(other));
  const first = transaction((tx) => {
    write('a')(tx);
    look();
    return 'answer';
  });
  const second = transaction((tx) => {
    write('b')(tx);
    look();
  });
  expect(await first).toBe('answer');
  look();
  await second;
  expect(seen).toEqual([[], [], ['a', 'b']]);
});

test('a write that fails is rolled back alone, and the other writes of its turn are committed', async () => {
  const { transaction } = createCommits(sqliteEngine(sqlite), sqlite);
  const results = await Promise.allSettled([
    transaction(write('a')),
    transaction((tx) => {
      write('half')(tx);
      throw new Error('not so');
    }),
    transaction(write('b')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: new Error('not so') });
  expect(notes(other)).toEqual(['a', 'b']);
});

test('a failed write is repeated in a savepoint, and a failed part of it is rolled back', async () => {
  const { transaction, apart } = createCommits(sqliteEngine(sqlite), sqlite);
  let runs = 0;
  const kept = transaction((tx) => {
    runs += 1;
    write('before')(tx);
    try {
      apart(() => {
        write('part')(tx);
        throw new Error('not so');
      });
    } catch {
      write('instead')(tx);
    }
  });
  const failed = transaction((tx) => {
    write('half')(tx);
    throw new Error('nor this');
  });
  await kept;
  await expect(failed).rejects.toThrow('nor this');
  expect(notes(other)).toEqual(['before', 'instead']);
  expect(runs).toBe(2);
});

test('a full disk within a part rolls back all writes of the turn, and is blamed on no row', async () => {
  sqlite.pragma(`max_page_count = ${Number(sqlite.pragma('page_count', { simple: true })) + 4}`);
  const { transaction, apart } = createCommits(sqliteEngine(sqlite), sqlite);
  const setAside: unknown[] = [];
  const rows = Array.from({ length: 8 }, (_, index) => `${index} ${'x'.repeat(8_000)}`);
  const page = transaction((tx) =>
    storeRows({ apart }, rows, {
      store: (some) => some.map((row) => write(row)(tx)),
      setAside: (_row, problem) => setAside.push(problem),
    }),
  );
  const results = await Promise.allSettled([page, transaction(write('of another'))]);
  expect(results.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
    'StoreError: database or disk is full',
    'StoreError: database or disk is full',
  ]);
  expect([setAside, notes(other)]).toEqual([[], []]);
});

test('when SQLite rolls back the whole transaction, every caller that shared it gets the error', async () => {
  const { transaction } = createCommits(sqliteEngine(sqlite), sqlite);
  const results = await Promise.allSettled([
    transaction(write('a')),
    // A full disk does the same: the transaction is rolled back from within.
    transaction((tx) => {
      tx.exec('rollback');
      throw new Error('database or disk is full');
    }),
    transaction(write('b')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(notes(other)).toEqual([]);
  await transaction(write('c'));
  expect(notes(other)).toEqual(['c']);
});

test('a transaction takes the write lock at its start', async () => {
  const { transaction } = createCommits(sqliteEngine(sqlite), sqlite);
  await transaction((tx) => {
    notes(tx);
    expect(() => write('of the other')(other)).toThrow('database is locked');
    write('a')(tx);
  });
  expect(notes(other)).toEqual(['a']);
});

test('waiting work is committed at once when asked', async () => {
  const { transaction, commitAll } = createCommits(sqliteEngine(sqlite), sqlite);
  const written = transaction(write('a'));
  commitAll();
  expect(notes(other)).toEqual(['a']);
  await written;
});

/** A disk that answers when it is told to. */
function slowDisk() {
  const asked: PromiseWithResolvers<void>[] = [];
  const toDisk = () => {
    const answer = Promise.withResolvers<void>();
    asked.push(answer);
    return answer.promise;
  };
  return { asked, engine: { ...sqliteEngine(sqlite), toDisk } };
}

test('a transaction is answered once it is on the disk, and the program commits and reads on meanwhile', async () => {
  const { asked, engine } = slowDisk();
  const { transaction, note } = createCommits(engine, sqlite);
  const answered: string[] = [];
  const first = transaction(write('a')).then(() => answered.push('a'));
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await note(write('noted'));
  const others = ['b', 'c'].map((text) => transaction(write(text)).then(() => answered.push(text)));
  await vi.waitFor(() => expect(notes(other)).toEqual(['a', 'b', 'c', 'noted']));
  expect([answered, asked.length]).toEqual([[], 1]);
  asked[0]?.resolve();
  await first;
  expect(answered).toEqual(['a']);
  // What was committed meanwhile shares one wait.
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.resolve();
  await Promise.all(others);
  expect([answered, asked.length]).toEqual([['a', 'b', 'c'], 2]);
});

test('a transaction that the disk does not take fails, and the next one asks the disk again', async () => {
  const { asked, engine } = slowDisk();
  const { transaction } = createCommits(engine, sqlite);
  const failed = transaction(write('a'));
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  asked[0]?.reject(new Error('the disk fails'));
  await expect(failed).rejects.toThrow('the disk fails');
  const next = transaction(write('b'));
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.resolve();
  await next;
});
