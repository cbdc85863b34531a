import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { told } from '../support/causes.ts';
import { openStage, type Stage } from '../support/stage.ts';

interface ListSection {
  since?: unknown;
  readonly request: { readonly query: Record<string, unknown> };
}

/** The ERP contract as a description whose lists are read whole at each poll: none of them has a `since`. */
function wholeLists(): Record<string, unknown> {
  const text = readFileSync(new URL('../../src/erp/presets/contract.yaml', import.meta.url), 'utf8');
  const { ping, lists, finds, writes, errors } = parse(text) as Record<string, unknown>;
  for (const list of Object.values(lists as Record<string, ListSection>)) {
    delete list.since;
    delete list.request.query['changed_since'];
  }
  return { ping, lists, finds, writes, errors };
}

const SKU = 'SB-0012';
let stage: Stage;

/** Twelve rows of each list, all on both sides. */
beforeEach(async () => {
  stage = await openStage({
    account: '    payments: { to_marketplace: true }\n    customers: { to_erp: true }',
  });
  const erp = {
    type: 'rest',
    ...wholeLists(),
    url: stage.erp.url,
    auth: { scheme: 'bearer', token: 'an-erp-token-for-tests' },
    poll: '100ms',
  };
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(
    stage.configFile,
    text.replace(/erp: \{.*\}/, () => `erp: ${JSON.stringify(erp)}`),
  );
  const { marketplace } = stage;
  const { control } = stage.erp;
  control.seed(12);
  for (const { sku } of control.state().products) control.setStock(sku, '50');
  await stage.sync();
  for (let place = 1; place <= 12; place++) {
    const customer = marketplace.addCustomer({ name: `Corner Shop ${place}`, state: 'NV' });
    marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  }
  await stage.sync();
  for (const { id } of control.state().orders) control.addPayment({ order_id: id, amount: '1.00', method: 'Cash' });
  await stage.sync();
  const { products, orders, customers, payments } = control.state();
  expect([products, orders, customers, payments].map(({ length }) => length)).toEqual([12, 12, 12, 12]);
});

const held = async () =>
  (await stage.store().work.held()).map(({ flow, key, heldFor }) => `${flow} ${key}: ${told(heldFor)}`);
const invalidRows = async () => stage.store().invalidRows.list('main', { collection: '', what: '' });
const gone = async () => {
  const lists = ['erp-orders', 'erp-customers', 'erp-payments'];
  const entries = await Promise.all(lists.map((list) => stage.store().journal.of('main', 'read', list, 10)));
  return entries.flat().flatMap(({ action, target }) => (action === 'read.gone' ? [target] : []));
};

test.each(['products', 'stock', 'orders', 'customers', 'payments'])(
  'a full list of %s that is short once, by one row, by half or by all, changes nothing',
  async (list) => {
    for (const keep of [0.95, 0.5, 0]) {
      stage.erp.control.inject({ kind: 'shrink', keep, method: 'GET', path: `/v1/${list}`, times: 1 });
      expect(await stage.sync()).toMatchObject({ written: 0, failed: 0 });
      expect([await held(), await gone()]).toEqual([[], []]);
      expect(await stage.sync()).toMatchObject({ written: 0, failed: 0, held: 0 });
      expect([await held(), await gone()]).toEqual([[], []]);
    }
  },
  60_000,
);

test('rows that are really gone are noticed within one full pass', async () => {
  const { control } = stage.erp;
  const { orders, customers, payments } = control.state();
  const last = (rows: readonly { readonly id: string }[]) => rows.at(-1)?.id ?? '';
  const [first] = payments;
  control.removePayment(first?.id ?? '');
  control.removeOrder(last(orders));
  control.removeCustomer(last(customers));
  control.removeProduct(SKU);
  await stage.sync();
  expect(await gone()).toEqual([
    `ERP order ${last(orders)}`,
    `ERP customer ${last(customers)}`,
    `ERP payment ${first?.id}`,
  ]);
  expect(stage.marketplace.productBySku(SKU)).toMatchObject({ archived: true });
});

test('an invalid row stays held when a list lacks it once', async () => {
  const { control } = stage.erp;
  const id = control.state().products.find(({ sku }) => sku === SKU)?.id;
  control.inject({ kind: 'invalid-row', key: SKU, set: { price: { amount: 'none', currency: 'USD' } }, times: null });
  await stage.sync();
  expect(await invalidRows()).toEqual([expect.objectContaining({ collection: 'erp-products', what: id })]);
  control.clearFaults();
  control.inject({ kind: 'shrink', keep: 0.95, method: 'GET', path: '/v1/products', times: 1 });
  control.inject({ kind: 'invalid-row', key: SKU, set: { price: { amount: 'none', currency: 'USD' } }, times: null });
  await stage.sync();
  expect((await invalidRows()).map(({ what }) => what)).toEqual([id]);
});
