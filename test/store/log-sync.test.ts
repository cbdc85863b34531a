import type * as Fs from 'node:fs';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { databasePath, type OpenDatabase, openDatabase } from '../../src/store/sqlite/database.ts';
import { LogNotOnDisk } from '../../src/store/sqlite/log-sync.ts';

/* A disk whose next calls fail, or wait, for the log of the database. */

const disk = vi.hoisted(() => ({
  /** Calls to bring a file to the disk that have not been answered. null: each is answered at once. */
  held: null as (() => void)[] | null,
  fails: 0,
  /** Files that were brought to the disk. */
  synced: [] as number[],
  written: 0,
}));

function failure(): Error | null {
  if (disk.fails === 0) return null;
  disk.fails -= 1;
  return Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
}

vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>();
  return {
    ...real,
    fdatasync(file: number, done: (error: Error | null) => void) {
      const answer = () => {
        disk.synced.push(real.fstatSync(file).ino);
        done(failure());
      };
      if (disk.held === null) setImmediate(answer);
      else disk.held.push(answer);
    },
    fdatasyncSync(file: number) {
      const error = failure();
      if (error !== null) throw error;
      disk.synced.push(real.fstatSync(file).ino);
    },
    writeSync(...args: Parameters<typeof real.writeSync>) {
      const written = real.writeSync(...args);
      disk.written += written;
      return written;
    },
  };
});

let dir: string;
let opened: OpenDatabase;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'log-sync-'));
  opened = await openDatabase(dir);
  Object.assign(disk, { held: null, fails: 0, synced: [], written: 0 });
});
afterEach(() => {
  disk.fails = 0;
  opened.close();
  rmSync(dir, { recursive: true });
});

const wal = () => statSync(`${databasePath(dir)}-wal`);
const put = (name: string) =>
  opened.db.transaction((tx) => void tx.run(`insert into facts values ('main', '${name}', 'value', 1)`));
const names = () => opened.sqlite.prepare("select name from facts where account = 'main' order by 1").pluck().all();

test('a transaction is answered once its log is on the disk', async () => {
  disk.held = [];
  let isAnswered = false;
  const written = put('a').then(() => {
    isAnswered = true;
  });
  await vi.waitFor(() => expect(disk.held).toHaveLength(1));
  expect([names(), isAnswered]).toEqual([['a'], false]);
  disk.held[0]?.();
  await written;
  expect(disk.synced).toEqual([wal().ino]);
});

test('a log that could not be brought to the disk is written again, whoever reads an older state meanwhile', async () => {
  await put('a');
  const reader = new SqliteDatabase(databasePath(dir), { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from facts').get();
  await put('b');
  disk.fails = 1;
  await put('c');
  expect(disk.written).toBe(wal().size);
  expect(disk.synced.filter((file) => file === wal().ino)).toHaveLength(4);
  reader.close();
  expect([names(), opened.sqlite.pragma('integrity_check', { simple: true })]).toEqual([['a', 'b', 'c'], 'ok']);
});

test('while the disk fails, transactions fail, and none but the first is committed', async () => {
  disk.fails = 3;
  await expect(put('first')).rejects.toThrow(/-wal could not be written to disk: EIO/);
  await expect(put('refused')).rejects.toThrow(LogNotOnDisk);
  expect(names()).toEqual(['first']);
  await put('again');
  expect(names()).toEqual(['again', 'first']);
  expect(disk.written).toBeGreaterThan(0);
});

test.each([
  ['is answered', 0],
  ['fails if the disk then says that it failed', 1],
])('a transaction that waits for the disk while its database is closed %s', async (_, fails) => {
  disk.held = [];
  const written = put('a');
  await vi.waitFor(() => expect(disk.held).toHaveLength(1));
  const log = wal().ino;
  opened.close();
  expect(disk.synced).toEqual([log]);
  disk.fails = fails;
  disk.held[0]?.();
  await (fails === 0 ? written : expect(written).rejects.toThrow(LogNotOnDisk));
});
