import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Decimal, figure } from '../../src/domain/decimal.ts';
import { stockTarget } from '../../src/domain/ledger.ts';
import { orderTotals } from '../../src/domain/totals.ts';
import {
  convertedCases,
  erpLineOf,
  erpLinePriceOf,
  inWholeCases,
  largerCase,
  lineOfErp,
  linePriceOf,
  listedOf,
  listedOfLine,
  listingPriceOf,
  productPriceOf,
  type Units,
  unitsInListed,
  unitsOfErpLine,
  unitsOfErpStock,
  unitsOfLine,
  unitsOfListed,
} from '../../src/domain/units.ts';
import { exact, IN_UNITS, LINES_IN_CASES } from '../support/units.ts';

const TWELVE = exact('12');
const USD = (amount: string) => ({ amount: exact(amount), currency: 'USD' });

test('a product at 10.00 a unit, 12 in a case, is listed at 120.00 a case, as the documents define a price', () => {
  expect(listingPriceOf(IN_UNITS, USD('10.00'), TWELVE).amount.toFixed()).toBe('120');
});

test.each([
  ['a case on both sides', 'case', 'case', '10'],
  ['a unit on both sides', 'unit', 'unit', '10'],
  ['a case in the ERP, and a unit on the marketplace', 'unit', 'case', '0.83'],
] as const)(
  'a product with 12 units a case is listed at the right price where prices are for %s',
  (_, there, inErp, expected) => {
    const units = withPrices(there, inErp);
    expect(listingPriceOf(units, USD('10.00'), TWELVE).amount.toFixed()).toBe(expected);
  },
);

test('240 units, 12 in a case, are 20 cases where a listing counts cases, and a partial case is not offered', () => {
  const unitsIn = unitsInListed(STOCK_IN_CASES, TWELVE) ?? exact('1');
  expect(listedOf(inWholeCases(exact('240'), unitsIn), unitsIn).toFixed()).toBe('20');
  expect(listedOf(inWholeCases(exact('251.5'), unitsIn), unitsIn).toFixed()).toBe('20');
  expect(unitsOfListed(exact('20'), unitsIn).toFixed()).toBe('240');
});

test('a case ordered at 120.00 takes 12 units at 10.00 from the ERP', () => {
  expect(erpLineOf(LINES_IN_CASES, exact('1'), TWELVE)?.toFixed()).toBe('12');
  expect(erpLinePriceOf(LINES_IN_CASES, exact('120.00'), TWELVE).toFixed()).toBe('10');
});

test('an unknown number of units in a case is an error only where it is needed', () => {
  expect(unitsOfLine(IN_UNITS, exact('5'), null)?.toFixed()).toBe('5');
  expect(unitsOfLine(LINES_IN_CASES, exact('5'), null)).toBeNull();
  expect(unitsInListed(STOCK_IN_CASES, null)).toBeNull();
  expect(unitsInListed(STOCK_IN_CASES, exact('0'))).toBeNull();
});

