import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECEIVER_LIMITS } from '../../src/daemon/receiver/intake.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

const CAPTURED = 40;
const LOOKS = 5;

let stage: Stage;

/** Orders that are too old for a read of the list, with an earlier webhook of each. */
async function captured(buyer: number): Promise<string[]> {
  const { marketplace } = stage;
  const yaml = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, yaml.replace('overlap: 2m', 'overlap: 0s'));
  const items = [{ product: 1, quantity: '1' }];
  const numbers = Array.from({ length: CAPTURED }, () => marketplace.placeOrder({ customer: buyer, items }).number);
  await stage.sync();
  for (const number of numbers) marketplace.transition(number, 'accept');
  await stage.sync();
  await stage.stop();
  return numbers.map((number) =>
    JSON.stringify({ action: 'edit', type: 'order', data: { number, status: 'Submitted' } }),
  );
}

test('outdated signed webhooks, sent again and again, cost a list call a second and ten single reads a minute, and block no genuine one', async () => {
  stage = await openStage();
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '1000');
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const bodies = await captured(buyer);
  const app = await stage.start(['receive', 'work']);
  const url = `${app.receiverUrl}/webhooks/main/orders`;
  const post = async (body: string) => {
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('base64');
    const { status } = await fetch(url, { method: 'POST', body, headers: { 'service-signature': signature } });
    expect([202, 409]).toContain(status);
  };

  const { requestLog } = marketplace;
  requestLog.reset();
  const startedMs = performance.now();
  const callsOf = (operation: string) => requestLog.counts()[operation] ?? 0;
  const expectAtMost = (operation: string, atOnce: number, perMs: number) => {
    expect(callsOf(operation)).toBeLessThanOrEqual(atOnce + (performance.now() - startedMs) * perMs);
  };
  const replay = async (what: string, isOver: () => boolean | Promise<boolean>) => {
    await until(what, async () => {
      for (const body of bodies) await post(body);
      return isOver();
    });
  };
  await replay('it was looked often', () => callsOf('orders.list') >= LOOKS);
  expectAtMost('orders.list', RECEIVER_LIMITS.nudges.burst, RECEIVER_LIMITS.nudges.perSecond / 1_000);

  // The order is changed and changed back. The second time, its webhooks are only copies of earlier ones.
  marketplace.webhooks.setTargets([{ url, types: ['order'], secret: WEBHOOK_SECRET }]);
  const { number, lines } = marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '3' }] });
  const quantity = async () => Number((await app.core.state.store.orders.get('main', number))?.lines?.[0]?.quantity);
  for (const wanted of [4, 3, 4, 3]) {
    marketplace.editLine(lines[0]?.id ?? 0, { quantity: String(wanted) });
    await replay(`the shadow has ${wanted}`, async () => (await quantity()) === wanted);
  }
  // The webhooks were followed by single reads, up to the limit.
  expect(callsOf('orders.get')).toBeGreaterThanOrEqual(10);
  expectAtMost('orders.get', 10, 1 / 6_000);
});
