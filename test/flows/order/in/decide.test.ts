import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cause, cause, sentenceOf, shownCause } from '../../../../src/domain/causes/cause.ts';
import type { BaseRecord, OrderBase } from '../../../../src/domain/order-base.ts';
import { STRATEGIES, type StrategyName } from '../../../../src/domain/strategy.ts';
import { decideOrderIn } from '../../../../src/flows/order/in/decide.ts';
import { moneyText } from '../../../../src/flows/order/in/money.ts';
import type { OrderInAction, OrderInSnapshot } from '../../../../src/flows/order/in/snapshot.ts';
import type { WantedOrder } from '../../../../src/flows/order/in/wanted.ts';
import type { StoredErpOrder } from '../../../../src/store/erp.ts';
import type { StoredOrder } from '../../../../src/store/marketplace.ts';
import { told } from '../../../support/causes.ts';
import { exact, IN_UNITS } from '../../../support/units.ts';

const d = (text: string) => exact(text);
type Marketplace = StoredOrder['order'];
type Wanted = Exclude<WantedOrder, { problem: Cause }>;

const erpLine = (quantity = '3') => ({ sku: 'SB-1', quantity: d(quantity), unitPrice: d('12') });
const MONEY = { discount: d('0'), shipping: d('0'), tax: d('0'), total: d('36') };
const SINCE = '2030-01-01T00:00:00Z';
const SEEN = { firstModified: '2029-12-31T00:00:00Z', firstStatus: 'Accepted', history: null };
const WANTED: Wanted = {
  lines: [erpLine()],
  ...MONEY,
  taxUnknown: null,
  prices: [],
  moved: [],
  unfit: null,
  alerts: [],
};

function erpOrder(changes: Partial<StoredErpOrder> = {}): StoredErpOrder {
  return {
    id: 'E-1',
    reference: 'o-1',
    origin: 'marketplace',
    status: 'reserved',
    customer: {},
    currency: 'USD',
    lines: [erpLine()],
    ...MONEY,
    note: '',
    changedAt: '2030-01-01T00:00:00Z',
    countedSince: '2030-01-01T00:00:00Z',
    changedTick: 1,
    ...changes,
  };
}

interface Changes extends Partial<Omit<OrderInSnapshot, 'order' | 'rules' | 'wanted'>> {
  /** null: the order is not in the shadow. */
  readonly order?: Partial<Marketplace> | null;
  readonly wanted?: Partial<Wanted> | { readonly problem: Cause } | null;
  readonly rules?: Partial<OrderInSnapshot['rules']>;
  readonly strategy?: StrategyName;
}

function snapshot(changes: Changes = {}): OrderInSnapshot {
  const { order, wanted, rules, strategy = 'submitted-available', ...rest } = changes;
  const marketplace: Marketplace = {
    number: 'o-1',
    status: 'Submitted',
    modified: '2030-01-01T00:00:00Z',
    externalId: null,
    customer: { id: 5, name: 'Corner Shop' },
    discountAmount: d('0'),
    shippingAmount: null,
    taxAmount: null,
    total: null,
    deliveryState: null,
    lines: [],
    ...order,
  };
  return {
    number: 'o-1',
    order: order === null ? null : { order: marketplace, lines: [], seller: null, seen: SEEN },
    invalidRow: null,
    backInStock: false,
    erpOrders: [],
    openCreate: null,
    standing: 'work',
    statesRead: true,
    statesUnreadTold: false,
    from: null,
    short: null,
    invalidErpRow: null,
    linked: false,
    base: null,
    unsettledMs: null,
    graceLeftMs: null,
    listings: new Map(),
    orphan: null,
    beside: [],
    reusing: [],
    ofOther: null,
    externalIdOf: null,
    createInDoubt: false,
    referencesDiffer: null,
    wanted: wanted === null ? null : wanted !== undefined && 'problem' in wanted ? wanted : { ...WANTED, ...wanted },
    customer: { erpId: 'C-5', gone: null, waits: null },
    delivery: {},
    moneyRefused: null,
    editRefused: null,
    cancelRefused: null,
    ...rest,
    rules: {
      strategy: STRATEGIES[strategy],
      transitions: { fulfill: 'fulfill' },
      onUnmappedCustomer: 'create',
      currency: 'USD',
      units: IN_UNITS,
      prices: 'agreed',
      deleted: 'cancel',
      totalsComputed: false,
      chargeEdits: true,
      editing: 'in-place',
      erpEdits: 'tell',
      ...rules,
    },
  };
}

/** An order that the ERP has, linked and marked. */
function linked(changes: Changes = {}, theirs: Partial<StoredErpOrder> = {}): Changes {
  return { linked: true, ...changes, order: { externalId: 'E-1', ...changes.order }, erpOrders: [erpOrder(theirs)] };
}

const NOTHING = { actions: [], holds: [], alerts: [], lookAgainMs: null };
const decide = (changes: Changes) => decideOrderIn(snapshot(changes));
const only = (changes: Changes) => {
  const decision = decide(changes);
  expect(decision.holds).toEqual([]);
  expect(decision.actions).toHaveLength(1);
  return decision.actions[0];
};
const heldFor = (changes: Changes) => {
  const decision = decide(changes);
  expect(decision.actions).toEqual([]);
  return told(decision.holds);
};

