import { expect, test } from 'vitest';
import type { FlowName } from '../../src/flows/flows.ts';
import { FLOW_RUNS } from '../../src/flows/runs.ts';
import { useShelf } from '../store/shelf.ts';
import { countCalls } from '../support/count-calls.ts';
import { accountConfig, accountContext } from './account.ts';
import { bringHome, seedOrder } from './one-order-home.ts';

const MOST_TO_OBSERVE = 3;
const MOST_TO_BRING_HOME = 22;

const shelf = useShelf();

const KEYS: Readonly<Record<FlowName, string>> = {
  product: 'P-1',
  images: 'P-1',
  assignments: 'P-1',
  stock: 'P-1',
  'facility-stock': 'P-1',
  'order-in': '1001',
  'product-in': '70',
  'order-out': 'E-9',
  'approval-out': 'E-9',
  'batch-out': 'L-1',
  'transport-in': 'o-1',
  'payment-in': '77',
  'payment-out': 'PAY-1',
  'customer-in': '5',
  'customer-out': 'C-5',
};

test.each(Object.entries(KEYS))('an entity of %s is observed with at most 3 calls to the store', async (flow, key) => {
  await seedOrder(shelf().store);
  const { store, calls } = countCalls(shelf().store);
  const context = accountContext(store, accountConfig({ customers: { to_erp: true, to_marketplace: true } }));
  await FLOW_RUNS[flow as FlowName].plan(context, key);
  expect(calls.length, calls.join(', ')).toBeLessThanOrEqual(MOST_TO_OBSERVE);
});

test('a new order is entered in the ERP with at most 22 calls to the store', async () => {
  const { store } = shelf();
  await seedOrder(store);
  const calls = await bringHome(store);
  expect(await store.mappings.byErpId('main', 'order', 'E-1')).toMatchObject({ state: 'linked' });
  expect(calls.length, calls.join(', ')).toBeLessThanOrEqual(MOST_TO_BRING_HOME);
});
