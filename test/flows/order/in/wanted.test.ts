import { describe, expect, test } from 'vitest';
import { cause } from '../../../../src/domain/causes/cause.ts';
import type { MarketplaceOrder } from '../../../../src/domain/order.ts';
import type { KnownLine } from '../../../../src/domain/shadow/order-move.ts';
import { type KnownProduct, sameLines, type WantedRules, wantedOrder } from '../../../../src/flows/order/in/wanted.ts';
import { told } from '../../../support/causes.ts';
import { exact, IN_UNITS, LINES_IN_CASES } from '../../../support/units.ts';

const d = (text: string) => exact(text);
const usd = (amount: string, currency = 'USD') => ({ amount: d(amount), currency });

const ORDER: MarketplaceOrder = {
  number: 'o-1',
  status: 'Submitted',
  modified: '2030-01-01T00:00:00Z',
  externalId: null,
  customer: { id: 5, name: 'Corner Shop' },
  discountAmount: d('0'),
  shippingAmount: null,
  taxAmount: null,
  total: null,
  deliveryState: 'NV',
  lines: null,
};

function line(changes: Partial<KnownLine> = {}): KnownLine {
  return {
    id: 1,
    productId: 70,
    quantity: d('3'),
    orderedUnitPrice: usd('12.00'),
    salesPrice: null,
    unitMultiplier: null,
    late: false,
    ...changes,
  };
}

const KNOWN: KnownProduct = {
  sku: 'SB-1',
  skuTakenBy: null,
  skuLinked: null,
  listingSku: 'SB-1',
  listingName: 'Kush',
  unitMultiplier: null,
};
const RULES: WantedRules = {
  ownSeller: 4711,
  units: IN_UNITS,
  excise: { ratePercent: d('27'), applies: 'california' },
  statesRead: true,
  currency: 'USD',
  onUnmappedProduct: 'hold',
  areLinksKnown: true,
  prices: 'agreed',
  agreed: new Map(),
  entered: [],
  decimals: { price: null, quantity: null },
  orderDetails: false,
};

function wanted(
  lines: readonly KnownLine[] | null,
  given: { product?: Partial<KnownProduct>; rules?: Partial<WantedRules>; order?: Partial<MarketplaceOrder> } = {},
) {
  const order = { ...ORDER, ...given.order };
  const products = new Map([[70, { ...KNOWN, ...given.product }]]);
  const made = wantedOrder({ order, lines, seller: 4711 }, products, { ...RULES, ...given.rules });
  if ('problem' in made) return told([made.problem]);
  const shown = made.lines.map(
    ({ sku, quantity, unitPrice }) => `${quantity.toFixed()} x ${sku} at ${unitPrice.toFixed()}`,
  );
  return { lines: shown, total: made.total.toFixed(), alerts: made.alerts.map((alert) => told([alert])) };
}

test('the wanted lines of an order are in units of the ERP, at the price per unit', () => {
  expect(wanted([line()])).toEqual({ lines: ['3 x SB-1 at 12'], total: '36', alerts: [] });
});

test('a case of 12 for 12.00 is 1.00 a unit', () => {
  const cased = line({ unitMultiplier: d('12') });
  expect(wanted([cased])).toMatchObject({ lines: ['3 x SB-1 at 1'], total: '3' });
  expect(wanted([cased], { rules: { units: LINES_IN_CASES } })).toMatchObject({
    lines: ['36 x SB-1 at 1'],
    total: '36',
  });
});

test('the units per case of the line take precedence over those of the listing', () => {
  const product = { unitMultiplier: d('6') };
  expect(wanted([line()], { product })).toMatchObject({ lines: ['3 x SB-1 at 2'] });
  expect(wanted([line({ unitMultiplier: d('4') })], { product })).toMatchObject({ lines: ['3 x SB-1 at 3'] });
});

test('a price with endless decimals is kept to ten digits, and the total is not computed from it', () => {
  const made = wanted([line({ quantity: d('7'), unitMultiplier: d('7'), orderedUnitPrice: usd('10.00') })]);
  expect(made).toMatchObject({ lines: ['7 x SB-1 at 1.4285714286'], total: '10' });
});

test('an agreed price is kept until both sides have another one', () => {
  const agreed = new Map([[1, { line: 1, price: '12', unitMultiplier: null }]]);
  const cheaper = line({ orderedUnitPrice: usd('9.00') });
  expect(wanted([cheaper], { rules: { agreed } })).toMatchObject({ lines: ['3 x SB-1 at 12'] });
  const entered = (price: string) => [{ sku: 'SB-1', unitPrice: d(price) }];
  expect(wanted([cheaper], { rules: { agreed, entered: entered('12') } })).toMatchObject({
    lines: ['3 x SB-1 at 12'],
  });
  expect(wanted([cheaper], { rules: { agreed, entered: entered('9') } })).toMatchObject({ lines: ['3 x SB-1 at 9'] });
});

