import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OrderLine } from '../../../src/domain/order.ts';
import { d } from '../../store/shelf.ts';
import { exact } from '../../support/units.ts';
import { figures, listingInMemory, type Seen } from './listing-in-memory.ts';

let listing = listingInMemory();
beforeEach(() => {
  listing = listingInMemory();
  listing.read();
});

test.each<[string, readonly string[], readonly string[]]>([
  ['submitted', ['Submitted'], ['100', '7', '93']],
  ['accepted', ['Submitted', 'Accepted'], ['100', '7', '93']],
  ['Submitted and rejected', ['Submitted', 'Rejected'], ['100', '0', '100']],
  ['Accepted and canceled', ['Accepted', 'Canceled'], ['100', '0', '100']],
  ['put on backorder', ['Submitted', 'Backorder'], ['100', '0', '100']],
  ['fulfilled', ['Accepted', 'Fulfilled'], ['93', '0', '93']],
  ['shipped, of which only the end was seen', ['Submitted', 'Shipped'], ['93', '0', '93']],
  ['complete', ['Accepted', 'Fulfilled', 'Shipped', 'Complete'], ['93', '0', '93']],
  ['Fulfilled and rejected', ['Accepted', 'Fulfilled', 'Rejected'], ['100', '0', '100']],
  ['Shipped and rejected', ['Accepted', 'Shipped', 'Rejected'], ['100', '0', '100']],
])("an order changes our stock figures as it changes the marketplace's: %s", (_, statuses, expected) => {
  for (const status of statuses) listing.order({ status });
  expect(listing.shown).toEqual(expected);
  expect(listing.isCertain).toBe(true);
});

test('an edit of a reserved order moves the figures line by line', () => {
  listing.order({ lines: [{}, { id: 2, quantity: d('0.5') }] });
  expect(listing.shown).toEqual(['100', '7.5', '92.5']);
  listing.order({ lines: [{ quantity: d('9') }] });
  expect(listing.shown).toEqual(['100', '9', '91']);
  // The line has another listing now.
  listing.order({ lines: [{ productId: 71, quantity: d('9') }] });
  expect(listing.shown).toEqual(['100', '0', '100']);
  listing.order({ lines: [{ quantity: d('9') }] });
  expect(listing.shown).toEqual(['100', '9', '91']);
  expect(listing.isCertain).toBe(true);
});

test('a line that was added after Accepted moves no figures', () => {
  listing.order({ status: 'Accepted' });
  for (const status of ['Fulfilled', 'Rejected']) {
    listing.order({ status, lines: [{}, { id: 2, late: true }] });
    expect(listing.shown).toEqual(status === 'Fulfilled' ? ['93', '0', '93'] : ['100', '0', '100']);
  }
  expect(listing.isCertain).toBe(true);
});

test('an order moves the figures by cases where lines count cases', () => {
  const stockQuantity = ({ quantity, unitMultiplier }: OrderLine) => exact(quantity.times(unitMultiplier ?? 1));
  listing.order({ lines: [{ unitMultiplier: d('12') }] }, { stockQuantity });
  expect(listing.shown).toEqual(['100', '84', '16']);
});

test.each([
  ['gives units back', ['Submitted', 'Canceled'], 9],
  ['gives units back that were away', ['Accepted', 'Shipped', 'Rejected'], 9],
  ['takes units', ['Submitted'], 0],
  ['takes units away', ['Accepted', 'Shipped'], 0],
])('an order that %s postpones the next stock increase: %s', (_, statuses, expected) => {
  for (const status of statuses) listing.order({ status }, { releasedTick: 9 });
  expect(listing.listing.row?.releasedTick).toBe(expected);
  listing.order({ status: statuses.at(-1) ?? '' }, { releasedTick: 3 });
  expect(listing.listing.row?.releasedTick, 'it never moves back').toBe(expected);
});

test('an order leaves unknown figures unknown', () => {
  const unknown = listingInMemory();
  unknown.read({ figures: { quantity: null, reserved: null, available: null } });
  unknown.order({});
  expect(unknown.shown).toEqual([null, null, null]);
});

