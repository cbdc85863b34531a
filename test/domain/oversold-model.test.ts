import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ONE } from '../../src/domain/decimal.ts';
import type { Excess } from '../../src/domain/excess.ts';
import { replayStock, WAYS, type Way } from '../../src/domain/oversold.ts';
import type { Holding, Share, StockEvent, StockPast } from '../../src/domain/stock-past.ts';
import type { StrategyName } from '../../src/domain/strategy.ts';
import { exact } from '../support/units.ts';
import { EVENTS, type Event, max, type Procedure, toDecimal, World, type Writer } from './world.ts';

/*
 * Random stories of a model world, which uses no code of the program, make a record. The replay of the record has to say the
 * same as the world itself when its stock is written in that way.
 */

const SUBMITTED = { exportFrom: 'Submitted', reserveFrom: 'Submitted' } as const;
const FULFILLED = { exportFrom: 'Fulfilled', reserveFrom: 'Fulfilled' } as const;
const TOLD: Record<StrategyName, Omit<Procedure, 'field'>> = {
  'fulfilled-quantity': FULFILLED,
  'submitted-available': SUBMITTED,
  'submitted-quantity': { ...SUBMITTED, reserveFrom: 'Fulfilled' },
};
const procedureOf = ({ strategy, write }: Way): Procedure => ({ ...TOLD[strategy], field: write });

const REPLAYED = EVENTS.filter((kind) => kind !== 'write' && kind !== 'add line');
/** No order dies, and the ERP releases nothing. Then another strategy differs only in the moment when the ERP hears of orders. */
const LIVING = ['submit', 'accept', 'fulfil', 'export', 'ERP receives', 'ERP sells', 'read the ERP'] as const;

const storyOf = (kinds: readonly Event['kind'][]) =>
  fc.record({
    onHand: fc.bigInt({ min: 0n, max: 60_0000n }),
    buffer: fc.constantFrom(0n, 2_5000n),
    events: fc
      .array(
        fc.record({
          kind: fc.constantFrom(...kinds),
          order: fc.nat(5),
          quantity: fc.bigInt({ min: 1n, max: 20_0000n }),
          lag: fc.constantFrom(0, 0, 0, 1, 3),
        }),
        { maxLength: 40, size: 'max' },
      )
      .map(inOrder),
  });

/** No reading is older than the one before it. */
function inOrder(events: Event[]): Event[] {
  let newest = -1;
  return events.map((event, number) => {
    if (event.kind !== 'read the ERP') return event;
    newest = Math.max(number - 1 - event.lag, newest);
    return { ...event, lag: number - 1 - newest };
  });
}

/** The time of our clock and of the ERP's clock, by the number of the event. */
const atMs = (event: number) => event * 1_000;
const asOf = (event: number) => new Date(atMs(event)).toISOString();

/** Watches a world, and keeps the same record of it as the store. */
function createRecorder(world: World) {
  const events: StockEvent[] = [];
  const shares = new Map<string, Share>();
  const holdings = new Map<string, Holding[]>();
  const share = (order: World['orders'][number]): Share | null => {
    const quantity = toDecimal(order.lines.reduce((total, line) => total + line.quantity, 0n));
    if (['Submitted', 'Accepted'].includes(order.status)) return { effect: 'reserved', quantity };
    return ['Fulfilled', 'Shipped', 'Complete'].includes(order.status) ? { effect: 'consumed', quantity } : null;
  };
  return {
    past: (): StockPast => ({ unitsIn: ONE, shares: new Map(), events, holdings, madeInErp: new Set() }),
    watch(number: number, event: Event): void {
      for (const order of world.orders) {
        const [name, now] = [String(order.id), share(order)];
        const before = shares.get(name);
        if (before?.effect === now?.effect && (now === null || before?.quantity.equals(now.quantity))) continue;
        if (now === null) shares.delete(name);
        else shares.set(name, now);
        events.push({ kind: 'order', atMs: atMs(number), order: name, share: now });
      }
      for (const [id, { status, told }] of world.erpOrders) {
        const counts = status === 'reserved' || status === 'shipped';
        const quantity = counts ? toDecimal([...told.values()].reduce((total, one) => total + one, 0n)) : exact(0);
        const known = holdings.get(String(id)) ?? [];
        if (known.at(-1)?.quantity.equals(quantity)) continue;
        holdings.set(String(id), [...known, { quantity, since: asOf(number) }]);
      }
      if (event.kind !== 'read the ERP' || world.reading === null) return;
      // The state before the first event is number -1.
      const looked = Math.max(number - 1 - event.lag, -1);
      events.push({
        kind: 'reading',
        atMs: atMs(number),
        available: toDecimal(world.reading.available),
        asOf: asOf(looked),
      });
    },
  };
}

