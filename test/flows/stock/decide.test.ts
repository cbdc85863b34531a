import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cause, cause } from '../../../src/domain/causes/cause.ts';
import { ONE } from '../../../src/domain/decimal.ts';
import type { LedgerLine, StockTarget } from '../../../src/domain/ledger.ts';
import type { Effect } from '../../../src/domain/status.ts';
import { STRATEGIES } from '../../../src/domain/strategy.ts';
import { decideStock, type StockSnapshot, type WriteStock } from '../../../src/flows/stock/decide.ts';
import { told } from '../../support/causes.ts';
import { exact } from '../../support/units.ts';

const d = (text: string) => exact(text);
type Listing = NonNullable<StockSnapshot['listing']>;
type Stock = NonNullable<StockSnapshot['stock']>;

const line = (quantity: string, effect: Effect, counted: boolean): LedgerLine => ({
  order: 'o-1',
  quantity: d(quantity),
  effect,
  counted,
});

function snapshot(
  changes: Partial<Omit<StockSnapshot, 'listing' | 'stock' | 'rules'>> & {
    listing?: Partial<Listing> | null;
    stock?: Partial<Stock> | null;
    write?: StockTarget['field'];
    buffer?: string;
  } = {},
): StockSnapshot {
  const { listing, stock, write = 'available_inventory', buffer = '0', ...rest } = changes;
  const quantity = d('40');
  return {
    sku: 'SB-1',
    deleted: false,
    twins: 1,
    mayOnlyFall: false,
    stock:
      stock === null
        ? null
        : { available: d('40'), asOf: '2030-01-01T00:00:00Z', problem: null, changedTick: 1, ...stock },
    listing:
      listing === null
        ? null
        : {
            id: 7,
            archived: false,
            comingBack: null,
            managed: true,
            releasedTick: 0,
            observedTick: 1,
            quantity,
            available: quantity,
            certain: true,
            unexplained: d('0'),
            ...listing,
          },
    hasDrift: false,
    lines: [],
    unitsIn: ONE,
    multiplier: null,
    invalidRow: null,
    lineProblem: null,
    erpLagMs: null,
    counted: { ids: [], known: [], skus: [], areAll: true },
    unread: null,
    asked: { figureTick: 0, asOf: null, withoutLines: [] },
    lostWrite: null,
    lately: null,
    ...rest,
    rules: { strategy: STRATEGIES['submitted-available'], write, buffer: d(buffer) },
  };
}

const writes = (given: StockSnapshot) =>
  decideStock(given).actions.map(({ field, value, brake }) => [field, value.toFixed(), brake ?? null]);

describe('an oversold listing that was archived meanwhile', () => {
  const archived = { listing: { archived: true }, stock: { available: d('-2') } };
  const codes = (given: StockSnapshot) => decideStock(given).alerts.map(({ code }) => code);

  test('an oversold archived listing keeps its alert as long as one of its orders is open', () => {
    expect(codes(snapshot({ ...archived, lines: [line('3', 'reserved', true)] }))).toEqual(['oversold']);
    expect(codes(snapshot({ ...archived, lines: [line('3', 'consumed', false)] }))).toEqual(['oversold']);
    expect(writes(snapshot({ ...archived, lines: [line('3', 'reserved', true)] }))).toEqual([]);
  });

  test('an archived listing is not oversold once its orders have shipped', () => {
    expect(codes(snapshot({ ...archived, lines: [line('3', 'consumed', true)] }))).toEqual([]);
    expect(codes(snapshot(archived))).toEqual([]);
  });

  test('an archived listing is not oversold where the stock covers the orders, or is unknown', () => {
    const lines = [line('3', 'reserved', true)];
    expect(codes(snapshot({ ...archived, stock: { available: d('0') }, buffer: '5', lines }))).toEqual([]);
    expect(codes(snapshot({ ...archived, stock: null, lines }))).toEqual([]);
  });
});

const PAUSED = cause('product-paused', { reason: 'stocktaking' });
const LINE = cause('line-cases-unknown', { order: 'o-1', line: '3' });

