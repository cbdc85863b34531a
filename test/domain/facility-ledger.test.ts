import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, ONE, ZERO } from '../../src/domain/decimal.ts';
import {
  type FacilityFigures,
  facilitySums,
  facilityTargets,
  type Place,
  placeOf,
  shortages,
  targetOf,
} from '../../src/domain/facility-ledger.ts';
import type { LedgerLine } from '../../src/domain/ledger.ts';
import { exact } from '../support/units.ts';
import { EVENTS, type Event, FacilityWorld, PLACES } from './facility-world.ts';

const [east, west] = [placeOf(1, 1), placeOf(2, 1)];
const figures = (given: Record<string, string>) =>
  new Map(Object.entries(given).map(([place, value]) => [place as Place, exact(value)]));
const line = (effect: LedgerLine['effect'], quantity: string, counted: boolean): LedgerLine => ({
  order: 'o-1',
  quantity: exact(quantity),
  effect,
  counted,
});
const onHand = (given: Partial<FacilityFigures>) => {
  const erpAvailable = figures({ [east]: '40', [west]: '10' });
  const targets = facilityTargets({
    erpAvailable,
    buffer: ZERO,
    reserved: new Map(),
    lines: [],
    unitsIn: ONE,
    ...given,
  });
  return [...targets.values()].map((target) => target.onHand.toFixed());
};

test.each<[string, Partial<FacilityFigures>, string[]]>([
  ['the ERP’s figure, with nothing in flight', {}, ['40', '10']],
  ['less the buffer, from the first that has it', { buffer: exact(43) }, ['0', '7']],
  [
    'the same where a reserved line is not counted: the marketplace subtracts it itself',
    { reserved: figures({ [east]: '5' }), lines: [line('reserved', '5', false)] },
    ['40', '10'],
  ],
  [
    'more where a reserved line is counted: it would be subtracted twice',
    { reserved: figures({ [west]: '5' }), lines: [line('reserved', '5', true)] },
    ['40', '15'],
  ],
  [
    'not more for what no known order explains',
    { reserved: figures({ [east]: '5', [west]: '4' }), lines: [line('reserved', '5', true)] },
    ['41', '10'],
  ],
  [
    'less everywhere where a consumed line is not counted: nobody says where it was taken',
    { lines: [line('consumed', '3', false)] },
    ['37', '7'],
  ],
  ['the ERP’s figure once a consumed line is counted', { lines: [line('consumed', '3', true)] }, ['40', '10']],
  ['less everywhere for a reservation that vanished', { lines: [line('reserved', '3', false)] }, ['37', '7']],
  [
    'units that one place lacks are kept back at a place that has them',
    { lines: [line('consumed', '12', false)] },
    ['26', '0'],
  ],
  ['never below zero', { erpAvailable: figures({ [west]: '10' }), lines: [line('consumed', '12', false)] }, ['0']],
  ['two fractional digits, cut off', { erpAvailable: figures({ [east]: '1.9999' }) }, ['1.99']],
])('the units on hand at a facility become: %s', (_, given, expected) => expect(onHand(given)).toEqual(expected));

test('where the marketplace counts cases, a shortage is the missing units, and no whole case more', () => {
  const lines = [line('reserved', '12', false)];
  const reserved = figures({ [west]: '12' });
  const target = facilityTargets({
    erpAvailable: figures({ [west]: '7' }),
    buffer: ZERO,
    reserved,
    lines,
    unitsIn: exact(12),
  });
  expect(target.get(west)?.available.toFixed()).toBe('-5');
  expect(target.get(west)?.onHand.toFixed()).toBe('0');
});

test('a shortage at a facility is a target below zero', () => {
  const lines = [line('consumed', '12', false)];
  const erpAvailable = figures({ [west]: '10' });
  const target = facilityTargets({ erpAvailable, buffer: ZERO, reserved: new Map(), lines, unitsIn: ONE }).get(west);
  expect(target?.available.toFixed()).toBe('-2');
});

