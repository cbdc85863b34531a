import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideOrderOut, type KnownListing, type OrderOutSnapshot } from '../../../../src/flows/order/out/decide.ts';
import type { StoredErpOrder } from '../../../../src/store/erp.ts';
import { told } from '../../../support/causes.ts';
import { exact, IN_UNITS, LINES_IN_CASES } from '../../../support/units.ts';

const d = (text: string) => exact(text);
const erpLine = (quantity = '24', unitPrice = '2.00') => ({
  sku: 'SB-1',
  quantity: d(quantity),
  unitPrice: d(unitPrice),
});

interface Changes extends Partial<Omit<OrderOutSnapshot, 'erpOrder' | 'products'>> {
  readonly erpOrder?: Partial<StoredErpOrder> | null;
  readonly listing?: Partial<KnownListing> | null;
}

function decide({ erpOrder, listing, ...changes }: Changes = {}) {
  const order: StoredErpOrder = {
    id: 'E-1',
    reference: 'E-1',
    origin: 'erp',
    status: 'reserved',
    customer: { marketplaceId: 5 },
    currency: 'USD',
    lines: [erpLine()],
    discount: d('1.50'),
    shipping: d('0'),
    tax: d('0'),
    total: d('46.50'),
    note: '',
    changedAt: '2030-01-01T00:00:00Z',
    countedSince: null,
    changedTick: 1,
    ...erpOrder,
  };
  const price = { amount: d('2.00'), currency: 'USD' };
  const known: KnownListing = { id: 70, archived: false, unitMultiplier: null, erpPrice: price, ...listing };
  return decideOrderOut({
    key: 'E-1',
    erpOrder: erpOrder === null ? null : order,
    wanted: true,
    linkedNumber: null,
    namesake: null,
    createInDoubt: false,
    invalidErpRow: null,
    customerId: 5,
    products: new Map(listing === null ? [] : [['SB-1', known]]),
    units: IN_UNITS,
    currency: 'USD',
    ...changes,
  });
}

const ERP_IN_CASES = { ...IN_UNITS, erp: { ...IN_UNITS.erp, linesIn: 'cases' as const } };
const NOTHING = { actions: [], holds: [], alerts: [], lookAgainMs: null };
const shown = (changes: Changes) =>
  decide(changes).actions.map(({ status, lines }) => [
    status,
    lines.map((line) => `${line.quantity.toFixed()} x ${line.productId} at ${line.priceAmount.toFixed()}`).join(', '),
  ]);

test.each([
  ['draft', 'Submitted'],
  ['reserved', 'Accepted'],
])('an order made in the ERP is created on the marketplace: %s as %s', (status, expected) => {
  expect(shown({ erpOrder: { status } })).toEqual([[expected, '24 x 70 at 2']]);
});

test('an order created on the marketplace is priced by the case, in the unit that the account counts in', () => {
  const listing = { unitMultiplier: d('12') };
  expect(shown({ listing })).toEqual([['Accepted', '24 x 70 at 24']]);
  expect(shown({ listing, units: LINES_IN_CASES })).toEqual([['Accepted', '2 x 70 at 24']]);
});

test('an order created on the marketplace has its customer and discount', () => {
  expect(decide().actions).toMatchObject([{ customerId: 5, discount: d('1.50'), currency: 'USD', adoptOnly: false }]);
});

test.each<[string, Changes]>([
  ['it is there already', { linkedNumber: 'o-1' }],
  ['it came from the marketplace', { erpOrder: { origin: 'marketplace' } }],
  ['the ERP does not know it', { erpOrder: null }],
  ['it is cancelled', { erpOrder: { status: 'cancelled' } }],
])('an order made in the ERP is not created on the marketplace: %s', (_, changes) =>
  expect(decide(changes)).toEqual(NOTHING),
);

test('an order cancelled during its unanswered create is settled, and not created', () => {
  const decision = decide({ erpOrder: { status: 'cancelled' }, createInDoubt: true });
  expect(decision.actions).toMatchObject([{ adoptOnly: true }]);
  expect(decide({ createInDoubt: true }).actions).toMatchObject([{ adoptOnly: false }]);
});

test('an order archived during its unanswered create is settled, and not created', () => {
  const decision = decide({ listing: { archived: true }, createInDoubt: true });
  expect(decision.actions).toMatchObject([{ adoptOnly: true, lines: [{ productId: 70 }] }]);
});

test.each<[string, Changes, object[]]>([
  ['lost its lines', { erpOrder: { lines: [] } }, []],
  ['got a currency that the shop has not', { erpOrder: { currency: 'EUR' } }, [{ productId: 70 }]],
  ['got a product that is not listed', { listing: null }, []],
  ['got a price of too many digits', { erpOrder: { lines: [erpLine(), erpLine('1', '0.001')] } }, []],
])('an order that is %s during its unanswered create is settled, and not created', (_, changes, lines) => {
  const { actions, holds } = decide({ ...changes, createInDoubt: true });
  expect(holds).toEqual([]);
  expect(actions).toMatchObject([{ adoptOnly: true, lines }]);
  expect(decide(changes).actions).toEqual([]);
});

