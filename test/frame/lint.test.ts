import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;

function open(): void {
  folder = mkdtempSync(join(tmpdir(), 'lint-'));
  for (const name of ['.oxlintrc.json', '.setup', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

const close = () => rmSync(folder, { recursive: true, force: true });

function lint(files: readonly { path: string; text: string }[]): { status: number | null; output: string } {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const args = [
    join(ROOT, 'node_modules/oxlint/bin/oxlint'),
    '-c',
    '.oxlintrc.json',
    '--deny-warnings',
    '-f',
    'unix',
    'src',
    'test',
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

const task = `async function task(): Promise<void> { await Promise.resolve(); }`;

/** Each in a file of its own. */
const PLANTED = [
  ['no-floating-promises', 'src/erp/bad.ts', `${task} export function bad(): void { task(); }`],
  ['no-misused-promises', 'src/erp/bad.ts', `${task} export function bad(): void { [1].forEach(task); }`],
  ['await-thenable', 'src/erp/bad.ts', `export async function bad(): Promise<number> { return await 1; }`],
  ['no-explicit-any', 'src/erp/bad.ts', `export const bad = (value: any): boolean => value === 1;`],
  [
    'no-unsafe-member-access',
    'src/erp/bad.ts',
    `export const bad = (text: string): boolean => JSON.parse(text).a === 1;`,
  ],
  ['no-non-null-assertion', 'src/erp/bad.ts', `export const bad = (list: string[]): string => list[0]!;`],
  [
    'switch-exhaustiveness-check',
    'src/erp/bad.ts',
    `export function bad(word: 'a' | 'b'): void { switch (word) { case 'a': throw new Error('a'); } }`,
  ],
  ['max-lines', 'src/erp/bad.ts', Array.from({ length: 301 }, (_, n) => `export const bad${n} = ${n};`).join('\n')],
  [
    'max-lines-per-function',
    'src/erp/bad.ts',
    `export function bad(list: number[]): void {${'\n  list.push(1);'.repeat(70)}\n}`,
  ],
  ['no-barrel-file', 'src/erp/bad.ts', `export * from './other.ts';`],
  ['no-clock-no-chance', 'src/domain/bad.ts', `export const bad = (): number => Date.now();`],
  ['no-clock-no-chance', 'src/domain/bad.ts', `export const bad = (): Date => new Date();`],
  ['no-clock-no-chance', 'src/domain/bad.ts', `export const bad = (): string => Date();`],
  ['no-clock-no-chance', 'src/flows/stock/decide.ts', `export const bad = (): number => Math.random();`],
  ['no-clock-no-chance', 'src/flows/stock/shape.ts', `export const bad = (): number => performance.now();`],
  [
    'no-clock-no-chance',
    'src/flows/engine/policy.ts',
    `export const bad = (): string | undefined => process.env['X'];`,
  ],
  ...[
    `execFileSync('openssl', ['version']);`,
    `execFileSync('/usr/bin/trytond');`,
    'const FISH = "fish"; execFileSync(FISH);',
    `execFileSync(join('/usr/lib/postgresql', 'initdb'));`,
    `execFileSync('which', ['promtool']);`,
    `const start = promisify(execFile); await start('strace');`,
    `await chromium.launch({ executablePath: '/usr/bin/chromium' });`,
    `test.skipIf(true)('is skipped', () => {});`,
  ].map((text) => [
    'starts-named-parts',
    'test/bad.test.ts',
    `import { execFile, execFileSync } from 'node:child_process'; import { join } from 'node:path'; ${text}`,
  ]),
].map(([rule = '', path = '', text = ''], index) => ({ rule, path: path.replace('bad', `bad-${index}`), text }));

describe('planted all at once, each is a fault:', () => {
  let found: ReturnType<typeof lint>;
  beforeAll(() => {
    open();
    found = lint(PLANTED);
    close();
  });

  test.each(PLANTED)('$rule: $path with $text', ({ rule, path }) => {
    const said = found.output.split('\n').filter((line) => line.startsWith(path));
    expect(said).toContainEqual(expect.stringContaining(`(${rule})]`));
    expect(found.status).not.toBe(0);
  });
});

test('programs that every machine has, and programs of named parts, are started', () => {
  const text = `import { execFileSync } from 'node:child_process';
import { programOf } from './support/parts.ts';
execFileSync('sh', ['-c', 'true']);
execFileSync(process.execPath, ['--version']);
execFileSync(programOf('openssl'), ['version']);
`;
  const parts = 'export const programOf = (part: string): string => part;';
  open();
  expect(
    lint([
      { path: 'test/good.test.ts', text },
      { path: 'test/support/parts.ts', text: parts },
    ]),
  ).toMatchObject({ status: 0 });
  close();
});

test('code that is told the time passes, and so do its own names', () => {
  const text = `export const late = (nowMs: number, at: string): boolean => nowMs > new Date(at).getTime();
export const floor = (process: { crypto: number }): number => Math.floor(process.crypto);
`;
  open();
  expect(lint([{ path: 'src/domain/good.ts', text }])).toMatchObject({ status: 0 });
  close();
});
