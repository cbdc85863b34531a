import { beforeEach, expect, test } from 'vitest';
import { readOrders } from '../../src/shadow/read-orders.ts';
import { readProducts } from '../../src/shadow/read-products.ts';
import { webhookSilenceMs } from '../../src/shadow/webhook-watch.ts';
import { run } from '../cli/capture.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

const MINUTE = 60_000;

let stage: Stage;
let buyer: number;
/** How far the daemon's clock is ahead of the machine's. */
let aheadMs: number;

beforeEach(async () => {
  aheadMs = 0;
  stage = await openStage();
  stage.erp.control.seed(2);
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  place();
  await stage.sync();
  await stage.stop();
  // Only the test polls.
  const { receiverUrl } = await stage.start(['receive']);
  const target = (kind: 'order' | 'product') =>
    ({ url: `${receiverUrl}/webhooks/main/${kind}s`, types: [kind], secret: WEBHOOK_SECRET }) as const;
  stage.marketplace.webhooks.setTargets([target('order'), target('product')]);
});

function context() {
  const found = stage.app().core.accounts.get('main');
  if (found === undefined) throw new Error('there is an account');
  return { ...found, now: () => Date.now() + aheadMs };
}

/** Polls every minute for so many minutes, so reading is steady. */
async function poll(minutes = 0): Promise<void> {
  aheadMs += minutes * MINUTE;
  await stage.marketplace.webhooks.settled();
  const look = { key: 'all', lane: 'poll', signal: AbortSignal.timeout(600_000) } as const;
  const { store, ...rest } = context();
  const steady = { ...rest, store: { ...store, cursors: { ...store.cursors, get: steadily } } };
  await readOrders(steady, look);
  await readProducts(steady, look);
}

/** The store uses the machine's clock, so the times of reads are moved to the daemon's clock. */
async function steadily(account: string, collection: string) {
  const cursor = await context().store.cursors.get(account, collection);
  return cursor && { ...cursor, updatedAtMs: cursor.updatedAtMs + aheadMs };
}

const place = () => stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] });
const lose = () => stage.marketplace.faults.set({ kind: 'webhook-lost' });

async function status(): Promise<{ webhooks: { kind: string; changes: number; lost: number }[] }> {
  const { stdout } = await run(['status', '--json', '--config', stage.configFile]);
  return (JSON.parse(stdout) as { accounts: [{ webhooks: [] }] }).accounts[0];
}

const ordersLost = async () => (await status()).webhooks.find(({ kind }) => kind === 'orders');

test('a webhook that arrived is not lost, and a lost one is counted when a poll finds its change', async () => {
  for (let n = 0; n < 3; n += 1) place();
  await poll();
  lose();
  place();
  await poll();
  await poll(3);
  expect(await ordersLost()).toMatchObject({ changes: 4, lost: 1, ratio: 0.25, silentForMs: null });
  expect((await run(['status', '--config', stage.configFile])).stdout).toContain('webhooks   orders 1 of 4 lost');
});

test('a webhook subscription that was switched off is noticed within ten minutes, reported, and fine again with the next webhook', async () => {
  place();
  await poll();
  stage.marketplace.webhooks.setTargets([]);
  let noticedAfter: number | null = null;
  for (let minute = 1; minute <= 10 && noticedAfter === null; minute += 1) {
    if (minute % 3 === 1) place();
    await poll(1);
    if ((await webhookSilenceMs(context(), 'orders')) !== null) noticedAfter = minute;
  }
  expect(noticedAfter).toBeLessThanOrEqual(10);
  const { store } = context();
  expect(await store.facts.get('main', 'alert:webhooks:orders')).toContain('"code":"webhooks-silent"');
  expect((await run(['status', '--config', stage.configFile])).stdout).toMatch(/webhooks +orders silent for/);

  const { receiverUrl } = stage.app();
  const url = `${receiverUrl}/webhooks/main/orders`;
  stage.marketplace.webhooks.setTargets([{ url, types: ['order'], secret: WEBHOOK_SECRET }]);
  place();
  await poll();
  expect(await store.facts.get('main', 'alert:webhooks:orders')).toBeNull();
  const [entry] = await store.journal.of('main', 'webhooks', 'orders', 5);
  expect(entry?.why).toBe('webhooks about orders come again');
});

test('our own writes, and entities from before the first webhook, count as no lost webhook', async () => {
  lose();
  await stage.stop();
  place();
  await stage.sync();
  await stage.stop();
  await stage.start(['receive']);
  await poll(3);
  await poll(3);
  const { changes, lost } = (await ordersLost()) ?? { changes: 0, lost: 0 };
  // The only change is the order itself. Its mark and the stock of its listing are our own writes.
  expect([changes, lost]).toEqual([1, 1]);
});

test('a changed listing without a webhook counts as lost; figures that an order moves do not', async () => {
  place();
  // This is long after our create.
  await poll(11);
  lose();
  stage.marketplace.setProduct(1, { name: 'Another name' });
  await poll();
  await poll(3);
  const products = (await status()).webhooks.find(({ kind }) => kind === 'products');
  expect(products).toMatchObject({ changes: 1, lost: 1 });
});
