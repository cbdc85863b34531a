import { describe, expect, test } from 'vitest';
import type { MarketplaceCustomer } from '../../../src/domain/customer.ts';
import { dueOfAlike, dueOfCustomer, withCustomer, withErpCustomer } from '../../../src/domain/shadow/customers.ts';
import { at } from '../../store/shelf.ts';

const customer = (changes: Partial<MarketplaceCustomer> = {}): MarketplaceCustomer => ({
  id: 5,
  name: 'Corner Shop',
  modified: at(0),
  archived: false,
  externalId: 'C-5',
  licenseNumber: 'c10 77',
  email: 'Ann@Shop.example',
  ...changes,
});
const read = (before: Parameters<typeof withCustomer>[0], changes = {}, { content = '{}', mended = false } = {}) =>
  withCustomer(before, customer(changes), { content, mended, nowMs: 1 });
const known = read(undefined).row ?? undefined;
const signs = { marketplaceId: 5, erpId: 'C-5', licenseKey: 'C1077', emailKey: 'ann@shop.example' };

test('a marketplace customer that is new is a change, with its match keys', () => {
  expect(read(undefined).news).toMatchObject({ signs: [signs] });
});

test('an unchanged marketplace customer is no change; a row with only a new time is stored', () => {
  expect(read(known)).toEqual({ row: null, news: null });
  expect(read(known, { modified: at(1) })).toMatchObject({ row: { modified: at(1) }, news: null });
  expect(read(known, { modified: null, archived: undefined })).toEqual({ row: null, news: null });
});

test('a read marks a marketplace customer that was changed, archived, or became valid again', () => {
  expect(read(known, {}, { content: '{"city":"Reno"}' }).news).not.toBeNull();
  expect(read(known, { archived: true }).news).not.toBeNull();
  expect(read(known, {}, { mended: true }).news).not.toBeNull();
});

test('a changed marketplace customer marks those that shared a match key before, and those that share one now', () => {
  const { news } = read(known, { email: 'bob@shop.example' }, { content: '{"email":1}' });
  expect(news?.signs).toMatchObject([signs, { ...signs, emailKey: 'bob@shop.example' }]);
});

describe('a customer of the ERP', () => {
  const told = { id: 'C-5', name: 'Corner Shop', marketplaceId: 5, email: 'Ann@Shop.example', changedAt: at(0) };
  const readErp = (before: Parameters<typeof withErpCustomer>[0], changes = {}, mended = false) =>
    withErpCustomer(before, { ...told, ...changes }, { mended, nowMs: 1 });
  const inErp = readErp(undefined).row ?? undefined;

  test('an ERP customer is a change when it is new, changed or valid again, and not when only its time moved', () => {
    expect(readErp(undefined).news?.signs).toMatchObject([{ erpId: 'C-5', marketplaceId: 5, licenseKey: null }]);
    expect(readErp(inErp)).toEqual({ row: null, news: null });
    expect(readErp(inErp, { changedAt: at(1) })).toMatchObject({ row: { changedAt: at(1) }, news: null });
    expect(readErp(inErp, { active: false })).toMatchObject({ row: { gone: true }, news: { signs: [{}, {}] } });
    expect(readErp(inErp, {}, true).news).not.toBeNull();
  });
});

test.each([
  [undefined, ['customer-in 5']],
  [{ erpId: 'C-5', state: 'linked' }, ['customer-out C-5']],
  [{ erpId: 'C-5', state: 'create-pending' }, ['customer-out C-5', 'customer-in 5']],
  [{ erpId: null, state: 'create-pending' }, ['customer-in 5']],
])('a customer linked as %o is marked as %o', (link, expected) => {
  expect(dueOfCustomer('5', link, 'changed').map(({ flow, key }) => `${flow} ${key}`)).toEqual(expected);
});

test('customers with a common match key are marked, except linked ones', () => {
  const onMarketplace = [
    { id: 5, linkedTo: null },
    { id: 6, linkedTo: 'C-6' },
  ];
  const inErp = [
    { id: 'C-6', linkedTo: '6' },
    { id: 'C-7', linkedTo: null },
  ];
  const due = dueOfAlike({ onMarketplace, inErp }, 'changed');
  expect(due.map(({ flow, key }) => `${flow} ${key}`)).toEqual(['customer-in 5', 'customer-out C-7']);
});
