import { describe, expect, test } from 'vitest';
import type { Cause } from '../../../../src/domain/causes/cause.ts';
import type { Decimal } from '../../../../src/domain/decimal.ts';
import type { MarketplaceOrder } from '../../../../src/domain/order.ts';
import { STRATEGIES } from '../../../../src/domain/strategy.ts';
import { agreedBase } from '../../../../src/flows/order/in/base.ts';
import { decideOrderIn } from '../../../../src/flows/order/in/decide.ts';
import type { OrderInSnapshot } from '../../../../src/flows/order/in/snapshot.ts';
import { type WantedRules, wantedOrder } from '../../../../src/flows/order/in/wanted.ts';
import type { StoredErpOrder } from '../../../../src/store/erp.ts';
import { exact, IN_UNITS } from '../../../support/units.ts';

/* Every part of an order's money, moved by 1.00 on one side: it is told, or carried over. No difference is in step. */

const d = (text: string) => exact(text);

/** Goods for 36.00, 1.00 off, 5.00 for shipping, and 27 percent of 40.00. */
const MARKETPLACE = { lines: '36', discount: '1', shipping: '5', tax: '10.8', total: '50.8' };
const PARTS = ['lines', 'discount', 'shipping', 'tax', 'total'] as const;
type Money = Readonly<Record<(typeof PARTS)[number], string | null>>;

interface Case {
  readonly marketplace?: Partial<Money>;
  readonly erp?: Partial<Record<(typeof PARTS)[number], string>>;
  readonly origin?: 'marketplace' | 'erp';
  readonly state?: string | null;
  /** The price per unit at which the order was exported. */
  readonly agreed?: string;
  readonly computed?: boolean;
  /** Units in the ERP. */
  readonly units?: string;
}

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

function snapshotOf({
  marketplace,
  erp,
  origin = 'marketplace',
  state = 'CA',
  agreed,
  computed,
  units = '3',
}: Case): OrderInSnapshot {
  const there: Money = { ...MARKETPLACE, ...marketplace };
  const amount = (text: string | null) => (text === null ? null : d(text));
  const order: MarketplaceOrder = {
    number: 'o-1',
    status: 'Accepted',
    modified: '2030-01-01T00:00:00Z',
    externalId: 'E-1',
    customer: { id: 5, name: 'Corner Shop' },
    discountAmount: d(there.discount ?? '0'),
    shippingAmount: amount(there.shipping),
    taxAmount: amount(there.tax),
    total: amount(there.total),
    deliveryState: state,
    lines: null,
  };
  const price = { amount: exact(d(there.lines ?? '0').dividedBy(3)), currency: 'USD' };
  const line = { id: 1, productId: 70, quantity: d('3'), salesPrice: null, unitMultiplier: null, late: false };
  const lines = [{ ...line, orderedUnitPrice: price }];
  const here = { ...MARKETPLACE, ...erp };
  const erpOrder: StoredErpOrder = {
    id: 'E-1',
    reference: 'o-1',
    origin,
    status: 'reserved',
    customer: {},
    currency: 'USD',
    lines: [{ sku: 'SB-1', quantity: d(units), unitPrice: exact(d(here.lines).dividedBy(3)) }],
    discount: d(here.discount),
    shipping: d(here.shipping),
    tax: d(here.tax),
    total: d(here.total),
    note: '',
    changedAt: '2030-01-01T00:00:00Z',
    countedSince: '2030-01-01T00:00:00Z',
    changedTick: 1,
  };
  const known = {
    sku: 'SB-1',
    skuTakenBy: null,
    skuLinked: null,
    listingSku: 'SB-1',
    listingName: 'Kush',
    unitMultiplier: null,
  };
  const wanted = wantedOrder({ order, lines, seller: 4711 }, new Map([[70, known]]), {
    ...RULES,
    agreed: new Map(agreed === undefined ? [] : [[1, { line: 1, price: agreed, unitMultiplier: null }]]),
  });
  if ('problem' in wanted) throw new Error(wanted.problem.code);
  return {
    number: 'o-1',
    order: {
      order,
      lines,
      seller: 4711,
      seen: { firstModified: order.modified, firstStatus: 'Accepted', history: null },
    },
    invalidRow: null,
    backInStock: false,
    erpOrders: [erpOrder],
    openCreate: null,
    standing: 'work',
    statesRead: true,
    statesUnreadTold: false,
    from: null,
    short: null,
    invalidErpRow: null,
    linked: true,
    base: { agreed: agreedBase('E-1', wanted), sent: null },
    unsettledMs: null,
    graceLeftMs: null,
    listings: new Map([['SB-1', { id: 70, archived: false, unitMultiplier: null }]]),
    orphan: null,
    beside: [],
    reusing: [],
    ofOther: null,
    externalIdOf: null,
    createInDoubt: false,
    referencesDiffer: null,
    wanted,
    customer: { erpId: 'C-5', gone: null, waits: null },
    delivery: {},
    moneyRefused: null,
    editRefused: null,
    cancelRefused: null,
    rules: {
      strategy: STRATEGIES['submitted-available'],
      transitions: { fulfill: 'fulfill' },
      onUnmappedCustomer: 'create',
      currency: 'USD',
      units: IN_UNITS,
      prices: 'agreed',
      deleted: 'cancel',
      totalsComputed: computed ?? false,
      chargeEdits: true,
      editing: 'in-place',
      erpEdits: 'tell',
    },
  };
}

