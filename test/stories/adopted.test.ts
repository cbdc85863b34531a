import { expect, test } from 'vitest';
import { read, reconcile, standStill } from '../support/by-hand.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

async function open() {
  stage = await openStage({ account: '    customers: { to_marketplace: true }' });
  return standStill(stage);
}

const loseAnswer = (operation: string) => stage.marketplace.faults.set({ kind: 'reset-after', operation, times: 1 });

test('a listing whose create was not answered gets what the ERP has changed since', async () => {
  const context = await open();
  stage.erp.control.addProducts([{ sku: 'NEW-1', name: 'First name', on_hand: '3' }]);
  const key = stage.erp.control.state().products[0]?.id ?? '';
  loseAnswer('products.create');
  await read(context, 'read:erp-products');
  await expect(reconcile(context, 'product', key)).rejects.toThrow('broke');
  stage.erp.control.setProduct('NEW-1', { name: 'Second name' });
  await read(context, 'read:erp-products');
  expect(await reconcile(context, 'product', key)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(stage.marketplace.products()).toMatchObject([{ sku: 'NEW-1', name: 'Second name' }]);
});

test('a customer whose create was not answered gets what the ERP has changed since', async () => {
  const context = await open();
  const { id } = stage.erp.control.addCustomer({ name: 'First name', license_number: 'L-1' });
  loseAnswer('customers.create');
  await read(context, 'read:erp-customers');
  await expect(reconcile(context, 'customer-out', id)).rejects.toThrow('broke');
  stage.erp.control.setCustomer(id, { name: 'Second name' });
  await read(context, 'read:erp-customers');
  expect(await reconcile(context, 'customer-out', id)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(await onMarketplace(stage, 'GET', '/customers/')).toMatchObject({
    results: [{ license_number: 'L-1', name: 'Second name' }],
  });
});
