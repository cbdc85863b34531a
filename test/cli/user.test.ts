import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { type User, userOf } from '../../src/use/users.ts';
import { folderOf, LEAST } from '../config/folder.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const PASSWORD = 'correct horse 12';

async function add(typed: string, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'user', 'add', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end(typed);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

test('prints a line of admin.users, with which the password logs in and no other does', async () => {
  const { code, stdout, stderr } = await add(`${PASSWORD}\n`, 'maria', '--role', 'operator');
  expect([code, stderr]).toEqual([0, 'Put this line under admin.users in the configuration.\n']);
  expect(stdout).not.toContain(PASSWORD);
  const users = parse(stdout) as User[];
  expect(users).toMatchObject([{ name: 'maria', role: 'operator' }]);
  expect(await userOf(users, 'maria', PASSWORD)).toMatchObject({ name: 'maria' });
  expect(await userOf(users, 'maria', `${PASSWORD} `)).toBeNull();
  const file = folderOf({ 'c.yaml': `admin: { users: [${stdout.trim().slice(2)}] }\n${LEAST}` })('c.yaml');
  expect(loadConfig(file, {}).config.admin.users).toHaveLength(1);
});

test('two hashes of one password differ, and a viewer is made unless an operator is asked for', async () => {
  const [one, other] = await Promise.all([add(PASSWORD, 'ann'), add(PASSWORD, 'ann')]);
  expect(one.stdout).toContain('role: viewer');
  expect(one.stdout).not.toBe(other.stdout);
});

test.each([
  ['too short', 'short\n', 'maria', 'the password needs 12 to 500 characters'],
  ['missing', '', 'maria', 'the password needs 12 to 500 characters'],
  ['of a name that is none', `${PASSWORD}\n`, 'ma ria}', 'is no name'],
])('a password that is %s: 64, and nothing on stdout', async (_, typed, name, why) => {
  const { code, stdout, stderr } = await add(typed, name);
  expect([code, stdout]).toEqual([64, '']);
  expect(stderr).toContain(why);
});