const OURS = cause('order-maybe-ours', { order: 'o-1', erpOrder: 'E-9' });
const PROBLEM = cause('line-cases-unknown', { order: 'o-1', line: '1' });

describe('export', () => {
  const STATUSES = ['Submitted', 'Accepted', 'Fulfilled', 'Shipped', 'Complete'];
  test.each<[StrategyName, readonly (string | null)[]]>([
    ['fulfilled-quantity', [null, null, 'reserved', 'reserved', 'reserved']],
    ['submitted-available', ['reserved', 'reserved', 'reserved', 'reserved', 'reserved']],
    ['submitted-quantity', ['draft', 'draft', 'reserved', 'reserved', 'reserved']],
  ])('the strategy %s decides from which status on an order is exported', (strategy, expected) => {
    const seen = STATUSES.map((status) => {
      const [action] = decide({ strategy, order: { status } }).actions;
      return action?.action === 'order-in.create' ? action.draft.status : null;
    });
    expect(seen).toEqual(expected);
  });

  test('an exported order carries the number as the reference, the customer, the lines and the money', () => {
    expect(only({})).toMatchObject({
      action: 'order-in.create',
      draft: {
        reference: 'o-1',
        customer: { id: 'C-5', marketplaceId: 5, name: 'Corner Shop' },
        currency: 'USD',
        lines: [{ sku: 'SB-1' }],
        ...MONEY,
      },
    });
  });

  test('a difference to the marketplace’s total is exported as a note and raises an alert', () => {
    const figures = { ours: '36', theirs: '36.01', by: '0.01' };
    const alert = cause('figure-differs', { order: 'o-1', figure: 'total', ...figures });
    const decision = decide({ wanted: { alerts: [alert] } });
    expect(decision.alerts).toEqual([alert]);
    expect(decision.actions).toMatchObject([{ draft: { note: sentenceOf(alert) } }]);
  });

  test.each<[string, Changes]>([
    ['it is dead', { order: { status: 'Rejected' } }],
    ['it is dead, in the other spelling', { order: { status: 'Cancelled' } }],
    ['it is history', { standing: 'history', from: SINCE }],
    ['it is history, and on backorder', { order: { status: 'Backorder' }, standing: 'history', from: SINCE }],
    ['it was open at the date, and is over', { order: { status: 'Rejected' }, standing: 'waits', from: SINCE }],
    ['it is not in the shadow', { order: null }],
  ])('an order is not exported, and no alert is raised: %s', (_, changes) => expect(decide(changes)).toEqual(NOTHING));

  test.each([
    ['Submitted', 'entered in the ERP', ''],
    ['Accepted', 'entered in the ERP', ''],
    ['Complete', 'entered in the ERP', ''],
    [
      'Backorder',
      'taken up, and not entered in the ERP yet',
      '; Order o-1 is on backorder. It reserves no stock and is not exported',
    ],
  ])(
    'an order that was open at the start date waits for an approval, now %s, which does what the plan says: %s',
    (status, after, until) => {
      const waits = { standing: 'waits', from: SINCE, customer: { erpId: null, gone: null, waits: null } } as const;
      expect(decide({ ...waits, order: { status } }).actions).toMatchObject([
        {
          action: 'order-in.enter',
          brake: 'history',
          historyBefore: SINCE,
          before: status,
          after,
          why: `open, and from before ${SINCE}${until}`,
        },
      ]);
      expect(decide({ ...waits, order: { status }, wanted: null }).holds).toEqual([]);
    },
  );

  test('an order that the ERP has is linked, also one from before the date', () => {
    const decision = decide({ standing: 'history', from: SINCE, erpOrders: [erpOrder()] });
    expect(decision.actions).toMatchObject([{ action: 'order-in.link' }]);
  });

  test.each<[string, Changes, string]>([
    ['on backorder', { order: { status: 'Backorder' } }, 'backorder'],
    [
      'an unknown status',
      { order: { status: 'Combined' } },
      'order-status-unknown {"order":"o-1","status":"Combined","erpOrder":null}',
    ],
    [
      'an unknown status, after its export',
      { order: { status: 'Combined' }, linked: true, erpOrders: [erpOrder()] },
      'order-status-unknown {"order":"o-1","status":"Combined","erpOrder":"E-1"}',
    ],
    [
      'an invalid row',
      { invalidRow: 'line_items[0].quantity: x' },
      'order-invalid {"order":"o-1","problem":"line_items[0].quantity: x"}',
    ],
    ['perhaps our own', { openCreate: OURS }, 'order-maybe-ours'],
    [
      'marked, and the ERP has none',
      { order: { externalId: 'E-9' } },
      'external-id-without-order {"order":"o-1","externalId":"E-9","other":null}',
    ],
    [
      'marked with the ERP order of another order',
      { order: { externalId: 'E-9' }, externalIdOf: 'o-2' },
      'external-id-without-order {"order":"o-1","externalId":"E-9","other":"o-2"}',
    ],
    ['linked, and the ERP shows none', { linked: true }, 'erp-order-gone'],
    ['not read completely', { wanted: null }, 'order-unread'],
    ['a line that cannot be told', { wanted: { problem: PROBLEM } }, told([PROBLEM])],
  ])('an order is held before its export: %s', (_, changes, reason) => expect(heldFor(changes)).toContain(reason));

  test('the order is held for an invalid row first, before its unreadable order', () => {
    expect(heldFor({ order: null, invalidRow: 'status: missing' })).toContain(
      'order-invalid {"order":"o-1","problem":"status: missing"}',
    );
  });
});

