import { expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

const metric = async (name: string) => stage.app().core.metrics.registry.getSingleMetric(name)?.get();

test('calls of the ERP are counted by their kind, never by their entity', async () => {
  stage = await openStage();
  stage.erp.control.seed(2);
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] });
  stage.erp.control.inject({ kind: 'status', status: 503, method: 'GET', path: '/v1/products', times: 1 });
  await stage.sync();
  await stage.sync();
  const { values } = (await metric('stockbridge_calls_total')) ?? { values: [] };
  const ofErp = values.filter(({ labels }) => labels['side'] === 'erp');
  const made = stage.erp.control.requests();
  expect(ofErp.reduce((total, { value }) => total + value, 0)).toBe(made.length);
  const text = await stage.app().core.metrics.registry.metrics();
  const timed = (side: string) =>
    Number(new RegExp(`^stockbridge_call_seconds_count\\{.*side="${side}".*\\} (\\d+)$`, 'm').exec(text)?.[1]);
  expect(timed('erp')).toBe(made.length);
  expect(timed('marketplace')).toBe(
    values.filter(({ labels }) => labels['side'] === 'marketplace').reduce((total, { value }) => total + value, 0),
  );
  const kinds = new Set(ofErp.map(({ labels }) => `${labels['operation']} ${labels['status']}`));
  for (const kind of ['GET /v1/stock 200', 'GET /v1/products 503', 'POST /v1/orders 201']) {
    expect(kinds).toContain(kind);
  }
  for (const { labels } of ofErp) expect(labels['operation']).toMatch(/^[A-Z]+ \/v1\/[a-z]+(\/\{id\})?$/);
});

test('the time that calls wait for the quota is counted by lane', async () => {
  stage = await openStage({
    limits: 'real',
    marketplace: '      limits: { per_second: 3, per_minute: 300 }',
  });
  await stage.sync();
  const { values } = (await metric('stockbridge_quota_wait_seconds_total')) ?? { values: [] };
  const polls = values.find(({ labels }) => labels['lane'] === 'poll');
  expect(polls?.labels).toMatchObject({ account: 'main' });
  expect(polls?.value).toBeGreaterThan(0.2);
});
