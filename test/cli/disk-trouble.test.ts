import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyDatabase } from '../../src/store/sqlite/copy.ts';
import { checkDatabase, checkDisk } from '../../src/use/doctor/machine.ts';
import { installation } from './installation.ts';

/** A database that a killed daemon left: its last commits are in the log, and the index of the log cannot be made. */
let site: ReturnType<typeof installation>;
let database: string;

beforeEach(async () => {
  const daemon = installation();
  const { store } = await daemon.open();
  await store.facts.set('main', 'canary', 'in the log');
  site = installation();
  database = join(site.dir, 'stockbridge.db');
  mkdirSync(site.dir, { mode: 0o700 });
  for (const end of ['', '-wal']) copyFileSync(join(daemon.dir, `stockbridge.db${end}`), `${database}${end}`);
  mkdirSync(`${database}-shm`, { mode: 0o700 });
});

const REPLACING = /restore|rebuild|put a backup/;
const WRITABLE = (dir: string): string => `Let the user that runs stockbridge write in ${dir}`;

test.each([['status'], ['jobs', 'list'], ['audit', 'list'], ['verify']])(
  'where the index of the log has no room, %s %s still reads',
  async (...args) => {
    expect(await site.run(...args)).toMatchObject({ exitCode: 0 });
  },
);

test('where the index of the log has no room, a backup has the content of the log, and leaves no file in the data folder', async () => {
  const file = site.path('a.db');
  expect(await site.run('backup', file)).toMatchObject({ exitCode: 0 });
  const copy = new SqliteDatabase(file, { readonly: true });
  expect(copy.prepare("select value from facts where name = 'canary'").pluck().get()).toBe('in the log');
  copy.close();
});

test('where the index of the log has no room, a verb that writes says what to do, which is not to replace the database', async () => {
  const { exitCode, stderr } = await site.run('pause', 'stock', '--reason', 'a test');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${database} cannot be opened: `)]);
  expect(stderr).toContain(WRITABLE(site.dir));
  expect(stderr).not.toMatch(REPLACING);
  expect((await site.run('status')).stdout).not.toContain('a test');
});

describe('where the log cannot be opened either', () => {
  beforeEach(() => {
    rmSync(`${database}-wal`);
    mkdirSync(`${database}-wal`, { mode: 0o700 });
    // The folder is not empty, as SQLite would remove an empty one.
    writeFileSync(join(`${database}-wal`, 'x'), '');
  });

  test.each([['status'], ['verify'], ['backup', 'a.db']])(
    'where the log cannot be opened, %s says so, and never to replace it',
    async (...args) => {
      const { exitCode, stdout, stderr } = await site.run(
        ...args.map((arg) => (arg === 'a.db' ? site.path(arg) : arg)),
      );
      expect([exitCode, `${stdout}${stderr}`]).toEqual([1, expect.stringContaining(WRITABLE(site.dir))]);
      expect(`${stdout}${stderr}`).not.toMatch(REPLACING);
    },
  );

  test('where the log cannot be opened, doctor says so, and never to replace it', async () => {
    const { level, text, mend } = await checkDatabase({ dir: site.dir, postgres: null });
    expect([level, text]).toEqual(['fail', expect.stringContaining(WRITABLE(site.dir))]);
    expect(`${text} ${mend}`).not.toMatch(REPLACING);
  });
});

test('a copy without room on the disk names the folder', () => {
  const full = {
    pragma: () => 'ok',
    prepare: () => {
      throw new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL');
    },
  };
  const file = site.path('a.db');
  expect(() => copyDatabase(full as unknown as SqliteDatabase.Database, file)).toThrow(
    `${file} cannot be written: database or disk is full. Free some space on the disk of ${dirname(file)}`,
  );
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith('a.db'))).toEqual([]);
});

test('a start makes the log and its index unreadable for others', async () => {
  const open = installation();
  const { store } = await open.open();
  await store.facts.set('main', 'canary', 'x');
  const files = ['', '-wal', '-shm'].map((end) => join(open.dir, `stockbridge.db${end}`));
  for (const file of files) chmodSync(file, 0o644);
  const found = checkDisk(open.dir).map(({ text }) => text);
  expect(found).toContainEqual(`other users may look into ${files.join(' and ')}`);
  await open.open();
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
});

test('a used folder without its database is reported with the way to restore it', async () => {
  rmSync(database);
  for (const verb of ['status', 'verify']) {
    const { exitCode, stderr } = await site.run(verb);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('nothing has run with this configuration yet, or')]);
    expect(stderr).toContain('stockbridge restore FILE');
    expect(stderr).toContain('stockbridge rebuild');
  }
});