describe('a customer whom the ERP does not know', () => {
  const unmapped = { customer: { erpId: null, gone: null, waits: null } };
  test('a customer that the ERP lacks is created before the order, where that is configured', () => {
    expect(only(unmapped)).toMatchObject({ action: 'customer-in.create', marketplaceId: 5, name: 'Corner Shop' });
    expect(only({ ...unmapped, order: { customer: { id: 5, name: null } } })).toMatchObject({
      name: 'marketplace customer 5',
    });
  });
  test('a customer that the ERP lacks holds the order, where that is configured, and the hold says how to link it', () => {
    expect(heldFor({ ...unmapped, rules: { onUnmappedCustomer: 'hold' } })).toContain(
      'customer-unlinked {"order":"o-1","customer":5}',
    );
  });
  test('an order is held when its customer is missing in the ERP and has no marketplace id', () => {
    expect(heldFor({ ...unmapped, order: { customer: { id: null, name: 'X' } } })).toContain(
      'customer-unlinked {"order":"o-1","customer":null}',
    );
  });
  test('a customer that the ERP lacks is passed by name, where that is configured', () => {
    const action = only({ ...unmapped, rules: { onUnmappedCustomer: 'pass' } });
    expect(action).toMatchObject({ draft: { customer: { marketplaceId: 5, name: 'Corner Shop' } } });
  });
});

test('an existing ERP order is linked by its reference first, and never created twice', () => {
  expect(only({ erpOrders: [erpOrder()] })).toMatchObject({ action: 'order-in.link', erpId: 'E-1' });
});

test('two ERP orders with one reference are held; if one is cancelled, the other is linked', () => {
  const two = [erpOrder(), erpOrder({ id: 'E-2' })];
  expect(heldFor({ erpOrders: two })).toContain('several-erp-orders {"order":"o-1","erpOrders":["E-1","E-2"]}');
  expect(decide({ erpOrders: two }).awaitsLink).toBe(true);
  const mended = [erpOrder({ status: 'cancelled' }), erpOrder({ id: 'E-2' })];
  expect(only({ erpOrders: mended })).toMatchObject({ action: 'order-in.link', erpId: 'E-2' });
});

test('the id of the ERP order is written to the order as external_id', () => {
  expect(only(linked({ order: { externalId: null } }))).toMatchObject({ action: 'order-in.mark', erpId: 'E-1' });
});

test('the ERP gets an edit before the external_id is written, and never waits for a write to the marketplace', () => {
  const edited = linked({ order: { externalId: null }, wanted: { lines: [erpLine('5')] } });
  expect(only(edited)).toMatchObject({ action: 'order-in.update', change: { lines: [erpLine('5')] } });
  expect(only(linked({ order: { externalId: null } }))).toMatchObject({ action: 'order-in.mark', follows: true });
});

test('an edit is held while a line that it sends back has a price below zero in the ERP', () => {
  const priced = (price: string) => ({ ...erpLine(), unitPrice: d(price) });
  const edited = (price: string) => linked({ wanted: { lines: [erpLine('5')] } }, { lines: [priced(price)] });
  expect(heldFor(edited('-2'))).toEqual('line-price {"order":"E-1","line":"SB-1","price":"-2.00 USD","negative":true}');
  expect(decide(edited('-2')).actions).toEqual([]);
  expect(only(edited('0'))).toMatchObject({ change: { lines: [{ ...priced('0'), quantity: d('5') }] } });
  // A price that stays in the ERP keeps no status waiting.
  const draft = linked({ order: { status: 'Accepted' } }, { status: 'draft', lines: [priced('-2')] });
  expect(only(draft)).toMatchObject({ change: { status: 'reserved' } });
  expect(only(linked({ order: { status: 'Canceled' } }, { lines: [priced('-2')] }))).toMatchObject({
    change: { status: 'cancelled' },
  });
});

test('an order with another external_id is a conflict, also a closed one: nothing is overwritten', () => {
  for (const status of ['Submitted', 'Canceled']) {
    expect(heldFor(linked({ order: { externalId: 'E-9', status } }))).toContain('external-id-differs');
    expect(decide(linked({ order: { externalId: 'E-9', status } })).awaitsLink).toBe(true);
  }
});

test('a linked order in step needs no write', () => expect(decide(linked())).toEqual(NOTHING));

