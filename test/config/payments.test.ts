import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { folderOf, LEAST } from './folder.ts';

const load = (payments: string) => {
  const [account] = loadConfig(folderOf({ 'c.yaml': `${LEAST}\n    payments: ${payments}\n` })('c.yaml'), {}).config
    .accounts;
  return account?.payments;
};

test('payments are off without their section', () => {
  expect(loadConfig(folderOf({ 'c.yaml': LEAST })('c.yaml'), {}).config.accounts[0]?.payments).toBeNull();
});

test('switching on one direction of payments leaves the other off', () => {
  expect(load('{ to_marketplace: true }')).toEqual({
    toMarketplace: true,
    toErp: false,
    types: [],
    from: null,
    pollMs: 300_000,
  });
});

test('payment types keep the spelling and the order of the file', () => {
  expect(load('{ to_erp: true, types: { Wire EU: wire, SEPA: wire } }')?.types).toEqual([
    { method: 'Wire EU', type: 'wire' },
    { method: 'SEPA', type: 'wire' },
  ]);
});

test.each([
  ['with neither direction', '{ poll: 1m }', /switch to_marketplace or to_erp on, or leave the section out/],
  ['with a method in two spellings', '{ to_erp: true, types: { ACH: ach, ach: wire } }', /another spelling/],
  ['with a type that the marketplace has not', '{ to_erp: true, types: { ACH: bank } }', /expected one of "other"/],
  ['with a date that names no zone', '{ to_erp: true, from: 2026-01-01 }', /expected a date-time with its zone/],
])('the settings of payments are refused: %s', (_, payments, message) => {
  expect(() => load(payments)).toThrow(message);
});
