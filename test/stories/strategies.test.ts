import { describe, expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

const SKU = 'SB-0001';

async function open(strategy: 'a' | 'b' | 'c', inventory = 'buffer: 0'): Promise<{ listing: number; buyer: number }> {
  stage = await openStage({ strategy, inventory });
  stage.erp.control.seed(2);
  stage.erp.control.setStock(SKU, '100');
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  return { buyer, listing: stage.marketplace.productBySku(SKU).id };
}

function figures() {
  const { quantity, reserved, available } = stage.marketplace.productBySku(SKU);
  return [quantity, reserved, available].map(Number);
}

const erpOrder = (number: string) => stage.erp.control.findOrders(number)[0];

test('under fulfilled-quantity the marketplace has at each step the stock of the ERP less the orders that the ERP does not count', async () => {
  const { listing, buyer } = await open('a');
  const order = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: listing, quantity: '7' }] });
  await stage.sync();
  expect(erpOrder(order.number)).toBeUndefined();
  expect(figures()).toEqual([100, 7, 93]);
  stage.marketplace.transition(order.number, 'accept');
  stage.erp.control.setStock(SKU, '120');
  await stage.sync();
  expect(figures()).toEqual([120, 7, 113]);
  stage.marketplace.transition(order.number, 'fulfill');
  await stage.sync();
  expect(erpOrder(order.number)).toMatchObject({ status: 'reserved' });
  expect(figures()).toEqual([113, 0, 113]);
  stage.erp.control.shipOrder(erpOrder(order.number)?.id ?? '');
  await stage.sync();
  expect(figures()).toEqual([113, 0, 113]);
});

describe('submitted-available: the ERP hears of an order at once and reserves', () => {
  for (const write of ['available_inventory', 'quantity']) {
    test(`writing ${write}`, async () => {
      const { listing, buyer } = await open('b', `write: ${write}`);
      const order = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: listing, quantity: '7' }] });
      await stage.sync();
      expect(erpOrder(order.number)).toMatchObject({ status: 'reserved' });
      expect(figures()).toEqual([100, 7, 93]);
      stage.erp.control.setStock(SKU, '50');
      await stage.sync();
      expect(figures()).toEqual([50, 7, 43]);
      stage.marketplace.transition(order.number, 'accept');
      stage.erp.control.shipOrder(erpOrder(order.number)?.id ?? '');
      await stage.sync();
      expect(stage.marketplace.order(order.number).status).toBe('Fulfilled');
      expect(figures()).toEqual([43, 0, 43]);
      stage.marketplace.transition(order.number, 'reject');
      const last = await stage.sync();
      expect(last.held).toBe(1);
    });
  }
});

test('under submitted-quantity an order enters the ERP as a draft first', async () => {
  const { listing, buyer } = await open('c');
  const order = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: listing, quantity: '7' }] });
  await stage.sync();
  expect(erpOrder(order.number)).toMatchObject({ status: 'draft' });
  expect(figures()).toEqual([100, 7, 93]);
  stage.marketplace.transition(order.number, 'accept');
  stage.marketplace.transition(order.number, 'fulfill');
  await stage.sync();
  expect(erpOrder(order.number)).toMatchObject({ status: 'reserved' });
  expect(figures()).toEqual([93, 0, 93]);
  expect((await stage.sync()).written).toBe(0);
});

test('a stock buffer is not offered to buyers', async () => {
  await open('b', 'buffer: 12.5');
  expect(figures()).toEqual([87.5, 0, 87.5]);
});

test('a negative stock on hand counts as zero: buyers can buy none', async () => {
  await open('b');
  stage.erp.control.setStock(SKU, '-4');
  await stage.sync();
  expect(figures()).toEqual([0, 0, 0]);
  stage.erp.control.setStock(SKU, '6');
  await stage.sync();
  expect(figures()).toEqual([6, 0, 6]);
});

test('a stock target below zero is written as zero, and reported', async () => {
  const { listing, buyer } = await open('b');
  stage.marketplace.placeOrder({ customer: buyer, items: [{ product: listing, quantity: '90' }] });
  await stage.sync();
  stage.erp.control.setStock(SKU, '60');
  await stage.sync();
  expect(figures()).toEqual([90, 90, 0]);
  const { facts } = stage.store();
  expect(await facts.startingWith('main', 'alert:stock:')).toMatchObject([
    { value: expect.stringContaining('"code":"oversold","params":{"sku":"SB-0001","by":"30"') },
  ]);
});
