import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { keptAnswer } from '../../src/cli/completion/kept.ts';
import { cause } from '../../src/domain/causes/cause.ts';
import { OPERATIONS } from '../../src/marketplace/operations/table.ts';
import { folderOf } from '../config/folder.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';
import { run } from './capture.ts';
import { installation, TWO_ACCOUNTS } from './installation.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The completions of the last of these words, as bash splits them. */
async function offered(words: readonly string[]): Promise<string[]> {
  const { stdout } = await run(['completion', 'bash', '--', ...words]);
  return stdout.split('\n').filter(Boolean);
}

/** The words that bash itself would offer; `+` where no space follows. The script may set shell options only during a completion. */
async function inBash(words: readonly string[], cwd?: string): Promise<string[]> {
  const folder = folderOf({ script: (await run(['completion', 'bash'])).stdout });
  const driver = `compopt() { options+=" $2"; }
stockbridge() { '${process.execPath}' '${MAIN}' "$@"; }
. ${folder('script')}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stockbridge
for word in "\${COMPREPLY[@]}"; do echo "$word$([[ "$options" == *nospace* ]] && echo +)"; done`;
  const env = { PATH: process.env['PATH'] ?? '' };
  const args = ['--norc', '-c', driver, 'bash', ...words];
  return execFileSync('bash', args, { encoding: 'utf8', env, cwd }).split('\n').filter(Boolean);
}

test.each<[string[], string[]]>([
  [['re'], ['resume', 'restore', 'rebuild']],
  [
    ['jobs', ''],
    ['list', 'show', 'replay', 'resolve', 'discard'],
  ],
  [['--config', 'x.yaml', 'sy'], ['sync']],
  [['jobs', 'list', '--e'], ['--error']],
  [['run', '--r'], ['--role']],
  [['--deb'], ['--debug']],
  [['api', 'orders.g'], ['orders.get']],
  [['api', '--account', 'main', 'orders.tr'], ['orders.transition']],
  [['api', 'orders.get', '--dry'], ['--dry-run']],
  [
    ['api', 'orders.transition', '--param', ''],
    ['number=', 'action='],
  ],
  [['api', 'products.list', '--all', '--param', 'page_s'], ['page_size=']],
  [['api', 'products.list', '--param', 'sku', '=', 'A', '--param', 'has_'], ['has_children=']],
  [['api', 'products.list', '--param', 'sku', '=', ''], []],
  [['api', 'products.list', '--param', 'sku', '='], []],
  [['api', 'product-images.create', '--file', ''], ['image=']],
  [['api', 'orders.get', '--file', ''], []],
  [['api', 'orders.get', 'ord'], []],
  [['api', '--param', 'x'], []],
  [['status', '--account', ''], []],
  [['nonsense', ''], []],
  [['constructor', ''], []],
  [['api', 'constructor', '--param', ''], []],
  [['completion', 'fi'], ['fish']],
  [['pause', 'order-i'], ['order-in']],
  [['journal', '--flow', 'sto'], ['stock']],
  [['jobs', 'list', '--state', 'in'], ['in-doubt']],
  [
    ['map', 'link', 'p'],
    ['product', 'payment'],
  ],
  [['guide', 'going'], ['going-live']],
  [['sync', '--plan', ''], [':files']],
  [['backup', ''], [':files']],
])('completion offers the words after %j', async (words, expected) => {
  expect(await offered(words)).toEqual(expected);
});

test('completion offers every verb and every operation', async () => {
  const help = (await run(['--help'])).stdout.split('Commands:')[1] ?? '';
  const verbs = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, verb]) => verb);
  expect(verbs.length).toBeGreaterThan(15);
  expect(await offered([''])).toEqual(verbs);
  expect(await offered(['api', ''])).toEqual(Object.keys(OPERATIONS));
});

