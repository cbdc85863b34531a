import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { sweepTransportOrders } from '../../src/shadow/read-transports.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';

const TRANSPORTS =
  '    orders: { from_erp: { since: 2000-01-01 }, transports: { order: mp_order_number, from: 2020-01-01T00:00:00Z } }';
const MORNING = '2030-01-31T08:30:00Z';
const EVENING = '2030-01-31T18:30:00Z';

let stage: Stage;
let number: string;
let erpId: string;

beforeEach(async () => {
  stage = await openStage({ account: TRANSPORTS, timeout: '2s' });
  stage.erp.control.addProducts([{ sku: 'SB-0001', name: 'Gummies', on_hand: '100' }]);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  number = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
  await stage.sync();
  erpId = stage.erp.control.findOrders(number)[0]?.id ?? '';
});

const PATH = '/transportation/orders/';
const PAID = { payment_expected: { amount: 10, currency: 'USD' }, pickup_driver: {} };
/** A transport order that a transport partner enters. */
const add = (fields: object) =>
  onMarketplace<{ id: number }>(stage, 'POST', PATH, { ...PAID, mp_order_number: number, ...fields });
const change = (id: number, fields: object) =>
  onMarketplace(stage, 'PUT', `${PATH}${id}/`, { ...PAID, mp_order_number: number, ...fields });
const told = () => stage.erp.control.findOrders(number)[0]?.transports;

test("a transport that is shipped and delivered reaches the ERP's order, after it was shipped there too, and then no call is made", async () => {
  const { id } = await add({ status: 'planned', transport_order_id: 'TO-1' });
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  stage.marketplace.transition(number, 'accept');
  stage.erp.control.shipOrder(erpId);
  await stage.sync();
  await change(id, { status: 'shipped', transport_order_id: 'TO-1', actual_pickup_datetime: MORNING });
  expect(await stage.sync()).toMatchObject({ written: 1, held: 0 });
  expect(told()).toEqual([{ id: 'TO-1', status: 'shipped', shipped_at: expect.any(String) as string }]);
  await change(id, {
    status: 'delivered',
    transport_order_id: 'TO-1',
    actual_pickup_datetime: MORNING,
    actual_delivery_datetime: EVENING,
  });
  expect(await stage.sync()).toMatchObject({ written: 1, held: 0 });
  const [only] = told() ?? [];
  expect(only).toMatchObject({ id: 'TO-1', status: 'delivered' });
  expect(Date.parse(only?.delivered_at ?? '')).toBe(Date.parse(EVENING));
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  expect(stage.erp.control.findOrders(number)[0]?.status).toBe('shipped');
});

test('two transports of one order are both sent, and those of foreign orders are ignored', async () => {
  await add({ status: 'shipped', transport_order_id: 'TO-1' });
  await add({ status: 'delivered', transport_order_id: 'TO-2' });
  await add({ status: 'shipped', transport_order_id: 'TO-3', mp_order_number: 'somebody-else' });
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect(told()).toMatchObject([
    { id: 'TO-1', status: 'shipped' },
    { id: 'TO-2', status: 'delivered' },
  ]);
});

test('a transport that names the order by its id in the ERP is written to the ERP', async () => {
  await add({ status: 'shipped', transport_order_id: 'TO-1', mp_order_number: erpId });
  await stage.sync();
  expect(told()).toMatchObject([{ id: 'TO-1' }]);
});

test('a lost answer of the ERP leaves the transports there once', async () => {
  await add({ status: 'shipped', transport_order_id: 'TO-1' });
  stage.erp.control.inject({ kind: 'lose-answer', method: 'PATCH', path: `/v1/orders/${erpId}`, times: 1 });
  await stage.sync();
  await stage.sync();
  expect(told()).toMatchObject([{ id: 'TO-1' }]);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0, failed: 0 });
});

test('a transport that is deleted on the marketplace, or gets another number, is removed from the ERP order after two full lists', async () => {
  await add({ status: 'shipped', mp_order_number: 'of another company', transport_order_id: 'TO-0' });
  const { id } = await add({ status: 'shipped', actual_pickup_datetime: MORNING, transport_order_id: 'TO-1' });
  await stage.sync();
  await change(id, { status: 'shipped', actual_pickup_datetime: MORNING, transport_order_id: 'TO-2' });
  await stage.sync();
  expect(told()).toMatchObject([{ id: 'TO-2', status: 'shipped' }]);
  stage.marketplace.removeRecord('transport-orders', id);
  await stage.sync();
  expect(told() ?? []).toEqual([]);
  const [gone] = await stage.store().journal.of('main', 'read', 'transport-orders', 1);
  expect(gone).toMatchObject({ action: 'read.gone', target: 'transport order TO-2' });
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
});

test('a transport list that reaches less far than before deletes no transport', async () => {
  for (let id = 10; id < 14; id += 1) await add({ status: 'shipped', transport_order_id: `TO-${id}` });
  await stage.sync();
  expect(told()).toHaveLength(4);
  await stage.stop();
  const later = readFileSync(stage.configFile, 'utf8').replace('from: 2020-01-01', 'from: 2099-01-01');
  writeFileSync(stage.configFile, later);
  await add({ status: 'shipped', transport_order_id: 'TO-20', mp_order_number: 'of another company' });
  await stage.sync();
  expect(told()).toHaveLength(4);
});

describe('a list of transport orders', () => {
  const gone = async () => (await stage.store().journal.of('main', 'read', 'transport-orders', 9)).length;
  type List = ReturnType<Stage['context']>['client']['list'];
  /** Sweeps with another answer of the marketplace. */
  const sweep = async (answered: (list: List) => List) => {
    const context = stage.context();
    const client = { ...context.client, list: answered(context.client.list.bind(context.client)) };
    await sweepTransportOrders(
      { ...context, client },
      { lane: 'poll', key: 'transport-orders', signal: AbortSignal.timeout(600_000) },
    );
  };

  beforeEach(async () => {
    for (let id = 10; id < 25; id += 1) await add({ status: 'shipped', transport_order_id: `TO-${id}` });
    await stage.sync();
    expect(told()).toHaveLength(15);
  });

  test('a list of transport orders is read completely where the pages of the marketplace are shorter than requested', async () => {
    const [gotten] = stage.marketplace.records('transport-orders');
    stage.marketplace.removeRecord('transport-orders', Number(gotten?.['id']));
    await sweep((list) => (id, call, look) => list(id, { ...call, query: { ...call.query, limit: 4 } } as never, look));
    expect(await gone()).toBe(1);
  });

  test('a list of transport orders that repeats one row and lacks another proves no deletion', async () => {
    await sweep(
      (list) =>
        (async (...call: Parameters<List>) => {
          const page = await list(...call);
          const [first] = page.raw;
          return { ...page, raw: [first, ...page.raw.slice(0, -1)], rows: page.rows.slice(0, -1) };
        }) as List,
    );
    expect(await gone()).toBe(0);
  });
});