test('stock in cases of another size is as many whole cases as the old ones hold', () => {
  const rescaled = (stock: string, before: string | null, next: string | null) =>
    convertedCases(
      STOCK_IN_CASES,
      exact(stock),
      before === null ? null : exact(before),
      next === null ? null : exact(next),
    );
  expect(rescaled('20', '12', '18')?.toFixed()).toBe('13');
  expect(rescaled('20', '12', '6')?.toFixed()).toBe('40');
  expect([rescaled('20', null, '12'), rescaled('20', '12', '0'), rescaled('20', '12', null)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(convertedCases(IN_UNITS, exact('20'), TWELVE, exact('18'))).toBeNull();
});

test('the larger case of two is the one with more units, and any is larger than an unknown one', () => {
  const larger = (one: string | null, other: string | null) =>
    largerCase(one === null ? null : exact(one), other === null ? null : exact(other))?.toFixed() ?? null;
  expect([larger('12', '18'), larger('18', '12'), larger(null, '12'), larger('12', null)]).toEqual([
    '18',
    '18',
    '12',
    '12',
  ]);
  expect(larger(null, null)).toBeNull();
});

test('a figure in other units, and a bare decimal, do not compile', () => {
  const inErp = figure<'erp line'>(TWELVE);
  const bare: Decimal = TWELVE;
  // @ts-expect-error: a line of the ERP is no line of the marketplace
  expect(erpLineOf(IN_UNITS, inErp, TWELVE)).toBe(TWELVE);
  // @ts-expect-error: a product is more than a sum of figures in the same terms
  expect(unitsOfLine(IN_UNITS, bare.times(2), TWELVE)?.toFixed()).toBe('24');
  // @ts-expect-error: the ledger counts units, and the stock of a listing may count cases
  expect(stockTarget('quantity', figure<'marketplace stock'>(TWELVE), TWELVE, [], TWELVE).value.toFixed()).toBe('0');
  expect(unitsOfErpLine(IN_UNITS, inErp.plus(inErp), TWELVE)?.toFixed()).toBe('24');
});

const STOCK_IN_CASES: Units = {
  ...LINES_IN_CASES,
  marketplace: { ...LINES_IN_CASES.marketplace, stockIn: 'cases' },
};

function withPrices(there: 'unit' | 'case', inErp: 'unit' | 'case'): Units {
  return {
    marketplace: { ...IN_UNITS.marketplace, pricePer: there },
    erp: { ...IN_UNITS.erp, pricePer: inErp },
  };
}

const counted = fc.constantFrom('units' as const, 'cases' as const);
const per = fc.constantFrom('unit' as const, 'case' as const);
/** Every setting that `config check` lets pass: stock in cases is moved by lines in cases. */
const settings: fc.Arbitrary<Units> = fc.record({
  marketplace: fc
    .record({ pricePer: per, stockIn: counted, linesIn: counted })
    .filter(({ stockIn, linesIn }) => stockIn === 'units' || linesIn === 'cases'),
  erp: fc.record({ pricePer: per, stockIn: counted, linesIn: counted }),
});
const multipliers = fc.integer({ min: 1, max: 144 }).map((units) => exact(units));
const cents = fc.integer({ min: 1, max: 2_000_000 }).map((amount) => exact(exact(amount).dividedBy(100)));
const cases = fc.integer({ min: 1, max: 500 });

test('an order takes from the stock of the ERP what the listing lost, in all unit settings', () => {
  fc.assert(
    fc.property(settings, multipliers, cases, (units, multiplier, some) => {
      const ordered = exact(units.marketplace.linesIn === 'cases' ? some : multiplier.times(some));
      const inUnits = unitsOfLine(units, ordered, multiplier);
      expect(inUnits?.toFixed()).toBe(multiplier.times(some).toFixed());
      const entered = erpLineOf(units, ordered, multiplier);
      if (entered === null || inUnits === null) throw new Error('the units in a case are known');
      expect(unitsOfErpLine(units, entered, multiplier)?.toFixed()).toBe(inUnits.toFixed());
      expect(lineOfErp(units, entered, multiplier)?.toFixed()).toBe(ordered.toFixed());
      const unitsIn = unitsInListed(units, multiplier) ?? exact('NaN');
      const lost = listedOfLine(units, ordered, multiplier) ?? exact('NaN');
      expect(unitsOfListed(lost, unitsIn).toFixed()).toBe(inUnits.toFixed());
    }),
    { numRuns: 10_000 },
  );
});

test('whole cases are offered, never more than the stock, and less by less than a case, in all unit settings', () => {
  fc.assert(
    fc.property(settings, multipliers, fc.integer({ min: 0, max: 50_000 }), (units, multiplier, stock) => {
      const there = unitsOfErpStock(units, exact(stock), multiplier);
      const unitsIn = unitsInListed(units, multiplier);
      if (there === null || unitsIn === null) throw new Error('the units in a case are known');
      const offered = inWholeCases(there, unitsIn);
      expect(unitsOfListed(listedOf(offered, unitsIn), unitsIn).toFixed()).toBe(offered.toFixed());
      expect(offered.lessThanOrEqualTo(there)).toBe(true);
      expect(there.minus(offered).lessThan(unitsIn)).toBe(true);
    }),
    { numRuns: 10_000 },
  );
});

test('the ERP computes the total of an order to the cent as the marketplace does, in all unit settings', () => {
  fc.assert(
    fc.property(settings, multipliers, cases, cents, (units, multiplier, some, price) => {
      const ordered = exact(units.marketplace.linesIn === 'cases' ? some : multiplier.times(some));
      const line = { id: 1, productId: 1, quantity: ordered, salesPrice: null, unitMultiplier: multiplier };
      const order = {
        lines: [{ ...line, orderedUnitPrice: { amount: price, currency: 'USD' } }],
        discountAmount: exact('0'),
        shippingAmount: null,
        deliveryState: null,
        taxAmount: null,
        total: null,
      };
      const { total } = orderTotals(order, units, { applies: 'never', ratePercent: exact('0') });
      const entered = erpLineOf(units, ordered, multiplier) ?? exact('NaN');
      const inErp = erpLinePriceOf(units, price, multiplier);
      expect(entered.times(inErp).toDecimalPlaces(2).toFixed(2)).toBe(total.toFixed(2));
      expect(linePriceOf(units, inErp, multiplier).toFixed()).toBe(price.toFixed());
    }),
    { numRuns: 10_000 },
  );
});

test('a product that is made from a listing gives the listing its price again, in all unit settings', () => {
  fc.assert(
    fc.property(settings, multipliers, cents, (units, multiplier, price) => {
      const inErp = productPriceOf(units, { amount: price, currency: 'USD' }, multiplier);
      expect(listingPriceOf(units, inErp, multiplier).amount.toFixed()).toBe(price.toFixed());
    }),
    { numRuns: 10_000 },
  );
});
