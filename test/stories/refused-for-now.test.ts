import { expect, test } from 'vitest';
import { sentencesOf } from '../../src/domain/causes/cause.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

const creates = ({ erp }: Stage) =>
  erp.control.requests().filter(({ method, url }) => method === 'POST' && url === '/v1/orders').length;
const heldOf = async (stage: Stage, number: string) =>
  (await stage.store().work.held('main')).find(({ key }) => key === number)?.heldFor ?? null;

/** Buyers order eight units that the marketplace shows, and people in the ERP have promised five of them meanwhile. */
async function refusedOrder(): Promise<{ stage: Stage; number: string }> {
  const stage = await openStage();
  const { erp, marketplace } = stage;
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '10');
  await stage.start();
  await until('it is listed', () => marketplace.products().length === 1);
  erp.control.refuseShort();
  erp.control.clearRequests();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '8' }];
  erp.control.setStock('SB-0001', '5');
  const { number } = marketplace.placeOrder({ customer, items, oversell: true });
  await until('the order is held', () => heldOf(stage, number));
  return { stage, number };
}

test('an order that the ERP refuses for lack of stock is held with an alert, and is entered when the stock rises', async () => {
  const { stage, number } = await refusedOrder();
  const { erp } = stage;
  const causes = (await heldOf(stage, number)) ?? [];
  expect(causes).toMatchObject([{ code: 'erp-refuses-for-now', params: { waitsFor: 'stock', skus: ['SB-0001'] } }]);
  expect(sentencesOf(causes)).toMatch(
    /answered 409 \("Missing: 3 of SB-0001"\) when asked to create .*\. It waits for more stock of SB-0001$/,
  );
  expect(await stage.store().work.failed()).toEqual([]);

  erp.control.setStock('SB-0001', '20');
  await until('the order is in the ERP', () => erp.control.findOrders(number).length === 1);
  await until('nothing is held', async () => (await heldOf(stage, number)) === null);
  expect(creates(stage)).toBe(2);
});

test('an order refused for lack of stock is not sent again while the stock does not rise', async () => {
  const { stage, number } = await refusedOrder();
  const { erp } = stage;
  const look = async () => {
    const version = await versionOf(stage, number);
    await stage.store().work.release({ account: 'main', codes: ['erp-refuses-for-now'] });
    await until('it was looked at', async () => {
      const row = await stage.store().work.get({ account: 'main', flow: 'order-in', key: number });
      return row?.state === 'held' && row.version > version;
    });
  };
  await look();
  erp.control.setStock('SB-0001', '4');
  await until('the lower stock is seen', async () => {
    const [held] = (await heldOf(stage, number)) ?? [];
    return held?.code === 'erp-refuses-for-now' && held.params.seen['SB-0001'] === '4';
  });
  await look();
  expect(creates(stage)).toBe(1);
});

test('an order refused for lack of stock is retried at once by a person, and as another write after an edit', async () => {
  const { stage, number } = await refusedOrder();
  await stage.store().work.markAfresh([{ account: 'main', flow: 'order-in', key: number }], 'operator', 'asked');
  await until('it is tried again', () => creates(stage) === 2);
  stage.marketplace.editOrder(number, { discount_amount: '1.50' });
  await until('the changed order is tried', () => creates(stage) === 3);
  expect(stage.erp.control.findOrders(number)).toEqual([]);
});

async function versionOf(stage: Stage, number: string): Promise<number> {
  return (await stage.store().work.get({ account: 'main', flow: 'order-in', key: number }))?.version ?? 0;
}
