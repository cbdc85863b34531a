import { describe, expect, test } from 'vitest';
import { ZERO } from '../../src/domain/decimal.ts';
import { createTotalExcess, type Excess } from '../../src/domain/excess.ts';
import { replayStock, WAYS, type Way } from '../../src/domain/oversold.ts';
import {
  countingLagsMs,
  type Holding,
  medianMs,
  type Share,
  type StockEvent,
  type StockPast,
} from '../../src/domain/stock-past.ts';
import type { StrategyName } from '../../src/domain/strategy.ts';
import { exact } from '../support/units.ts';

const d = (value: number | string) => exact(value);
/** The ERP's clock, by seconds. Our clock shows the same time in milliseconds. */
const at = (second: number) => new Date(Date.UTC(2030, 0, 1) + second * 1_000).toISOString();
const ms = (second: number) => second * 1_000;

const read = (second: number, available: number | null, asOf = second): StockEvent => ({
  kind: 'reading',
  atMs: ms(second),
  available: available === null ? null : d(available),
  asOf: at(asOf),
});
const order = (second: number, name: string, share: Share | null): StockEvent => ({
  kind: 'order',
  atMs: ms(second),
  order: name,
  share,
});
const reserved = (quantity: number): Share => ({ effect: 'reserved', quantity: d(quantity) });
const consumed = (quantity: number): Share => ({ effect: 'consumed', quantity: d(quantity) });
const held = (second: number | null, quantity: number): Holding => ({
  quantity: d(quantity),
  since: second === null ? null : at(second),
});

function pastOf(events: StockEvent[], holdings: Record<string, Holding[]> = {}, more: Partial<StockPast> = {}) {
  return {
    shares: new Map(),
    events,
    holdings: new Map(Object.entries(holdings)),
    madeInErp: new Set(),
    ...more,
  } as StockPast;
}

const A = 'fulfilled-quantity';
const B = 'submitted-available';
const C = 'submitted-quantity';
const push = (strategy: StrategyName, write: Way['write']): Way => ({ strategy, write, ledger: false });
const PUSHES = {
  a: push(A, 'quantity'),
  b: push(B, 'available_inventory'),
  'b by quantity': push(B, 'quantity'),
  c: push(C, 'quantity'),
};

function replay(past: StockPast, way: Way, keptBy: StrategyName, { lagMs = 0, buffer = ZERO } = {}) {
  return replayStock(past, way, { keptBy, lagMs }, buffer);
}
const figures = ({ times, largest, units, orders }: Excess) => [times, largest.toNumber(), units.toNumber(), orders];

test('every strategy is replayed with each field that it may write, with the ledger and without', () => {
  const names = WAYS.map(({ strategy, write, ledger }) => `${strategy} ${write} ${ledger ? 'ledger' : 'push'}`);
  expect(new Set(names).size).toBe(8);
});

// 100 there. 7 are ordered; 20 are received and read before the ERP reserved the 7; then it does, and is read again.
const RECEIVED_MEANWHILE = pastOf(
  [read(0, 100), order(10, 'o', reserved(7)), read(20, 120), order(25, 'p', reserved(1)), read(30, 113)],
  { o: [held(29, 7)] },
);
// The same with an order that is fulfilled on the marketplace before the ERP hears of it.
const FULFILLED_MEANWHILE = pastOf(
  [
    read(0, 100),
    order(10, 'o', reserved(7)),
    order(15, 'o', consumed(7)),
    read(20, 120),
    order(25, 'p', reserved(1)),
    read(30, 113),
  ],
  { o: [held(29, 7)] },
);

