import { beforeEach, expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(3);

  await stage.sync();
});

test('an order made in the ERP that the marketplace refuses stays a failed job until it is replayed or shipped', async () => {
  const { store } = stage.app().core.state;
  const gone = stage.marketplace.addCustomer({ name: 'Closed Shop', state: 'NV' });
  stage.marketplace.archiveCustomer(gone);
  const made = stage.erp.control.createOrder({
    customer: { marketplace_id: gone },
    lines: [{ sku: 'SB-0002', quantity: '1', unit_price: '2.00' }],
  });
  expect((await stage.sync()).failed).toBe(1);
  expect((await stage.sync()).failed).toBe(1);
  expect(await store.work.failed()).toMatchObject([{ flow: 'order-out', key: made.id, cause: 'marketplace-refused' }]);
  // An order that was shipped is not entered any more.
  stage.erp.control.shipOrder(made.id);
  expect((await stage.sync()).failed).toBe(0);
});

test('an order made in the ERP for a product that is no longer sold is held: its listing is taken off sale as well', async () => {
  const shop = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  stage.erp.control.setProduct('SB-0002', { active: false });
  const made = stage.erp.control.createOrder({
    customer: { marketplace_id: shop },
    lines: [{ sku: 'SB-0002', quantity: '1', unit_price: '2.00' }],
  });
  expect(await stage.sync()).toMatchObject({ failed: 0, held: 1 });
  const [held] = await stage.store().work.held();
  expect(held).toMatchObject({ flow: 'order-out', key: made.id, heldFor: [{ code: 'listing-archived' }] });
});
