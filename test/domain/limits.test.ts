import { expect, test } from 'vitest';
import { sentenceOf } from '../../src/domain/causes/cause.ts';
import {
  beyondLimits,
  CUSTOMER_LIMITS,
  ERP_ORDER_LIMITS,
  LISTING_LIMITS,
  ORDER_LIMITS,
  PRODUCT_LIMITS,
  type ReadErpOrder,
  type ReadOrder,
} from '../../src/domain/limits.ts';
import type { OrderLine } from '../../src/domain/order.ts';
import { exact } from '../support/units.ts';

const d = (text: string) => exact(text);
const usd = (amount: string) => ({ amount: d(amount), currency: 'USD' });

const line = (changes: { quantity?: string; price?: string } = {}): OrderLine => ({
  id: 1,
  productId: 70,
  quantity: d(changes.quantity ?? '3'),
  orderedUnitPrice: { amount: d(changes.price ?? '12'), currency: 'USD' },
  salesPrice: null,
  unitMultiplier: null,
});

const PLAIN = { number: 'o-1', discountAmount: d('0'), shippingAmount: null, total: null };

interface Changes extends Partial<Omit<ReadOrder, 'order'>> {
  readonly order?: Partial<ReadOrder['order']>;
}

const order = (changes: Changes = {}): ReadOrder => ({
  lines: [line()],
  seller: 4711,
  ownSeller: 4711,
  total: d('36'),
  currency: 'USD',
  ...changes,
  order: { ...PLAIN, ...changes.order },
});

const erpOrder = (changes: Partial<ReadErpOrder> = {}): ReadErpOrder => ({
  id: 'SO-1',
  lines: [{ sku: 'SB-1', quantity: d('3'), unitPrice: d('12') }],
  discount: d('0'),
  shipping: d('0'),
  total: d('36'),
  currency: 'USD',
  ...changes,
});

const BUSINESS: Record<string, ReadOrder> = {
  'a plain order': order(),
  'a price of nothing, as for a sample': order({ lines: [line({ price: '0' })], total: d('0') }),
  'a discount of the whole worth': order({ order: { discountAmount: d('36') }, total: d('0') }),
  'an order that does not show its seller': order({ seller: null }),
  'a number in another form than a UUID': order({ order: { number: 'PO_2026-17' } }),
  'a fraction of a unit': order({ lines: [line({ quantity: '0.0001' })] }),
};

const NO_BUSINESS: Record<string, [ReadOrder, string]> = {
  'a discount above the worth': [order({ total: d('-999999998') }), 'order-total-negative'],
  'a total below zero on the marketplace': [order({ order: { total: d('-1') } }), 'order-total-negative'],
  'shipping below zero': [order({ order: { shippingAmount: d('-100') } }), 'order-charge-negative'],
  'a discount below zero': [order({ order: { discountAmount: d('-1') } }), 'order-charge-negative'],
  'a price below zero': [order({ lines: [line(), line({ price: '-2' })] }), 'line-price-negative'],
  'a quantity of zero': [order({ lines: [line({ quantity: '0' })] }), 'line-quantity'],
  'no lines': [order({ lines: [] }), 'order-empty'],
  'another seller': [order({ seller: 4712 }), 'order-of-another-seller'],
  'a number that is a path': [order({ order: { number: '../../x' } }), 'order-number-unfit'],
  'a number of dots': [order({ order: { number: '..' } }), 'order-number-unfit'],
  'an endless number': [order({ order: { number: 'x'.repeat(65) } }), 'order-number-unfit'],
};

const ERP_BUSINESS: Record<string, ReadErpOrder> = {
  'a plain order': erpOrder(),
  'goods for nothing': erpOrder({ lines: [{ sku: 'SB-1', quantity: d('1'), unitPrice: d('0') }], total: d('0') }),
  'a discount of the whole worth, with shipping': erpOrder({ discount: d('40'), shipping: d('5'), total: d('1') }),
};