test.each<[string, Changes, string]>([
  [
    'status outside the contract',
    linked({}, { status: 'packed' }),
    'erp-order-status-unknown {"erpOrder":"E-1","status":"packed"}',
  ],
  [
    'back on backorder',
    linked({ order: { status: 'Backorder' } }),
    'statuses-apart {"order":"o-1","status":"Backorder","erpStatus":"reserved"}',
  ],
  [
    'its ERP order cannot be read',
    linked({ invalidErpRow: 'total: x' }),
    'erp-order-invalid {"order":"E-1","problem":"total: x"}',
  ],
  ['not read again', linked({ wanted: null }), 'order-unread'],
  ['edited beyond use', linked({ wanted: { problem: PROBLEM } }), told([PROBLEM])],
])('a linked order is held: %s', (_, changes, reason) => expect(heldFor(changes)).toContain(reason));

/** The state on which both sides agreed last. */
const agreed = (changes: Partial<OrderBase> = {}): BaseRecord => ({
  agreed: {
    erpId: 'E-1',
    quantities: [['SB-1', '3']],
    prices: [],
    charges: { discount: '0', shipping: '0' },
    statuses: null,
    ...changes,
  },
  sent: null,
});

test('lines that somebody removed in the ERP raise an alert until the order is complete and shipped', () => {
  const shown = (marketplace: string, status: 'reserved' | 'shipped') => {
    const changes = { base: agreed(), order: { status: marketplace } };
    const { alerts } = decideOrderIn(snapshot(linked(changes, { status, lines: [erpLine('2')] })));
    return alerts.map(({ code }) => code);
  };
  expect(shown('Accepted', 'reserved')).toEqual(['edited-in-erp']);
  expect(shown('Complete', 'reserved')).toEqual(['edited-in-erp']);
  expect(shown('Complete', 'shipped')).toEqual([]);
});

describe('an order that the ERP has shipped, and does not change any more', () => {
  const codes = (changes: Changes) =>
    decideOrderIn(snapshot(linked({ base: agreed(), ...changes }, { status: 'shipped' }))).alerts;
  const discounted = { discount: d('3'), total: d('33') };
  const moved = { moved: [{ line: 1, sku: 'SB-1', cases: null, agreed: d('12'), shown: d('13') }] };

  test.each([
    ['its charges', discounted, 'charges-after-shipping', {}],
    ['its price', moved, 'price-moved', { shipped: true }],
  ])(
    'after shipping, %s changed on the marketplace raises an alert until the order is Complete',
    (_, wanted, code, params) => {
      expect(codes({ order: { status: 'Fulfilled' }, wanted })).toMatchObject([{ code, params }]);
      expect(codes({ order: { status: 'Complete' }, wanted })).toEqual([]);
    },
  );

  test('charges on which both sides never agreed are no edit of a person', () => {
    const given = { base: agreed({ charges: null }), order: { status: 'Fulfilled' }, wanted: discounted };
    expect(codes(given)).toMatchObject([{ code: 'erp-money-differs' }]);
  });
});

test('an edit of lines is carried over to the ERP', () => {
  expect(only(linked({ wanted: { lines: [erpLine('5')] } }))).toMatchObject({
    action: 'order-in.update',
    before: '3 x SB-1 at 12.00 USD',
    after: '5 x SB-1 at 12.00 USD',
    change: { lines: [{ quantity: d('5') }] },
  });
});

test('a draft with an edit is reserved and edited in one write', () => {
  const given = { strategy: 'submitted-quantity', order: { status: 'Fulfilled' } } as const;
  expect(only(linked(given, { status: 'draft' }))).toMatchObject({ change: { status: 'reserved' } });
  const edited = { ...given, wanted: { lines: [erpLine('5')] } };
  expect(only(linked(edited, { status: 'draft' }))).toMatchObject({ change: { status: 'reserved', lines: [{}] } });
});

test('a reserved order never becomes a draft again', () => {
  expect(decide(linked({ strategy: 'submitted-quantity' }))).toEqual(NOTHING);
});

test('edits of discount, shipping, tax and total are carried over once the lines agree', () => {
  const money = { discount: d('1.50'), total: d('34.5') };
  expect(only(linked({ wanted: money }))).toMatchObject({ change: { ...MONEY, ...money } });
  const both = only(linked({ wanted: { ...money, lines: [erpLine('5')] } }));
  expect(both).toMatchObject({ change: { lines: [{}] } });
  expect(both).not.toHaveProperty('change.discount');
});

test('edits of discount, shipping and tax raise an alert where the ERP takes them only in a draft', () => {
  const money = { wanted: { discount: d('1.50'), total: d('34.5') }, rules: { chargeEdits: false } };
  const decision = decide(linked(money));
  expect(decision.actions).toEqual([]);
  expect(decision.alerts).toMatchObject([{ code: 'erp-money-kept', params: { erpOrder: 'E-1', isTaken: false } }]);
  expect(decision.alerts.map((one) => shownCause(one).next).join()).toMatch(/amended copy/);
  const draft = decide(
    linked({ ...money, strategy: 'submitted-quantity', order: { status: 'Submitted' } }, { status: 'draft' }),
  );
  expect(draft.actions).toMatchObject([{ change: { discount: d('1.50') } }]);
});

