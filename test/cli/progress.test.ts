import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Cli } from '../../src/cli/output.ts';
import { createProgress } from '../../src/cli/progress.ts';
import { until } from '../support/stage.ts';

function terminal(isTTY: boolean) {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 100 });
  let text = '';
  stderr.on('data', (part: Buffer) => {
    text += part.toString();
  });
  return { cli: { stderr } as unknown as Cli, shown: () => text };
}

test('the progress and the remaining time are one line, which is removed at the end', async () => {
  const { cli, shown } = terminal(true);
  const progress = createProgress(cli);
  progress.step({ account: 'main', step: 'working', pending: 3_000, perMinute: 300 });
  await until('it is drawn', () => shown().includes('main: working, 3000 to go, at least 10 min left'));
  progress.step({ account: 'main', step: 'comparing' });
  await until('the next step is drawn', () => shown().includes('main: comparing'));
  progress.end();
  expect(shown().endsWith('\r\u001b[2K')).toBe(true);
});

test('where the output is no terminal, a progress line is printed from time to time, and nothing is overwritten', async () => {
  const { cli, shown } = terminal(false);
  const progress = createProgress(cli, 5);
  progress.step({ account: 'main', step: 'working', pending: 3_000, perMinute: 300 });
  const line = 'main: working, 3000 to go, at least 10 min left';
  await until(
    'it is told twice',
    () =>
      shown()
        .split('\n')
        .filter((one) => one.startsWith(line)).length >= 2,
  );
  progress.end();
  expect(shown()).not.toContain('\r');
});

test('short work prints no progress where the output is no terminal', () => {
  const { cli, shown } = terminal(false);
  const progress = createProgress(cli);
  progress.step({ account: 'main', step: 'working', pending: 3_000, perMinute: 300 });
  progress.end();
  expect(shown()).toBe('');
});
