import { expect, test } from 'vitest';
import type { DaemonConfiguration } from '../../src/store/leases.ts';
import { configurationNeeds } from '../../src/use/configurations.ts';

const daemons = ['one', 'two'].map((id) => ({ id, name: `${id}:4711`, works: true }));
const had = (daemon: string, more: Partial<DaemonConfiguration> = {}): DaemonConfiguration => ({
  account: 'main',
  daemon,
  settings: 'a',
  mayWork: true,
  problem: null,
  isInForce: true,
  ...more,
});
const inForce = [{ account: 'main', settings: 'a', broughtBy: 'one:4711', sinceMs: 0 }];
const WRONG = [{ account: 'main', problem: 'it is odd' }];

function told(configured: readonly DaemonConfiguration[], isRunning = true) {
  const needs = configurationNeeds({ configured, inForce, daemons }, WRONG, isRunning);
  return [...needs].flatMap(([account, of]) => of.map(({ example: { code, params } }) => [account, code, params]));
}

test('daemons with the same configuration raise no alert', () => {
  expect(told([had('one'), had('two')])).toEqual([]);
});

test('a daemon with another configuration than the one in force is named, and so is the one that brought it', () => {
  expect(told([had('one'), had('two', { settings: 'b', isInForce: false })])).toEqual([
    ['main', 'configurations-differ', { daemons: 'two:4711', broughtBy: 'one:4711' }],
  ]);
});

test('a configuration error of several daemons is reported once, and an account is left out only when no daemon has it', () => {
  const problem = 'it is odd';
  expect(told([had('one', { problem }), had('two', { problem })])).toEqual([
    ['main', 'configuration-unusable', { problem, daemons: 'one:4711, two:4711' }],
  ]);
  const none = { problem, settings: null, mayWork: false, isInForce: false };
  expect(told([had('one'), had('two', none)])).toEqual([
    ['main', 'configuration-unusable', { problem, daemons: 'two:4711' }],
  ]);
  expect(told([had('one', none), had('two', none)])).toEqual([
    ['main', 'account-left-out', { problem, daemons: 'one:4711, two:4711' }],
  ]);
});

test('without a daemon the current configuration file counts, not that of the last daemon', () => {
  expect(told([had('', { problem: 'it was odd' })], false)).toEqual([
    ['main', 'account-left-out', { problem: 'it is odd', daemons: null }],
  ]);
});
