import { afterEach, expect, test } from 'vitest';
import { READS, type ReadName } from '../../src/reading/reads.ts';
import { observePolicy } from '../../src/reconcile/observe-policy.ts';
import { FLOW_RUNS } from '../../src/reconcile/run.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const look = (key: string) => ({ key, lane: 'poll', signal: AbortSignal.timeout(20_000) }) as const;

/** Nothing runs by itself. */
async function open() {
  stage = await openStage({ account: '    customers: { to_marketplace: true }' });
  await stage.sync();
  await stage.stop();
  const context = (await stage.start([])).core.accounts.get('main');
  if (context === undefined) throw new Error('there is no account main');
  return {
    read: async (name: ReadName) => READS[name](context, look('all')),
    reconcile: async (flow: 'product' | 'customer', key: string) =>
      FLOW_RUNS[flow].reconcile(context, look(key), (action) => observePolicy(context, { flow, key }, false, action)),
  };
}

const loseAnswer = (operation: string) => stage.marketplace.faults.set({ kind: 'reset-after', operation, times: 1 });

test('a listing whose making was not heard of gets what the ERP has changed since', async () => {
  const { read, reconcile } = await open();
  stage.erp.control.addProducts([{ sku: 'NEW-1', name: 'First name', on_hand: '3' }]);
  const key = stage.erp.control.state().products[0]?.id ?? '';
  loseAnswer('products.create');
  await read('read:erp-products');
  await expect(reconcile('product', key)).rejects.toThrow('broke');
  stage.erp.control.setProduct('NEW-1', { name: 'Second name' });
  await read('read:erp-products');
  expect(await reconcile('product', key)).toMatchObject({ state: 'in-sync', written: 2 });
  expect(stage.marketplace.products()).toMatchObject([{ sku: 'NEW-1', name: 'Second name' }]);
});

test('a customer whose making was not heard of gets what the ERP has changed since', async () => {
  const { read, reconcile } = await open();
  const { id } = stage.erp.control.addCustomer({ name: 'First name', license_number: 'L-1' });
  loseAnswer('customers.create');
  await read('read:erp-customers');
  await expect(reconcile('customer', id)).rejects.toThrow('broke');
  stage.erp.control.setCustomer(id, { name: 'Second name' });
  await read('read:erp-customers');
  expect(await reconcile('customer', id)).toMatchObject({ state: 'in-sync', written: 2 });
  const answer = await fetch(`${stage.marketplace.url}/api/v2/customers/`, {
    headers: { authorization: `App ${stage.marketplace.key}`, 'service-version': '2022-10-31' },
  });
  expect(await answer.json()).toMatchObject({ results: [{ license_number: 'L-1', name: 'Second name' }] });
});