const codesOf = (causes: readonly Cause[]) => causes.map(({ code }) => code);

/** The codes that are told, and the actions that carry a difference over. */
function outcome(given: Case): string[] {
  const { actions, alerts, holds } = decideOrderIn(snapshotOf(given));
  return [...new Set([...codesOf(holds), ...codesOf(alerts), ...actions.map(({ action }) => action)])];
}

const MOVED: Record<(typeof PARTS)[number], string> = {
  lines: '39',
  discount: '2',
  shipping: '6',
  tax: '11.8',
  total: '51.8',
};

describe.each(['marketplace', 'erp'] as const)('an order that was made on the side %s', (origin) => {
  test.each([false, true])('an order with equal figures is in step (the ERP computes totals: %s)', (computed) => {
    expect(outcome({ origin, computed })).toEqual([]);
  });

  describe.each(['marketplace', 'erp'] as const)('with a part moved on the side %s', (side) => {
    test.each(PARTS.flatMap((part) => [false, true].map((computed) => [part, computed] as const)))(
      'a changed %s causes a write or an alert (the ERP computes totals: %s)',
      (part, computed) => {
        expect(outcome({ origin, computed, [side]: { [part]: MOVED[part] } })).not.toEqual([]);
      },
    );
  });
});

describe.each<[string, Case]>([
  ['the price', { erp: { lines: '33' } }],
  ['the quantity', { units: '2' }],
])('while %s is another one in the ERP', (_, apart) => {
  describe.each(['marketplace', 'erp'] as const)('in an order that was made on the side %s', (origin) => {
    test.each(
      (['discount', 'shipping'] as const).flatMap((part) =>
        (['marketplace', 'erp'] as const).map((side) => [part, side] as const),
      ),
    )('while price or quantity differ, %s that is changed on the side %s raises an alert and waits', (part, side) => {
      const moved = { ...apart, origin, [side]: { ...apart[side as 'erp'], [part]: MOVED[part] } };
      const { actions, alerts } = decideOrderIn(snapshotOf(moved));
      const before = decideOrderIn(snapshotOf({ ...apart, origin }));
      expect(actions).toEqual(before.actions);
      if (actions.length === 0) expect(codesOf(alerts).filter((code) => code.startsWith('charges-'))).toHaveLength(1);
    });
  });
});

