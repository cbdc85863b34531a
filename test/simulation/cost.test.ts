import type { Database as Sqlite, Statement } from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installClock } from './clock.ts';
import { openDisk } from './disk.ts';
import { openTown, START_MS } from './town.ts';
import { begin } from './turns.ts';
import { type World, worldOf } from './world.ts';

/* The cost of an order and of an idle minute, counted in virtual time: the same on every machine. No count may rise by a tenth. */

const CALM: World = {
  ...worldOf(1),
  variant: { strategy: 'b', write: 'available_inventory' },
  pageSize: null,
  quota: null,
  brakes: null,
  products: 20,
  orders: 0,
  overlap: '2m',
  poll: '5s',
  payments: false,
  strangers: false,
  vanishing: false,
  happenings: null,
  customers: false,
  ahead: false,
  // The pass over everything comes every five minutes.
  ignores: 'quantity',
  answers: null,
};
const ORDERS = 100;
const A_TENTH_MORE = 1.1;
const LOOKS_AT_ORDERS = /^select .* from "order_bases"/;
const LOOKS_AT_STOCK = /^select .* from "drifts"/;

let statements: Map<string, number>;
let stopCounting: () => void;

beforeEach(() => {
  statements = new Map();
  const sample = openDisk().prepare('SELECT 1') as unknown as Statement & { readonly database: Sqlite };
  const shared = Object.getPrototypeOf(sample) as Record<string, (...args: unknown[]) => unknown>;
  const own = Object.fromEntries(['get', 'all', 'run'].map((name) => [name, shared[name]]));
  for (const [name, ask] of Object.entries(own)) {
    shared[name] = function (this: typeof sample, ...values) {
      if (this.database === sample.database) statements.set(this.source, (statements.get(this.source) ?? 0) + 1);
      return ask?.apply(this, values);
    };
  }
  stopCounting = () => void Object.assign(shared, own);
});
afterEach(() => stopCounting());

const asked = () => countOf(/^(select|insert|update|delete) /);
const countOf = (which: RegExp) =>
  [...statements].reduce((sum, [text, count]) => (which.test(text) ? sum + count : sum), 0);

/** Counts what is asked while this is played, from an account at rest. */
async function atRest(play: (town: ReturnType<typeof openTown>, buyers: readonly number[]) => Promise<void>) {
  const clock = installClock(START_MS);
  const town = openTown(1, CALM, clock, { tell: () => {}, struck: new Map() });
  try {
    const buyers = await begin(town);
    await clock.advance(70_000);
    statements.clear();
    await play(town, buyers);
    expect(town.laws.broken).toEqual([]);
  } finally {
    town.close();
    clock.uninstall();
  }
}

test('an idle minute of an account takes no more statements than the recorded number', async () => {
  await atRest(({ clock }) => clock.advance(60_000));
  expect(asked()).toBeLessThan(1_114 * A_TENTH_MORE);
});

test('an order of a burst takes no more statements and attempts than the recorded number', async () => {
  let idle = 0;
  await atRest(async ({ clock, sides }, [buyer = 0]) => {
    await clock.advance(60_000);
    idle = asked();
    statements.clear();
    const products = sides.marketplace.activeProductIds();
    for (let order = 0; order < ORDERS; order += 1) {
      const items = [0, 1].map((line) => ({ product: products[(order + line) % products.length] ?? 0, quantity: '1' }));
      sides.marketplace.placeOrder({ customer: buyer, items });
    }
    await clock.advance(60_000);
    expect(sides.erp.control.state().orders).toHaveLength(ORDERS);
  });
  expect((asked() - idle) / ORDERS, 'statements').toBeLessThan(232 * A_TENTH_MORE);
  expect(countOf(LOOKS_AT_ORDERS) / ORDERS, 'looks at an order').toBeLessThan(3.12 * A_TENTH_MORE);
  expect(countOf(LOOKS_AT_STOCK) / ORDERS, 'looks at stock').toBeLessThan(5.15 * A_TENTH_MORE);
});
