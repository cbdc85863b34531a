import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import type { ErpConnector } from '../../src/erp/connector.ts';
import { read, standStill } from '../support/by-hand.ts';
import { openStage } from '../support/stage.ts';

/** The same ERP, whose products are read whole at each poll, without those that were deleted. */
function readWhole(erp: ErpConnector, deleted: ReadonlySet<string>): ErpConnector {
  return {
    ...erp,
    notices: { products: 'whole' },
    async *listProducts(_since, signal) {
      for await (const page of erp.listProducts(null, signal)) {
        yield { ...page, items: page.items.filter(({ id }) => !deleted.has(id)) };
      }
    },
  };
}

test('a SKU that is on two rows is unique again after a full list with one row', async () => {
  const stage = await openStage();
  stage.erp.control.seed(3);
  const still = await standStill(stage);
  const deleted = new Set<string>();
  const context = { ...still, erp: readWhole(still.erp, deleted) };
  stage.erp.control.addProducts([{ sku: 'SB-0001', name: 'A twin', on_hand: '5' }]);
  await read(context, 'read:erp-products');
  const store = stage.store();
  const ids = async () => (await store.erp.productsBySku('main', 'SB-0001')).map(({ id }) => id);
  const [one = '', twin = ''] = await ids();
  const key = { account: 'main', flow: 'product', key: one };
  const version = async () => (await store.work.get(key))?.version ?? 0;
  await store.work.hold(key, await version(), [cause('sku-twice', { sku: 'SB-0001', count: 2 })]);
  const held = await version();

  deleted.add(twin);
  await read(context, 'read:erp-products');
  expect(await ids()).toEqual([one]);
  expect(await version()).toBeGreaterThan(held);
});
