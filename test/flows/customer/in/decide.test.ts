import { expect, test } from 'vitest';
import { cause } from '../../../../src/domain/causes/cause.ts';
import { type CustomerInSnapshot, decideCustomerIn } from '../../../../src/flows/customer/in/decide.ts';
import type { Identity } from '../../../../src/flows/customer/out/match.ts';
import { told } from '../../../support/causes.ts';

const draft = { name: 'Shop', marketplaceId: 7 };
const other = (more: Partial<Identity> = {}): Identity => ({
  id: 'C-1',
  name: 'Shop',
  names: null,
  licenseKey: null,
  emailKey: null,
  linkedTo: null,
  gone: false,
  ...more,
});

const CONFLICT = {
  kind: 'conflict',
  cause: cause('customer-several', { own: 'customer 7', sign: 'e-mail address', others: 'C-1, C-2' }),
} as const;

function decide(more: Partial<CustomerInSnapshot>) {
  return decideCustomerIn({
    customer: { draft, archived: false },
    invalidRow: null,
    linked: false,
    match: { kind: 'none' },
    openCreate: null,
    known: true,
    createInDoubt: false,
    create: true,
    ...more,
  });
}

function decided(more: Partial<CustomerInSnapshot>): string {
  const { actions, holds } = decide(more);
  return actions.map(({ adoptOnly }) => (adoptOnly ? 'adopt' : 'create')).join() || told(holds);
}

test.each<[string, Partial<CustomerInSnapshot>, string | RegExp]>([
  ['nobody in the ERP', {}, 'create'],
  ['linked', { linked: true }, ''],
  ['not switched on', { create: false }, ''],
  ['not in the shadow', { customer: null }, ''],
  ['archived', { customer: { draft, archived: true } }, ''],
  ['before all are read', { known: false }, /^customers-unread/],
  ['it does not fit', { invalidRow: 'name: no' }, /^customer-invalid/],
  [
    'our own create there',
    { openCreate: cause('customer-maybe-ours', { erpCustomer: 'C-1' }) },
    /^customer-maybe-ours/,
  ],
  ['somebody is like it, who is linked from there', { match: { kind: 'one', other: other(), by: 'email' } }, ''],
  [
    'a customer that has left, by a likeness',
    { match: { kind: 'one', other: other({ gone: true }), by: 'email' } },
    /^customer-inactive {"erpCustomer":"C-1","sign":"e-mail address"}/,
  ],
  [
    'a customer that has left, by its id',
    { match: { kind: 'one', other: other({ gone: true }), by: 'external_id' } },
    '',
  ],
  ['a conflict', { match: CONFLICT }, /^customer-several/],
  ['a create in doubt', { createInDoubt: true }, 'create'],
  ['a create in doubt, archived since', { createInDoubt: true, customer: { draft, archived: true } }, 'adopt'],
  ['a create in doubt, switched off since', { createInDoubt: true, create: false }, 'adopt'],
])('the decision on entering a customer in the ERP: %s', (_what, more, expected) => {
  if (typeof expected === 'string') expect(decided(more)).toBe(expected);
  else expect(decided(more)).toMatch(expected);
});

test('if several ERP customers match, an operator has to choose one', () => {
  expect(decide({ match: CONFLICT }).awaitsLink).toBe(true);
});