test.each([
  ['both sides agree', snapshot()],
  ['no listing yet', snapshot({ listing: null })],
  ['not sold in the ERP', snapshot({ sku: null })],
  ['archived', snapshot({ listing: { archived: true, available: d('1') } })],
  ['equal as numbers', snapshot({ listing: { available: d('40.0000') } })],
])('the stock of a listing needs no write: %s', (_, given) => {
  expect(decideStock(given)).toEqual({ actions: [], holds: [], alerts: [], lookAgainMs: null });
});

describe('a listing that comes back from the archive is listed with its stock', () => {
  const back = (shown: string | null, available: string) =>
    decideStock(
      snapshot({
        listing: {
          archived: true,
          comingBack: { why: 'active in the ERP again', hold: null, isOutdated: false },
          available: shown === null ? null : d(shown),
        },
        stock: { available: d(available) },
      }),
    ).actions.map(({ lists, value, brake }) => [lists, value.toFixed(), brake ?? null]);
  test.each<[string, string | null, string, string | null]>([
    ['equal to what it had, of which none could be taken', '40', '40', 'increase'],
    ['less', '40', '4', 'increase'],
    ['more', '4', '40', 'increase'],
    ['none: buyers lose nothing', '4', '0', null],
    ['not shown while archived', null, '40', 'increase'],
  ])('a listing that leaves the archive is listed with its stock: %s', (_, shown, available, brake) =>
    expect(back(shown, available)).toEqual([[true, available, brake]]),
  );

  test('a listing stays archived while the product flow is paused', () => {
    const listing = { archived: true, comingBack: { why: 'active in the ERP again', hold: PAUSED, isOutdated: false } };
    expect(decideStock(snapshot({ listing }))).toMatchObject({ actions: [], holds: [PAUSED] });
  });

  test('a listing stays archived while the ERP states no stock', () => {
    const listing = { archived: true, comingBack: { why: 'active in the ERP again', hold: null, isOutdated: false } };
    expect(decideStock(snapshot({ listing, stock: null }))).toMatchObject({
      actions: [],
      holds: [{ code: 'stock-unknown' }],
    });
  });
});

describe('while what has to be read before more is given could not be', () => {
  const unread = cause('orders-unread', { problem: null });

  test.each<[string, string, Partial<Listing>]>([
    ['more', '41', {}],
    [
      'a listing that comes back, with however little',
      '1',
      { archived: true, comingBack: { why: 'active in the ERP again', hold: null, isOutdated: false } },
    ],
  ])(
    'without the reads that an increase needs, %s is held with the reason, and the other alerts stay',
    (_, available, listing) => {
      const lines = [{ order: null, quantity: d('2'), effect: 'reserved', counted: false }] as const;
      const given = { stock: { available: d(available).plus(2) }, listing, lines };
      const { alerts } = decideStock(snapshot(given));
      expect(alerts).toHaveLength(1);
      expect(decideStock(snapshot({ ...given, unread }))).toEqual({
        actions: [],
        holds: [unread],
        alerts,
        lookAgainMs: null,
      });
    },
  );

  test.each(['39', '0'])('without the reads that an increase needs, a fall to %s is written', (available) => {
    expect(decideStock(snapshot({ stock: { available: d(available) }, unread }))).toMatchObject({
      actions: [{ after: available }],
      holds: [],
    });
  });
});

test('a stock write with a lost answer is reconciled again when it can no longer be applied', () => {
  expect(decideStock(snapshot({ lostWrite: { mayComeIn: 4_000 } }))).toMatchObject({
    actions: [],
    lookAgainMs: 4_000,
  });
});

test('a stock figure with a lost answer is written once more after it can no longer be applied', () => {
  const decision = decideStock(snapshot({ lostWrite: { mayComeIn: 0 } }));
  expect(decision.actions).toMatchObject([{ after: '40', why: expect.stringContaining('answer was lost') }]);
});

