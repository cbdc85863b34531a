import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cause } from '../../../../src/domain/causes/cause.ts';
import { type CustomerOutSnapshot, decideCustomerOut } from '../../../../src/flows/customer/out/decide.ts';
import type { Identity } from '../../../../src/flows/customer/out/match.ts';
import { told } from '../../../support/causes.ts';

const OTHER: Identity = {
  id: '7',
  name: 'Corner Shop',
  names: null,
  licenseKey: null,
  emailKey: null,
  linkedTo: null,
  gone: false,
};
const ADDRESS = { address: '1 Main St', city: 'Portland', zipcode: '97201' };
const FIELDS = { name: 'Corner Shop', external_ids: { stockbridge: 'C-1' } };

const shown = (more: Partial<NonNullable<NonNullable<CustomerOutSnapshot['linked']>['shown']>> = {}) => ({
  id: 7,
  shown: { archived: false, invalidRow: null, fields: FIELDS, ...more },
});
const snapshot = (more: Partial<CustomerOutSnapshot> = {}): CustomerOutSnapshot => ({
  erp: { id: 'C-1', name: 'Corner Shop', active: true, marketplaceId: null },
  invalidErpRow: null,
  linked: null,
  gone: null,
  survivor: { kind: 'none' },
  match: { kind: 'none' },
  openCreate: null,
  known: true,
  createInDoubt: false,
  wanted: { fields: FIELDS, problems: [] },
  createFields: { owner_id: 4711 },
  echoes: {},
  nowMs: 0,
  rules: { write: true, archive: true },
  ...more,
});
const erp = (more: Partial<NonNullable<CustomerOutSnapshot['erp']>>) => ({
  erp: { ...snapshot().erp, ...more } as never,
});
const wanting = (fields: Record<string, unknown>) => ({ wanted: { fields: { ...FIELDS, ...fields }, problems: [] } });

const CONFLICT = {
  kind: 'conflict',
  cause: cause('customer-several', { own: 'ERP customer C-1', sign: 'e-mail address', others: '7, 8' }),
} as const;
const OURS = cause('erp-customer-maybe-ours', { erpCustomer: 'C-1', customer: '7' });

/** The decision, with a word for each action. */
function decided(more: Partial<CustomerOutSnapshot>): string {
  const { actions, holds, alerts } = decideCustomerOut(snapshot(more));
  const done = actions.map((action) =>
    action.action === 'customer-out.address' ? `${action.how} ${action.kind}` : action.action,
  );
  return [
    ...done,
    ...holds.map((hold) => `hold: ${told([hold])}`),
    ...alerts.map((alert) => `alert: ${told([alert])}`),
  ].join('; ');
}

