import { expect, test } from 'vitest';
import { openStage, type Stage, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

let stage: Stage;

test('a state that returns makes the poller read again, though its webhook is byte for byte an earlier one', async () => {
  // The webhooks have bodies without a time, as some deployments send them, and no poll would find the change.
  stage = await openStage();
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  await stage.stop();
  const app = await stage.start(['receive', 'work']);
  const url = `${app.receiverUrl}/webhooks/main/orders`;
  marketplace.webhooks.setTargets([{ url, types: ['order'], secret: WEBHOOK_SECRET }]);
  const { number, lines } = marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '3' }] });
  const quantity = async () =>
    (await app.core.state.store.orders.get('main', number))?.lines?.[0]?.quantity.toFixed() ?? null;
  for (const wanted of ['4', '3', '4', '3', '4', '3']) {
    marketplace.editLine(lines[0]?.id ?? 0, { quantity: wanted });
    await until(`the shadow has ${wanted}`, async () => Number(await quantity()) === Number(wanted));
  }
  const { webhooks } = app.core.metrics;
  const counted = (await webhooks.get()).values.find(
    ({ labels }) => labels['kind'] === 'orders' && labels['outcome'] === 'duplicate',
  );
  expect(counted?.value).toBeGreaterThan(0);
});