describe('held, with the reason, and nothing written', () => {
  const wrong = { available: d('1') };
  test.each([
    ['unknown is never zero', snapshot({ stock: null, listing: wrong }), 'stock-unknown {"sku":"SB-1"}'],
    ['two ERP products of one SKU', snapshot({ twins: 2, listing: wrong }), 'sku-twice {"sku":"SB-1","count":2}'],
    [
      'the listing does not fit',
      snapshot({ invalidRow: cause('listing-invalid', { listing: 7, problem: 'quantity: x' }) }),
      'listing-invalid {"listing":7,"problem":"quantity: x"}',
    ],
    [
      'the ERP figure cannot be',
      snapshot({ stock: { problem: 'available 41 is not on hand − reserved (40)' } }),
      'stock-unusable {"sku":"SB-1","place":null,"problem":"available 41 is not on hand',
    ],
    [
      'the ERP row does not fit',
      snapshot({
        invalidRow: cause('stock-invalid', { product: 'SKU SB-1', problem: 'available: x' }),
        listing: wrong,
      }),
      'stock-invalid {"product":"SKU SB-1","problem":"available: x"}',
    ],
    ['five decimals', snapshot({ stock: { available: d('1.00001') } }), 'has more than 4 fractional digits'],
    ['huge', snapshot({ stock: { available: d('1e12') } }), 'is not below 100000000'],
    ['a line that cannot be counted', snapshot({ lineProblem: LINE, stock: { available: d('900') } }), told([LINE])],
  ])('a stock write is held with the reason: %s', (_, given, reason) => {
    const decision = decideStock(given);
    expect(decision.actions).toEqual([]);
    expect(told(decision.holds)).toContain(reason);
  });
});

test('the strategy decides which stock field of a listing is written, and its figure', () => {
  const lines = [line('7', 'reserved', false), line('2', 'consumed', false), line('5', 'reserved', true)];
  expect(writes(snapshot({ lines }))).toEqual([['available_inventory', '31', null]]);
  expect(writes(snapshot({ lines, write: 'quantity' }))).toEqual([['quantity', '43', null]]);
  expect(decideStock(snapshot({ lines })).actions[0]?.expectedReserved.toFixed()).toBe('12');
});

test('a stock figure is written to a listing that shows none', () => {
  expect(writes(snapshot({ listing: { quantity: null, available: null } }))).toEqual([
    ['available_inventory', '40', null],
  ]);
});

test('raising an uncertain figure counts for the brake `increase`, even when buyers were expected to have that many already', () => {
  const listing = { quantity: d('39'), available: d('40') };
  const write = 'quantity' as const;
  expect(decideStock(snapshot({ write, listing: { ...listing, certain: true } })).actions[0]).not.toHaveProperty(
    'brake',
  );
  expect(decideStock(snapshot({ write, listing: { ...listing, certain: false } })).actions).toMatchObject([
    { before: '39', after: '40', brake: 'increase' },
  ]);
});

test('a figure above the last write counts as an increase although the listing has more: the read may be older', () => {
  const shown = { listing: { quantity: d('50'), available: d('43') } };
  const brakes = (lately: string | null, available: string) =>
    writes(snapshot({ ...shown, lately: lately === null ? null : d(lately), stock: { available: d(available) } }));
  expect(brakes('32', '33')).toEqual([['available_inventory', '33', 'increase']]);
  expect(brakes('32', '32')).toEqual([['available_inventory', '32', null]]);
  expect(brakes(null, '33')).toEqual([['available_inventory', '33', null]]);
  expect(brakes('32', '0')).toEqual([['available_inventory', '0', 'zero']]);
});

test('an equal figure that is uncertain is written all the same, and the reason says so', () => {
  const { actions } = decideStock(snapshot({ listing: { certain: false } }));
  expect(actions).toMatchObject([{ before: '40', after: '40', why: expect.stringContaining('uncertain') }]);
});

test('a stock below zero is written as zero, and raises an alert while it lasts', () => {
  const lines = [line('45', 'reserved', false)];
  const decision = decideStock(snapshot({ lines }));
  expect(writes(snapshot({ lines }))).toEqual([['available_inventory', '0', 'zero']]);
  expect(decision.alerts).toEqual([cause('oversold', { sku: 'SB-1', by: '5', place: null })]);
  const after = decideStock(snapshot({ lines, listing: { available: d('0') } }));
  expect([after.actions, after.alerts]).toEqual([[], decision.alerts]);
});