test('sales_price is the price of a line where it is greater than 0.00', () => {
  expect(wanted([line({ salesPrice: usd('9.50') })])).toMatchObject({ lines: ['3 x SB-1 at 9.5'], total: '28.5' });
  expect(wanted([line({ salesPrice: usd('0.00') })])).toMatchObject({ lines: ['3 x SB-1 at 12'] });
});

test('a line added after Accepted is exported with the order, though it reserves no stock', () => {
  expect(wanted([line(), line({ id: 2, late: true })])).toMatchObject({ total: '72' });
});

describe("the marketplace's own figures are compared, and a difference is told, not rounded away", () => {
  const california = { deliveryState: 'CA', discountAmount: d('1.00'), shippingAmount: d('5.00') };
  test("the marketplace's figures raise no alert where they agree", () => {
    const order = { ...california, taxAmount: d('10.80'), total: d('50.8') };
    expect(wanted([line()], { order })).toEqual({ lines: ['3 x SB-1 at 12'], total: '50.8', alerts: [] });
  });

  test("a difference of one cent in the marketplace's figures raises an alert", () => {
    const order = { ...california, taxAmount: d('10.79'), total: d('50.79') };
    expect(wanted([line()], { order })).toMatchObject({
      total: '50.8',
      alerts: [
        'figure-differs {"order":"o-1","figure":"tax","ours":"10.80 USD","theirs":"10.79 USD","by":"-0.01 USD"}',
      ],
    });
  });

  test('a missing figure of the marketplace is not compared, since unknown is not zero', () => {
    expect(wanted([line()], { order: california })).toMatchObject({ alerts: [] });
  });
});

test.each<[string, KnownLine, Parameters<typeof wanted>[1], string]>([
  [
    'a negative quantity',
    line({ quantity: d('-1') }),
    {},
    'line-quantity {"order":"o-1","line":"1","problem":"is negative (-1)"}',
  ],
  ['five decimals', line({ quantity: d('1.00001') }), {}, '"line":"1","problem":"has more than 4 fractional digits'],
  ['a huge quantity', line({ quantity: d('1e9') }), {}, '"line":"1","problem":"is not below 100000000'],
  [
    'too many in units',
    line({ quantity: d('99999999'), unitMultiplier: d('12') }),
    { rules: { units: LINES_IN_CASES } },
    'as the ERP counts it is not below 100000000',
  ],
  [
    'too many digits in units',
    line({ quantity: d('0.0001'), unitMultiplier: d('1.5') }),
    { rules: { units: LINES_IN_CASES } },
    'as the ERP counts it has more than 4 fractional digits',
  ],
  [
    'a foreign currency',
    line({ orderedUnitPrice: usd('12', 'EUR') }),
    {},
    'line-currency {"order":"o-1","line":"1","shown":"EUR","wanted":"USD"}',
  ],
  [
    'a sale in one',
    line({ salesPrice: usd('9', 'EUR') }),
    {},
    'line-currency {"order":"o-1","line":"1","shown":"EUR","wanted":"USD"}',
  ],
  ['cases of an unknown size', line(), { rules: { units: LINES_IN_CASES } }, 'line-cases-unknown'],
  [
    'no units per case',
    line({ unitMultiplier: d('0') }),
    {},
    'line-multiplier {"order":"o-1","line":"1","multiplier":"0"}',
  ],
  [
    'fewer than none',
    line({ unitMultiplier: d('-12') }),
    {},
    'line-multiplier {"order":"o-1","line":"1","multiplier":"-12"}',
  ],
  [
    'a product the ERP does not know',
    line(),
    { product: { sku: null } },
    'product-unlinked {"order":"o-1","line":"1","product":70,"sku":"SB-1","elsewhere":null}',
  ],
  [
    'a product whose SKU the ERP gave to another one',
    line(),
    { product: { skuTakenBy: 'P-2' } },
    'line-sku-taken {"order":"o-1","line":"1","product":70,"sku":"SB-1","by":"P-2"}',
  ],
  [
    'nor a listing of it',
    line({ productId: 71 }),
    {},
    'product-unlinked {"order":"o-1","line":"1","product":71,"sku":null,"elsewhere":null}',
  ],
])('the content of an order is held: %s', (_, one, given, reason) => expect(wanted([one], given)).toContain(reason));

test('an order whose lines have not been read is not an empty order', () => {
  expect(wanted(null)).toBe('order-unread {"order":"o-1"}');
});