const NO_ERP_BUSINESS: Record<string, [ReadErpOrder, string]> = {
  'no lines': [erpOrder({ lines: [] }), 'erp-order-empty'],
  'a line that is given back': [
    erpOrder({ lines: [{ sku: 'SB-1', quantity: d('-2'), unitPrice: d('12') }] }),
    'line-quantity',
  ],
  'a price below zero': [erpOrder({ lines: [{ sku: 'SB-1', quantity: d('2'), unitPrice: d('-1') }] }), 'line-price'],
  'shipping below zero': [erpOrder({ shipping: d('-1') }), 'order-charge-negative'],
  'a discount above the worth': [erpOrder({ discount: d('37') }), 'order-total-negative'],
  'a total below zero': [erpOrder({ total: d('-1') }), 'order-total-negative'],
};

test.each(Object.entries(BUSINESS))('a marketplace order with %s is valid', (_what, read) => {
  expect(beyondLimits(ORDER_LIMITS, read)).toBeNull();
});
test.each(Object.entries(NO_BUSINESS))('a marketplace order with %s is invalid', (_what, [read, code]) => {
  const found = beyondLimits(ORDER_LIMITS, read);
  expect(found?.code).toBe(code);
  expect(found === null ? '' : sentenceOf(found)).toContain(read.order.number);
});
test('every limit of a marketplace order is broken by a case of this table', () => {
  const broken = new Set(Object.values(NO_BUSINESS).map(([, code]) => code));
  expect(ORDER_LIMITS.map(({ code }) => code).filter((code) => !broken.has(code))).toEqual([]);
});

test.each(Object.entries(ERP_BUSINESS))('an order made in the ERP with %s is valid', (_what, read) => {
  expect(beyondLimits(ERP_ORDER_LIMITS, read)).toBeNull();
});
test.each(Object.entries(NO_ERP_BUSINESS))('an order made in the ERP with %s is invalid', (_what, [read, code]) => {
  const found = beyondLimits(ERP_ORDER_LIMITS, read);
  expect(found?.code).toBe(code);
  expect(found === null ? '' : sentenceOf(found)).not.toMatch(/(costs|is) -?[\d.]+,/);
});
test('every limit of an order made in the ERP is broken by a case of this table', () => {
  const broken = new Set(Object.values(NO_ERP_BUSINESS).map(([, code]) => code));
  expect(ERP_ORDER_LIMITS.map(({ code }) => code).filter((code) => !broken.has(code))).toEqual([]);
});

const listing = { listing: 4711, sku: 'SB-1', price: usd('12'), unitMultiplier: d('1') };

test('only a price above zero is valid', () => {
  expect(beyondLimits(PRODUCT_LIMITS, { sku: 'SB-1', price: usd('0.01') })).toBeNull();
  for (const price of ['0', '-3'])
    expect(beyondLimits(PRODUCT_LIMITS, { sku: 'SB-1', price: usd(price) })?.code).toBe('price-not-positive');
});

test('a listing without a price and units in a case may be created in the ERP', () => {
  expect(beyondLimits(LISTING_LIMITS, { ...listing, price: null, unitMultiplier: null })).toBeNull();
});

test.each([
  ['listing-sku-empty', { ...listing, sku: ' ' }],
  ['listing-price-not-positive', { ...listing, price: usd('0') }],
  ['listing-price-not-positive', { ...listing, price: usd('-1') }],
  ['listing-multiplier', { ...listing, unitMultiplier: d('-2') }],
] as const)('the discount of a customer: %s', (code, read) => {
  expect(beyondLimits(LISTING_LIMITS, read)?.code).toBe(code);
});

test('a customer may have a discount of 100 %, and may pay more than the price, as in the spec', () => {
  const unfit = (percent: string) => beyondLimits(CUSTOMER_LIMITS, { discountPercent: d(percent) });
  expect(['100', '0', '-5'].map(unfit)).toEqual([null, null, null]);
  expect(unfit('100.01')?.code).toBe('customer-field');
  expect(beyondLimits(CUSTOMER_LIMITS, { discountPercent: null })).toBeNull();
});
