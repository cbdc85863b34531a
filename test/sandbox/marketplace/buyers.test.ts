import { expect, onTestFinished, test } from 'vitest';
import { openSides } from '../../../src/demo/sides.ts';
import { type Deed, startBuyers } from '../../../src/sandbox/marketplace/buyers.ts';

/** The marketplace of the demo: half of its brand's products, and every other one of those has stock. */
async function shop(seed: number) {
  const sides = await openSides({ products: 160, seed, limits: false });
  onTestFinished(() => sides.close());
  return sides.marketplace;
}

test('a seeded marketplace has products with stock and customers in and out of California', async () => {
  const market = await shop(7);
  expect(market.products()).toHaveLength(80);
  expect(market.products().filter((product) => Number(product.available) > 0).length).toBeGreaterThan(30);
  const states = new Set(market.customers().map((customer) => customer.state));
  expect([states.has('CA'), states.size > 1]).toEqual([true, true]);
});

async function story(seed: number) {
  const market = await shop(seed);
  const deeds: Deed[] = [];
  const buyers = startBuyers(market, {
    ordersPerMinute: 600_000,
    seed,
    maxOrders: 100,
    onDeed: (deed) => deeds.push(deed),
  });
  await buyers.done;
  return { market, deeds };
}

test('buyers order, and staff processes every order; the same seed makes the same story', async () => {
  const { market, deeds } = await story(3);
  expect((await story(3)).deeds).toEqual(deeds);
  const count = (did: Deed['did']) => deeds.filter((deed) => deed.did === did).length;
  expect(count('ordered')).toBe(market.orders().length);
  expect(count('ordered')).toBeGreaterThan(50);
  expect(count('accepted') + count('edited') + count('canceled') + count('rejected')).toBe(count('ordered'));
  expect(new Set(market.orders().map((order) => order.status))).not.toContain('Submitted');
  for (const product of market.products()) expect(Number(product.available)).toBeGreaterThanOrEqual(0);
});

test('buyers stop on request', async () => {
  const market = await shop(1);
  const buyers = startBuyers(market, { ordersPerMinute: 0.001, seed: 1 });
  await buyers.stop();
  expect(market.orders()).toEqual([]);
});
