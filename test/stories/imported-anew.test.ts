import { beforeEach, describe, expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

const SKUS = ['SB-0001', 'SB-0002', 'SB-0003'];
const held = async () =>
  (await stage.store().work.held()).map(({ flow, key, heldFor }) => `${flow} ${key}: ${told(heldFor)}`);
const listing = (sku: string) => stage.marketplace.productBySku(sku);
const available = () => SKUS.map((sku) => Number(listing(sku).available));
const plans = () => stage.store().brakes.list();
const approve = async () => {
  const [plan, another] = await plans();
  expect([plan?.plan.kind, another]).toEqual(['relink', undefined]);
  const options = { except: [], expiryMs: { main: 60_000 }, by: 'a test' };
  await stage.store().brakes.approve({ hash: plan?.hash ?? '' }, options);
};
const linkedTo = async (sku: string) => {
  const id = String(listing(sku).id);
  return (await stage.store().mappings.byMarketplaceId('main', 'product', id))?.erpId ?? null;
};
const productOf = (sku: string) => stage.erp.control.state().products.find((product) => product.sku === sku);

/** The ERP has the same product under another id, with this stock. */
const importAnew = (sku: string, onHand: string, name = productOf(sku)?.name ?? '') => {
  const { id: _, changed_at: __, sku: ___, ...fields } = productOf(sku) ?? {};
  stage.erp.control.removeProduct(sku);
  stage.erp.control.addProducts([{ ...fields, sku, name }] as never);
  stage.erp.control.setStock(sku, onHand);
};

beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(SKUS.length);
  for (const sku of SKUS) stage.erp.control.setStock(sku, '50');
  await stage.sync();
});

test('a catalogue imported anew with other ids waits for one approval; until then stock may fall but not rise, and nothing is listed or archived', async () => {
  importAnew('SB-0001', '5');
  importAnew('SB-0002', '70');
  importAnew('SB-0003', '50');
  await stage.sync();
  expect(available()).toEqual([5, 50, 50]);
  expect(stage.marketplace.products().map(({ archived }) => archived)).toEqual([false, false, false]);
  const [plan] = await plans();
  expect(plan?.items.map(({ key, after }) => `${key}: ${after}`).toSorted()).toEqual([
    'P-000004: linked to ERP product P-000004',
    'P-000005: linked to ERP product P-000005',
    'P-000006: linked to ERP product P-000006',
  ]);
  expect((await held()).every((line) => line.includes('brake-plan'))).toBe(true);
  expect(await stage.sync()).toMatchObject({ written: 0, failed: 0 });

  await approve();
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect(await Promise.all(SKUS.map(linkedTo))).toEqual(['P-000004', 'P-000005', 'P-000006']);
  expect(available()).toEqual([5, 70, 50]);
  expect(listing('SB-0001').externalIds).toEqual({ stockbridge: 'P-000004' });
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
});

test('an import with other ids does not silently overwrite a name that somebody wrote on the marketplace', async () => {
  stage.marketplace.setProduct(listing('SB-0001').id, { name: 'THE NAME THAT WE WANT' });
  importAnew('SB-0001', '5');
  await stage.sync();
  await approve();
  await stage.sync();
  const alerts = await alertsOf({ account: 'main', store: stage.store() });
  expect(alerts.flatMap(({ causes }) => causes.map(({ code }) => code))).toContain('listing-set-back');
});

test('orders are entered and counted while an import with other ids waits', async () => {
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  importAnew('SB-0001', '5');
  await stage.sync();
  const { number } = stage.marketplace.placeOrder({
    customer,
    items: [{ product: listing('SB-0001').id, quantity: '2' }],
  });
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toMatchObject([{ status: 'reserved' }]);
  expect(available()[0]).toBe(3);
  await approve();
  await stage.sync();
  expect(available()[0]).toBe(3);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
});

