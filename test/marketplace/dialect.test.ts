import { expect, test } from 'vitest';
import {
  dialectOf,
  sentPlace,
  storedField,
  toDeploymentBody,
  toOurRecord,
  withWords,
} from '../../src/marketplace/dialect.ts';

const NOTHING = { order: {}, product: {}, customer: {} };

function speaking(settings: Partial<Parameters<typeof dialectOf>[0]['fields']>, words = {}) {
  return dialectOf({
    fields: { ...NOTHING, ...settings },
    statuses: {},
    discountTypes: {},
    listingStates: {},
    ...words,
  });
}

test('a record without renamed fields and words is passed on unchanged', () => {
  const { order, product } = speaking({});
  const row = { number: 'n', total: 5, shipping_charge: { amount: 1 } };
  expect(toOurRecord(order, row)).toBe(row);
  expect(toOurRecord(product, null)).toBeNull();
  expect(toOurRecord(undefined, row)).toBe(row);
});

test('a renamed field is read and written in its place, also inside an object', () => {
  const { order } = speaking({
    order: { discount: 'totals.rebate', shipping: 'totals.freight', total: 'due', discount_type: 'kind' },
  });
  const row = { number: 'n', totals: { rebate: 1, freight: 12 }, due: 13, kind: 'amount' };
  expect(toOurRecord(order, row)).toEqual({
    ...row,
    discount_amount: 1,
    shipping_charge: 12,
    total: 13,
    discount_type: 'amount',
  });
  const body = { discount_amount: 1, shipping_charge: 12, discount_type: 'amount', external_id: 'E-1' };
  expect(toDeploymentBody(order, body)).toEqual({
    totals: { rebate: 1, freight: 12 },
    kind: 'amount',
    external_id: 'E-1',
  });
});

test('a renamed field is not read under its usual name', () => {
  const { product } = speaking({ product: { price: 'case_price', unit_multiplier: 'wholesale_price' } });
  expect(toOurRecord(product, { id: 1, wholesale_price: 12 })).toEqual({ id: 1, unit_multiplier: 12 });
  expect(toOurRecord(product, { id: 1, case_price: 5, wholesale_price: 12 })).toMatchObject({
    wholesale_price: 5,
    unit_multiplier: 12,
  });
});

test('a renamed field of a record that an earlier version stored as it was sent is found in its place there', () => {
  const { order } = speaking({ order: { delivery_address: 'goods.to' } });
  expect(storedField(order, { goods: { to: 'Elko' } }, 'delivery_address')).toBe('Elko');
  expect(storedField(order, { goods: { to: 'Elko' }, delivery_address: 'Reno' }, 'delivery_address')).toBe('Reno');
  expect(storedField(order, { requested_date: '2030-01-20' }, 'requested_date')).toBe('2030-01-20');
  expect(storedField(order, {}, 'requested_date')).toBeUndefined();
});

test('a field that no setting names is neither read nor written', () => {
  const { order } = speaking({});
  expect(toOurRecord(order, { discount_amount: 10, discount_type: 'percent' })).toEqual({ discount_amount: 10 });
  expect(toDeploymentBody(order, { discount_amount: 10, discount_type: 'amount' })).toEqual({ discount_amount: 10 });
});

test('an invalid row is reported with the place at which the field was sent', () => {
  const { product } = speaking({ product: { price: 'pricing.case' } });
  expect(sentPlace(product, 'wholesale_price.amount')).toBe('pricing.case.amount');
  expect(sentPlace(product, 'wholesale_price')).toBe('pricing.case');
  expect(sentPlace(product, 'quantity')).toBe('quantity');
  expect(sentPlace(undefined, 'wholesale_price')).toBe('wholesale_price');
});

test('a customer has the same field names in an order as in the list of customers', () => {
  const { order, customer } = speaking({ customer: { delivery_address: 'ship_to' } });
  const shown = { id: 7, ship_to: { state: 'CA' } };
  const read = { ...shown, delivery_address: { state: 'CA' } };
  expect(toOurRecord(customer, shown)).toEqual(read);
  expect(toOurRecord(order, { number: 'n', customer: shown })).toEqual({ number: 'n', customer: read });
});

test('a word of the deployment is read as the value that it means, and the first word for a value is written', () => {
  const statuses = { Void: 'Canceled', Cancelled: 'Canceled', Open: 'Submitted' };
  const { order } = speaking({ order: { discount_type: 'kind' } }, { statuses, discountTypes: { flat: 'amount' } });
  const read = (status: string) => toOurRecord(order, { status }).status;
  expect(['Void', 'Cancelled', 'Open', 'Accepted', 'constructor'].map(read)).toEqual([
    'Canceled',
    'Canceled',
    'Submitted',
    'Accepted',
    'constructor',
  ]);
  expect(toDeploymentBody(order, { status: 'Canceled', discount_type: 'amount' })).toEqual({
    status: 'Void',
    kind: 'flat',
  });
  expect(toDeploymentBody(order, { status: 'Accepted' })).toEqual({ status: 'Accepted' });
  expect(withWords(order, { status: 'Submitted', page: 1 })).toEqual({ status: 'Open', page: 1 });
});
