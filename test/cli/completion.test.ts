import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/marketplace/operations/table.ts';
import { folderOf } from '../config/folder.ts';
import { run } from './capture.ts';

let script = '';
beforeAll(async () => {
  script = (await run(['completion', 'bash'])).stdout;
});

/** What bash would offer for the last of these words. Completion options can be set only while somebody completes. */
function offered(words: readonly string[], cwd?: string): string[] {
  const driver = `compopt() { options+=" $2"; }\n. ./script\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stockbridge
for word in "\${COMPREPLY[@]}"; do echo "$word$([[ "$options" == *nospace* ]] && echo +)"; done`;
  const folder = folderOf({ script });
  const env = { PATH: process.env['PATH'] ?? '' };
  const args = ['--norc', '-c', driver.replace('./script', folder('script')), 'bash', ...words];
  return execFileSync('bash', args, { encoding: 'utf8', env, cwd }).split('\n').filter(Boolean);
}

describe('bash', () => {
  test.each<[string[], string[]]>([
    [
      ['stockbridge', 're'],
      ['resume', 'restore', 'rebuild'],
    ],
    [
      ['stockbridge', 'jobs', ''],
      ['list', 'show', 'replay', 'resolve', 'discard'],
    ],
    [['stockbridge', '--config', 'x.yaml', 'sy'], ['sync']],
    [['stockbridge', 'jobs', 'list', '--e'], ['--error']],
    [['stockbridge', 'run', '--r'], ['--role']],
    [['stockbridge', '--deb'], ['--debug']],
    [['stockbridge', 'api', 'orders.g'], ['orders.get']],
    [['stockbridge', 'api', '--account', 'main', 'orders.tr'], ['orders.transition']],
    [['stockbridge', 'api', 'orders.get', '--dry'], ['--dry-run']],
    [
      ['stockbridge', 'api', 'orders.transition', '--param', ''],
      ['number=+', 'action=+'],
    ],
    [['stockbridge', 'api', 'products.list', '--all', '--param', 'page_s'], ['page_size=+']],
    [['stockbridge', 'api', 'products.list', '--param', 'sku', '=', 'A', '--param', 'has_'], ['has_children=+']],
    [['stockbridge', 'api', 'products.list', '--param', 'sku', '=', ''], []],
    [['stockbridge', 'api', 'products.list', '--param', 'sku', '='], []],
    [['stockbridge', 'api', 'product-images.create', '--file', ''], ['image=+']],
    [['stockbridge', 'api', 'orders.get', '--file', ''], []],
    [['stockbridge', 'api', 'orders.get', 'ord'], []],
    [['stockbridge', 'api', '--param', 'x'], []],
    [['stockbridge', 'status', '--account', ''], []],
    [['stockbridge', 'nonsense', ''], []],
  ])('%j', (words, expected) => {
    expect(offered(words)).toEqual(expected);
  });

  test('files, where a file is expected', () => {
    const folder = folderOf({ 'photo.png': '', 'body.json': '' });
    mkdirSync(folder('sub'));
    writeFileSync(folder('sub/x'), '');
    const cwd = folder('.');
    expect(offered(['stockbridge', 'api', 'orders.patch', '--body', 'bo'], cwd)).toEqual(['body.json']);
    expect(offered(['stockbridge', '--config', 's'], cwd)).toEqual(['sub']);
    expect(offered(['stockbridge', 'api', 'product-images.create', '--file', 'image', '=', 'ph'], cwd)).toEqual([
      'photo.png',
    ]);
    expect(offered(['stockbridge', 'api', 'product-images.create', '--file', 'image', '='], cwd).sort()).toEqual([
      'body.json',
      'photo.png',
      'sub',
    ]);
  });

  test('every verb and every operation, and no syntax error', async () => {
    const help = (await run(['--help'])).stdout.split('Commands:')[1] ?? '';
    const verbs = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, verb]) => verb);
    expect(verbs.length).toBeGreaterThan(15);
    expect(offered(['stockbridge', ''])).toEqual(verbs);
    expect(offered(['stockbridge', 'api', ''])).toEqual(Object.keys(OPERATIONS));
  });
});

const [ZSH, FISH] = ['zsh', 'fish'] as const;
const installed = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

test.skipIf(!installed(ZSH))('zsh reads its script', async () => {
  const path = folderOf({ script: (await run(['completion', 'zsh'])).stdout });
  const typed = `autoload -U compinit; compinit -D; . ${path('script')}; _stockbridge_words 'params:api orders.get'`;
  expect(execFileSync(ZSH, ['-f', '-c', typed], { encoding: 'utf8' })).toBe('number=\n');
});

test.skipIf(!installed(FISH))('fish completes with its script', async () => {
  const path = folderOf({ script: (await run(['completion', 'fish'])).stdout });
  const offers = (line: string) => {
    const typed = `source ${path('script')}; complete --do-complete '${line}'`;
    const out = execFileSync(FISH, ['--no-config', '-c', typed], { encoding: 'utf8' });
    return out
      .split('\n')
      .filter(Boolean)
      .map((one) => one.split('\t')[0]);
  };
  expect(offers('stockbridge re')).toEqual(['rebuild', 'restore', 'resume']);
  expect(offers('stockbridge api orders.g')).toEqual(['orders.get']);
  expect(offers('stockbridge api orders.get --param n')).toEqual(['number=']);
});

test('another shell is refused', async () => {
  const { exitCode, stderr } = await run(['completion', 'tcsh']);
  expect(exitCode).toBe(64);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish');
});
