import { expect, test } from 'vitest';
import { statedIn, workedByTwo } from './proof.ts';

const journal = [1, 2, 3, 4].map((id) => ({ id, account: 'north' }));
const said = (entries: readonly number[], ...leases: number[]) => ({
  entries,
  takes: leases.map((lease) => ({ account: 'north', lease })),
});

test('log entries that follow the leases are of one worker at a time', () => {
  const logs = new Map([
    ['a', said([1, 4], 1, 3)],
    ['b', said([2], 2)],
  ]);
  expect(workedByTwo(journal, logs)).toEqual([]);
});

test('a log entry of a daemon whose lease another has taken is found', () => {
  const logs = new Map([
    ['a', said([1, 3], 1)],
    ['b', said([2, 4], 2)],
  ]);
  expect(workedByTwo(journal, logs)).toEqual(['north: entry 3 of the journal is of a, after lease 2 of b']);
});

test('the log of a daemon contains its leases and its recorded writes', () => {
  const log = [
    '{"level":"info","account":"north","lease":7,"msg":"this daemon works the account"}',
    '{"level":"info","account":"north","entry":12,"msg":"written"}',
    'not a line of JSON',
    '{"level":"info","msg":"cut of',
  ];
  expect(statedIn(log.join('\n'))).toEqual({ takes: [{ account: 'north', lease: 7 }], entries: [12] });
});
