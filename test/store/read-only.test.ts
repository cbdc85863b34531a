import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { diskTrouble } from '../../src/store/sqlite/disk-trouble.ts';
import { cannotBeLocked } from '../../src/store/sqlite/lock.ts';

const DIR = tmpdir();
const failed = (code: string) => Object.assign(new Error(code), { code });

test('a read-only file system is reported as such, not as missing permissions', () => {
  const named = `The file system of ${DIR} is read-only: mount it for writing`;
  expect(diskTrouble(failed('EROFS'), DIR)).toBe(named);
  expect(cannotBeLocked('run.lock', DIR, failed('EROFS')).message).toBe(`run.lock cannot be locked: ${named}`);
});

test.each(['EACCES', 'EPERM', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'])(
  '%s in a writable folder is reported as a problem of permissions',
  (code) => {
    expect(diskTrouble(failed(code), DIR)).toMatch(/^Let the user that runs stockbridge write in /);
    expect(cannotBeLocked('run.lock', DIR, failed(code)).message).toContain('check the permissions');
  },
);
