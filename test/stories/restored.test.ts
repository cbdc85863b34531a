import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { read, reconcile } from '../support/by-hand.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';

/* A backup does not know later entities, and after a restore the ERP may be read first. */

let stage: Stage;
let buyer: number;

const verb = async (...args: string[]) => {
  const { exitCode, stderr } = await run([...args, '--config', stage.configFile]);
  expect(exitCode, stderr).toBe(0);
};

async function open(account = ''): Promise<void> {
  stage = await openStage({ account });
  stage.erp.control.seed(1);
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
}

const ERP_READS = {
  product: 'read:erp-products',
  'order-out': 'read:erp-orders',
  'customer-out': 'read:erp-customers',
  'payment-out': 'read:erp-payments',
} as const;

/** Makes something in the ERP, lets it be made on the marketplace, and looks at it again with a backup from before. */
async function lookAgain(flow: keyof typeof ERP_READS, make: () => string): Promise<unknown> {
  await stage.stop();
  const backup = join(stage.dir, 'old.db');
  await verb('backup', backup);
  const key = make();
  await stage.sync();
  await stage.stop();
  await verb('restore', backup);
  await stage.start([]);
  const context = stage.context();
  await read(context, ERP_READS[flow]);
  return reconcile(context, flow, key);
}

test('a product is not listed again after a backup was restored', async () => {
  await open();
  const make = () => {
    stage.erp.control.addProducts([{ sku: 'NEW-1', name: 'New', on_hand: '3' }]);
    return stage.erp.control.state().products.find(({ sku }) => sku === 'NEW-1')?.id ?? '';
  };
  expect(await lookAgain('product', make)).toMatchObject({ state: 'in-sync' });
  expect(stage.marketplace.products().filter(({ sku }) => sku === 'NEW-1')).toHaveLength(1);
});

test('an order made in the ERP is not created again after a backup was restored', async () => {
  await open();
  const lines = [{ sku: 'SB-0001', quantity: '1', unit_price: '2.00' }];
  const make = () => stage.erp.control.createOrder({ customer: { marketplace_id: buyer }, lines }).id;
  expect(await lookAgain('order-out', make)).toMatchObject({ state: 'in-sync' });
  expect(stage.marketplace.orders()).toHaveLength(1);
});

test('a customer of the ERP is not created again after a backup was restored', async () => {
  await open('    customers: { to_marketplace: true }');
  const make = () => stage.erp.control.addCustomer({ name: 'New Shop' }).id;
  expect(await lookAgain('customer-out', make)).toMatchObject({ state: 'in-sync' });
  const { results } = await onMarketplace<{ results: { name: string }[] }>(stage, 'GET', '/customers/');
  expect(results.map(({ name }) => name).toSorted()).toEqual(['Corner Shop', 'New Shop']);
});

test('a payment that the ERP received is not recorded again after a backup was restored', async () => {
  await open('    payments: { to_marketplace: true, types: { Bank transfer: wire } }');
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] });
  await stage.sync();
  const order_id = stage.erp.control.findOrders(number)[0]?.id ?? '';
  const received = { order_id, amount: '7', method: 'Bank transfer', received_at: '2030-01-31T08:30:00.000Z' };
  const make = () => String(stage.erp.control.addPayment(received).id);
  expect(await lookAgain('payment-out', make)).toMatchObject({ state: 'in-sync' });
  const { results } = await onMarketplace<{ results: unknown[] }>(stage, 'GET', '/order-payments/');
  expect(results).toHaveLength(1);
});