test.each(['hold', 'create', 'pass'] as const)(
  'before both sides were compared, an order with a product that has no link waits, with onUnmappedProduct %s',
  (onUnmappedProduct) => {
    const rules = { onUnmappedProduct, areLinksKnown: false };
    expect(wanted([line()], { product: { sku: null }, rules })).toBe('products-unread {}');
    expect(wanted([line()], { rules })).toMatchObject({ lines: ['3 x SB-1 at 12'] });
  },
);

test('an unmapped product is passed by name where that is configured', () => {
  const rules = { onUnmappedProduct: 'pass' } as const;
  expect(wanted([line()], { product: { sku: null }, rules })).toMatchObject({ lines: ['3 x SB-1 at 12'] });
  expect(wanted([line({ productId: 71 })], { rules })).toMatchObject({ lines: ['3 x marketplace-71 at 12'] });
});

describe('lines are the same', () => {
  const of = (sku: string, quantity: string, unitPrice: string) => ({
    sku,
    quantity: d(quantity),
    unitPrice: d(unitPrice),
  });
  test('equal lines in any order, with numerically equal values, are the same', () => {
    const a = [of('A', '1.5000', '2.00'), of('B', '1', '3')];
    expect(sameLines(a, [of('B', '1.0', '3.0'), of('A', '1.5', '2')])).toBe(true);
    expect(sameLines([], [])).toBe(true);
  });
  test.each([
    ['another quantity', [of('A', '2', '2')]],
    ['another price', [of('A', '1', '2.01')]],
    ['another SKU', [of('a', '1', '2')]],
    ['one more, and the same', [of('A', '1', '2'), of('A', '1', '2')]],
    ['none', []],
  ])('lines are not the same with %s', (_, other) => expect(sameLines([of('A', '1', '2')], other)).toBe(false));

  test.each([
    ['1.4285714286', '1.4285714286', true],
    ['1.4285714286', '1.4286', true],
    ['1.4285714286', '1.43', true],
    ['1.4285714286', '1.42', false],
    ['1.4285714286', '1.4', false],
    ['1.4285714286', '1', false],
    ['1.4285', '1.43', false],
    ['1.43', '1.4285714286', false],
  ])('a price of %s with endless decimals, stored by the ERP as %s: %s', (price, shown, expected) => {
    expect(sameLines([of('A', '1', price)], [of('A', '1', shown)])).toBe(expected);
  });

  test('lines with the same SKU are compared each with its own price', () => {
    const lines = [of('A', '1', '2'), of('A', '1', '1.4285714286'), of('A', '10', '3')];
    expect(sameLines(lines, [of('A', '10', '3'), of('A', '1', '1.43'), of('A', '1', '2')])).toBe(true);
    expect(sameLines(lines, [of('A', '10', '2'), of('A', '1', '1.43'), of('A', '1', '3')])).toBe(false);
  });
});

describe('the excise tax', () => {
  const unknown = { deliveryState: null };
  const unsure = { alerts: ['tax-state-unknown {"order":"o-1","customer":5}'] };

  test('an excise tax that depends on an unknown state raises an alert, and is not silently 0', () => {
    expect(wanted([line()], { order: { ...unknown, customer: { id: 5, name: 'Shop' } } })).toMatchObject(unsure);
  });

  test("the excise tax of an order without a state follows from the marketplace's tax, or from a total without tax", () => {
    expect(wanted([line()], { order: { ...unknown, taxAmount: d('0') } })).toMatchObject({ alerts: [] });
    expect(wanted([line()], { order: { ...unknown, total: d('36') } })).toMatchObject({ alerts: [] });
  });
});

describe('an ERP that holds so many decimals', () => {
  const half = line({ quantity: d('2.5') });

  test('a quantity with more decimals than the ERP stores is held', () => {
    const finer = { order: 'o-1', line: '1', quantity: '2.5', decimals: 0 };
    expect(wanted([half], { rules: { decimals: { price: null, quantity: 0 } } })).toEqual(
      told([cause('line-quantity-finer', finer)]),
    );
    expect(wanted([half], { rules: { decimals: { price: null, quantity: 1 } } })).toMatchObject({
      lines: ['2.5 x SB-1 at 12'],
    });
  });

  test('a price with more decimals than the ERP stores is rounded, and the total is not computed from it', () => {
    const sevenths = line({ quantity: d('7'), unitMultiplier: d('7'), orderedUnitPrice: usd('10.00') });
    expect(wanted([sevenths], { rules: { decimals: { price: 2, quantity: null } } })).toMatchObject({
      lines: ['7 x SB-1 at 1.43'],
      total: '10',
    });
  });
});
