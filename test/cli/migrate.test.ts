import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as databaseModule from '../../src/store/sqlite/database.ts';
import { tryLock } from '../../src/store/sqlite/lock.ts';
import { makeFormer } from '../store/former.ts';
import { laterMigrations, MIGRATIONS } from '../support/migrations.ts';
import { installation } from './installation.ts';

const KNOWN = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql')).length;

/** The folder of migrations that the program under test knows; undefined: the present one. */
const known = vi.hoisted(() => ({ migrations: undefined as string | undefined }));

vi.mock('../../src/store/sqlite/database.ts', async (original) => {
  const real = await original<typeof databaseModule>();
  return {
    ...real,
    inspectDatabase: (dir: string) => real.inspectDatabase(dir, known.migrations),
    databaseVersions: (dir: string) => real.databaseVersions(dir, known.migrations),
    openDatabase: (dir: string) => real.openDatabase(dir, known.migrations),
  };
});

let later: string;
beforeEach(() => {
  later = laterMigrations(mkdtempSync(join(tmpdir(), 'migrations-')), 'create table later (id integer);');
});
afterEach(() => {
  known.migrations = undefined;
  rmSync(later, { recursive: true });
});

test('migrate makes a database, and then reports it as current', async () => {
  const site = installation();
  const path = join(site.dir, 'stockbridge.db');
  expect(await site.run('migrate', '--check')).toEqual({
    exitCode: 2,
    stdout: `${path} does not exist: it would be created\n`,
    stderr: '',
  });
  expect((await site.run('migrate')).stdout).toBe(`${path} was created: schema ${KNOWN}\n`);
  expect(await site.run('migrate', '--check')).toMatchObject({
    exitCode: 0,
    stdout: `${path} is up to date: schema ${KNOWN}\n`,
  });
  expect(await site.json('migrate')).toEqual({ database: path, from: KNOWN, to: KNOWN, backup: null });
});

test('migrate reports an older database, and migrates it after a backup', async () => {
  const site = installation();
  await site.run('migrate');
  known.migrations = later;
  const path = join(site.dir, 'stockbridge.db');
  const backup = join(site.dir, `backup-before-migration-${KNOWN + 1}.db`);
  expect(await site.run('migrate', '--check')).toMatchObject({
    exitCode: 2,
    stdout: `${path} has schema ${KNOWN} and would be migrated to ${KNOWN + 1}\n`,
  });
  expect(readdirSync(site.dir)).not.toContain(backup);
  expect((await site.run('migrate')).stdout).toBe(
    `${path} was migrated from schema ${KNOWN} to ${KNOWN + 1}. The earlier database is kept in ${backup}\n`,
  );
  expect((await site.run('migrate', '--check')).exitCode).toBe(0);
});

test('migrate reports a database with the former migrations, and adopts it on request', async () => {
  const site = installation();
  mkdirSync(site.dir, { recursive: true });
  const path = makeFormer(site.dir);
  expect(await site.run('migrate', '--check')).toMatchObject({
    exitCode: 2,
    stdout: `${path} has schema 29 and would be migrated to ${29 + KNOWN}\n`,
  });
  const listed = await site.run('jobs', 'list');
  expect([listed.exitCode, listed.stderr]).toEqual([1, expect.stringContaining('then run "stockbridge migrate"')]);
  expect((await site.run('migrate')).stdout).toContain(`is kept in ${join(site.dir, 'backup-before-migration-30.db')}`);
  expect((await site.run('migrate', '--check')).stdout).toBe(`${path} is up to date: schema ${KNOWN}\n`);
  expect((await site.run('audit', 'verify')).exitCode).toBe(0);
});

test('no other verb migrates, since a daemon of the older version may run', async () => {
  const site = installation();
  await site.run('migrate');
  known.migrations = later;
  const { exitCode, stderr } = await site.run('jobs', 'list');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('stop the daemon, then run "stockbridge migrate"')]);
  const daemon = tryLock(site.dir, 'work');
  const locked = await site.run('migrate');
  daemon?.release();
  expect([locked.exitCode, locked.stderr]).toEqual([
    75,
    expect.stringContaining(`a daemon or a sync (process ${process.pid}) works on ${site.dir}: stop it`),
  ]);
  expect((await site.run('migrate', '--check')).exitCode).toBe(2);
});

test('migrate refuses a newer database, with --check as well', async () => {
  const site = installation();
  known.migrations = later;
  await site.run('migrate');
  known.migrations = undefined;
  for (const args of [[], ['--check']]) {
    const { exitCode, stdout, stderr } = await site.run('migrate', ...args);
    expect([exitCode, stdout]).toEqual([78, '']);
    expect(stderr).toContain('was written by a newer version of stockbridge');
  }
});
