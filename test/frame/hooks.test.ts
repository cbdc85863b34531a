import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { folderOf } from '../config/folder.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';

const SETUP = join(import.meta.dirname, '../../.setup');

/** A folder with the set-up, which a contributor's first command has run. Git sees no settings of this machine. */
function checkout({ clone = true, hooks = '' } = {}) {
  const path = folderOf({ 'file.txt': '' });
  const folder = path('around/checkout');
  mkdirSync(folder, { recursive: true });
  cpSync(SETUP, join(folder, '.setup'), { recursive: true });
  const somebody = ['AUTHOR', 'COMMITTER'].flatMap((one) => [
    [`GIT_${one}_NAME`, 'somebody'],
    [`GIT_${one}_EMAIL`, 'somebody@brand.example'],
  ]);
  const env = { PATH: process.env['PATH'], HOME: path(''), GIT_CONFIG_NOSYSTEM: '1', ...Object.fromEntries(somebody) };
  const git = (...args: string[]) => spawnSync(programOf('git'), args, { cwd: folder, env, encoding: 'utf8' });
  spawnSync(programOf('git'), ['init', '--quiet', clone ? folder : path('around')], { env });
  if (hooks !== '') git('config', 'core.hooksPath', hooks);
  const script = `await import(${JSON.stringify(join(folder, '.setup/hooks.mjs'))}).then(({ ensureHooks }) => ensureHooks())`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return git;
}

const A_LINE = 'Tell a subject of seventy-two characters, which is as long as it may be';

needing('git').test.each([
  ['as long as it may be', `${A_LINE}x`],
  ['as long in characters, and longer in bytes', `${A_LINE}é`],
  ['that of the commit with which a rebase joins it', `fixup! ${A_LINE}x`],
  ['with a long body, which may end with a dot', `Tell why\n\n${A_LINE} and longer than that.`],
  ['below a comment of git', `# a comment, which is longer than all that a subject may be, and ends so.\nTell why`],
])('the commit hook accepts a subject that is %s', (_, message) => {
  const git = checkout();
  expect(git('commit', '--allow-empty', '--cleanup=strip', '-m', message)).toMatchObject({ status: 0 });
});

needing('git').test.each([
  ['one character longer', `${A_LINE}xy`, 'has at most 72 characters, and this one has 73'],
  ['parted on two lines', `${A_LINE}\nand more`, 'has at most 72 characters, and this one has 80'],
  ['ending with a dot', 'Tell why.', 'does not end with a dot'],
])('the commit hook refuses a subject that is %s, and keeps the message', (_, message, why) => {
  const git = checkout();
  const { status, stderr } = git('commit', '--allow-empty', '-m', message);
  expect(status).toBe(1);
  expect(stderr).toContain(`the subject of a commit ${why}: ${message.replace('\n', ' ')}\n`);
  expect(git('commit', '--allow-empty', '--no-verify', '--file', '.git/COMMIT_EDITMSG').status).toBe(0);
  expect(git('log', '-1', '--format=%s').stdout).toBe(`${message.replace('\n', ' ')}\n`);
});

needing('git').test('hooks that the owner of a clone has configured stay', () => {
  expect(checkout({ hooks: 'of-mine' })('config', 'core.hooksPath').stdout).toBe('of-mine\n');
});

needing('git').test('the set-up of a copy without .git changes nothing, also within another repository', () => {
  expect(checkout({ clone: false })('config', '--get', 'core.hooksPath').status).toBe(1);
});