test.each([
  // Of 120, 113 are there: 120 are written as available. p comes meanwhile, and at 30 the ERP counts it not yet.
  { way: 'b', keptBy: B, past: RECEIVED_MEANWHILE, oversold: [1, 7, 7, 1], worst: [20, 120, 113] },
  // The marketplace subtracts the 7 itself.
  { way: 'b by quantity', keptBy: B, past: RECEIVED_MEANWHILE, oversold: [0, 0, 0, 0], worst: null },
  // The ERP hears of it once it is fulfilled: until then the marketplace keeps it.
  { way: 'a', keptBy: A, past: pastOf(RECEIVED_MEANWHILE.events.slice(0, 4)), oversold: [0, 0, 0, 0], worst: null },
  // Fulfilled, nobody subtracts it any more, and the ERP does not yet.
  { way: 'a', keptBy: A, past: FULFILLED_MEANWHILE, oversold: [1, 7, 7, 1], worst: [20, 120, 113] },
  { way: 'c', keptBy: C, past: FULFILLED_MEANWHILE, oversold: [1, 7, 7, 1], worst: [20, 120, 113] },
  { way: 'b', keptBy: B, past: FULFILLED_MEANWHILE, oversold: [1, 7, 7, 1], worst: [20, 120, 113] },
  { way: 'b by quantity', keptBy: B, past: FULFILLED_MEANWHILE, oversold: [1, 7, 7, 1], worst: [20, 120, 113] },
] as const)(
  '$way, kept by $keptBy, oversells as computed by hand: $oversold',
  ({ way, keptBy, past, oversold, worst }) => {
    const found = replay(past, PUSHES[way], keptBy).oversold;
    expect(figures(found)).toEqual(oversold);
    const shown = found.worst && [
      found.worst.atMs / 1_000,
      found.worst.offered.toNumber(),
      found.worst.free.toNumber(),
    ];
    expect(shown).toEqual(worst);
    expect(figures(replay(past, { ...PUSHES[way], ledger: true }, keptBy).oversold)).toEqual([0, 0, 0, 0]);
  },
);

test('a buffer covers a smaller oversold amount', () => {
  const buffered = (buffer: number) => replay(FULFILLED_MEANWHILE, PUSHES.a, A, { buffer: d(buffer) }).oversold;
  expect(figures(buffered(7))).toEqual([0, 0, 0, 0]);
  expect(figures(buffered(3))).toEqual([1, 4, 4, 1]);
});

test('two periods of overselling count as two, each at its maximum', () => {
  const past = pastOf(
    [
      read(0, 10),
      order(1, 'o', consumed(2)),
      read(2, 11),
      order(3, 'p', consumed(4)),
      read(4, 12),
      read(5, 6),
      order(6, 'q', consumed(1)),
      read(7, 8),
    ],
    { o: [held(5, 2)], p: [held(5, 4)] },
  );
  // 2 at 2, 6 at 4, none at 5, 1 at 7.
  expect(figures(replay(past, PUSHES.a, A).oversold)).toEqual([2, 6, 7, 1]);
});

test('units that were ordered before the ERP had less are short in every replay, and no more units are offered', () => {
  const past = pastOf([read(0, 10), order(1, 'o', reserved(8)), read(2, 5), order(3, 'o', null)]);
  for (const way of WAYS.filter(({ ledger }) => ledger)) {
    const { oversold, short } = replay(past, way, B, { lagMs: 60_000 });
    expect([figures(oversold), figures(short)]).toEqual([
      [0, 0, 0, 0],
      [1, 3, 3, 0],
    ]);
  }
  // The cancellation gives back 8, which the 5 that were pushed have in them.
  const { oversold, short } = replay(past, PUSHES.b, B);
  expect([figures(oversold), figures(short)]).toEqual([
    [1, 8, 8, 0],
    [1, 3, 3, 0],
  ]);
});

test('cancelled units are available again, though the ERP has not released them', () => {
  const cancelled = pastOf([read(0, 10), order(1, 'o', reserved(8)), read(3, 2), order(4, 'o', null), read(6, 10)], {
    o: [held(2, 8), held(5, 0)],
  });
  expect(figures(replay(cancelled, PUSHES.b, B).oversold)).toEqual([0, 0, 0, 0]);
  // Fulfilled units may have left. Nobody knows whether they come back.
  const rejected = pastOf(
    [read(0, 10), order(1, 'o', reserved(8)), read(3, 2), order(4, 'o', consumed(8)), order(5, 'o', null)],
    { o: [held(2, 8)] },
  );
  expect(figures(replay(rejected, PUSHES.b, B).oversold)).toEqual([1, 8, 8, 0]);
});

test('an unusable figure is unknown, never zero', () => {
  const events = [order(0, 'o', reserved(3)), read(1, null), order(2, 'p', reserved(3))];
  for (const way of WAYS) {
    const { oversold, short } = replay(pastOf(events), way, B);
    expect([figures(oversold), figures(short)]).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
  }
});

test('units that the ERP counts from before the record are subtracted only once', () => {
  const shares = new Map([['o', reserved(7)]]);
  const past = pastOf([read(0, 93), read(1, 100)], { o: [held(null, 7)] }, { shares });
  for (const way of Object.values(PUSHES)) {
    const { oversold, short } = replay(past, way, B);
    expect([figures(oversold), figures(short)]).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
  }
});

