import { afterEach, expect, test } from 'vitest';
import { createMarketplaceClient } from '../../src/marketplace/client.ts';
import type { ReadName } from '../../src/reading/reads.ts';
import type { AccountContext } from '../../src/reconcile/context.ts';
import type { ProductFields } from '../../src/sandbox/erp/records.ts';
import { read, reconcile, standStill } from '../support/by-hand.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const SKU = 'SB-0001';

async function open(): Promise<AccountContext> {
  stage = await openStage();
  stage.erp.control.seed(2);
  return standStill(stage);
}

/** The ERP changes its product, and that is read. */
async function told(context: AccountContext, fields: ProductFields): Promise<void> {
  stage.erp.control.setProduct(SKU, fields);
  await read(context, 'read:erp-products');
}

async function look(context: AccountContext, flow: 'product' | 'stock') {
  const [product] = await context.store.erp.productsBySku('main', SKU);
  return reconcile(context, flow, product?.id ?? '');
}

/** Its calls wait for this instead of a quota. */
function waitingFor({ config: { marketplace } }: AccountContext, acquire: () => Promise<void>) {
  const governor = { acquire, observe: async () => {} };
  return createMarketplaceClient({ ...marketplace, overrides: marketplace.operations, governor });
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
    const client = waitingFor(context, () => told(context, back));
    expect(await look({ ...context, client }, 'product')).toMatchObject({ state: 'in-sync', written: 0 });
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
  expect(await look({ ...context, exclusively }, 'product')).toMatchObject({ state: 'in-sync', written: 0 });
  await reading;
  expect(writes()).toEqual([]);
});

test('a decrease that gives buyers more by now is judged as an increase', async () => {
  const context = await open();
  const limit = { pass: { count: 0, percent: null }, day: { count: 0, percent: null } };
  const braked = { ...context.config, brakes: { ...context.config.brakes, increase: limit } };
  const { id } = stage.marketplace.productBySku(SKU);
  stage.erp.control.setStock(SKU, '5');
  await read(context, 'read:erp-stock');
  // Somebody sets it to less while the write waits.
  const client = waitingFor(context, async () => {
    const byHand = { lane: 'poll' } as const;
    await context.client.call('products.patch', { path: { id }, body: { quantity: '1' } }, byHand);
    await read(context, 'read:products');
  });
  const result = await look({ ...context, config: braked, client }, 'stock');
  await client.close();
  expect(result).toMatchObject({ state: 'held', reason: expect.stringContaining('brake increase') });
  expect(Number(stage.marketplace.productBySku(SKU).available)).toBe(1);
});
