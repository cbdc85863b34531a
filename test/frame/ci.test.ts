import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../config/folder.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Reported {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly object[];
  readonly message?: string;
}

/** A test file as vitest reports it. */
const file = (name: string, seconds: number, more: Partial<Reported> = {}): Reported => ({
  name: join(ROOT, name),
  status: 'passed',
  startTime: 1_000,
  endTime: 1_000 + seconds * 1_000,
  assertionResults: [{}],
  ...more,
});

/** Runs a script of CI beside these reports; arguments that name one of them are its path. */
function say(script: string, reports: Readonly<Record<string, object>>, ...args: string[]): string {
  const texts = Object.entries(reports).map(([name, report]) => [name, JSON.stringify(report)] as const);
  const path = folderOf(Object.fromEntries(texts));
  const given = args.map((arg) => (arg in reports ? path(arg) : arg));
  return spawnSync('node', [join(ROOT, '.ci', script), ...given], { cwd: ROOT, encoding: 'utf8' }).stdout;
}

/** Tests of a file that failed. */
const failing = (name: string, ...tests: readonly string[]) =>
  file(name, 1, {
    status: 'failed',
    assertionResults: tests.map((fullName) => ({
      status: 'failed',
      fullName,
      failureMessages: ['expected 1 to be 2'],
    })),
  });

const unreadable = file('test/a.test.ts', 1, { status: 'failed', assertionResults: [] });

test.each([
  ['what passed', { numPassedTests: 3, testResults: [] }, '0', '3 0\n'],
  ['what failed', { numPassedTests: 3, testResults: [failing('test/a.test.ts', 'one', 'two')] }, '1', '3 2\n'],
  ['a file that could not be run at all', { numPassedTests: 3, testResults: [unreadable] }, '1', '3 1\n'],
  ['a run that ended badly without saying why', { numPassedTests: 3, testResults: [] }, '1', '3 1\n'],
  ['a run of no test', { numPassedTests: 0, testResults: [] }, '0', '0 1\n'],
])('the CI counts a test: %s', (_, report, status, counts) => {
  expect(say('count.mjs', { 'suite.json': report }, 'suite.json', status)).toBe(counts);
});

test('the twenty slowest files of all tiers are printed, the slowest first', () => {
  const short = { testResults: Array.from({ length: 24 }, (_, index) => file(`test/${index}.test.ts`, index)) };
  const long = { testResults: [file('test/crash/crash.long.test.ts', 70.25)] };
  const [title, ...lines] = say('summary.mjs', { 'short.json': short, 'long.json': long }, 'short.json', 'long.json')
    .trimEnd()
    .split('\n');
  expect(title).toBe('== the 20 slowest of 25 test files, in seconds');
  expect(lines).toHaveLength(20);
  expect(lines[0]).toBe('   70.3  test/crash/crash.long.test.ts');
  expect(lines[1]).toBe('   23.0  test/23.test.ts');
});

test('each failed test is printed after them with its reason, so that the end of the output has it', () => {
  const broken = {
    testResults: [
      file('test/a.test.ts', 1, {
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'holds' },
          { status: 'failed', fullName: 'adds up', failureMessages: ['expected 1 to be 2'] },
        ],
      }),
      file('test/b.test.ts', 1, { status: 'failed', assertionResults: [], message: 'no such module' }),
    ],
  };
  const said = say('summary.mjs', { 'short.json': broken }, 'short.json');
  expect(said.slice(said.indexOf('== the tests that failed'))).toBe(
    '== the tests that failed\ntest/a.test.ts: adds up\nexpected 1 to be 2\n\ntest/b.test.ts\nno such module\n',
  );
});
