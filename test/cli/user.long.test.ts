import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Cli } from '../../src/cli/output.ts';
import { noteScreen } from '../../src/cli/to-screen.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type ConfiguredUser, userOf, usersNow } from '../../src/use/users.ts';
import { folderOf, LEAST } from '../config/folder.ts';
import { run } from './capture.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const PASSWORD = 'correct horse 12';

async function add(typed: string, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'user', 'add', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end(typed);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

test('user prints a line of admin.users, with which the password logs in and no other does', async () => {
  const { code, stdout, stderr } = await add(`${PASSWORD}\n`, 'maria', '--role', 'operator');
  expect([code, stderr]).toEqual([0, 'Put this line under admin.users in the configuration.\n']);
  expect(stdout).not.toContain(PASSWORD);
  const users = parse(stdout) as ConfiguredUser[];
  expect(users).toMatchObject([{ name: 'maria', role: 'operator' }]);
  const now = await usersNow(users, { startingWith: async () => [] });
  expect(await userOf(now, 'maria', PASSWORD)).toMatchObject({ name: 'maria' });
  expect(await userOf(now, 'maria', `${PASSWORD} `)).toBeNull();
  const file = folderOf({ 'c.yaml': `admin: { users: [${stdout.trim().slice(2)}] }\n${LEAST}` })('c.yaml');
  expect(loadConfig(file, {}).config.admin.users).toHaveLength(1);
});

test('user add hashes the same password differently each time, and makes a viewer by default', async () => {
  const [one, other] = await Promise.all([add(PASSWORD, 'ann'), add(PASSWORD, 'ann')]);
  expect(one.stdout).toContain('role: viewer');
  expect(one.stdout).not.toBe(other.stdout);
});

test.each([
  ['too short', 'short\n', 'maria', 'the password needs 12 to 500 characters'],
  ['missing', '', 'maria', 'the password needs 12 to 500 characters'],
  ['of a name that is none', `${PASSWORD}\n`, 'ma ria}', 'is no name'],
])('user refuses a password that is %s with exit code 64 and no output', async (_, typed, name, why) => {
  const { code, stdout, stderr } = await add(typed, name);
  expect([code, stdout]).toEqual([64, '']);
  expect(stderr).toContain(why);
});

describe('user link', () => {
  function configured(users: string): string {
    const at = folderOf({});
    writeFileSync(
      at('c.yaml'),
      `state: { dir: "${at('data')}" }\nadmin: { base_path: /b, users: [${users}] }\n${LEAST}`,
    );
    return at('c.yaml');
  }

  test('user link prints a link that sets the password; the audit log has who made it, and not the link', async () => {
    const config = configured('{ name: maria, role: operator }');
    const { exitCode, stdout, stderr } = await run(['user', 'link', 'maria', '--config', config]);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:9090\/b\/login\/link\?code=[\w-]{43}\n$/);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('maria sets the password by it')]);
    const audit = await run(['audit', 'list', '--json', '--config', config]);
    expect(audit.stdout).toContain('user.link');
    expect(audit.stdout).not.toContain(stdout.trim().split('=')[1]);
  });

  test('user link logs in a user whose password is in the configuration', async () => {
    const { stdout } = await add(PASSWORD, 'ann');
    const { exitCode, stderr } = await run(['user', 'link', 'ann', '--config', configured(stdout.trim().slice(2))]);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('it lets ann in')]);
  });

  test('user link for an unconfigured user exits 64', async () => {
    const { exitCode, stdout, stderr } = await run(['user', 'link', 'eve', '--config', configured('{ name: maria }')]);
    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).toContain('the configuration names no user eve');
  });
});

describe('a daemon that starts', () => {
  const LINK = 'maria has no password yet: "stockbridge user link maria" prints the link that sets it.';
  const NOBODY = 'Nobody may log in yet: "stockbridge user add NAME" prints the line for the configuration.';

  test.each([
    [
      'where the screen is, and who has no password',
      true,
      '{ name: maria }',
      [],
      ['The screen: http://127.0.0.1:4711', LINK],
    ],
    ['nothing more once everybody has one', true, '{ name: maria }', ['maria'], ['The screen: http://127.0.0.1:4711']],
    ['that nobody may log in', true, '', [], ['The screen: http://127.0.0.1:4711', NOBODY]],
    ['nothing where nobody sits at a terminal', false, '{ name: maria }', [], []],
  ])('a daemon that starts reports %s', async (_, isTTY, users, set, told) => {
    const stderr = Object.assign(new PassThrough(), { isTTY });
    const cli: Cli = { env: { NO_COLOR: '1' }, stdout: stderr, stderr, secrets: [], exitCode: 0 };
    const file = folderOf({ 'c.yaml': `admin: { listen: "0.0.0.0:0", users: [${users}] }\n${LEAST}` })('c.yaml');
    const rows = set.map((name) => ({ name: `password of ${name}`, value: 'a hash' }));
    const facts = { startingWith: async () => rows };
    await noteScreen(cli, loadConfig(file, {}).config, 'http://0.0.0.0:4711', facts);
    stderr.end();
    expect(await text(stderr)).toBe(told.map((line) => `${line}\n`).join(''));
  });
});