test('an import with other ids of a part of the catalogue does not stop the products that kept their ids', async () => {
  importAnew('SB-0002', '7');
  stage.erp.control.setStock('SB-0001', '60');
  await stage.sync();
  expect(available()).toEqual([60, 7, 50]);
  await approve();
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect(await linkedTo('SB-0002')).toBe('P-000004');
});

describe('a SKU that comes back for a product with another name', () => {
  beforeEach(async () => {
    importAnew('SB-0001', '5', 'Something else');
    await stage.sync();
  });

  test('a SKU that returns for a product with another name is reported: nothing is linked, created or archived, and stock does not rise', async () => {
    expect(await held()).toEqual([expect.stringMatching(/^product P-000004: sku-reused .*"former":"P-000001"/)]);
    expect(await plans()).toEqual([]);
    expect(available()).toEqual([5, 50, 50]);
    expect(await stage.sync()).toMatchObject({ written: 0, failed: 0 });
  });

  test('the alert of a SKU that returns for another product ends once the two are linked', async () => {
    const link = {
      account: 'main',
      kind: 'product',
      marketplaceId: String(listing('SB-0001').id),
      erpId: 'P-000004',
      how: 'operator',
    } as const;
    await stage.store().links.link(link, true, 'a test');
    expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
    expect(listing('SB-0001')).toMatchObject({ name: 'Something else', available: '5' });
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  });

  test('the alert of a SKU that returns for another product ends once the listing is archived: the product is listed anew', async () => {
    stage.marketplace.archiveProduct(listing('SB-0001').id);
    await stage.sync();
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0, failed: 0 });
    const listed = stage.marketplace.products().filter(({ sku, archived }) => sku === 'SB-0001' && !archived);
    expect(listed).toMatchObject([{ name: 'Something else', available: '5' }]);
  });
});

describe('two products that have swapped their ids', () => {
  const swap = () => {
    const [a, b] = [productOf('SB-0001'), productOf('SB-0002')];
    stage.erp.control.renameProduct('SB-0001', 'aside');
    stage.erp.control.renameProduct('SB-0002', 'SB-0001');
    stage.erp.control.renameProduct('aside', 'SB-0002');
    stage.erp.control.setProduct('SB-0001', { name: a?.name });
    stage.erp.control.setProduct('SB-0002', { name: b?.name });
    stage.erp.control.setStock('SB-0001', '4');
    stage.erp.control.setStock('SB-0002', '90');
  };

  test('two products that have swapped their ids keep their listings until one approval, and no order takes the wrong product', async () => {
    const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    const names = stage.marketplace.products().map(({ sku, name }) => `${sku} ${name}`);
    swap();
    await stage.sync();
    expect(stage.marketplace.products().map(({ sku, name }) => `${sku} ${name}`)).toEqual(names);
    expect(available()).toEqual([4, 50, 50]);
    const { number } = stage.marketplace.placeOrder({
      customer,
      items: [{ product: listing('SB-0001').id, quantity: '2' }],
    });
    await stage.sync();
    expect(stage.erp.control.findOrders(number)).toEqual([]);
    await approve();
    await stage.sync();
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0, failed: 0 });
    expect(await linkedTo('SB-0001')).toBe('P-000002');
    expect(await linkedTo('SB-0002')).toBe('P-000001');
    expect(stage.marketplace.products().map(({ sku, name }) => `${sku} ${name}`)).toEqual(names);
    expect(available()).toEqual([2, 90, 50]);
    expect(stage.erp.control.findOrders(number)).toMatchObject([{ lines: [{ sku: 'SB-0001', quantity: '2' }] }]);
  });
});

test('a listing that is deleted and created again by hand is linked anew once a plan is approved', async () => {
  const { id, name, price } = listing('SB-0001');
  stage.marketplace.deleteProduct(id);
  stage.marketplace.createProduct({ sku: 'SB-0001', name, wholesale_price: price, quantity: '9' });
  await stage.sync();
  await approve();
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect(available()[0]).toBe(50);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
});
