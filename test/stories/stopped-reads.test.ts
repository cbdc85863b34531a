import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, until } from '../support/stage.ts';
import { tamper } from '../support/tamper.ts';

test('a database that fails for one list makes the program not ready, names the list, and stops no list of the ERP', async () => {
  const stage = await openStage();
  stage.erp.control.seed(1);
  await stage.sync();
  await stage.stop();
  const { adminUrl } = await stage.start();
  const readiness = async () => {
    const answer = await fetch(`${adminUrl}/readyz`);
    return { status: answer.status, text: await answer.text() };
  };
  await until('it is ready', async () => (await readiness()).status === 200);

  await tamper(stage, 'alter table order_lines rename to taken_away');
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  const stopped = await until('the list is stopped', async () => {
    const now = await readiness();
    return now.status === 503 && now.text.includes('read:orders') ? now : null;
  });
  expect(stopped.text).toContain('main: read:orders is stopped by the database, which fails in it');
  const alerts = await alertsOf({ account: 'main', store: stage.store() });
  const ofOrders = alerts.find(({ name }) => name === 'read:orders');
  expect(ofOrders?.causes.map(({ code }) => code)).toEqual(['store-failing']);
  expect(alerts.map(({ name }) => name).filter((name) => name.startsWith('read:erp-'))).toEqual([]);

  await tamper(stage, 'alter table taken_away rename to order_lines');
  await until('the order is exported', () => stage.erp.control.findOrders(number).length === 1);
  await until('it is ready again', async () => (await readiness()).status === 200);
});