test.each<[string, Partial<FacilityFigures>, string[]]>([
  ['none where a place has less than the buffer', { buffer: exact(60) }, []],
  ['none while another place has the units that were taken somewhere', { lines: [line('consumed', '12', false)] }, []],
  [
    'none while either place may have an uncounted reservation',
    {
      erpAvailable: figures({ [east]: '0', [west]: '10' }),
      reserved: figures({ [east]: '5', [west]: '5' }),
      lines: [line('reserved', '5', true), line('reserved', '5', false)],
    },
    [],
  ],
  [
    'at the place where it must be',
    {
      erpAvailable: figures({ [east]: '0', [west]: '10' }),
      reserved: figures({ [east]: '5' }),
      lines: [line('reserved', '5', false)],
    },
    [`5 at ${east}`],
  ],
  [
    'at a place where the ERP has less than nothing',
    { erpAvailable: figures({ [east]: '-3', [west]: '10' }) },
    [`3 at ${east}`],
  ],
  ['at all places together', { lines: [line('consumed', '52', false)] }, ['2 at all']],
  ['for a reservation that vanished, once', { lines: [line('reserved', '60', false)] }, ['10 at all']],
  [
    'at the only place',
    { erpAvailable: figures({ [west]: '10' }), lines: [line('consumed', '12', false)] },
    [`2 at ${west}`],
  ],
])('the units missing at facilities: %s', (_, given, expected) => {
  const erpAvailable = figures({ [east]: '40', [west]: '10' });
  const all = { erpAvailable, buffer: ZERO, reserved: new Map(), lines: [], unitsIn: ONE, ...given };
  expect(shortages(all, true).map(({ place, by }) => `${by.toFixed()} at ${place ?? 'all'}`)).toEqual(expected);
});

test('what is missing in total is not told while another place may have it', () => {
  const lines = [line('consumed', '12', false)];
  const given = { erpAvailable: figures({ [west]: '10' }), buffer: ZERO, reserved: new Map(), lines, unitsIn: ONE };
  expect(shortages(given, false)).toEqual([]);
});

const beginning = fc.record({
  onHand: fc.array(fc.bigInt({ min: 0n, max: 90_00n }), { minLength: 3, maxLength: 3 }),
  buffer: fc.constantFrom(0n, 2_50n, 60_00n),
});
const someEvents = (kinds: readonly Event['kind'][]) =>
  fc.array(
    fc.record({
      kind: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...kinds) }, fc.constant(kinds[0] ?? 'submit')),
      order: fc.nat(5),
      quantity: fc.bigInt({ min: 0n, max: 30_00n }),
      place: fc.nat(2),
    }),
    { maxLength: 30 },
  );

type Writer = (given: FacilityFigures) => Map<Place, Decimal>;
const ledger: Writer = (given) =>
  new Map([...facilityTargets(given)].map(([place, target]) => [place, target.onHand] as const));

/** Plays any story. Then the ERP is read, more may happen there, and every place is reconciled. */
const stories = (write: Writer, check: (world: FacilityWorld, reading: Reading) => void) =>
  fc.property(beginning, someEvents(EVENTS), someEvents(EVENTS), (begin, before, after) => {
    const world = new FacilityWorld(begin);
    for (const event of before) world.happen(event);
    const reading = world.read();
    for (const event of after) world.happen(event);
    const targets = write(world.figures(reading));
    for (const [i, place] of PLACES.entries()) world.reconcile(i, targets.get(place) ?? ZERO);
    check(world, reading);
  });

type Reading = ReturnType<FacilityWorld['read']>;

const neverMore = (world: FacilityWorld, reading: Reading) => {
  const free = world.free(reading);
  for (const place of PLACES.keys()) expect(world.takeable(place) <= max(0n, free[place] ?? 0n)).toBe(true);
  const offered = [...PLACES.keys()].reduce((total, place) => total + max(0n, world.takeable(place)), 0n);
  expect(offered <= max(0n, world.freeInAll(reading))).toBe(true);
};

