import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage } from '../support/stage.ts';

test('an ERP that declares computed totals raises no alert for its rounding', async () => {
  const stage = await openStage();
  stage.erp.control.seed(1);
  stage.erp.control.setStock('SB-0001', '50');
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  const ping = { kind: 'status', status: 503, path: '/v1/ping', times: 1 } as const;
  stage.erp.control.inject(ping);
  stage.erp.control.computeTotals();
  await stage.sync();
  const codes = async () =>
    (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes.map(({ code }) => code));
  expect(await codes()).toEqual(['erp-money-kept']);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  expect(await codes()).toEqual([]);
  stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '3' }] });
  await stage.sync();
  expect(await codes()).toEqual([]);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
});