describe('a total on the marketplace that is not the sum of its parts is told', () => {
  const told = (given: Case) => decideOrderIn(snapshotOf(given)).alerts;
  const nothing = { discount: '0', shipping: null, tax: null } as const;
  const erp = { discount: '0', shipping: '0', tax: '9.72', total: '45.72' };

  test('a marketplace total that is not the sum of its parts raises an alert with the difference and the known parts', () => {
    expect(told({ marketplace: { ...nothing, total: '69.75' }, erp })).toMatchObject([
      {
        code: 'total-differs',
        params: {
          total: '69.75 USD',
          by: '24.03 USD',
          parts: 'lines 36.00 USD, discount 0.00 USD, shipping not shown, tax 9.72 USD by the rules',
        },
      },
    ]);
  });

  test('a marketplace total that differs only by its tax raises an alert for the tax alone', () => {
    expect(codesOf(told({ marketplace: { tax: '10.79', total: '50.79' } }))).toEqual(['figure-differs']);
  });

  test('a marketplace total is compared at the prices of the marketplace, even when the agreed prices are kept', () => {
    const dearer = { lines: '39', tax: '11.61', total: '54.61' };
    expect(codesOf(told({ marketplace: dearer, agreed: '12' }))).not.toContain('total-differs');
    expect(codesOf(told({ marketplace: { ...dearer, total: '54.62' }, agreed: '12' }))).toContain('total-differs');
  });
});

describe('a tax whose state nobody shows', () => {
  const tax = (given: Case) => {
    const { wanted } = snapshotOf({ state: null, ...given });
    return wanted === null || 'problem' in wanted ? null : wanted.tax.toFixed();
  };

  test.each<[string, Partial<Money>, string]>([
    ['is the one of the rules when the marketplace shows a tax', { total: null }, '10.8'],
    ['is none when the marketplace shows none', { tax: '0', total: null }, '0'],
    ['is in the total when that is the total with the tax', { tax: null }, '10.8'],
    ['is not in the total when that is the total without it', { tax: null, total: '40' }, '0'],
  ])('a tax of an unknown state %s', (_, marketplace, expected) => {
    expect(tax({ marketplace })).toBe(expected);
    expect(
      outcome({ state: null, marketplace, erp: { tax: expected, total: d('40').plus(expected).toFixed() } }),
    ).toEqual([]);
  });

  test('a tax of an unknown state that no figure settles raises an alert, and the tax in the ERP stays', () => {
    const marketplace = { tax: null, total: null };
    expect(outcome({ state: null, marketplace })).toEqual(['tax-state-unknown']);
    expect(outcome({ state: null, marketplace, origin: 'erp' })).toEqual(['tax-state-unknown']);
  });
});

test('no amount of the ERP is written where the marketplace has a discount in percent', () => {
  const snapshot = snapshotOf({ origin: 'erp', marketplace: { shipping: '0' } });
  const actions = (discountPercent?: Decimal) => {
    if (snapshot.order === null) throw new Error('there is an order');
    const order = { ...snapshot.order, order: { ...snapshot.order.order, discountPercent } };
    const { alerts, actions: made } = decideOrderIn({ ...snapshot, order });
    return [...codesOf(alerts), ...made.map(({ action }) => action)].filter((one) => one.includes('charges'));
  };
  expect(actions()).toEqual(['charges-not-taken', 'order-in.charges']);
  expect(actions(d('10'))).toEqual(['charges-not-taken']);
});

test('a discount larger than the value of the order is held', () => {
  const marketplace = { discount: '41.01', tax: '0', total: null };
  expect(outcome({ marketplace })).toEqual(['order-total-negative']);
});

test('an ERP total that is not the sum of its parts raises an alert, beyond rounding', () => {
  const told = (total: string) => decideOrderIn(snapshotOf({ origin: 'erp', erp: { total } })).alerts;
  expect(told('50.82')).toEqual([]);
  expect(told('54.8')).toMatchObject([{ code: 'erp-total-differs', params: { total: '54.80 USD', by: '4.00 USD' } }]);
});
