import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLocks, LockHeldError, lockHolder, tryLock } from '../../src/store/sqlite/lock.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

async function holdElsewhere(...roles: string[]) {
  const lock = join(import.meta.dirname, '../../src/store/sqlite/lock.ts');
  const script = `import { acquireLocks } from ${JSON.stringify(lock)};
    acquireLocks(${JSON.stringify(dir)}, ${JSON.stringify(roles)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(child.stdout), 'line');
  return child;
}

test('a lock that another process holds is refused with the role, the folder and the process', async () => {
  const other = await holdElsewhere('work');
  expect(() => acquireLocks(dir, ['poll', 'work'])).toThrow(LockHeldError);
  expect(() => acquireLocks(dir, ['work'])).toThrow(
    `another stockbridge (process ${other.pid}) has the role "work" in ${dir}`,
  );
  // The role before it was let go of again.
  tryLock(dir, 'poll')?.release();
  expect(await readdir(dir)).not.toContain('lock-poll.pid');
  other.kill('SIGKILL');
  await once(other, 'exit');
});

test('locks of different roles in one folder are independent', async () => {
  const other = await holdElsewhere('poll', 'receive');
  acquireLocks(dir, ['work', 'admin']).release();
  other.kill('SIGKILL');
  await once(other, 'exit');
});

test('the lock of a killed process is free', async () => {
  const other = await holdElsewhere('work');
  other.kill('SIGKILL');
  await once(other, 'exit');
  const lock = acquireLocks(dir, ['work']);
  expect(tryLock(dir, 'work')).toBeNull();
  lock.release();
  lock.release();
  tryLock(dir, 'work')?.release();
});

test('a folder that cannot be locked is named', async () => {
  const taken = join(dir, 'lock-work.db');
  await mkdir(taken);
  expect(() => acquireLocks(dir, ['work'])).toThrow(`${taken} cannot be locked: check the permissions`);
});

test('the holder of a lock can be read without taking the lock', async () => {
  expect(lockHolder(dir, 'work')).toBeNull();
  const other = await holdElsewhere('work');
  expect(lockHolder(dir, 'work')).toBe(String(other.pid));
  expect(lockHolder(dir, 'poll')).toBeNull();
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(lockHolder(dir, 'work')).toBeNull();
  const lock = acquireLocks(dir, ['work']);
  expect(lockHolder(dir, 'work')).toBe(String(process.pid));
  lock.release();
  expect(lockHolder(dir, 'work')).toBeNull();
});
