import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { attributeOf, startCollector } from '../support/collector.ts';
import { openStage, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

const NAME = 'Canary Person of 12 Elm Street';

test('an order of a webhook is a trace: what was observed, decided and called, linked to the webhook', async () => {
  const collector = await startCollector();
  const stage = await openStage();
  appendFileSync(stage.configFile, `\ntraces: { url: "${collector.url}", headers: { x-key: a-secret-of-traces } }\n`);
  stage.erp.control.seed(2);
  const buyer = stage.marketplace.addCustomer({ name: NAME, state: 'NV' });
  const app = await stage.start();
  const url = `${app.receiverUrl}/webhooks/main/orders`;
  stage.marketplace.webhooks.setTargets([{ url, types: ['order'], secret: WEBHOOK_SECRET }]);
  const [listing] = await until('it is listed', () => {
    const all = stage.marketplace.products();
    return all.length > 0 ? all : null;
  });
  const order = stage.marketplace.placeOrder({
    customer: buyer,
    items: [{ product: listing?.id ?? 0, quantity: '1' }],
  });
  const made = await until('the order is a trace', () => {
    const calls = collector.taken.filter(({ name }) => name === 'erp POST /v1/orders');
    const ids = new Set(calls.map(({ traceId }) => traceId));
    const trace = collector.taken.filter(({ traceId }) => ids.has(traceId));
    return trace.some(({ name }) => name === 'job order-in') ? trace : null;
  });
  const job = made.find(({ name }) => name === 'job order-in');
  if (job === undefined) throw new Error('no job');
  expect(attributeOf(job, 'stockbridge.key')).toBe(order.number);
  expect(attributeOf(job, 'stockbridge.account')).toBe('main');
  for (const name of ['observe', 'decide', 'apply', 'erp POST /v1/orders'])
    expect(made.map((one) => one.name)).toContain(name);
  expect(
    made.find(
      ({ name, attributes }) => name === 'decide' && attributeOf({ attributes }, 'action') === 'order-in.create',
    ),
  ).toBeDefined();
  expect(collector.headers[0]?.['x-key']).toBe('a-secret-of-traces');
  const text = collector.texts.join('\n');
  for (const kept of [NAME, 'a-secret-of-traces', WEBHOOK_SECRET, stage.marketplace.key])
    expect(text).not.toContain(kept);
  await until('the webhook is a span, and what it asked for links to it', () => {
    const webhook = collector.taken.find(({ name }) => name === 'webhook orders');
    return collector.taken.some(
      ({ name, links }) => name === 'read:orders' && links.some(({ spanId }) => spanId === webhook?.spanId),
    );
  });
});

test('a repeated webhook with an equal body is a span of its own, and every span has its own id', async () => {
  const collector = await startCollector();
  const stage = await openStage({ orders: 'export_from: 2030-01-01T00:00:00Z' });
  appendFileSync(stage.configFile, `\ntraces: { url: "${collector.url}" }\n`);
  const { marketplace } = stage;
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = marketplace.createProduct({ sku: 'A-1', name: 'Kush', quantity: 9, license: 'L-1' });
  const app = await stage.start();
  const url = `${app.receiverUrl}/webhooks/main/orders`;
  marketplace.webhooks.setTargets([{ url, types: ['order'], secret: WEBHOOK_SECRET }]);
  const { number, lines } = marketplace.placeOrder({ customer, items: [{ product: product.id, quantity: '3' }] });
  const quantity = async () =>
    (await app.core.state.store.orders.get('main', number))?.lines?.[0]?.quantity.toFixed() ?? null;
  for (const wanted of ['4', '3', '4', '3']) {
    marketplace.editLine(lines[0]?.id ?? 0, { quantity: wanted });
    await until(`the shadow has ${wanted}`, async () => Number(await quantity()) === Number(wanted));
  }
  const webhooks = () => collector.taken.filter(({ name }) => name === 'webhook orders');
  const events = () => webhooks().map((span) => attributeOf(span, 'stockbridge.event'));
  await until('a webhook was read twice', () => new Set(events()).size < webhooks().length);
  const ids = collector.taken.map(({ spanId }) => spanId);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});
