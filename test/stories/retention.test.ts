import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { forgetOld } from '../../src/daemon/worker/forget-old.ts';
import { READS } from '../../src/shadow/collections.ts';
import { run } from '../cli/capture.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';

const DAY_MS = 86_400_000;
const RETENTION = { journalMs: DAY_MS, inboxMs: DAY_MS, ordersMs: 400 * DAY_MS, customersMs: 400 * DAY_MS };
const PERSON = { name: 'Ann Example', phone: '5035550100', email: 'ann@example.test', license_number: 'LIC-998877' };
const ADDRESS = { address: '17 Elm Street', city: 'Portland', state: 'OR', zipcode: '97201' };
const TEXTS = [...Object.values(PERSON), '17 Elm'];

/** The values of all tables that contain one of the person's texts. */
function tellingOf(stage: Stage, texts: readonly string[] = TEXTS): string[] {
  const sqlite = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'), { readonly: true });
  const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
  const found = tables.flatMap((table) =>
    sqlite
      .prepare(`select * from "${table}"`)
      .all()
      .flatMap((row) => Object.entries(row as object))
      .filter(([, value]) => texts.some((text) => String(value).includes(text)))
      .map(([column]) => `${table}.${column}`),
  );
  sqlite.close();
  return [...new Set(found)];
}

async function readWhole(stage: Stage): Promise<void> {
  const look = { key: 'all', lane: 'poll', signal: new AbortController().signal } as const;
  for (const name of [
    'read:all-erp-customers',
    'read:all-customers',
    'read:all-erp-orders',
    'read:late-orders',
  ] as const)
    await READS[name](stage.context(), look);
}

async function withAnOrder() {
  const stage = await openStage({ account: '    customers: { to_marketplace: true, to_erp: true, poll: 100ms }' });
  stage.erp.control.seed(2);
  stage.erp.control.addCustomer({ ...PERSON, active: true, addresses: { delivery: ADDRESS } });
  await stage.sync();
  const { results } = await onMarketplace<{ results: { id: number }[] }>(stage, 'GET', '/customers/?page_size=500');
  const customer = results[0]?.id ?? 0;
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '2' }] });
  await stage.sync();
  return { stage, customer, number };
}

async function over(stage: Stage, number: string): Promise<void> {
  const [order] = stage.erp.control.findOrders(number);
  stage.erp.control.shipOrder(order?.id ?? '');
  await stage.sync();
  stage.marketplace.forceStatus(number, 'Complete');
  await stage.sync();
}

const inDays = (days: number) => Date.now() + days * DAY_MS;

test('orders closed for longer than the setting, and customers without orders since, are erased; later reads do not restore them', async () => {
  const { stage, customer, number } = await withAnOrder();
  await forgetOld(stage.context(), RETENTION, inDays(1_000));
  expect(tellingOf(stage)).not.toEqual([]);

  await over(stage, number);
  await forgetOld(stage.context(), RETENTION, inDays(399));
  expect(tellingOf(stage)).not.toEqual([]);
  await forgetOld(stage.context(), RETENTION, inDays(401));
  expect(tellingOf(stage)).toEqual([]);

  // The forgetting changes nothing on the two sides: nothing comes back, is written or held.
  await readWhole(stage);
  const quiet = await stage.sync();
  expect([quiet.written, quiet.held, quiet.failed]).toEqual([0, 0, 0]);
  expect(tellingOf(stage)).toEqual([]);
  const order = await stage.store().orders.get('main', number);
  expect(order?.order).toMatchObject({ status: 'Complete', customer: { id: customer, name: null } });
  expect(order?.lines).toHaveLength(1);
  await stage.stop();
  const cli = async (...args: string[]) => (await run([...args, '--config', stage.configFile])).stdout;
  expect(await cli('status')).toMatch(/forgotten {2}marketplace orders 1, ERP orders 1, customers 1/);
  expect(await cli('journal')).toContain(number);
  expect(await cli('journal', '--json')).toContain('longer than retention.orders');
  expect((await run(['verify', '--config', stage.configFile])).exitCode).toBe(0);
});

test('an erased customer that orders again is stored again, and its new order reaches the ERP', async () => {
  const { stage, customer, number } = await withAnOrder();
  await over(stage, number);
  await forgetOld(stage.context(), RETENTION, inDays(401));
  const again = stage.marketplace.placeOrder({ customer, items: [{ product: 2, quantity: '1' }] });
  await stage.sync();
  expect(stage.erp.control.findOrders(again.number)).toHaveLength(1);
  expect(stage.erp.control.state().customers).toHaveLength(1);
  expect(await stage.store().customers.get('main', customer)).toMatchObject({ name: PERSON.name });
  expect((await stage.store().orders.get('main', number))?.order.customer.name).toBeNull();
});

test('an order that waits for somebody keeps its data; without the settings, nothing is erased', async () => {
  const { stage, number } = await withAnOrder();
  await over(stage, number);
  const before = tellingOf(stage);
  await forgetOld(stage.context(), { ...RETENTION, ordersMs: null, customersMs: null }, inDays(4_000));
  expect(tellingOf(stage)).toEqual(before);
  // Nobody looks at the order meanwhile.
  await stage.stop();
  await stage.start([]);
  await stage.store().pauses.pause('main', 'order-in', 'look at it first', 'me');
  await stage.store().work.mark([{ account: 'main', flow: 'order-in', key: number }], 'poll', 'a test');
  await forgetOld(stage.context(), RETENTION, inDays(401));
  expect(tellingOf(stage)).toContain('orders.raw');
});