test('completion answers without loading the program, until one of its files changes', async () => {
  const env = { XDG_CACHE_HOME: folderOf({})('.') };
  const asked = ['completion', 'bash', '--', 'jobs', 'list', '--state', 'h'];
  expect(keptAnswer(asked, env)).toBeNull();
  const { stdout } = await run(asked, env);
  expect(keptAnswer(asked, env)?.join('\n')).toBe(stdout.trimEnd());
  const file = join(env.XDG_CACHE_HOME, 'stockbridge/completion.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"stamp":\d+/, '"stamp":1'));
  expect(keptAnswer(asked, env)).toBeNull();
});

test('completion offers accounts from the configuration, and reads them again when it changes', async () => {
  const site = installation(TWO_ACCOUNTS);
  const env = { XDG_CACHE_HOME: folderOf({})('.') };
  const asked = ['completion', 'bash', '--', '--config', site.file, 'status', '--account', ''];
  expect((await run(asked, env)).stdout).toBe('main\nother\n');
  expect(keptAnswer(asked, env)).toEqual(['main', 'other']);
  utimesSync(site.file, 1, 1);
  expect(keptAnswer(asked, env)).toBeNull();
});

test('completion reads the held plans each time', async () => {
  const site = installation();
  const { store } = await site.open();
  const asked = ['completion', 'fish', '--', '--config', site.file, 'brakes', 'approve', ''];
  expect((await run(asked)).stdout).toBe('');
  const write = {
    action: 'stock.write',
    target: 'listing 1',
    before: '36',
    after: '0',
    why: 'sold out',
    key: 'SB-1',
  };
  await store.brakes.hold({ account: 'main', flow: 'stock', kind: 'zero' }, [write], {
    holdsAll: true,
    reason: cause('too-many-writes', { count: 2, span: 'pass', most: 1 }),
    expiryMs: 60_000,
  });
  expect((await run(asked)).stdout).toMatch(/^1\tmain: zero, 1\n[0-9a-f]{16}\tmain: zero, 1\n$/);
  const drop = await run(['completion', 'bash', '--', '--config', site.file, 'brakes', 'drop', '1']);
  expect(drop.stdout.split('\n')).toContain('1');
});

test('completion in bash adds no space after the name of a parameter', async () => {
  expect(await inBash(['stockbridge', 're'])).toEqual(['resume', 'restore', 'rebuild']);
  expect(await inBash(['stockbridge', 'api', 'orders.transition', '--param', ''])).toEqual(['number=+', 'action=+']);
  expect(await inBash(['stockbridge', 'api', 'products.list', '--param', 'sku', '='])).toEqual([]);
});

test('completion in bash offers files where a file is expected', async () => {
  const folder = folderOf({ 'photo.png': '', 'body.json': '' });
  mkdirSync(folder('sub'));
  writeFileSync(folder('sub/x'), '');
  const cwd = folder('.');
  expect(await inBash(['stockbridge', 'api', 'orders.patch', '--body', 'bo'], cwd)).toEqual(['body.json']);
  expect(await inBash(['stockbridge', '--config', 's'], cwd)).toEqual(['sub']);
  const image = ['stockbridge', 'api', 'product-images.create', '--file', 'image', '='];
  expect(await inBash([...image, 'ph'], cwd)).toEqual(['photo.png']);
  expect((await inBash(image, cwd)).sort()).toEqual(['body.json', 'photo.png', 'sub']);
});

needing('zsh').test('completion in zsh reads its script, and asks with the words of the line', async () => {
  const path = folderOf({ script: (await run(['completion', 'zsh'])).stdout });
  const typed = `autoload -U compinit; compinit -D; stockbridge() { '${process.execPath}' '${MAIN}' "$@"; }
. ${path('script')}; compadd() { echo "$@"; }; words=(stockbridge api orders.get --param ''); CURRENT=5; _stockbridge`;
  expect(execFileSync(programOf('zsh'), ['-f', '-c', typed], { encoding: 'utf8' })).toBe('-S  -- number=\n');
});

needing('fish').test('completion in fish works with its script', async () => {
  const path = folderOf({ script: (await run(['completion', 'fish'])).stdout });
  const offers = (line: string) => {
    const program = `function stockbridge; '${process.execPath}' '${MAIN}' $argv; end`;
    const typed = `${program}; source ${path('script')}; complete --do-complete '${line}'`;
    const out = execFileSync(programOf('fish'), ['--no-config', '-c', typed], { encoding: 'utf8' });
    return out
      .split('\n')
      .filter(Boolean)
      .map((one) => one.split('\t')[0]);
  };
  expect(offers('stockbridge re')).toEqual(['rebuild', 'restore', 'resume']);
  expect(offers('stockbridge api orders.g')).toEqual(['orders.get']);
  expect(offers('stockbridge api orders.get --param n')).toEqual(['number=']);
});

test('completion refuses an unknown shell', async () => {
  const { exitCode, stderr } = await run(['completion', 'tcsh']);
  expect(exitCode).toBe(64);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish');
});
