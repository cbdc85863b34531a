import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { programOf } from '../support/parts.ts';

const ROOT = join(import.meta.dirname, '../..');

test('a test file that does not name a part cannot start it, also on a machine that has it', () => {
  expect(() => programOf('postgres')).toThrow("begin its tests with needing('postgres')");
});

test('where a part is missing its tests are skipped, and the end of the run says what runs them', () => {
  const runner = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const files = ['test/frame/board.test.ts', 'test/frame/deploy.test.ts'];
  const args = [runner, 'run', '--config', join(ROOT, '.setup/vitest.config.mjs'), ...files];
  // Nothing but Node is on this machine.
  const env = { PATH: dirname(process.execPath), NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain(`
Skipped, because a part of the system is not here:
  Prometheus: test/frame/board.test.ts
  systemd-analyze: test/frame/deploy.test.ts
What runs them:
  apt-get install --no-install-recommends prometheus systemd
  npm run test -- test/frame/board.test.ts test/frame/deploy.test.ts
`);
});