test.each([
  ['sold out', '0', '0', null],
  ['less left than the buffer', '7', '6', null],
  ['ordered beyond the stock', '0', '5', '5'],
  ['the ERP itself has less than nothing', '-12', '0', '12'],
])('the buffer does not count as oversold: %s', (_, available, ordered, by) => {
  const lines = [line(ordered, 'reserved', false)];
  for (const write of ['available_inventory', 'quantity'] as const) {
    const { alerts } = decideStock(snapshot({ stock: { available: d(available) }, buffer: '2', lines, write }));
    expect(alerts).toEqual(by === null ? [] : [cause('oversold', { sku: 'SB-1', by, place: null })]);
  }
});

describe('a listing whose stock the marketplace does not keep', () => {
  const unlimited = (changes: Parameters<typeof snapshot>[0] = {}) =>
    decideStock(snapshot({ listing: { managed: false, quantity: null, available: null }, ...changes }));
  const NOT_KEPT = cause('stock-not-kept', { listing: 7, sku: 'SB-1' });
  const oversoldBy = (by: string) => cause('oversold', { sku: 'SB-1', by, place: null });

  test.each<[string, Parameters<typeof snapshot>[0], Cause[]]>([
    ['the ERP keeps stock', {}, [NOT_KEPT]],
    [
      'more is sold than the ERP has',
      { stock: { available: d('-40') }, lines: [line('45', 'reserved', true)] },
      [NOT_KEPT, oversoldBy('40')],
    ],
    ['the ERP lacks units that no buyer ordered', { stock: { available: d('-40') } }, [NOT_KEPT]],
    ['an order that the ERP does not count', { lines: [line('45', 'consumed', false)] }, [NOT_KEPT, oversoldBy('5')]],
    ['the ERP keeps no stock', { stock: null }, []],
    ['it may belong to another product', { mayOnlyFall: true }, []],
    ['the product is deleted', { deleted: true }, []],
    ['it is archived', { listing: { managed: false, archived: true } }, []],
  ])('is told, and never written: %s', (_, changes, alerts) => {
    expect(unlimited(changes)).toMatchObject({ actions: [], holds: [], alerts });
  });
});

test('a stock write says the field, the old and new figure, and the reason', () => {
  const lines = [line('7', 'reserved', false)];
  expect(decideStock(snapshot({ lines, buffer: '3' })).actions[0]).toMatchObject({
    target: 'listing 7 (SB-1) available_inventory',
    before: '40',
    after: '30',
    why: 'ERP available 40 as of 2030-01-01T00:00:00Z, buffer 3, 1 line the ERP does not count',
  });
});

test('a reservation that no order explains is kept back, raises an alert, and is expected in the answer', () => {
  const lines = [{ ...line('7', 'reserved', false), order: null }, line('2', 'reserved', true)];
  const { actions, alerts } = decideStock(snapshot({ lines }));
  expect(alerts).toEqual([cause('reserved-unexplained', { listing: 7, sku: 'SB-1', quantity: '7' })]);
  expect(actions).toMatchObject([{ after: '33', expectedReserved: d('9'), knownReserved: d('2') }]);
});

test('a stock read that may not count an order yet is reconciled again, in step or not', () => {
  expect(decideStock(snapshot({ erpLagMs: 500 })).lookAgainMs).toBeGreaterThan(0);
  const late = snapshot({ erpLagMs: 500, listing: { available: d('1') } });
  expect(decideStock(late).lookAgainMs).toBeGreaterThan(0);
});