test('the figures move as on a marketplace that follows the table, whatever the orders do', () => {
  const next: Readonly<Record<string, readonly string[]>> = {
    Submitted: ['Accepted', 'Rejected', 'Canceled', 'Submitted'],
    Accepted: ['Fulfilled', 'Rejected', 'Canceled', 'Accepted'],
    Fulfilled: ['Shipped', 'Rejected'],
    Shipped: ['Complete', 'Rejected'],
  };
  const step = fc.record({ order: fc.nat(2), choice: fc.nat(3), quantity: fc.integer({ min: 1, max: 90_000 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const one = listingInMemory();
      one.read();
      const now = new Map<number, { status: string; quantity: ReturnType<typeof d> }>();
      for (const { order, choice, quantity: units } of steps) {
        const known = now.get(order);
        const ways = known === undefined ? ['Submitted'] : (next[known.status] ?? []);
        const status = ways[choice % Math.max(1, ways.length)];
        if (status === undefined) continue;
        const isEdit = known === undefined || status === known.status;
        const quantity = isEdit ? exact(d(`${units}`).dividedBy(10_000)) : known.quantity;
        now.set(order, { status, quantity });
        one.order({ number: `o-${order}`, status, lines: [{ quantity }] });
      }
      const total = (...statuses: string[]) =>
        [...now.values()]
          .filter(({ status }) => statuses.includes(status))
          .reduce((sum, { quantity }) => sum.plus(quantity), d('0'));
      const reserved = total('Submitted', 'Accepted');
      const quantity = d('100').minus(total('Fulfilled', 'Shipped', 'Complete'));
      expect(one.isCertain).toBe(true);
      expect(one.shown).toEqual([quantity, reserved, quantity.minus(reserved)].map((figure) => figure.toFixed()));
    }),
  );
});

describe('the figures are not trusted', () => {
  test('figures are uncertain when their read may have counted the event already', () => {
    listing.order({}, { knownBeforeTick: listing.tick });
    expect(listing.isCertain).toBe(false);
  });

  test('figures are trusted when every order from before their reading was known', () => {
    listing.order({}, { knownBeforeTick: listing.tick + 1 });
    expect(listing.isCertain).toBe(true);
  });

  test('figures are uncertain after a late order or late change of one; one that moves no stock leaves them certain', () => {
    listing.order({});
    listing.order({ status: 'Accepted' }, { late: true });
    expect(listing.isCertain).toBe(true);
    listing.order({ status: 'Canceled' }, { late: true });
    expect(listing.isCertain).toBe(false);
  });

  test.each<[string, Seen, Seen]>([
    ['an edit after Accepted', { status: 'Fulfilled' }, { status: 'Fulfilled', lines: [{ quantity: d('9') }] }],
    ['an edit together with the step past Accepted', {}, { status: 'Fulfilled', lines: [{ quantity: d('9') }] }],
    ['a line that came with that step', {}, { status: 'Fulfilled', lines: [{}, { id: 2 }] }],
    ['a line that went after it', { status: 'Fulfilled', lines: [{}, { id: 2 }] }, { status: 'Fulfilled' }],
    ['a cancellation after it', { status: 'Fulfilled' }, { status: 'Canceled' }],
    ['the end of a backorder', { status: 'Backorder' }, { status: 'Accepted' }],
  ])('figures are uncertain after %s, whose effect the spec does not define', (_, first, then) => {
    listing.order(first);
    listing.read({ figures: figures(100, 0), name: 'Haze' });
    expect(listing.isCertain).toBe(true);
    listing.order(then);
    expect(listing.isCertain).toBe(false);
  });

  test('figures are uncertain after an order that was first seen past Accepted: its lines may be late', () => {
    listing.order({ status: 'Fulfilled' });
    expect(listing.isCertain).toBe(false);
  });

  test('figures are uncertain while the listing has a reservation that no known order explains', () => {
    listing.read({ figures: figures(100, 7) });
    listing.order({});
    expect(listing.isCertain).toBe(false);
    expect(listing.listing.row?.unexplained).toBe('0');
  });
});

test('an order marks the stock of its linked listings, also when it released it', () => {
  expect(listing.order({})).toEqual(['stock P-1']);
  expect(listing.order({ lines: [] })).toEqual(['stock P-1']);
  expect(listingInMemory(null).order({})).toEqual([]);
});
