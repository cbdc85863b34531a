import { describe, expect, test } from 'vitest';
import { EXIT, exitCodeOf } from '../../src/cli/exit.ts';
import { paint } from '../../src/cli/output.ts';
import { shownLine } from '../../src/cli/paint.ts';
import { Interrupted } from '../../src/cli/signals.ts';
import { ConfigError } from '../../src/config/problem.ts';
import { NoRedisError } from '../../src/core/state-redis.ts';
import { CallFailure, type FailureKind } from '../../src/domain/failure.ts';
import { LockHeldError } from '../../src/store/sqlite/lock.ts';
import { UsageError } from '../../src/use/faults.ts';
import { run } from './capture.ts';

test.each([
  [['confg'], 'Did you mean config?'],
  [['config', 'chek'], 'Did you mean check?'],
  [['config', 'check', '--jsn'], 'Did you mean --json?'],
  [['--confg', 'x', 'config'], 'Did you mean --config?'],
  [['config', 'check', 'more'], 'too many arguments'],
  [['config', 'check', '--config'], 'argument missing'],
  [['help', 'nothing'], "unknown command 'nothing'"],
])('the command line %j exits 64', async (args, message) => {
  const { exitCode, stdout, stderr } = await run(args);
  expect([exitCode, stdout]).toEqual([64, '']);
  expect(stderr).toMatch(/^stockbridge: /);
  expect(stderr).toContain(message);
  expect(stderr).toContain('--help');
});

test.each([[[]], [['config']]])('the command line %j exits 64 with the help on stderr', async (args) => {
  const { exitCode, stdout, stderr } = await run(args);
  expect([exitCode, stdout]).toEqual([64, '']);
  expect(stderr).toContain('Usage: stockbridge');
});

test('the help lists the verbs', async () => {
  const { exitCode, stdout, stderr } = await run(['--help']);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^ {2}config +Check or show/m);
  expect((await run(['help'])).stdout).toBe(stdout);
});

test('the help of a verb lists its options, --config and examples', async () => {
  const { exitCode, stdout } = await run(['config', '--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('--config <file>');
  expect(stdout).toContain('Examples:\n  stockbridge config check');
  expect((await run(['help', 'config'])).stdout).toBe(stdout);
  expect((await run(['help', 'config', 'show'])).stdout).toContain('Usage: stockbridge config show');
});

test('--version prints the version', async () => {
  expect(await run(['--version'])).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown,
    stderr: '',
  });
});

describe('exit codes', () => {
  const failure = (kind: FailureKind): CallFailure =>
    new CallFailure('no', { side: 'erp', kind, outcome: 'not-applied' });
  const withCode = (code: string): Error => Object.assign(new Error('no'), { code });

  test.each([
    [new ConfigError('c.yaml', []), EXIT.configuration],
    [new UsageError('no such account'), EXIT.usage],
    [failure('credentials'), EXIT.credentials],
    [failure('forbidden'), EXIT.credentials],
    [failure('unavailable'), EXIT.unavailable],
    [failure('rate-limited'), EXIT.tryAgain],
    [failure('not-found'), EXIT.failed],
    [failure('refused'), EXIT.failed],
    [failure('invalid-answer'), EXIT.failed],
    [failure('incomplete'), EXIT.tryAgain],
    [withCode('ECONNREFUSED'), EXIT.unavailable],
    [withCode('SQLITE_FULL'), EXIT.failed],
    [new LockHeldError('no'), EXIT.tryAgain],
    [new NoRedisError('no'), EXIT.unavailable],
    [new Interrupted('no'), EXIT.tryAgain],
    [new Error('no'), EXIT.failed],
    ['no', EXIT.failed],
  ])('%s ends with exit code %d', (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });

  test('the exit codes are those of the contract', () => {
    expect(EXIT).toEqual({
      ok: 0,
      failed: 1,
      changes: 2,
      usage: 64,
      unavailable: 69,
      tryAgain: 75,
      credentials: 77,
      configuration: 78,
    });
  });
});

test('colours appear on a terminal only, and never with NO_COLOR', async () => {
  const paintOn = (isTTY: boolean, env: Record<string, string>): string => {
    const stream = Object.assign(Object.create(process.stdout) as NodeJS.WriteStream, { isTTY });
    return shownLine(
      paint({ env, stdout: stream, stderr: stream, secrets: [], exitCode: 0 }, stream, 'red', 'x'),
      true,
    );
  };
  expect(paintOn(true, {})).toBe('\u001b[31mx\u001b[39m');
  expect(paintOn(true, { NO_COLOR: '1' })).toBe('x');
  expect(paintOn(false, {})).toBe('x');
  const { stderr } = await run(['config', 'check', '--config', '/nowhere.yaml'], { NO_COLOR: '1' }, { terminal: true });
  expect(stderr).not.toContain('\u001b');
});
