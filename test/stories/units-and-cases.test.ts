import { readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, type StageOptions } from '../support/stage.ts';

const SKU = 'TEA-12';

/** An ERP with one product: 12 to a case. */
async function open(product: { price: string; onHand: string }, options: StageOptions = {}) {
  const stage = await openStage(options);
  stage.erp.control.addProducts([
    {
      sku: SKU,
      name: 'Tea',
      unit_multiplier: '12',
      on_hand: product.onHand,
      price: { amount: product.price, currency: 'USD' },
    },
  ]);
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const listing = () => stage.marketplace.productBySku(SKU);
  const order = (quantity: string) =>
    stage.marketplace.placeOrder({ customer: buyer, items: [{ product: listing().id, quantity }] }).number;
  const inErp = (number: string) => stage.erp.control.findOrders(number)[0];
  return { ...stage, buyer, listing, order, inErp };
}

const quiet = { written: 0, held: 0, failed: 0 };

test('10.00 a unit is listed at 120.00 a case, and a case that is ordered is 12 units at 10.00 in the ERP', async () => {
  const stage = await open({ price: '10.00', onHand: '240' });
  await stage.sync();
  expect(stage.listing()).toMatchObject({ price: { amount: '120' }, available: '240' });
  const number = stage.order('12');
  await stage.sync();
  expect(stage.inErp(number)).toMatchObject({ lines: [{ sku: SKU, quantity: '12', unit_price: '10' }], total: '120' });
  expect(await stage.sync()).toMatchObject(quiet);
});

const told = async (...args: string[]) => stripVTControlCharacters((await run(args)).stdout).replaceAll(/\s+/g, ' ');

test('an order that a person retyped in cases raises an alert at once, and is not in step', async () => {
  const stage = await open({ price: '10.00', onHand: '240' });
  await stage.sync();
  const number = stage.order('24');
  await stage.sync();
  const { id = '' } = stage.inErp(number) ?? {};
  stage.erp.control.changeOrder(id, { lines: [{ sku: SKU, quantity: '2', unit_price: '120' }] });
  await stage.sync();
  const status = await told('status', '--config', stage.configFile);
  expect(status).toContain('Not in step: 1 order differs.');
  expect(status).toContain('the ERP shows 2 where 24 units of TEA-12 were ordered; 2 is the number of cases');
  expect(status).toContain('Correct the line in the ERP to 24 units');
});

test('where the marketplace counts cases and the settings say units, the message about the total says so first', async () => {
  const stage = await open({ price: '10.00', onHand: '240' }, { sandbox: { settings: { lineQuantityIn: 'cases' } } });
  await stage.sync();
  stage.order('2');
  await stage.sync();
  const status = await told('status', '--config', stage.configFile);
  expect(status).toContain('the ERP shows 2 where 24 units of TEA-12 were ordered; 2 is the number of cases');
  expect(status).toContain(
    '-> Compare the line quantities with the units per case. If the marketplace counts cases, set',
  );
});

test('a case size that grows after an order was exported is reported as such, with the price of a unit', async () => {
  const stage = await open({ price: '10.00', onHand: '240' });
  await stage.sync();
  stage.order('24');
  await stage.sync();
  stage.erp.control.setProduct(SKU, { unit_multiplier: '24', price: { amount: '10.00', currency: 'USD' } });
  await stage.sync();
  const plans = await told('brakes', 'list', '--config', stage.configFile);
  expect(plans).toContain('120.00 USD for a case of 12 -> 240.00 USD for a case of 24');
  expect(plans).toContain('changes the case from 12 to 24 units (a unit still costs 10.00 USD)');
});

test('an order that is made in the ERP at 10.00 a unit is 120.00 on the marketplace', async () => {
  const stage = await open({ price: '10.00', onHand: '240' });
  await stage.sync();
  stage.erp.control.createOrder({
    customer: { marketplace_id: stage.buyer, name: 'Corner Shop' },
    lines: [{ sku: SKU, quantity: '12', unit_price: '10.00' }],
  });
  await stage.sync();
  expect(stage.marketplace.orders()[0]).toMatchObject({ total: '120.00', lines: [{ quantity: '12' }] });
  expect(await stage.sync()).toMatchObject(quiet);
});

test('where lines count cases, 251 units are 20 cases on the listing, and buyers can buy only existing stock', async () => {
  const stage = await open(
    { price: '10.00', onHand: '251' },
    { inventory: 'line_quantity_in: cases', sandbox: { settings: { lineQuantityIn: 'cases' } } },
  );
  await stage.sync();
  expect(stage.listing()).toMatchObject({ price: { amount: '120' }, available: '20' });
  const number = stage.order('20');
  await stage.sync();
  expect(stage.inErp(number)).toMatchObject({ lines: [{ quantity: '240', unit_price: '10' }], total: '2400' });
  expect(stage.listing().available).toBe('0');
  expect(stage.erp.control.stockOf(SKU).available).toBe('11');
  expect(await stage.sync()).toMatchObject(quiet);
});