const exactly = (world: FacilityWorld, reading: Reading) => {
  for (const [place, free] of world.free(reading).entries()) if (free >= 0n) expect(world.takeable(place)).toBe(free);
};

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

test('after a reconcile no facility offers more than the ERP has there beside the lines that it does not count (I4)', () => {
  fc.assert(stories(ledger, neverMore), { numRuns: 500 });
});

test('after a reconcile no facility offers less than its stock allows, where the facility of each open line is known (I4)', () => {
  fc.assert(
    stories(ledger, (world, reading) => {
      if (world.isAttributable(reading)) exactly(world, reading);
    }),
    { numRuns: 500 },
  );
});

test('an order that was fulfilled after the orders were read does no harm at any facility', () => {
  const late = fc.array(fc.nat(5), { maxLength: 6 });
  const property = fc.property(beginning, someEvents(EVENTS), late, (begin, events, fulfilled) => {
    const world = new FacilityWorld(begin);
    for (const event of events) world.happen(event);
    const reading = world.read();
    const asRead = world.orders.map((order) => ({ ...order }));
    for (const order of fulfilled) world.happen({ kind: 'fulfil', order, quantity: 0n, place: 0 });
    const targets = ledger(world.figures(reading, asRead));
    for (const [i, place] of PLACES.entries()) world.reconcile(i, targets.get(place) ?? ZERO);
    neverMore(world, reading);
  });
  fc.assert(property, { numRuns: 500 });
});

test('with no pending orders, reconcile is idempotent in every facility', () => {
  const property = fc.property(beginning, someEvents(EVENTS), (begin, events) => {
    const world = new FacilityWorld(begin);
    for (const event of events) world.happen(event);
    world.happen({ kind: 'export all', order: 0, quantity: 0n, place: 1 });
    const settle = () => {
      const reading = world.read();
      const targets = ledger(world.figures(reading));
      for (const [i, place] of PLACES.entries()) world.reconcile(i, targets.get(place) ?? ZERO);
      return reading;
    };
    const reading = settle();
    const onHandThen = [...world.onHand];
    settle();
    expect(world.onHand).toEqual(onHandThen);
    exactly(world, reading);
  });
  fc.assert(property, { numRuns: 500 });
});

// The same model must show that stock oversells without the ledger.
test('pushing the ERP’s facility figures unchanged, with the reservations added, oversells', () => {
  const push: Writer = ({ erpAvailable, reserved }) =>
    new Map([...erpAvailable].map(([place, figure]) => [place, Decimal.max(figure.plus(reserved.get(place) ?? 0), 0)]));
  expect(fc.check(stories(push, neverMore), { numRuns: 1_000 }).failed).toBe(true);
});

test('the written figure of each facility is the sum of its ledger', () => {
  const units = fc.integer({ min: 0, max: 60 }).map((count) => exact(count));
  const drawn = fc.record({
    effect: fc.constantFrom('reserved', 'consumed', 'none' as const),
    quantity: units,
    counted: fc.boolean(),
  });
  fc.assert(
    fc.property(units, units, units, units, fc.array(drawn, { maxLength: 8 }), (here, there, buffer, reserved, all) => {
      const lines = all.map(({ effect, quantity, counted }) => line(effect, quantity.toFixed(), counted));
      const given: FacilityFigures = {
        erpAvailable: new Map([
          [east, here],
          [west, there],
        ]),
        buffer,
        reserved: new Map([[west, reserved]]),
        lines,
        unitsIn: ONE,
      };
      const targets = facilityTargets(given);
      for (const [place, one] of facilitySums(given)) {
        const taken = one.anywhere.plus(one.uncounted).plus(one.kept);
        expect(one.erpAvailable.minus(taken).toFixed()).toBe(one.available.toFixed());
        expect(targetOf(one, ONE).onHand.toFixed()).toBe(targets.get(place)?.onHand.toFixed());
        for (const part of [one.anywhere, one.uncounted, one.kept]) expect(part.isNegative()).toBe(false);
      }
    }),
  );
});
