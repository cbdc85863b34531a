import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('the migrations make the tables that the code describes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  cpSync(join(ROOT, 'migrations'), folder, { recursive: true });
  const before = readdirSync(folder);
  const tool = join(ROOT, 'node_modules/drizzle-kit/bin.cjs');
  const args = [
    'generate',
    '--dialect',
    'sqlite',
    '--schema',
    './src/store/sql/tables/*.ts',
    '--out',
    relative(ROOT, folder),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { cwd: ROOT, encoding: 'utf8' });
  expect(stdout + stderr).toContain('No schema changes');
  expect(status).toBe(0);
  expect(readdirSync(folder)).toEqual(before);
  rmSync(folder, { recursive: true, force: true });
});
