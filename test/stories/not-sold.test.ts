import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

test('an unsold product that stays listed is not oversold: its stock is kept in step as long as the ERP states it', async () => {
  stage = await openStage({ account: '    products: { archive: false }' });
  const { marketplace, erp } = stage;
  erp.control.seed(2);
  await stage.sync();
  erp.control.setProduct('SB-0001', { active: false });
  erp.control.setStock('SB-0001', '4');
  erp.control.setProduct('SB-0002', { deleted: true });
  erp.control.setStock('SB-0002', '4');
  const before = marketplace.productBySku('SB-0002').available;
  await stage.sync();
  expect(marketplace.productBySku('SB-0001')).toMatchObject({ archived: false, available: '4' });
  // For a deleted product, the ERP's figure means nothing.
  expect(marketplace.productBySku('SB-0002')).toMatchObject({ archived: false, available: before });
  const alerts = await alertsOf({ account: 'main', store: stage.store() });
  expect(alerts.filter(({ name }) => name.startsWith('product:')).map(({ causes }) => causes)).toEqual([
    [cause('archive-off', { sku: 'SB-0001' })],
    [cause('archive-off', { sku: 'SB-0002' })],
  ]);
});

test('a listing that staff set to unlimited is told, with what is oversold, until its stock is kept again', async () => {
  stage = await openStage();
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '9');
  await stage.sync();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = marketplace.productBySku('SB-0001').id;
  marketplace.setProduct(product, { inventory_management: 2 });
  const { number } = marketplace.placeOrder({ customer, items: [{ product, quantity: '50' }] });
  await stage.sync();
  const alerts = async () =>
    (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes);
  expect(await alerts()).toEqual([
    cause('stock-not-kept', { listing: product, sku: 'SB-0001' }),
    cause('oversold', { sku: 'SB-0001', by: '41', place: null }),
  ]);
  marketplace.cancel(number);
  marketplace.setProduct(product, { inventory_management: 1 });
  await stage.sync();
  expect(await alerts()).toEqual([]);
  expect(marketplace.productBySku('SB-0001')).toMatchObject({ available: '9' });
});

test('an oversold product that the ERP then deletes stays an alert as long as the orders are open', async () => {
  stage = await openStage();
  const { marketplace, erp } = stage;
  erp.control.seed(2);
  erp.control.setStock('SB-0001', '9');
  await stage.sync();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = marketplace.productBySku('SB-0001').id;
  const { number } = marketplace.placeOrder({ customer, items: [{ product, quantity: '7' }] });
  await stage.sync();
  erp.control.setStock('SB-0001', '4');
  await stage.sync();
  const oversold = async () =>
    (await alertsOf({ account: 'main', store: stage.store() }))
      .flatMap(({ causes }) => causes)
      .filter(({ code }) => code === 'oversold');
  expect(await oversold()).toEqual([cause('oversold', { sku: 'SB-0001', by: '3', place: null })]);
  erp.control.setProduct('SB-0001', { deleted: true });
  await stage.sync();
  expect(marketplace.product(product)).toMatchObject({ archived: true });
  expect(await oversold()).toEqual([cause('oversold', { sku: 'SB-0001', by: '3', place: null })]);
  marketplace.cancel(number);
  await stage.sync();
  expect(await oversold()).toEqual([]);
});