test.each<[string, Changes, string]>([
  ['it cannot be read', { invalidErpRow: 'lines[0]: x' }, 'erp-order-invalid {"order":"E-1","problem":"lines[0]: x"}'],
  [
    'it never could be',
    { erpOrder: null, invalidErpRow: 'lines[0]: x' },
    'erp-order-invalid {"order":"E-1","problem":"lines[0]: x"}',
  ],
  [
    'a status outside the contract',
    { erpOrder: { status: 'packed' } },
    'erp-order-status-unknown {"erpOrder":"E-1","status":"packed"}',
  ],
  [
    'a foreign currency',
    { erpOrder: { currency: 'EUR' } },
    'erp-order-currency {"erpOrder":"E-1","shown":"EUR","wanted":"USD"}',
  ],
  ['an unknown customer', { customerId: null }, 'erp-order-customer-unknown'],
  ['no lines', { erpOrder: { lines: [] } }, 'erp-order-empty'],
  ['no listing', { listing: null }, 'sku-unlisted {"erpOrder":"E-1","sku":"SB-1"}'],
  [
    'an archived listing',
    { listing: { archived: true } },
    'listing-archived {"erpOrder":"E-1","sku":"SB-1","listing":70}',
  ],
  ['cases of an unknown size', { units: LINES_IN_CASES }, 'line-cases-unknown {"order":"E-1","line":"SB-1"}'],
  ['no units per case', { units: LINES_IN_CASES, listing: { unitMultiplier: d('0') } }, 'line-multiplier'],
  [
    'none of no units per case',
    { units: LINES_IN_CASES, listing: { unitMultiplier: d('0') }, erpOrder: { lines: [erpLine('0')] } },
    'line-multiplier',
  ],
  [
    'a part of a case that does not end',
    { units: LINES_IN_CASES, listing: { unitMultiplier: d('7') } },
    'on the marketplace has more than 4 fractional digits',
  ],
  ['a negative quantity', { erpOrder: { lines: [erpLine('-1')] } }, 'is negative (-1)'],
  ['a huge quantity', { erpOrder: { lines: [erpLine('1e9')] } }, 'is not below 100000000'],
  [
    'a part of a cent',
    { erpOrder: { lines: [erpLine('1', '0.005')] } },
    'line-price {"order":"E-1","line":"SB-1","price":"0.005 USD","negative":false}',
  ],
  [
    'the price of a case where the ERP counts units',
    { listing: { unitMultiplier: d('12') }, erpOrder: { lines: [erpLine('2', '24.00')] } },
    'line-price-terms {"order":"E-1","line":"SB-1","price":"24.00 USD","productPrice":"2.00 USD","countsCases":false}',
  ],
  [
    'the price of a unit where the ERP counts cases',
    { units: ERP_IN_CASES, listing: { unitMultiplier: d('12') }, erpOrder: { lines: [erpLine('2', '2.00')] } },
    'line-price-terms {"order":"E-1","line":"SB-1","price":"2.00 USD","productPrice":"2.00 USD","countsCases":true}',
  ],
  [
    'a negative price',
    { erpOrder: { lines: [erpLine('1', '-2')] } },
    'line-price {"order":"E-1","line":"SB-1","price":"-2.00 USD","negative":true}',
  ],
])('an order made in the ERP is held: %s', (_, changes, reason) => {
  expect(decide(changes).actions).toEqual([]);
  expect(told(decide(changes).holds)).toContain(reason);
});

test('a unit price that is almost that of a case becomes the price of the case', () => {
  const changes = { listing: { unitMultiplier: d('12') }, erpOrder: { lines: [erpLine('2', '24.01')] } };
  expect(shown(changes)).toEqual([['Accepted', '2 x 70 at 288.12']]);
});

test('an order made in the ERP is created on the marketplace exactly as ordered, or not at all', () => {
  const lines = fc.record({
    quantity: fc.integer({ min: 0, max: 1_000_000 }).map((n) => exact(exact(n).dividedBy(100))),
    unitPrice: fc.integer({ min: 0, max: 100_000 }).map((n) => exact(exact(n).dividedBy(1_000))),
    multiplier: fc.constantFrom('1', '3', '12', '0.5'),
    units: fc.constantFrom(IN_UNITS, LINES_IN_CASES),
  });
  fc.assert(
    fc.property(lines, ({ quantity, unitPrice, multiplier, units }) => {
      const { actions } = decide({
        units,
        listing: { unitMultiplier: d(multiplier) },
        erpOrder: { lines: [{ sku: 'SB-1', quantity, unitPrice }] },
      });
      for (const line of actions[0]?.lines ?? []) {
        expect(line.quantity.times(units === LINES_IN_CASES ? multiplier : 1).equals(quantity)).toBe(true);
        expect(line.priceAmount.dividedBy(multiplier).equals(unitPrice)).toBe(true);
      }
    }),
  );
});

test('an order is held while its reference is the number of a marketplace order that somebody may have entered by hand', () => {
  const { actions, holds } = decide({ namesake: 'o-1' });
  expect([actions, holds.map(({ code, params }) => [code, params])]).toEqual([
    [],
    [['erp-reference-reused', { order: 'o-1', others: ['E-1'] }]],
  ]);
  expect(decide({ namesake: 'o-1', createInDoubt: true }).actions).toMatchObject([{ adoptOnly: true }]);
  expect(decide({ namesake: 'o-1', erpOrder: { status: 'cancelled' } })).toEqual(NOTHING);
});
