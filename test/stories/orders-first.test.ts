import { expect, test } from 'vitest';
import { openStage, until } from '../support/stage.ts';

const ORDERS = 60;
/** The most looks that do their own follow-up at once. */
const EARLY = 24;
/** The most orders that gave way and come again for their follow-up at once. */
const FOLLOW_UPS = 12;

test('an order on its way to the ERP never waits for the writes to the marketplace that follow it', async () => {
  const { marketplace, erp, ...stage } = await openStage({ timeout: '600s' });
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '1000');
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  await stage.stop();
  // Longer than the test, so no mark is answered before its end.
  marketplace.faults.set({ kind: 'delay-before', operation: 'orders.patch', ms: 600_000 });
  const { id } = marketplace.productBySku('SB-0001');
  const items = [{ product: id, quantity: '1' }];
  const numbers = Array.from({ length: ORDERS }, () => marketplace.placeOrder({ customer: buyer, items }).number);
  await stage.start();
  await until('the ERP has every order', () => numbers.every((number) => erp.control.findOrders(number).length === 1));
  // An urgent write does not wait either: a quarter of the jobs is kept free for such writes.
  erp.control.setStock('SB-0001', '900');
  const written = () => (marketplace.requestLog.counts()['products.patch'] ?? 0) > 0;
  await until('the stock is written', written);
  const store = stage.store();
  // A read of the ERP's new orders has each of them looked at once more, and it gives way again.
  await until('every order has given way but those that are told of right now', async () => {
    const left = (await store.work.due('main', 1_000)).filter(({ flow }) => flow === 'order-in');
    const given = left.filter(({ lane }) => lane === 'follow-up');
    return left.length === ORDERS && given.length === ORDERS - EARLY;
  });
  expect((await store.work.due('main', 1_000, FOLLOW_UPS)).filter(({ lane }) => lane === 'follow-up')).toHaveLength(
    FOLLOW_UPS,
  );
});