test('charges that the ERP did not accept are not sent again, and raise an alert with what to do', () => {
  const wanted = { ...WANTED, discount: d('1.50'), total: d('34.5') };
  const kept = { wanted, moneyRefused: moneyText(wanted) };
  const decision = decide(linked(kept));
  expect(decision.actions).toEqual([]);
  expect(decision.alerts).toMatchObject([{ code: 'erp-money-kept', params: { erpOrder: 'E-1', computed: false } }]);
  const computing = decide(linked({ ...kept, rules: { totalsComputed: true } }));
  const advice = computing.alerts.map((one) => shownCause(one).next).join();
  expect(advice).toMatch(/let the write order-update set them/);
  expect(advice).not.toContain('totals: computed');
  expect(decide(linked({ ...kept, order: { status: 'Fulfilled' } }, { status: 'shipped' })).alerts).toEqual([]);
  expect(decide(linked(kept, { discount: d('1.50'), total: d('34.5') })).alerts).toEqual([]);
  const other = { ...wanted, discount: d('2') };
  expect(decide(linked({ wanted: other, moneyRefused: moneyText(wanted) })).actions).toHaveLength(1);
});

test('an edit of an order that has been shipped is held', () => {
  const given = linked({ order: { status: 'Fulfilled' }, wanted: { lines: [erpLine('5')] } }, { status: 'shipped' });
  expect(heldFor(given)).toContain('shipped-and-edited');
});

test('an edit of an order made in the ERP is not carried over: the difference raises an alert', () => {
  const given = linked({ wanted: { lines: [erpLine('5')], total: d('60') } }, { origin: 'erp' });
  expect(decide(given)).toMatchObject({
    actions: [],
    holds: [],
    alerts: [{ code: 'edited-on-marketplace', params: { there: '5 x SB-1 at 12.00 USD' } }],
  });
  expect(decide(linked({}, { origin: 'erp' }))).toEqual(NOTHING);
});

test('the tax of an order made in the ERP, and a charge that the marketplace did not accept, raise an alert until both sides agree', () => {
  const given = { origin: 'erp', shipping: d('5'), tax: d('2.5'), total: d('43.5') } as const;
  const [erp, there] = [
    'discount 0.00 USD, shipping 5.00 USD, tax 2.50 USD',
    'discount 0.00 USD, shipping 0.00 USD, tax 0.00 USD',
  ];
  const charges = { erpOrder: 'E-1', erp, there };
  const refused = { moneyRefused: 'discount 0.00 USD, shipping 5.00 USD' };
  expect(only(linked({}, given))).toMatchObject({ action: 'order-in.charges', shipping: d('5') });
  expect(decide(linked(refused, given)).alerts).toEqual([cause('charges-not-taken', charges)]);
  expect(decide(linked({ wanted: { shipping: d('5'), tax: d('2.5') } }, given))).toEqual(NOTHING);
});

test.each(['Canceled', 'Deleted'])(
  'a cancellation that the ERP refused is left to a person until the order changes in the ERP (%s)',
  (status) => {
    const dead = { order: { status }, rules: { deleted: 'cancel' } } as const;
    const refused = (changedAt: string) => ({ ...dead, cancelRefused: { changedAt, message: 'it is picked' } });
    const { changedAt } = erpOrder();
    expect(heldFor(linked(refused(changedAt)))).toBe(
      `cancel-refused {"order":"o-1","erpOrder":"E-1","status":"${status}","message":"it is picked"}`,
    );
    expect(only(linked(refused('2029-01-01T00:00:00Z')))).toMatchObject({ change: { status: 'cancelled' } });
  },
);

test.each(['Rejected', 'Canceled', 'Cancelled'])(
  'an order that is %s on the marketplace is cancelled in the ERP',
  (status) => {
    for (const before of ['draft', 'reserved'] as const) {
      expect(only(linked({ order: { status } }, { status: before }))).toMatchObject({
        action: 'order-in.update',
        before,
        change: { status: 'cancelled' },
      });
    }
    expect(decide(linked({ order: { status } }, { status: 'cancelled' }))).toEqual(NOTHING);
  },
);

test('a closed order releases its stock before it is marked, since the marketplace may refuse the mark', () => {
  const given = linked({ order: { status: 'Canceled', externalId: null } });
  expect(only(given)).toMatchObject({ change: { status: 'cancelled' } });
  expect(only({ ...given, erpOrders: [erpOrder({ status: 'cancelled' })] })).toMatchObject({
    action: 'order-in.mark',
  });
});

test('an order that is closed on the marketplace and shipped in the ERP is held for a person', () => {
  expect(heldFor(linked({ order: { status: 'Canceled' } }, { status: 'shipped' }))).toContain('dead-but-shipped');
});