test('an order made in the ERP is counted there from the beginning, by every strategy', () => {
  const events = [read(0, 100), read(10, 93, 9), order(12, 'o', reserved(7)), read(20, 113)];
  const past = pastOf(events, { o: [held(9, 7)] }, { madeInErp: new Set(['o']) });
  for (const way of [PUSHES.b, PUSHES['b by quantity']]) {
    for (const keptBy of [A, B] as const) expect(figures(replay(past, way, keptBy).oversold)).toEqual([0, 0, 0, 0]);
  }
  // The figure that was pushed at 10 counts the order, and the marketplace subtracts it as well: too little, never too much.
  expect(figures(replay(past, PUSHES.a, B).short)).toEqual([0, 0, 0, 0]);
});

describe('under a strategy that the ERP was not told by', () => {
  // Kept by b: reserved at 10, counted at 12. 20 are received at 100; fulfilled at 200; 30 received at 201.
  const KEPT_BY_B = pastOf(
    [
      read(0, 100),
      order(10, 'o', reserved(7)),
      read(12, 93),
      read(100, 113),
      order(200, 'o', consumed(7)),
      read(201, 143),
    ],
    { o: [held(11, 7)] },
  );
  // Kept by a: counted once it is fulfilled.
  const KEPT_BY_A = pastOf(
    [
      read(0, 100),
      order(10, 'o', reserved(7)),
      read(12, 120),
      order(200, 'o', consumed(7)),
      read(203, 113),
      read(300, 114),
    ],
    { o: [held(202, 7)] },
  );

  test('the delay until the ERP counts an order is as long as recorded', () => {
    expect(countingLagsMs(KEPT_BY_B, B)).toEqual([2_000]);
    expect(countingLagsMs(KEPT_BY_A, A)).toEqual([3_000]);
    expect(medianMs([5, 1, 9])).toBe(5);
    expect(medianMs([])).toBeNull();
  });

  test('records kept by strategy b are replayed by a', () => {
    // Read at 201 without the 7 that were fulfilled at 200: 150 of 143 are offered until 202.
    expect(figures(replay(KEPT_BY_B, PUSHES.a, B, { lagMs: 2_000 }).oversold)).toEqual([1, 7, 7, 0]);
    expect(figures(replay(KEPT_BY_B, PUSHES.a, B, { lagMs: 0 }).oversold)).toEqual([0, 0, 0, 0]);
    expect(figures(replay(KEPT_BY_B, PUSHES.b, B, { lagMs: 2_000 }).oversold)).toEqual([0, 0, 0, 0]);
  });

  test('records kept by strategy a are replayed by b', () => {
    // Read at 12 without the 7 that were ordered at 10: 120 of 113 are offered until 13.
    expect(figures(replay(KEPT_BY_A, PUSHES.b, A, { lagMs: 3_000 }).oversold)).toEqual([1, 7, 7, 0]);
    expect(figures(replay(KEPT_BY_A, PUSHES.b, A, { lagMs: 1_000 }).oversold)).toEqual([0, 0, 0, 0]);
    expect(figures(replay(KEPT_BY_A, PUSHES.b, A, { lagMs: 0 }).short)).toEqual([0, 0, 0, 0]);
  });
});

test('a replay of many products lists the sums, the maximum, and the worst products first', () => {
  const total = createTotalExcess(2);
  const one = (amount: number): Excess => ({
    times: 2,
    largest: d(amount),
    units: d(amount).plus('0.5'),
    orders: 3,
    worst: { atMs: amount, offered: d(amount), free: ZERO },
  });
  const none: Excess = { times: 0, largest: ZERO, units: ZERO, orders: 0, worst: null };
  for (const [sku, excess] of Object.entries({ W: one(3), X: one(1), Y: none, Z: one(5) })) total.add(sku, excess);
  const { worst, units, largest, ...counts } = total.total();
  expect(counts).toEqual({ skus: 3, times: 6, orders: 9 });
  expect([units.toFixed(), largest.toFixed()]).toEqual(['10.5', '5']);
  expect(worst.map(({ sku, amount }) => [sku, amount.toNumber()])).toEqual([
    ['Z', 5],
    ['W', 3],
  ]);
});
