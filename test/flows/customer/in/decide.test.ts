import { expect, test } from 'vitest';
import { type CustomerInSnapshot, decideCustomerIn } from '../../../../src/flows/customer/in/decide.ts';
import type { Identity } from '../../../../src/flows/customer/out/match.ts';

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

function decide(more: Partial<CustomerInSnapshot>) {
  return decideCustomerIn({
    customer: { draft, archived: false },
    misfit: null,
    linked: false,
    match: { kind: 'none' },
    maybeOurOwn: null,
    known: true,
    createInDoubt: false,
    create: true,
    ...more,
  });
}

function decided(more: Partial<CustomerInSnapshot>): string {
  const { actions, hold } = decide(more);
  return actions.map(({ adoptOnly }) => (adoptOnly ? 'adopt' : 'create')).join() || (hold ?? '');
}

test.each<[string, Partial<CustomerInSnapshot>, string | RegExp]>([
  ['nobody in the ERP', {}, 'create'],
  ['linked', { linked: true }, ''],
  ['not switched on', { create: false }, ''],
  ['not in the shadow', { customer: null }, ''],
  ['archived', { customer: { draft, archived: true } }, ''],
  ['before all are read', { known: false }, /not completely read/],
  ['it does not fit', { misfit: 'name: no' }, /does not fit/],
  ['our own create there', { maybeOurOwn: 'ours' }, 'ours'],
  ['somebody is like it, who is linked from there', { match: { kind: 'one', other: other(), by: 'email' } }, ''],
  [
    'who has left, by a likeness',
    { match: { kind: 'one', other: other({ gone: true }), by: 'email' } },
    /C-1 has the same email and is inactive/,
  ],
  ['who has left, by its id', { match: { kind: 'one', other: other({ gone: true }), by: 'external_id' } }, ''],
  ['a conflict', { match: { kind: 'conflict', reason: 'two' } }, 'two'],
  ['a create in doubt', { createInDoubt: true }, 'create'],
  ['a create in doubt, archived since', { createInDoubt: true, customer: { draft, archived: true } }, 'adopt'],
  ['a create in doubt, switched off since', { createInDoubt: true, create: false }, 'adopt'],
])('%s', (_what, more, expected) => {
  if (typeof expected === 'string') expect(decided(more)).toBe(expected);
  else expect(decided(more)).toMatch(expected);
});

test('who a customer is has to be said where several may be it', () => {
  expect(decide({ match: { kind: 'conflict', reason: 'two' } }).contested).toBe(true);
});