describe('figures of a write are bare, and its cause says their unit where the product is sold by the case', () => {
  const shown = (given: Partial<StockSnapshot>) =>
    decideStock(snapshot({ listing: { available: d('240') }, stock: { available: d('12') }, ...given })).actions[0];
  test.each<[string, Partial<StockSnapshot>, string, string, string]>([
    ['not sold by the case', {}, '240', '12', 'ERP available 12 as of'],
    ['a listing that counts units', { multiplier: d('12') }, '240', '12', 'ERP available 12 units as of'],
    ['a listing that counts cases', { multiplier: d('12'), unitsIn: d('12') }, '20', '1', '12 units are 1 case of 12'],
  ])(
    'the figures of a write are plain numbers, and its cause has the unit for a product sold by the case: %s',
    (_, given, before, after, why) => {
      expect(shown(given)).toMatchObject({ before, after, why: expect.stringContaining(why) as string });
    },
  );

  test('a held zeroing says how much buyers can buy while it is held', () => {
    const { actions } = decideStock(
      snapshot({ listing: { available: d('240') }, stock: { available: d('0') }, multiplier: d('12') }),
    );
    expect(actions).toMatchObject([{ brake: 'zero', offersMore: { sku: 'SB-1', offered: '240 units' } }]);
  });
});

describe('brakes are about what buyers can take, whichever field is written', () => {
  const reserved = [line('40', 'reserved', true)];
  test.each<[string, StockSnapshot, string | null]>([
    ['from some to none', snapshot({ stock: { available: d('0') } }), 'zero'],
    [
      'from some to none, though the quantity stays above zero',
      snapshot({
        write: 'quantity',
        stock: { available: d('0') },
        lines: reserved,
        listing: { quantity: d('80'), available: d('40') },
      }),
      'zero',
    ],
    [
      'none before, none after',
      snapshot({ stock: { available: d('-2') }, listing: { quantity: d('5'), available: d('-5') } }),
      null,
    ],
    ['less', snapshot({ stock: { available: d('39') } }), null],
    ['more', snapshot({ stock: { available: d('41') } }), 'increase'],
    ['from none to some', snapshot({ listing: { quantity: d('0'), available: d('0') } }), 'increase'],
    [
      'a larger quantity of which buyers get nothing more',
      snapshot({ write: 'quantity', lines: reserved, listing: { quantity: d('70'), available: d('40') } }),
      null,
    ],
    [
      'none before, none after, of a quantity above zero',
      snapshot({
        write: 'quantity',
        stock: { available: d('-2') },
        lines: reserved,
        listing: { quantity: d('35'), available: d('-5') },
      }),
      null,
    ],
    [
      'more than before, though less than the quantity was',
      snapshot({ write: 'quantity', lines: reserved, listing: { quantity: d('45'), available: d('5') } }),
      'increase',
    ],
    ['not known before', snapshot({ listing: { quantity: null, available: null } }), null],
  ])('a brake judges what buyers can buy, whichever field is written: %s', (_, given, brake) =>
    expect(writes(given).map((write) => write[2])).toEqual([brake]),
  );
});

test('a stock write leaves nothing to decide', () => {
  const quantity = fc.integer({ min: -500_000, max: 1_000_000 }).map((n) => exact(exact(n).dividedBy(10_000)));
  const lines = fc.array(
    fc.record({
      order: fc.constant('o'),
      quantity: quantity.map((q) => q.abs()),
      effect: fc.constantFrom<Effect>('reserved', 'consumed', 'none'),
      counted: fc.boolean(),
    }),
    { maxLength: 5 },
  );
  const any = fc.record({
    available: quantity,
    shown: fc.option(quantity),
    lines,
    write: fc.constantFrom('quantity' as const, 'available_inventory' as const),
    buffer: fc.constantFrom('0', '2.5'),
    certain: fc.boolean(),
  });
  fc.assert(
    fc.property(any, ({ available, shown, lines: some, write, buffer, certain }) => {
      const listing = { quantity: shown, available: shown, certain };
      const before = snapshot({ stock: { available }, listing, lines: some, write, buffer });
      const [action] = decideStock(before).actions;
      if (action === undefined) return;
      const after = { ...before, listing: written(before.listing as Listing, action) };
      expect(decideStock(after)).toMatchObject({ actions: [], holds: [] });
    }),
  );
});

/** Spec 1, Inventory setting rules 2 and 3, with the reservations that were expected. */
function written(listing: Listing, { field, value, expectedReserved: reserved }: WriteStock): Listing {
  return field === 'quantity'
    ? { ...listing, certain: true, quantity: exact(value), available: exact(value.minus(reserved)) }
    : { ...listing, certain: true, quantity: exact(value.plus(reserved)), available: exact(value) };
}
