import { expect, test } from 'vitest';
import { cause } from '../../../../src/domain/causes/cause.ts';
import type { ErpCustomer } from '../../../../src/erp/connector.ts';
import { type BuiltFields, wantedCustomer } from '../../../../src/flows/customer/out/wanted.ts';

const RULES = {
  externalIdKey: 'stockbridge',
  addresses: true,
  statuses: [{ erpStatus: 'Key account', state: 'VIP' }],
  statusIds: new Map([['vip', 3]]),
  made: { fields: {}, problems: [] } as BuiltFields,
  leftOut: [] as string[],
};
const ALWAYS = { name: 'Shop', external_ids: { stockbridge: 'C-1' } };
const wanted = (more: Partial<ErpCustomer>, rules: Partial<typeof RULES> = {}) =>
  wantedCustomer({ id: 'C-1', name: 'Shop', marketplaceId: null, changedAt: null, ...more }, { ...RULES, ...rules });

test.each<[string, Partial<ErpCustomer>, object]>([
  ['nothing but its name', {}, {}],
  [
    'the fields that it says',
    { email: 'a@b.example', phone: '1', licenseNumber: 'L' },
    { email: 'a@b.example', phone: '1', license_number: 'L' },
  ],
  ['the fields that it empties', { email: '', phone: '' }, { email: null, phone: null }],
  ['a licence number cannot be taken away', { licenseNumber: '' }, {}],
  ['a status by name, whatever its capitals', { status: 'KEY ACCOUNT' }, { status_id: 3 }],
  ['a status that is not mapped', { status: 'New' }, {}],
  [
    'an address, without the empty texts of what is demanded',
    {
      addresses: {
        delivery: {
          address: '1 Main St',
          city: 'Salem',
          state: '',
          zipcode: '97301',
          unitNumber: '',
          county: 'Marion',
        },
      },
    },
    { delivery_address: { address: '1 Main St', city: 'Salem', zipcode: '97301', unit_number: '', county: 'Marion' } },
  ],
  [
    'an address of empty texts',
    { addresses: { corporate: { address: '', city: '', zipcode: '', unitNumber: '' } } },
    {},
  ],
])('the wanted customer fields: %s', (_what, erp, expected) => {
  expect(wanted(erp)).toEqual({ fields: { ...ALWAYS, ...expected }, problems: [] });
});

test('a value that the marketplace does not accept is left out with a problem, and the other fields are sent', () => {
  const { fields, problems } = wanted({
    email: 'nobody',
    phone: '1',
    addresses: { delivery: { address: '1 Main St', city: 'Salem', zipcode: '97301-1234' } },
  });
  expect(fields).toEqual({ ...ALWAYS, phone: '1' });
  expect(problems).toEqual([
    cause('customer-field', { field: 'email', value: '"nobody"', problem: 'email: expected an email address' }),
    { code: 'customer-field', params: expect.objectContaining({ field: 'delivery address', value: null }) as unknown },
  ]);
});

test('an unknown customer status is a problem, but not before the statuses are read', () => {
  expect(wanted({ status: 'Key account' }, { statusIds: new Map() }).problems).toEqual([
    cause('customer-status-unknown', { status: 'VIP' }),
  ]);
  expect(wanted({ status: 'Key account' }, { statusIds: null as never })).toEqual({ fields: ALWAYS, problems: [] });
});

test('customer addresses are left unchanged where that is configured', () => {
  const erp = { addresses: { delivery: { address: '1 Main St', city: 'Salem', zipcode: '97301' } } };
  expect(wanted(erp, { addresses: false }).fields).toEqual(ALWAYS);
});

test('configured fields are sent with the others, and take precedence', () => {
  const fields = { tier: 2, email: 'office@shop.example', discount_percent: '7.5', notes: null, shipping_charge: '12' };
  const made = { fields, problems: [] };
  expect(wanted({ email: 'a@b.example', phone: '1' }, { made, leftOut: ['phone'] }).fields).toEqual({
    ...ALWAYS,
    ...fields,
    // The marketplace's spelling of the same values.
    discount_percent: '7.5000',
    shipping_charge: '12.00',
  });
});

test('a configured field that the marketplace does not accept, or that fails to compute, is left out with a problem', () => {
  const problem = cause('customer-field-problem', { erpCustomer: 'C-1', problem: 'customers.fields.brand: no' });
  const made = { fields: { discount_percent: '7.12345', tier: '2', next_contact_date: 'soon' }, problems: [problem] };
  const { fields, problems } = wanted({}, { made });
  expect(fields).toEqual(ALWAYS);
  expect(problems).toEqual([
    problem,
    cause('customer-field', {
      field: 'discount percent',
      value: '"7.12345"',
      problem: 'discount_percent: expected a decimal string, up to 8 digits before and 4 after the point',
    }),
    expect.objectContaining({ code: 'customer-field', params: expect.objectContaining({ field: 'tier' }) }),
    expect.objectContaining({ params: expect.objectContaining({ field: 'next contact date' }) }),
  ]);
});
