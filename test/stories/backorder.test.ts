import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, until } from '../support/stage.ts';

const ACCOUNT = {
  marketplace: '      transitions: { accept: accept }',
  account: '    orders: { accept_backorders: true }',
};

test('an order in Backorder is accepted once there is stock for all its lines, and then exported', async () => {
  const stage = await openStage(ACCOUNT);
  stage.erp.control.seed(2);
  for (const sku of ['SB-0001', 'SB-0002']) stage.erp.control.setStock(sku, '3');
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const place = (quantity: string) => {
    const items = ['SB-0001', 'SB-0002'].map((sku) => ({ product: stage.marketplace.productBySku(sku).id, quantity }));
    const { number } = stage.marketplace.placeOrder({ customer, items, status: 'Backorder', oversell: true });
    return number;
  };
  const [first, second] = [place('5'), place('5')];
  const statuses = () => [first, second].map((number) => stage.marketplace.order(number).status);
  stage.erp.control.setStock('SB-0001', '8');
  await stage.sync();
  expect(statuses()).toEqual(['Backorder', 'Backorder']);
  stage.erp.control.setStock('SB-0002', '8');
  await stage.sync();
  // The stock is enough for one of the two orders.
  expect(statuses().toSorted()).toEqual(['Accepted', 'Backorder']);
  expect([first, second].flatMap((number) => stage.erp.control.findOrders(number))).toMatchObject([
    { status: 'reserved' },
  ]);
  for (const { available } of stage.marketplace.products()) expect(Number(available)).toBeGreaterThanOrEqual(0);
});

test('the daemon accepts an order on backorder after it has written the stock', async () => {
  const stage = await openStage(ACCOUNT);
  stage.erp.control.seed(1);
  stage.erp.control.setStock('SB-0001', '1');
  await stage.start();
  await until('it is listed', () => stage.marketplace.products().length === 1);
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: stage.marketplace.productBySku('SB-0001').id, quantity: '4' }];
  const { number } = stage.marketplace.placeOrder({ customer, items, status: 'Backorder', oversell: true });
  await until('it is held', async () => (await stage.store().work.held('main')).some(({ key }) => key === number));
  const status = await until('everything else is done', async () => {
    const { stdout } = await run(['status', '--config', stage.configFile]);
    return stdout.includes('In step') && stripVTControlCharacters(stdout).replaceAll(/\s+/g, ' ');
  });
  expect(status).toContain('1 order waits on backorder.');
  stage.erp.control.setStock('SB-0001', '9');
  await until('it is accepted', () => stage.marketplace.order(number).status === 'Accepted');
});
