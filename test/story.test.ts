import { beforeEach, expect, test } from 'vitest';
import { openStage, type Stage, until } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});

test('a product goes out, an order comes in, is shipped in the ERP, and is fulfilled on the marketplace', async () => {
  const { marketplace, erp } = stage;
  erp.control.seed(5);
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const first = await stage.sync();
  expect(first).toMatchObject({ pending: 0, held: 0, failed: 0 });
  const listing = marketplace.productBySku('SB-0001');
  expect(listing.available).toBe(erp.control.stockOf('SB-0001').available);

  const order = marketplace.placeOrder({ customer: buyer, items: [{ product: listing.id, quantity: '3' }] });
  await stage.sync();
  const [exported, ...more] = erp.control.findOrders(order.number);
  expect(more).toEqual([]);
  expect(exported).toMatchObject({ status: 'reserved', origin: 'marketplace' });
  expect(marketplace.order(order.number).externalId).toBe(exported?.id);

  marketplace.transition(order.number, 'accept');
  erp.control.shipOrder(exported?.id ?? '');
  const last = await stage.sync();
  expect(marketplace.order(order.number).status).toBe('Fulfilled');
  expect(last).toMatchObject({ pending: 0, held: 0, failed: 0 });
  expect((await stage.sync()).written).toBe(0);
  expect(marketplace.productBySku('SB-0001').available).toBe(erp.control.stockOf('SB-0001').available);
});

test('the daemon does the same by itself', async () => {
  const { marketplace, erp } = stage;
  erp.control.seed(3);
  await stage.start();
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const listing = await until('the listing is there', () => marketplace.products().find((p) => p.sku === 'SB-0001'));
  const order = marketplace.placeOrder({ customer: buyer, items: [{ product: listing.id, quantity: '2' }] });
  const exported = await until('the order is exported', () => erp.control.findOrders(order.number)[0]);
  marketplace.transition(order.number, 'accept');
  erp.control.shipOrder(exported.id);
  await until('it is fulfilled', () => marketplace.order(order.number).status === 'Fulfilled');
});
