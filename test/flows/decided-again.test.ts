import { afterEach, expect, test } from 'vitest';
import { createMarketplaceClient } from '../../src/marketplace/client.ts';
import { READS, type ReadName } from '../../src/reading/reads.ts';
import type { AccountContext } from '../../src/reconcile/context.ts';
import { observePolicy } from '../../src/reconcile/observe-policy.ts';
import { FLOW_RUNS } from '../../src/reconcile/run.ts';
import type { ProductFields } from '../../src/sandbox/erp/records.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const SKU = 'SB-0001';
const look = (key: string) => ({ key, lane: 'poll', signal: AbortSignal.timeout(20_000) }) as const;

/** Both sides are in step, and nothing runs by itself. */
async function open(): Promise<AccountContext> {
  stage = await openStage();
  stage.erp.control.seed(2);
  await stage.sync();
  await stage.stop();
  const context = (await stage.start([])).core.accounts.get('main');
  if (context === undefined) throw new Error('there is no account main');
  return context;
}

/** The ERP changes its product, and that is read. */
async function told(context: AccountContext, fields: ProductFields): Promise<void> {
  stage.erp.control.setProduct(SKU, fields);
  await READS['read:erp-products'](context, look('all'));
}

async function reconcileIn(context: AccountContext) {
  const product = await context.store.erp.productsBySku('main', SKU);
  const key = product[0]?.id ?? '';
  return FLOW_RUNS.product.reconcile(context, look(key), (action) =>
    observePolicy(context, { flow: 'product', key }, false, action),
  );
}

const shown = () => {
  const { archived, price } = stage.marketplace.productBySku(SKU);
  return { archived, price: price.amount };
};
const writes = () =>
  Object.entries(stage.marketplace.requestLog.counts()).filter(([operation]) => /patch|archive/.test(operation));

const CHANGES: readonly [string, ProductFields, ProductFields][] = [
  ['archived', { active: false }, { active: true }],
  ['given another price', { price: { amount: '12.00', currency: 'USD' } }, {}],
];

test.each(CHANGES)(
  'nothing is %s that the ERP took back while the write waited for the quota',
  async (_, fields, takenBack) => {
    const context = await open();
    const before = shown();
    const { price } = (await context.store.erp.productsBySku('main', SKU))[0] ?? {};
    if (price == null) throw new Error('it has no price');
    const back = { price: { amount: price.amount.toFixed(), currency: price.currency }, ...takenBack };
    await told(context, fields);
    stage.marketplace.requestLog.reset();
    const governor = { acquire: () => told(context, back), observe: async () => {} };
    const { marketplace } = context.config;
    const client = createMarketplaceClient({ ...marketplace, overrides: marketplace.operations, governor });
    expect(await reconcileIn({ ...context, client })).toMatchObject({ state: 'in-sync', written: 0 });
    await client.close();
    expect(shown()).toEqual(before);
    expect(writes()).toEqual([]);
  },
);

test('nothing is archived that the ERP took back in the very read that the write waited for', async () => {
  const context = await open();
  await told(context, { active: false });
  stage.marketplace.requestLog.reset();
  const name: ReadName = 'read:erp-products';
  const { promise: waits, resolve: nowWaits } = Promise.withResolvers<void>();
  const reading = context.exclusively([name], async () => {
    await waits;
    await told(context, { active: true });
  });
  const exclusively: AccountContext['exclusively'] = (keys, work) => {
    if (keys.includes(name)) nowWaits();
    return context.exclusively(keys, work);
  };
  expect(await reconcileIn({ ...context, exclusively })).toMatchObject({ state: 'in-sync', written: 0 });
  await reading;
  expect(writes()).toEqual([]);
});

test('a decrease that gives buyers more by now is judged as an increase', async () => {
  const context = await open();
  const limit = { pass: { count: 0, percent: null }, day: { count: 0, percent: null } };
  const braked = { ...context.config, brakes: { ...context.config.brakes, increase: limit } };
  const { id } = stage.marketplace.productBySku(SKU);
  stage.erp.control.setStock(SKU, '5');
  await READS['read:erp-stock'](context, look('all'));
  // Somebody sets it to less while the write waits.
  const acquire = async () => {
    await context.client.call('products.patch', { path: { id }, body: { quantity: '1' } }, look('by hand'));
    await READS['read:products'](context, look('all'));
  };
  const { marketplace } = context.config;
  const governor = { acquire, observe: async () => {} };
  const client = createMarketplaceClient({ ...marketplace, overrides: marketplace.operations, governor });
  const key = (await context.store.erp.productsBySku('main', SKU))[0]?.id ?? '';
  const waiting = { ...context, config: braked, client };
  const result = await FLOW_RUNS.stock.reconcile(waiting, look(key), (action) =>
    observePolicy(waiting, { flow: 'stock', key }, false, action),
  );
  await client.close();
  expect(result).toMatchObject({ state: 'held', reason: expect.stringContaining('brake increase') });
  expect(Number(stage.marketplace.productBySku(SKU).available)).toBe(1);
});
