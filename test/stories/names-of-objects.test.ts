import { expect, test } from 'vitest';
import { openStage, until } from '../support/stage.ts';

/** Every object of JavaScript answers to these names. */
const SKUS = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const PRICE = { amount: '10', currency: 'USD' };

test('products whose SKUs are names of JavaScript are listed, counted, and ordered like any other', async () => {
  const stage = await openStage({ strategy: 'c' });
  const { erp, marketplace } = stage;
  erp.control.addProducts(SKUS.map((sku) => ({ sku, name: `Product ${sku}`, price: PRICE, on_hand: '10' })));
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  const idOf = (sku: string) => marketplace.productBySku(sku).id;
  expect(SKUS.map((sku) => marketplace.product(idOf(sku)).available)).toEqual(SKUS.map(() => '10'));

  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const place = (quantity: string) =>
    marketplace.placeOrder({ customer: buyer, items: SKUS.map((sku) => ({ product: idOf(sku), quantity })) }).number;
  const first = place('2');
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect(erp.control.findOrders(first)[0]?.lines.map(({ sku, quantity }) => [sku, quantity])).toEqual(
    SKUS.map((sku) => [sku, '2']),
  );
  expect(SKUS.map((sku) => marketplace.product(idOf(sku)).available)).toEqual(SKUS.map(() => '8'));
});

test('an order of products named like object properties waits for their stock when the ERP refuses it', async () => {
  const stage = await openStage();
  const { erp, marketplace } = stage;
  erp.control.addProducts(SKUS.map((sku) => ({ sku, name: `Product ${sku}`, price: PRICE, on_hand: '10' })));
  await stage.start();
  await until('they are listed', () => marketplace.products().length === SKUS.length);
  erp.control.refuseShort();
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = SKUS.map((sku) => ({ product: marketplace.productBySku(sku).id, quantity: '8' }));
  for (const sku of SKUS) erp.control.setStock(sku, '5');
  const { number } = marketplace.placeOrder({ customer: buyer, items, oversell: true });
  const heldFor = async () => (await stage.store().work.held('main')).find(({ key }) => key === number)?.heldFor;
  await until('the order is held', heldFor);
  const seen = Object.fromEntries(SKUS.map((sku) => [sku, '5']));
  expect(await heldFor()).toMatchObject([{ code: 'erp-refuses-for-now', params: { skus: SKUS, seen } }]);
  for (const sku of SKUS) erp.control.setStock(sku, '20');
  await until('the order is in the ERP', () => erp.control.findOrders(number).length === 1);
  expect(await stage.store().work.failed()).toEqual([]);
});