test('an ERP that counts and prices cases has the same goods and amounts', async () => {
  const stage = await open(
    { price: '120.00', onHand: '20' },
    { erp: 'price_per: case, stock_in: cases, lines_in: cases' },
  );
  await stage.sync();
  expect(stage.listing()).toMatchObject({ price: { amount: '120' }, available: '240' });
  const number = stage.order('36');
  await stage.sync();
  expect(stage.inErp(number)).toMatchObject({ lines: [{ sku: SKU, quantity: '3', unit_price: '120' }], total: '360' });
  expect(stage.listing().available).toBe('204');
  expect(stage.erp.control.stockOf(SKU).available).toBe('17');
  expect(await stage.sync()).toMatchObject(quiet);
});

test('listings that have the price of a unit for a case wait in one plan, however far the brake lets prices move', async () => {
  const stage = await open({ price: '10.00', onHand: '240' });
  const { id } = stage.marketplace.createProduct({
    sku: SKU,
    name: 'Tea',
    unit_multiplier: 12,
    quantity: 240,
    wholesale_price: { amount: '10.00', currency: 'USD' },
  });
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, text.replace('brakes: {', 'brakes: { price: { percent: 5000 },'));
  await stage.sync();
  expect(stage.marketplace.product(id).price.amount).toBe('10');
  const listed = await run(['brakes', 'list', '--config', stage.configFile]);
  expect(listed.stdout).toContain('reprice');
  expect(listed.stdout).toContain('10.00 USD for a case of 12 -> 120.00 USD for a case of 12');
  await run(['brakes', 'approve', '1', '--yes', '--config', stage.configFile]);
  await stage.sync();
  expect(stage.marketplace.product(id).price.amount).toBe('120');
});

const CASES_BY_FACILITY = {
  inventory: 'line_quantity_in: cases',
  sandbox: { settings: { lineQuantityIn: 'cases' } },
  account:
    '    facilities: { created_by: 17, poll: 100ms, map: [{ erp_location: EAST, facility_id: 1, batch_id: 1 }] }',
} as const;

test('facility stock that counts cases is set in whole cases, and falls by the cases that buyers order', async () => {
  const stage = await open({ price: '10.00', onHand: '0' }, CASES_BY_FACILITY);
  stage.erp.control.setStock(SKU, '251', { location: 'EAST' });
  await stage.sync();
  const shown = () =>
    stage.marketplace.inventory(stage.listing().id).map(({ onHand, available }) => `${onHand} ${available}`);
  expect(shown()).toEqual(['20 20']);
  const number = stage.order('3');
  await stage.sync();
  expect(stage.inErp(number)).toMatchObject({ lines: [{ quantity: '36', unit_price: '10' }] });
  expect(shown()).toEqual(['20 17']);
  expect(await stage.sync()).toMatchObject(quiet);
});

test('a case size that grows offers no more units meanwhile, and gets its price in the same write', async () => {
  const stage = await open(
    { price: '10.00', onHand: '240' },
    { inventory: 'line_quantity_in: cases', sandbox: { settings: { lineQuantityIn: 'cases' } } },
  );
  await stage.sync();
  stage.erp.control.setProduct(SKU, { unit_multiplier: '18' });
  const patches = () => stage.marketplace.requestLog.calls().filter(({ method }) => method === 'PATCH').length;
  const before = patches();
  await stage.sync();
  expect(stage.listing()).toMatchObject({ price: { amount: '180' }, unitMultiplier: '18', available: '13' });
  expect(patches() - before).toBe(1);
  expect(await stage.sync()).toMatchObject(quiet);
});

test('facility stock falls before a case size grows, and rises after it shrank', async () => {
  const stage = await open({ price: '10.00', onHand: '0' }, CASES_BY_FACILITY);
  stage.erp.control.setStock(SKU, '240', { location: 'EAST' });
  await stage.sync();
  const shown = () => stage.marketplace.inventory(stage.listing().id).map(({ available }) => available);
  expect(shown()).toEqual(['20']);
  const writes = () =>
    stage.marketplace.requestLog
      .calls()
      .filter(({ method }) => method !== 'GET')
      .map(({ operation }) => operation);
  for (const [inCase, order, stock] of [
    ['18', ['inventory.reconcile', 'products.patch'], '13'],
    ['12', ['products.patch', 'inventory.reconcile'], '20'],
  ] as const) {
    const before = writes().length;
    stage.erp.control.setProduct(SKU, { unit_multiplier: inCase });
    await stage.sync();
    expect(stage.listing()).toMatchObject({ unitMultiplier: inCase });
    expect([writes().slice(before), shown()]).toEqual([order, [stock]]);
    expect((await stage.sync()).written).toBe(0);
  }
});

test('a price that the ERP stores in cents is not written back to the listing that it was made from', async () => {
  const stage = await open(
    { price: '10.00', onHand: '240' },
    { account: '    orders: { on_unmapped_product: create }' },
  );
  const { id } = stage.marketplace.createProduct({
    sku: 'BY-HAND',
    name: 'Listed by hand',
    unit_multiplier: 12,
    quantity: 24,
    wholesale_price: { amount: '100.00', currency: 'USD' },
  });
  stage.marketplace.placeOrder({ customer: stage.buyer, items: [{ product: id, quantity: '12' }] });
  await stage.sync();
  stage.erp.control.setProduct('BY-HAND', { price: { amount: '8.33', currency: 'USD' } });
  await stage.sync();
  expect(stage.marketplace.product(id).price.amount).toBe('100');
  stage.erp.control.setProduct('BY-HAND', { price: { amount: '8.40', currency: 'USD' } });
  await stage.sync();
  expect(stage.marketplace.product(id).price.amount).toBe('100.8');
});