test.each<[string, Partial<CustomerOutSnapshot>, string | RegExp]>([
  ['nobody over there', {}, 'customer-out.create'],
  ['before all are read', { known: false }, 'hold: customers-unread {}'],
  ['not to be written', { rules: { write: false, archive: true } }, ''],
  ['inactive, and nobody over there', erp({ active: false }), ''],
  ['active is not told', erp({ active: undefined }), 'customer-out.create'],
  ['without a name', { wanted: { fields: {}, problems: [] } }, /^hold: customer-unnamed {"erpCustomer":"C-1"}/],
  ['one matches', { match: { kind: 'one', other: OTHER, by: 'email' } }, 'customer-out.link'],
  ['a conflict', { match: CONFLICT }, /^hold: customer-several/],
  ['a create of ours in the ERP', { openCreate: OURS }, /^hold: erp-customer-maybe-ours/],
  ['linked and equal', { linked: shown() }, ''],
  ['linked and not there', { linked: { id: 7, shown: null } }, /^hold: customer-gone {"customer":7/],
  [
    'linked, deleted in the ERP and not there: both have let it go',
    { linked: { id: 7, shown: null }, ...erp({ active: false }) },
    '',
  ],
  ['linked and not read', { linked: { id: 7, shown: null }, known: false }, 'hold: customers-unread {}'],
  [
    'linked to one that does not fit',
    { linked: shown({ invalidRow: 'name: no' }) },
    /^hold: customer-invalid {"problem":"name: no"}/,
  ],
  ['a field differs', { linked: shown(), ...wanting({ email: 'a@b.example' }) }, 'customer-out.patch'],
  [
    'a field differs, not to be written',
    { linked: shown(), ...wanting({ phone: '1' }), rules: { write: false, archive: true } },
    '',
  ],
  [
    'emptied in the ERP',
    { linked: shown({ fields: { ...FIELDS, phone: '1' } }), ...wanting({ phone: null }) },
    'customer-out.patch',
  ],
  ['a field that the ERP does not say', { linked: shown({ fields: { ...FIELDS, phone: '1', email: 'a@b' } }) }, ''],
  [
    'the prices of a customer, each alone',
    {
      linked: shown({ fields: { ...FIELDS, discount_percent: '5.0000' } }),
      ...wanting({ discount_percent: '6.0000', price_schedule_id: 4, tier: 2 }),
    },
    'customer-out.patch; customer-out.discount; customer-out.price-schedule',
  ],
  ['no address there', { linked: shown(), ...wanting({ delivery_address: ADDRESS }) }, 'set delivery'],
  [
    'an address there',
    {
      linked: shown({ fields: { ...FIELDS, corporate_address: { ...ADDRESS, city: 'Salem' } } }),
      ...wanting({ corporate_address: ADDRESS }),
    },
    'patch corporate',
  ],
  [
    'an address the marketplace spells otherwise',
    {
      linked: shown({ fields: { ...FIELDS, corporate_address: { ...ADDRESS, address: '1 Main Street' } } }),
      ...wanting({ corporate_address: ADDRESS }),
      echoes: {
        corporate_address: {
          sent: JSON.stringify(ADDRESS),
          echo: JSON.stringify({ ...ADDRESS, address: '1 Main Street' }),
        },
      },
    },
    '',
  ],
  [
    'half an address',
    { linked: shown(), ...wanting({ delivery_address: { city: 'Salem' } }) },
    /^alert: address-incomplete {"kind":"delivery","missing":\["address","zipcode"\]}/,
  ],
  ['inactive', { linked: shown(), ...erp({ active: false }) }, 'customer-out.archive'],
  ['inactive, archived already', { linked: shown({ archived: true }), ...erp({ active: false }) }, ''],
  [
    'inactive, not to be archived',
    { linked: shown(), ...erp({ active: false }), rules: { write: true, archive: false } },
    '',
  ],
  ['active again', { linked: shown({ archived: true }) }, 'customer-out.restore'],
  ['archived, and active is not told', { linked: shown({ archived: true }), ...erp({ active: undefined }) }, ''],
  [
    'not told, and a field differs',
    { linked: shown(), ...erp({ active: undefined }), ...wanting({ phone: '1' }) },
    'customer-out.patch',
  ],
  [
    'the ERP means another',
    { linked: shown(), ...erp({ marketplaceId: 9 }) },
    /^alert: customer-claims-another {"erpCustomer":"C-1","claims":9/,
  ],
  ['the ERP row does not fit', { linked: shown(), invalidErpRow: 'name: no' }, /^hold: erp-customer-invalid/],
  ['gone from the shadow', { erp: null }, ''],
])('the decision on a customer of the marketplace: %s', (_what, more, expected) => {
  if (typeof expected === 'string') expect(decided(more)).toBe(expected);
  else expect(decided(more)).toMatch(expected);
});

test('a customer create with a lost answer is settled also when the customer is no longer wanted', () => {
  const { actions } = decideCustomerOut(snapshot({ createInDoubt: true, ...erp({ active: false }) }));
  expect(actions).toMatchObject([{ action: 'customer-out.create', adoptOnly: true }]);
});

test('for any state of both sides: at most one create, none for a customer with a match, and no archive of a customer who is active in the ERP', () => {
  const matches: Readonly<Record<'none' | 'one' | 'conflict', CustomerOutSnapshot['match']>> = {
    none: { kind: 'none' },
    one: { kind: 'one', other: OTHER, by: 'license_number' },
    conflict: CONFLICT,
  };
  const any = fc.record({
    found: fc.constantFrom('none' as const, 'one' as const, 'conflict' as const),
    linked: fc.constantFrom(null, { id: 7, shown: null }, shown(), shown({ archived: true }), shown({ fields: {} })),
    active: fc.constantFrom(true, false, undefined),
    known: fc.boolean(),
    createInDoubt: fc.boolean(),
    rules: fc.record({ write: fc.boolean(), archive: fc.boolean() }),
    invalidErpRow: fc.constantFrom(null, 'no'),
    isMaybeOurs: fc.boolean(),
  });
  fc.assert(
    fc.property(any, ({ active, found, isMaybeOurs, ...more }) => {
      const given = { match: matches[found], openCreate: isMaybeOurs ? OURS : null };
      const state = snapshot({ ...more, ...given, ...erp({ active }) });
      const { actions } = decideCustomerOut(state);
      const creates = actions.filter(({ action }) => action === 'customer-out.create');
      expect(creates.length).toBeLessThanOrEqual(1);
      const mayCreate =
        state.known && state.linked === null && state.match.kind === 'none' && state.openCreate === null;
      if (creates.length > 0) expect(mayCreate && (state.rules.write || state.createInDoubt)).toBe(true);
      if (actions.some(({ action }) => action === 'customer-out.archive')) {
        expect([active, state.invalidErpRow, state.rules.archive, state.rules.write]).toEqual([
          false,
          null,
          true,
          true,
        ]);
      }
      if (!state.rules.write)
        expect(actions.every(({ action }) => ['customer-out.link', 'customer-out.create'].includes(action))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('if several marketplace customers match, an operator has to choose one', () => {
  expect(decideCustomerOut(snapshot({ match: CONFLICT })).awaitsLink).toBe(true);
});

test('the reason of a write says when our value was changed on the marketplace', () => {
  const wanted = wanting({ tier: 2, notes: 'Ring twice' });
  const reasons = (sent: Record<string, unknown>) => {
    const echoes = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, { sent: JSON.stringify(value), echo: '' }]),
    );
    return decideCustomerOut(snapshot({ linked: shown(), ...wanted, echoes })).actions.map(({ why }) => why);
  };
  expect(reasons({ tier: 2, notes: 'Ring twice' })).toEqual([
    'it was changed on the marketplace, and goes back to what the ERP shows',
  ]);
  expect(reasons({ tier: 1, notes: 'Ring twice' })).toEqual(['the ERP shows it otherwise']);
});
