import { beforeEach, describe, expect, test } from 'vitest';
import { at, d } from '../../store/shelf.ts';
import { figures, listingInMemory } from './listing-in-memory.ts';

let [listing, minute] = [listingInMemory(), 0];
/** The units that the listing shows on hand and as reserved, and the units that known orders have reserved. */
const show = (quantity: number, reserved: number, how: Parameters<typeof listing.read>[1] = {}) =>
  listing.read({ figures: figures(quantity, reserved), modified: at((minute += 1)) }, how);
const reserve = (units: string, number = 'o-1') => listing.order({ number, lines: [{ quantity: d(units) }] });

describe('a read', () => {
  beforeEach(() => {
    listing = listingInMemory();
    listing.read();
  });

  test('an unchanged listing marks nothing', () => {
    expect(listing.read()).toEqual([]);
    expect(listing.read({ modified: at(1) })).toEqual([]);
  });

  test.each([
    ['another name', { name: 'Haze' }],
    ['other figures', { figures: figures(100, 7) }],
  ])('a listing read with another %s marks the product and its stock, whatever `modified` says', (_, changes) => {
    expect(listing.read(changes)).toEqual(['product P-1', 'stock P-1']);
  });

  test('a listing read without the archive state keeps it', () => {
    listing.read({ archived: true });
    listing.read({ archived: undefined, name: 'Haze' });
    expect(listing.listing.row).toMatchObject({ archived: true, name: 'Haze' });
  });

  test('a listing read makes the figures certain again, and so does the answer to a write of ours', () => {
    listing.order({ status: 'Fulfilled' });
    listing.read({ figures: figures(93, 0) });
    expect([listing.isCertain, ...listing.shown]).toEqual([true, '93', '0', '93']);
    listing.order({ number: 'o-2', status: 'Fulfilled' });
    listing.answer({ figures: figures(90, 4), expectedReserved: d('1'), observedTick: 0 });
    expect([listing.isCertain, ...listing.shown]).toEqual([true, '90', '4', '86']);
    expect(listing.listing.row?.unexplained).toBe('3');
  });
});

/** Listing 70 of 100, of which an order that no list shows has reserved 5, and has been seen to twice. */
describe('reserved by no known order', () => {
  beforeEach(() => {
    listing = listingInMemory();
    for (const reserved of [0, 5, 5]) show(100, reserved);
  });

  test.each([
    ['taken', 95, 0, 5],
    ['taken in part', 98, 3, 2],
    ['released', 100, 0, 0],
    ['taken in part, and released', 98, 0, 2],
    ['still reserved while somebody edits the quantity', 90, 5, 0],
    ['taken while somebody edits the quantity', 80, 0, 5],
  ])(
    'units reserved by no known order and %s: %d in the listing, of which %d are reserved',
    (_, quantity, reserved, isKept) => {
      show(quantity, reserved);
      expect(listing.kept).toBe(isKept);
    },
  );

  test('units that are no longer reserved after a write of ours set the quantity count as sold', () => {
    const { tick: observedTick } = listing;
    const due = listing.answer({ figures: figures(80, 1), expectedReserved: d('0'), observedTick });
    expect([listing.kept, ...due]).toEqual([4, 'stock P-1']);
    // The difference is open since the reservation was first shown, and was sure then.
    expect(listing.listing.drift).toMatchObject({ certain: true });
  });

  test('units are not kept back because of an answer to a write that may be older than a read since', () => {
    const { tick: observedTick } = listing;
    show(101, 5);
    listing.answer({ figures: figures(80, 1), expectedReserved: d('0'), observedTick });
    expect(listing.kept).toBe(0);
  });

  test.each([
    ['once only', []],
    ['twice at once', [1_000]],
  ])(
    'units that were seen reserved %s are not kept back: that may have been before a known order reserved them',
    (_, laterMs) => {
      show(105, 0);
      show(105, 5);
      for (const later of laterMs) show(105, 5, { laterMs: later });
      show(100, 0);
      expect(listing.kept).toBe(0);
    },
  );

  test('an older read that has the reservation again does not end the keeping back', () => {
    show(105, 0);
    show(105, 5);
    minute -= 1;
    show(105, 5);
    show(100, 0);
    expect(listing.kept).toBe(5);
  });

  test('units that newly known orders have reserved are not kept back', () => {
    reserve('2');
    reserve('3', 'o-2');
    show(95, 0, { knownReserved: '5' });
    expect(listing.kept).toBe(0);
  });

  test('units of several known orders, one of which a late read returns once more, are not kept back', () => {
    show(105, 0);
    show(105, 5);
    reserve('2');
    reserve('3', 'o-2');
    listing.order({ status: 'Fulfilled', lines: [{ quantity: d('2') }] });
    show(105, 5, { knownReserved: '3' });
    show(103, 3, { knownReserved: '3' });
    expect(listing.kept).toBe(0);
  });

  test('units that a known order turns out to have reserved are not kept back', () => {
    show(105, 0);
    reserve('2');
    for (const reserved of [5, 5]) show(105, reserved, { knownReserved: '2' });
    show(100, 0, { knownReserved: '2' });
    expect(listing.kept).toBe(3);
    listing.order({ status: 'Fulfilled', lines: [{ quantity: d('5') }] });
    expect(listing.kept).toBe(0);
  });
});

describe('units that are kept back are free again', () => {
  beforeEach(() => {
    listing = listingInMemory();
    for (const reserved of [0, 5, 5]) show(100, reserved);
    show(95, 0);
  });

  test.each([
    ['fulfilled', '5', 'Fulfilled', false, 0],
    ['fulfilled, of a part', '3', 'Fulfilled', true, 2],
    ['fulfilled, of more', '9', 'Fulfilled', true, 0],
    ['canceled, and was not hidden: its units are back', '5', 'Canceled', false, 5],
    ['canceled, and was hidden', '5', 'Canceled', true, 0],
    ['submitted: it still reserves them', '5', 'Submitted', true, 5],
  ])('units that are kept back are free again by an order that is %s', (_, quantity, status, wasHidden, left) => {
    listing.order({ status, lines: [{ quantity: d(quantity) }] }, { wasHidden });
    expect(listing.kept).toBe(left);
  });

  test('units that are kept back are free again by several orders, each of a part', () => {
    for (const [number, quantity] of [
      ['o-1', '3'],
      ['o-2', '2'],
    ] as const) {
      listing.order({ number, status: 'Fulfilled', lines: [{ quantity: d(quantity) }] });
    }
    expect(listing.kept).toBe(0);
  });

  test('reserved units are not attributed to an order that was known before the reservation', () => {
    reserve('5');
    listing.order({ status: 'Fulfilled', lines: [{ quantity: d('5') }] }, { wasHidden: true });
    expect(listing.kept).toBe(5);
  });
});