test('an order that is closed on the marketplace and partly shipped is held, since some ERPs would count shipped goods as theirs again', () => {
  const shipped = (quantity: string) =>
    linked({ order: { status: 'Canceled' } }, { lines: [{ ...erpLine(), shipped: d(quantity) }] });
  expect(heldFor(shipped('1'))).toContain('dead-but-shipped');
  expect(only(shipped('0'))).toMatchObject({ change: { status: 'cancelled' } });
});

test('an unmarked order that is closed on the marketplace and shipped in the ERP is marked, and raises an alert', () => {
  const given = linked({ order: { status: 'Canceled', externalId: null } }, { status: 'shipped' });
  expect(only(given)).toMatchObject({ action: 'order-in.mark', erpId: 'E-1' });
  expect(decideOrderIn(snapshot(given)).alerts).toMatchObject([{ code: 'dead-but-shipped' }]);
});

test.each([
  ['Fulfilled', 'Fulfilled'],
  ['Complete', 'Complete'],
  ['Accepted', 'Fulfilled'],
])('the hold of a closed order that was shipped names the status to return to: from %s to %s', (marketplace, back) => {
  const given = { base: agreed({ statuses: { marketplace, erp: 'shipped' } }), order: { status: 'Rejected' } };
  expect(decideOrderIn(snapshot(linked(given, { status: 'shipped' }))).holds).toMatchObject([{ params: { back } }]);
});

test('a closed order whose lines are unreadable is cancelled in the ERP', () => {
  expect(only(linked({ order: { status: 'Canceled' }, wanted: null }))).toMatchObject({
    change: { status: 'cancelled' },
  });
});

test('an order shipped in the ERP is fulfilled on the marketplace, once', () => {
  const given = linked({ order: { status: 'Accepted' } }, { status: 'shipped' });
  expect(only(given)).toMatchObject({
    action: 'order-in.transition',
    name: 'fulfill',
    from: 'Accepted',
    to: 'Fulfilled',
  });
  expect(decide(linked({ order: { status: 'Fulfilled' } }, { status: 'shipped' }))).toEqual(NOTHING);
});

test('an order made in the ERP is fulfilled on the marketplace when it has shipped', () => {
  const given = linked({ order: { status: 'Accepted' } }, { status: 'shipped', origin: 'erp' });
  expect(only(given)).toMatchObject({ name: 'fulfill' });
});

test('a draft made in the ERP that is reserved there is accepted on the marketplace where the action is configured', () => {
  const rules = { transitions: { fulfill: 'fulfill', accept: 'take' } };
  const reserved = { status: 'reserved', origin: 'erp' } as const;
  expect(only(linked({ rules }, reserved))).toMatchObject({
    name: 'take',
    to: 'Accepted',
    why: 'reserved in the ERP',
  });
  expect(decide(linked({}, reserved))).toEqual(NOTHING);
  expect(decide(linked({ rules }, { ...reserved, status: 'draft' }))).toEqual(NOTHING);
});

test('the export of a marketplace order does not accept it: the brand decides that', () => {
  const rules = { transitions: { fulfill: 'fulfill', accept: 'take' } };
  expect(decide(linked({ rules }, { status: 'reserved' }))).toEqual(NOTHING);
});

test('an order in Backorder is accepted when its stock is available again and the action is configured, else it waits', () => {
  const rules = { transitions: { fulfill: 'fulfill', accept: 'take' } };
  const order = { status: 'Backorder' };
  expect(only({ rules, order, backInStock: true })).toMatchObject({
    name: 'take',
    from: 'Backorder',
    to: 'Accepted',
  });
  expect(heldFor({ rules, order })).toContain('backorder');
  expect(heldFor({ order, backInStock: true })).toContain('backorder');
});

test('a status step whose name is not configured is held with the setting that is missing', () => {
  expect(heldFor(linked({}, { status: 'shipped' }))).toContain('shipped-not-accepted');
});

test('an order cancelled in the ERP is rejected where the action is configured, and counts for the brake', () => {
  const rules = { transitions: { fulfill: 'fulfill', reject: 'reject' } };
  const given = linked({ rules, order: { status: 'Accepted' } }, { status: 'cancelled' });
  expect(only(given)).toMatchObject({ name: 'reject', to: 'Rejected', brake: 'reject' });
  expect(heldFor(linked({}, { status: 'cancelled' }))).toContain('cancelled-not-rejected');
});

test('a fulfilment does not count as a rejection for the brake', () => {
  expect(only(linked({ order: { status: 'Accepted' } }, { status: 'shipped' }))).not.toHaveProperty('brake');
});

