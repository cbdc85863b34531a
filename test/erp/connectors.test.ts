import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { capabilitiesOf, OF_VERSION_1 } from '../../src/erp/capabilities.ts';
import { erpSection, kindOf } from '../../src/erp/connectors.ts';
import { pingAnswer } from '../../src/erp/rows/rows.ts';

const SECTION = { type: 'http', url: 'https://erp.example', token: 'a-token' };
const settingsOf = (more: object) => {
  const section = erpSection.parse({ ...SECTION, ...more });
  return kindOf(section).settings(section);
};

test('each capability of an ERP is that of the contract, overridden by the ping, overridden by the configuration', () => {
  const { capabilities } = settingsOf({
    capabilities: { unique_reference: true, longest_transaction: '5m', decimals: { price: 2 } },
  });
  const told = { totals: 'computed', uniqueReference: false } as const;
  expect(capabilitiesOf(told, capabilities)).toEqual({
    ...OF_VERSION_1,
    totals: 'computed',
    uniqueReference: true,
    longestTransactionMs: 300_000,
    decimals: { price: 2, quantity: null },
  });
});

test('erp.totals means the same as capabilities.totals, which takes precedence', () => {
  expect(settingsOf({ totals: 'computed' }).capabilities).toEqual({ totals: 'computed' });
  expect(settingsOf({ totals: 'computed', capabilities: { totals: 'stored' } }).capabilities.totals).toBe('stored');
});

test('nothing outside src/erp names a connector, or a key of its section', () => {
  const outside = globSync('src/**/*.ts').filter((file) => !/^src\/(erp|sandbox|demo|cli)\//.test(file));
  const named = outside.filter((file) =>
    /erp\.(url|token|oauth)\b|erp\/(http|rest|sql|files)\/|tryton/i.test(readFileSync(file, 'utf8')),
  );
  expect(named).toEqual([]);
});

test('a ping states capabilities, and unknown ones are ignored', () => {
  const pong1 = pingAnswer.parse({ name: 'an ERP', version: '1', time: '2030-01-01T00:00:00Z' });
  expect(pong1.capabilities).toBeUndefined();
  const capabilities = {
    editing: 'until-picked',
    unique_reference: true,
    longest_transaction: '30s',
    deletions: 'by-telepathy',
    teleports: true,
  };
  expect(pingAnswer.parse({ name: '', version: '', time: '2030-01-01T00:00:00Z', capabilities }).capabilities).toEqual({
    editing: 'until-picked',
    uniqueReference: true,
    longestTransactionMs: 30_000,
  });
});