/** The result of a world, in the form of the report. */
function createWitness(world: World) {
  const seen = { oversold: [] as bigint[], short: [] as bigint[] };
  /** By line: the present units, and the units that the line gave up before they left. */
  const lines = new Map<number, { reserved: boolean; quantity: bigint; givenUp: bigint }>();
  const watch = ({ status, lines: ofOrder }: World['orders'][number]): void => {
    const alive = !['Canceled', 'Rejected'].includes(status);
    for (const { id, quantity } of ofOrder) {
      const before = lines.get(id) ?? { reserved: true, quantity: 0n, givenUp: 0n };
      const now = alive ? quantity : 0n;
      const changed = before.reserved ? max(0n, before.givenUp + before.quantity - now) : 0n;
      const givenUp = before.quantity === now ? before.givenUp : changed;
      lines.set(id, { reserved: !alive || ['Submitted', 'Accepted'].includes(status), quantity: now, givenUp });
    }
  };
  /** The given-up units that the ERP still counts. */
  const released = (counted: ReadonlyMap<number, bigint>): bigint =>
    [...lines].reduce((total, [id, { quantity, givenUp }]) => {
      const beyond = max(0n, (counted.get(id) ?? 0n) - quantity);
      return total + (beyond < givenUp ? beyond : givenUp);
    }, 0n);
  return {
    look(): void {
      for (const order of world.orders) watch(order);
      if (world.reading === null) return;
      const free = world.free(world.reading) + world.buffer + released(world.reading.counted);
      seen.oversold.push(max(0n, world.takeable - max(0n, free)));
      seen.short.push(max(0n, -free));
    },
    report: () => ({ oversold: summary(seen.oversold), short: summary(seen.short) }),
  };
}

function summary(amounts: readonly bigint[]) {
  const spells = amounts
    .map((amount) => (amount === 0n ? ' ' : amount.toString()))
    .join(',')
    .split(' ')
    .map((spell) => spell.split(',').filter(Boolean).map(BigInt))
    .filter((spell) => spell.length > 0)
    .map((spell) => spell.reduce(max, 0n));
  return {
    times: spells.length,
    largest: toDecimal(spells.reduce(max, 0n)).toFixed(),
    units: toDecimal(spells.reduce((total, one) => total + one, 0n)).toFixed(),
  };
}

const figures = ({ times, largest, units }: Excess) => ({ times, largest: largest.toFixed(), units: units.toFixed() });

const NEVER: Writer = () => 0n;
const push: Writer = ({ available }, _lines, buffer) => max(0n, available - buffer);
const PUSHES = WAYS.filter(({ ledger }) => !ledger);

describe.each(PUSHES)('pushing by $strategy, $write', (way) => {
  test('a replay of the records finds how much was oversold', () => {
    const property = fc.property(storyOf(REPLAYED), (story) => {
      const world = new World(procedureOf(way), story);
      const [recorder, witness] = [createRecorder(world), createWitness(world)];
      for (const [number, event] of story.events.entries()) {
        world.happen(event, NEVER);
        recorder.watch(number, event);
        if (event.kind === 'read the ERP') world.write(push);
        witness.look();
      }
      const { oversold, short } = replayStock(
        recorder.past(),
        way,
        { keptBy: way.strategy, lagMs: 0 },
        toDecimal(story.buffer),
      );
      expect({ oversold: figures(oversold), short: figures(short) }).toEqual(witness.report());
    });
    fc.assert(property, { numRuns: 300 });
  });

  test.each(['fulfilled-quantity', 'submitted-available'] as const)(
    'a replay of records kept by %s finds how much was oversold under the other strategy',
    (keptBy) => {
      const property = fc.property(storyOf(LIVING), (story) => {
        const kept = new World({ ...TOLD[keptBy], field: 'quantity' }, story);
        const world = new World(procedureOf(way), story);
        const [recorder, witness] = [createRecorder(kept), createWitness(world)];
        for (const [number, event] of story.events.entries()) {
          const now = { ...event, lag: 0 };
          kept.happen(now, NEVER);
          recorder.watch(number, now);
          world.happen(now, NEVER);
          // Told at once.
          for (const order of world.orders.keys()) world.happen({ ...now, kind: 'export', order }, NEVER);
          witness.look();
        }
        const { short } = replayStock(recorder.past(), way, { keptBy, lagMs: 0 }, toDecimal(story.buffer));
        expect(figures(short)).toEqual(witness.report().short);
      });
      fc.assert(property, { numRuns: 200 });
    },
  );

  test('some records lead to overselling', () => {
    const property = fc.property(storyOf(REPLAYED), (story) => {
      const past = recordOf(way, story);
      expect(replayStock(past, way, { keptBy: way.strategy, lagMs: 0 }, exact(0)).oversold.times).toBe(0);
    });
    expect(fc.check(property, { numRuns: 1_000 }).failed).toBe(true);
  });

  test('with the ledger, nothing is oversold, whatever strategy kept the record and however late the ERP is', () => {
    const ledger = { ...way, ledger: true };
    const lags = fc.constantFrom(0, 1_000, 7_000);
    const keeping = fc.constantFrom(...(Object.keys(TOLD) as StrategyName[]));
    const property = fc.property(storyOf(REPLAYED), keeping, lags, (story, keptBy, lagMs) => {
      const past = recordOf({ ...way, strategy: keptBy }, story);
      const { oversold } = replayStock(past, ledger, { keptBy, lagMs }, toDecimal(story.buffer));
      expect(figures(oversold)).toEqual({ times: 0, largest: '0', units: '0' });
    });
    fc.assert(property, { numRuns: 300 });
  });
});

type Story = { onHand: bigint; buffer: bigint; events: Event[] };

function recordOf(way: Way, story: Story): StockPast {
  const world = new World(procedureOf(way), story);
  const recorder = createRecorder(world);
  for (const [number, event] of story.events.entries()) {
    world.happen(event, NEVER);
    recorder.watch(number, event);
  }
  return recorder.past();
}
