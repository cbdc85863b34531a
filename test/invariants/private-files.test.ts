import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/guide.ts';
import { openStage, until } from '../support/stage.ts';

/** Starts the program like a shell without a umask. */
const OPEN_HANDED = ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, join(ROOT, 'src/main.ts')];

/** The files and folders in a folder that others than the owner may read, write or enter, with their modes. */
function open(folder: string): string[] {
  return [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))]
    .map((path) => [relative(folder, path), lstatSync(path).mode] as const)
    .filter(([, mode]) => (mode & 0o077) !== 0)
    .map(([path, mode]) => `${path} ${(mode & 0o777).toString(8)}`);
}

test('with any umask, files are readable for their owner alone: database, logs, locks, sockets, backups, folders', async () => {
  const stage = await openStage();
  const data = join(stage.dir, 'data');
  const verb = (...args: string[]) =>
    spawnSync('sh', [...OPEN_HANDED, '--config', stage.configFile, ...args], { encoding: 'utf8' });
  stage.erp.control.seed(2);
  const daemon = spawn('sh', [...OPEN_HANDED, '--config', stage.configFile, 'run'], { stdio: 'ignore' });
  const ended = once(daemon, 'exit');
  try {
    await until('the listings are there', () => stage.marketplace.products().length === 2);
    const names = readdirSync(data);
    const expected = ['stockbridge.db', 'stockbridge.db-wal', 'stockbridge.db-shm', 'redis.sock', 'appendonlydir'];
    expect(names).toEqual(expect.arrayContaining([...expected, 'lock-work.db', 'lock-work.pid']));
    expect(open(data)).toEqual([]);
    const made = verb('backup', join(data, 'copy.db'));
    expect(made.stderr).toBe('');
  } finally {
    daemon.kill('SIGTERM');
    await ended;
  }
  expect(verb('restore', join(data, 'copy.db')).status).toBe(0);
  expect(readdirSync(data).some((name) => name.startsWith('stockbridge-before-restore'))).toBe(true);
  expect(open(data)).toEqual([]);
});
