import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

test('a dry run writes nothing to either side and lists what a live run then does', async () => {
  stage = await openStage({ mode: 'dry-run' });
  stage.erp.control.seed(3);
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const listed = stage.marketplace.createProduct({ sku: 'SB-0001', name: 'Known', quantity: 50 });
  const { number } = stage.marketplace.placeOrder({
    customer: buyer,
    items: [{ product: listed.id, quantity: '1' }],
  });
  stage.marketplace.requestLog.reset();
  await stage.sync();
  await stage.sync();
  expect(Object.keys(stage.marketplace.requestLog.counts()).filter((id) => !id.endsWith('.list'))).toEqual([]);
  expect(stage.erp.control.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  const held = await stage.store().work.held();
  expect(held.flatMap(({ heldFor }) => heldFor ?? [])).toContainEqual(
    expect.objectContaining({
      code: 'dry-run',
      params: expect.objectContaining({ action: 'product.create' }) as unknown,
    }),
  );

  await stage.stop();
  writeFileSync(stage.configFile, readFileSync(stage.configFile, 'utf8').replace('mode: dry-run', 'mode: live'));
  await stage.sync();
  await stage.sync();
  expect(
    stage.marketplace
      .products()
      .map(({ sku }) => sku)
      .toSorted(),
  ).toEqual(['SB-0001', 'SB-0002', 'SB-0003']);
  expect(stage.erp.control.findOrders(number)).toHaveLength(1);
});
