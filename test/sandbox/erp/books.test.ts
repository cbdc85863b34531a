import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seedProducts } from '../../../src/sandbox/erp/seed.ts';
import { DRAFT, start } from './started.ts';

it('the data of the sandbox ERP is kept in a file', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sandbox-erp-'));
  const first = await start({ file: join(dir, 'erp.db') });
  first.control.addProducts([{ sku: 'A', on_hand: '10' }]);
  await first.call('POST', '/v1/orders', DRAFT);
  const before = first.control.state();
  await first.close();
  const second = await start({ file: join(dir, 'erp.db') });
  expect(second.control.state().orders).toEqual(before.orders);
  expect(second.control.stockOf('A')).toMatchObject({ reserved: '2.5' });
  await second.close();
  await rm(dir, { recursive: true });
});

it('the sandbox ERP follows a clock that is off', async () => {
  const { call, control } = await start();
  control.setClockOffset(-3_600_000);
  expect((await call('GET', '/v1/ping')).body.time).toBe('2029-12-31T23:00:00.000Z');
});

it('the sandbox ERP is seeded the same way every time, a longer list beginning with the shorter', async () => {
  const [one, other] = [await start(), await start()];
  one.control.seed(50);
  other.control.seed(60);
  expect(other.control.state().products.slice(0, 50)).toEqual(one.control.state().products);
  const names = new Set(one.control.state().products.map((product) => product.name));
  expect(names.size).toBeGreaterThan(30);
  for (const row of one.control.state().stock) expect(Number(row.on_hand)).toBeGreaterThan(0);
});

it('the sandbox ERP is seeded with products of their own SKU and price, in whole cases', () => {
  const products = [...seedProducts(2_000, 7)];
  expect(products).not.toEqual([...seedProducts(2_000, 8)]);
  expect(new Set(products.map(({ sku }) => sku)).size).toBe(2_000);
  expect(products.some(({ unit_multiplier }) => Number(unit_multiplier) > 1)).toBe(true);
  for (const { price, on_hand, unit_multiplier } of products) {
    expect(price?.amount).toMatch(/^[1-9]\d*\.\d\d$/);
    expect(Number(on_hand) % Number(unit_multiplier)).toBe(0);
  }
});