test('any sequence of edits settles in few steps, and creates at most one order', () => {
  const stories = fc.record({
    strategy: fc.constantFrom<StrategyName>('fulfilled-quantity', 'submitted-available', 'submitted-quantity'),
    status: fc.constantFrom(
      'Submitted',
      'Accepted',
      'Fulfilled',
      'Shipped',
      'Complete',
      'Rejected',
      'Canceled',
      'Backorder',
      'Combined',
    ),
    theirs: fc.option(
      fc.record({
        status: fc.constantFrom('draft', 'reserved', 'shipped', 'cancelled', 'packed'),
        origin: fc.constantFrom('marketplace' as const, 'erp' as const),
        quantity: fc.constantFrom('3', '5'),
      }),
    ),
    linked: fc.boolean(),
    externalId: fc.constantFrom(null, 'E-1', 'E-9'),
    customer: fc.constantFrom(null, 'C-5'),
    onUnmappedCustomer: fc.constantFrom('hold' as const, 'create' as const, 'pass' as const),
    discount: fc.constantFrom('0', '1.50'),
    takesMoney: fc.boolean(),
    named: fc.boolean(),
  });
  fc.assert(
    fc.property(stories, (story) => {
      const { theirs } = story;
      const named = { accept: 'accept', ship: 'ship', reject: 'reject' };
      let now = snapshot({
        strategy: story.strategy,
        order: { status: story.status, externalId: story.externalId },
        erpOrders: theirs === null ? [] : [erpOrder({ ...theirs, lines: [erpLine(theirs.quantity)] })],
        linked: story.linked && theirs !== null,
        customer: { erpId: story.customer, gone: null, waits: null },
        wanted: { discount: d(story.discount) },
        rules: {
          onUnmappedCustomer: story.onUnmappedCustomer,
          transitions: { fulfill: 'fulfill', ...(story.named ? named : {}) },
        },
      });
      const done: string[] = [];
      for (let [action] = decideOrderIn(now).actions; action !== undefined; [action] = decideOrderIn(now).actions) {
        const { name, after } = { name: action.action, after: action.after };
        expect(done).not.toContain(`${name} ${after}`);
        done.push(`${name} ${after}`);
        now = applied(now, action, story.takesMoney);
      }
      expect(done.length).toBeLessThanOrEqual(8);
      expect(now.erpOrders.length).toBeLessThanOrEqual(1);
      expect(decideOrderIn(now).actions).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

/** The snapshot of the two sides and the store after an action. */
function applied(now: OrderInSnapshot, action: OrderInAction, takesMoney: boolean): OrderInSnapshot {
  const [theirs] = now.erpOrders;
  const inMarketplace = (changes: Partial<Marketplace>): OrderInSnapshot =>
    now.order === null ? now : { ...now, order: { ...now.order, order: { ...now.order.order, ...changes } } };
  switch (action.action) {
    case 'order-in.enter':
      return { ...now, standing: 'work' };
    case 'customer-in.create':
      return { ...now, customer: { erpId: 'C-5', gone: null, waits: null } };
    case 'order-in.create':
      return { ...now, linked: true, erpOrders: [...now.erpOrders, erpOrder(action.draft)] };
    case 'order-in.link':
      return { ...now, linked: true };
    case 'order-in.follow':
      throw new Error('no order of these stories has a copy');
    case 'order-in.charges': {
      const { discount, shipping } = action;
      if (now.wanted === null || 'problem' in now.wanted) throw new Error('charges of an order that is known');
      return { ...now, wanted: { ...now.wanted, discount, shipping: shipping ?? now.wanted.shipping } };
    }
    case 'order-in.lines':
    case 'order-in.line-remove':
      throw new Error('edits of the ERP are told in these stories');
    case 'order-in.mark':
      return inMarketplace({ externalId: action.erpId });
    case 'order-in.transition':
      return inMarketplace({ status: action.to });
    case 'order-in.update': {
      const { lines, status, ...money } = action.change;
      const taken = { ...(lines === undefined ? {} : { lines }), ...(status === undefined ? {} : { status }) };
      const refused = action.change.total !== undefined && !takesMoney;
      const after = { ...theirs, ...taken, ...(refused ? {} : money) };
      const wanted = now.wanted !== null && !('problem' in now.wanted) ? moneyText(now.wanted) : null;
      return { ...now, erpOrders: [erpOrder(after)], moneyRefused: refused ? wanted : now.moneyRefused };
    }
  }
}

describe('an order that is gone from the marketplace', () => {
  const gone = (theirs: Partial<StoredErpOrder>, changes: Changes = {}) =>
    decide(linked({ order: { status: 'Deleted', externalId: null }, ...changes }, theirs));

  test.each(['draft', 'reserved'])(
    'a deleted marketplace order is cancelled in the ERP within the brake (%s)',
    (status) => {
      expect(gone({ status }).actions).toMatchObject([
        {
          action: 'order-in.update',
          before: status,
          after: 'cancelled',
          brake: 'reject',
          change: { status: 'cancelled' },
        },
      ]);
    },
  );

  test.each(['cancelled', 'shipped'])(
    'a deleted marketplace order needs no write when its ERP order is %s',
    (status) => {
      expect(gone({ status })).toEqual(NOTHING);
    },
  );

  test('a deleted order raises an alert where `deleted: tell` is set, and where the order was made in the ERP', () => {
    const alerted = { actions: [], holds: [], alerts: [{ code: 'order-deleted', params: { erpStatus: 'reserved' } }] };
    expect(gone({ status: 'reserved' }, { rules: { deleted: 'tell' } })).toMatchObject(alerted);
    expect(gone({ status: 'reserved', origin: 'erp' })).toMatchObject(alerted);
  });

  test('a deleted marketplace order is not entered in the ERP', () => {
    expect(decide({ order: { status: 'Deleted' } })).toEqual(NOTHING);
  });
});

describe('an ERP that computes totals with its own rounding', () => {
  const shown = (theirs: Partial<StoredErpOrder>, totalsComputed = true) => {
    const { total, tax, ...same } = WANTED;
    const money = { ...same, tax: tax.plus('0.01'), total: total.plus('0.02'), ...theirs };
    return decide(linked({ wanted: {}, rules: { totalsComputed } }, { ...money, status: 'reserved' }));
  };

  test('an ERP that computes totals gets no total and no alert for its rounding', () => {
    expect(shown({})).toEqual(NOTHING);
    expect(shown({ status: 'shipped' })).toMatchObject({ alerts: [] });
  });

  test('a difference larger than rounding is sent to an ERP that computes totals, as to any other', () => {
    expect(shown({ total: WANTED.total.plus('1.00') }).actions).toMatchObject([{ action: 'order-in.update' }]);
    expect(shown({ discount: WANTED.discount.plus('0.01') }).actions).toHaveLength(1);
    expect(shown({}, false).actions).toMatchObject([{ action: 'order-in.update' }]);
  });
});

describe('an ERP that takes no edits, or only some', () => {
  const edited: Changes = {
    wanted: { lines: [erpLine('5')] },
    base: { erpId: 'E-1', agreed: { quantities: [['SB-1', '3']] }, sent: null } as never,
  };
  const shown = { order: 'o-1', erpOrder: 'E-1', lines: '5 x SB-1 at 12.00 USD' };

  test('an ERP that takes no edits has an edit on the marketplace held, with what to do', () => {
    const changes = linked({ ...edited, rules: { editing: 'no' } });
    expect(heldFor(changes)).toEqual(told([cause('erp-takes-no-edits', { ...shown, refused: false })]));
  });

  test('an edit is sent until the ERP refuses it, and again once either side has changed', () => {
    const rules = { editing: 'until-picked' } as const;
    const refused = '2030-01-01T00:00:00Z: 5 x SB-1 at 12';
    expect(only(linked({ ...edited, rules }))).toMatchObject({ change: { lines: [erpLine('5')] } });
    expect(heldFor(linked({ ...edited, rules, editRefused: refused }))).toEqual(
      told([cause('erp-takes-no-edits', { ...shown, refused: true })]),
    );
    const later = { changedAt: '2030-01-02T00:00:00Z' };
    expect(only(linked({ ...edited, rules, editRefused: refused }, later))).toMatchObject({
      action: 'order-in.update',
    });
    const other = { ...edited, wanted: { lines: [erpLine('6')] } };
    expect(only(linked({ ...other, rules, editRefused: refused }))).toMatchObject({ action: 'order-in.update' });
  });

  test('an ERP that takes no edits takes a cancellation', () => {
    const dead = linked({ rules: { editing: 'no' }, order: { status: 'Rejected' } });
    expect(only(dead)).toMatchObject({ change: { status: 'cancelled' } });
  });

  test('an ERP that takes no edits gets no totals', () => {
    const dearer = linked({ rules: { editing: 'no' }, wanted: { total: d('37') } });
    expect(decide(dearer).actions).toEqual([]);
  });
});

test('an ERP order whose multi-step write is unfinished waits, whatever it contains', () => {
  expect(heldFor(linked({}, { finished: false, lines: [] }))).toEqual(
    told([cause('erp-order-unfinished', { erpOrder: 'E-1' })]),
  );
});

test('an unlinked ERP order whose multi-step create is unfinished is completed', () => {
  expect(only({ erpOrders: [erpOrder({ finished: false, lines: [] })] })).toMatchObject({
    action: 'order-in.create',
  });
});

test('an ERP order whose multi-step create is unfinished is cancelled when the marketplace has rejected the order', () => {
  const dead = linked({ order: { status: 'Rejected' } }, { finished: false });
  expect(only(dead)).toMatchObject({ change: { status: 'cancelled' } });
});

test('an order made in the ERP that uses the order number as its reference raises an alert, and holds nothing', () => {
  const decision = decide(linked({ reusing: ['E-8'] }));
  expect(decision).toEqual({ ...NOTHING, alerts: [cause('erp-reference-reused', { order: 'o-1', others: ['E-8'] })] });
});

test.each([
  ['alive', {}],
  ['cancelled by its buyer', { status: 'Canceled' }],
  ['rejected', { status: 'Rejected' }],
])('an order that is %s writes nothing while its ERP order carries the number of another order', (_, order) => {
  const lines = [erpLine('9')];
  const decision = decide(linked({ order, ofOther: 'o-2' }, { reference: 'o-2', lines, status: 'reserved' }));
  expect([decision.actions, told(decision.holds)]).toEqual([
    [],
    'erp-order-of-another {"order":"o-1","erpOrder":"E-1","other":"o-2"}',
  ]);
});
