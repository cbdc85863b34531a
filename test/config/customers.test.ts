import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { folderOf, LEAST } from './folder.ts';

const load = (customers: string) =>
  loadConfig(folderOf({ 'c.yaml': `${LEAST}\n    customers: ${customers}\n` })('c.yaml'), {}).config.accounts[0]
    ?.customers;

test('customer fields are made by rules, and false leaves one out', () => {
  const made = load(
    '{ to_marketplace: true, fields: { tier: "$number(attributes.tier)", notes: attributes.memo, phone: false } }',
  );
  expect(made?.fields.map(({ name, rule }) => [name, rule.kind])).toEqual([
    ['tier', 'expression'],
    ['notes', 'expression'],
  ]);
  expect(made?.leftOut).toEqual(['phone']);
});

test.each([
  ['of our own', '{ to_marketplace: true, fields: { owner_id: 3 } }', /owner_id is set by Stockbridge itself/],
  [
    'that no customer has',
    '{ to_marketplace: true, fields: { teir: 3 } }',
    /is no field of a customer: name, owner_id/,
  ],
  [
    'that cannot be left out',
    '{ to_marketplace: true, fields: { notes: false } }',
    /only email, phone, license_number/,
  ],
  ['that is no expression', '{ to_marketplace: true, fields: { notes: "attributes.(" } }', /is no JSONata expression/],
  ['that is written nowhere', '{ to_erp: true, fields: { notes: status } }', /needs to_marketplace/],
  [
    'made twice',
    '{ to_marketplace: true, statuses: { A: B }, fields: { status_id: 3 } }',
    /customers.statuses makes this field already/,
  ],
])('a customer field %s is refused', (_, customers, message) => {
  expect(() => load(customers)).toThrow(message);
});
