import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/domain/decimal.ts';
import type { OrderLine } from '../../src/domain/order.ts';
import { type ExciseRule, orderTotals, soldPrice } from '../../src/domain/totals.ts';
import type { Units } from '../../src/domain/units.ts';
import { exact, IN_UNITS, LINES_IN_CASES } from '../support/units.ts';

const d = (text: string) => exact(text);
const usd = (amount: string) => ({ amount: d(amount), currency: 'USD' });
const CALIFORNIA: ExciseRule = { ratePercent: d('27'), applies: 'california' };

function line(quantity: string, price: string, more: { sales?: string; multiplier?: string } = {}): OrderLine {
  return {
    id: 1,
    productId: 1,
    quantity: d(quantity),
    orderedUnitPrice: usd(price),
    salesPrice: more.sales === undefined ? null : usd(more.sales),
    unitMultiplier: more.multiplier === undefined ? null : d(more.multiplier),
  };
}

interface Case {
  readonly lines: readonly OrderLine[];
  readonly discount?: string;
  readonly shipping?: string | null;
  readonly state?: string | null;
  readonly units?: Units;
  readonly excise?: ExciseRule;
}

function totals({ lines, discount = '0', shipping = null, state = null, units = IN_UNITS, excise = CALIFORNIA }: Case) {
  const order = {
    lines,
    discountAmount: d(discount),
    shippingAmount: shipping === null ? null : d(shipping),
    deliveryState: state,
    taxAmount: null,
    total: null,
  };
  const { lines: sum, tax, total } = orderTotals(order, units, excise);
  return [sum, tax, total].map((amount) => amount.toFixed());
}

test.each([
  ['0.00', '10'],
  ['0', '10'],
  ['0.01', '0.01'],
  ['8.50', '8.5'],
  ['-1.00', '10'],
])('the sold price of a line with sales_price %s: %s', (sales, expected) => {
  expect(soldPrice(line('1', '10.00', { sales })).amount.toFixed()).toBe(expected);
});

test('the sold price of a line without sales_price is the ordered price', () =>
  expect(soldPrice(line('1', '10.00')).amount.toFixed()).toBe('10'));

describe('totals', () => {
  test('a percentage discount applies to the lines, rounded half up, before shipping and tax', () => {
    const order = {
      lines: [line('3', '9.99')],
      discountAmount: d('0'),
      discountPercent: d('12.5'),
      shippingAmount: d('5'),
      deliveryState: 'CA',
      taxAmount: null,
      total: null,
    };
    const { discount, tax, total } = orderTotals(order, IN_UNITS, CALIFORNIA);
    expect([discount, tax, total].map(String)).toEqual(['3.75', '8.43', '39.65']);
  });

  const hundred = [line('2', '50.00')];
  test.each<[string, Case, string[]]>([
    ['lines alone', { lines: hundred }, ['100', '0', '100']],
    ['less the discount', { lines: hundred, discount: '10.00' }, ['100', '0', '90']],
    ['and shipping', { lines: hundred, discount: '10.00', shipping: '5.00' }, ['100', '0', '95']],
    ['no lines', { lines: [], shipping: '5.00' }, ['0', '0', '5']],
    ['singles of a case of 12', { lines: [line('18', '12.00', { multiplier: '12' })] }, ['18', '0', '18']],
    ['cases of 12', { lines: [line('18', '12.00', { multiplier: '12' })], units: LINES_IN_CASES }, ['216', '0', '216']],
    ['half a case', { lines: [line('0.5', '12.50')], units: LINES_IN_CASES }, ['6.25', '0', '6.25']],
    ['a third of a cent is rounded half up', { lines: [line('1', '0.01', { multiplier: '3' })] }, ['0', '0', '0']],
    ['half a cent goes up', { lines: [line('1', '0.01', { multiplier: '2' })] }, ['0.01', '0', '0.01']],
    [
      'each line is money of its own',
      { lines: [line('1', '0.01', { multiplier: '3' }), line('2', '0.01', { multiplier: '3' })] },
      ['0.01', '0', '0.01'],
    ],
    ['on sale', { lines: [line('3', '10.00', { sales: '7.35' })] }, ['22.05', '0', '22.05']],
  ])('the totals of an order: %s', (_, order, expected) => expect(totals(order)).toEqual(expected));
});

describe('California excise tax (spec 1, Tax rule): after all discounts, with shipping', () => {
  const order = { lines: [line('2', '50.00')], discount: '10.00', shipping: '5.00' };
  test.each(['CA', 'California', 'california', ' ca ', 'US-CA'])('the excise tax is 27 percent in "%s"', (state) => {
    expect(totals({ ...order, state })).toEqual(['100', '25.65', '120.65']);
  });
  test.each(['NV', 'Baja California', 'CAN', '', null])('there is no excise tax in "%s"', (state) => {
    expect(totals({ ...order, state })).toEqual(['100', '0', '95']);
  });
  test('the excise tax has the configured rate and states', () => {
    const always: ExciseRule = { ratePercent: d('10.5'), applies: 'always' };
    expect(totals({ ...order, excise: always })).toEqual(['100', '9.98', '104.98']);
    expect(totals({ ...order, state: 'CA', excise: { ...always, applies: 'never' } })).toEqual(['100', '0', '95']);
  });
  test.each([
    ['0.01', '0', '0.01'],
    ['0.02', '0.01', '0.03'],
    ['1.50', '0.41', '1.91'],
    ['33.33', '9', '42.33'],
    ['123456789.01', '33333333.03', '156790122.04'],
  ])('the excise tax on %s is %s: cents, half up', (price, tax, total) => {
    expect(totals({ lines: [line('1', price)], state: 'CA' }).slice(1)).toEqual([tax, total]);
  });
  test('a discount above the total leaves nothing to tax', () => {
    expect(totals({ ...order, discount: '200.00', state: 'CA' })).toEqual(['100', '0', '-95']);
  });
});

test('the total is lines − discount + shipping + tax to the digit, and the tax within half a cent of the rate', () => {
  const cents = fc.integer({ min: 0, max: 10_000_000 }).map((n) => exact(n).dividedBy(100));
  const quantity = fc.integer({ min: 0, max: 1_000_000 }).map((n) => exact(n).dividedBy(10_000));
  const lines = fc.array(fc.tuple(quantity, cents, fc.integer({ min: 1, max: 48 })), { maxLength: 6 });
  fc.assert(
    fc.property(lines, cents, cents, (some, discountAmount, shippingAmount) => {
      const made = some.map(([q, price, multiplier]) =>
        line(q.toFixed(), price.toFixed(), { multiplier: `${multiplier}` }),
      );
      const order = { lines: made, discountAmount, shippingAmount, deliveryState: 'CA', taxAmount: null, total: null };
      const { lines: sum, tax, total } = orderTotals(order, IN_UNITS, CALIFORNIA);
      const base = sum.minus(discountAmount).plus(shippingAmount);
      expect(total.equals(base.plus(tax))).toBe(true);
      expect(tax.decimalPlaces()).toBeLessThanOrEqual(2);
      const unrounded = Decimal.max(base, 0).times('0.27');
      expect(tax.minus(unrounded).abs().lessThanOrEqualTo('0.005')).toBe(true);
    }),
  );
});
