import { expect, test } from 'vitest';
import { type Deed, startBuyers } from '../../../src/sandbox/marketplace/buyers.ts';
import { catalogue } from '../../../src/sandbox/marketplace/catalogue.ts';
import { seedMarketplace } from '../../../src/sandbox/marketplace/seed.ts';
import { start } from './api.ts';

test('the same seed makes the same catalogue, and a longer one begins with the shorter', () => {
  expect(catalogue('a', 50)).toEqual(catalogue('a', 50));
  expect(catalogue('a', 200).slice(0, 50)).toEqual(catalogue('a', 50));
  expect(catalogue('b', 50)).not.toEqual(catalogue('a', 50));
  const items = catalogue('a', 2000);
  expect(new Set(items.map((item) => item.sku)).size).toBe(2000);
  expect(items.some((item) => item.unitMultiplier > 1)).toBe(true);
  for (const item of items) {
    expect(item.price).toMatch(/^[1-9]\d*\.\d\d$/);
    expect(item.quantity % item.unitMultiplier).toBe(0);
  }
});

test('a seeded marketplace has products with stock and customers in and out of California', async () => {
  const market = await start();
  seedMarketplace(market, 7, { products: 60, customers: 20 });
  expect(market.products()).toHaveLength(60);
  expect(market.products().filter((product) => Number(product.available) > 0).length).toBeGreaterThan(30);
  const states = new Set(market.customers().map((customer) => customer.state));
  expect([states.has('CA'), states.size > 1]).toEqual([true, true]);
});

async function story(seed: number) {
  const market = await start({ seed });
  seedMarketplace(market, seed, { products: 40, customers: 8 });
  const deeds: Deed[] = [];
  const buyers = startBuyers(market, {
    ordersPerMinute: 600_000,
    seed,
    maxOrders: 60,
    onDeed: (deed) => deeds.push(deed),
  });
  await buyers.done;
  return { market, deeds };
}

test('buyers order, and every order is looked at by staff; the same seed tells the same story', async () => {
  const { market, deeds } = await story(3);
  expect((await story(3)).deeds).toEqual(deeds);
  const count = (did: Deed['did']) => deeds.filter((deed) => deed.did === did).length;
  expect(count('ordered')).toBe(market.orders().length);
  expect(count('ordered')).toBeGreaterThan(50);
  expect(count('accepted') + count('edited') + count('canceled') + count('rejected')).toBe(count('ordered'));
  expect(new Set(market.orders().map((order) => order.status))).not.toContain('Submitted');
  for (const product of market.products()) expect(Number(product.available)).toBeGreaterThanOrEqual(0);
});

test('buyers stop when told', async () => {
  const market = await start();
  seedMarketplace(market, 1, { products: 5, customers: 2 });
  const buyers = startBuyers(market, { ordersPerMinute: 0.001, seed: 1 });
  await buyers.stop();
  expect(market.orders()).toEqual([]);
});
