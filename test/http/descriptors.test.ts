import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Descriptors } from '../../src/machine/descriptors.ts';
import { NODE_OPTIONS } from '../support/as-started.ts';

interface Printed {
  readonly before: Descriptors;
  readonly full: Descriptors;
  readonly failures: Readonly<Record<string, unknown>>;
}

const SCRIPT = fileURLToPath(new URL('without-descriptors.ts', import.meta.url));
const LIMIT = 80;

test('a call that lacks a file descriptor is our own failure, whatever it calls', () => {
  const node = [process.execPath, ...NODE_OPTIONS, SCRIPT];
  const text = execFileSync('sh', ['-c', `ulimit -n ${LIMIT}; exec "$@"`, 'sh', ...node], { encoding: 'utf8' });
  const { before, full, failures } = JSON.parse(text) as Printed;
  expect(before.allowed).toBe(LIMIT);
  expect(before.open).toBeLessThan(LIMIT);
  expect(full).toEqual({ open: LIMIT, allowed: LIMIT });
  expect(Object.keys(failures)).toEqual(['marketplace', 'http', 'sql', 'files']);
  for (const failure of Object.values(failures)) {
    // `rate-limited` without a status: nobody's attempt counts, and the side is well.
    expect(failure).toMatchObject({ isOurs: true, kind: 'rate-limited', status: null, outcome: 'not-applied' });
    expect(failure).toHaveProperty(
      'message',
      `This program has no file descriptors left: ${LIMIT} of ${LIMIT} are open. Raise the limit ("ulimit -n", or LimitNOFILE of systemd). Nothing was sent.`,
    );
  }
});
