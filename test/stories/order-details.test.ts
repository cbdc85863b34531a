import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage } from '../support/stage.ts';

const ACCOUNT = `    customers: { to_erp: true, poll: 100ms }
    orders: { transports: { order: mp_order_number, tracking: tracking_transfer.number } }`;
const ADDRESS = { address: '1 High Street', city: 'Reno', state: 'NV', zipcode: '89501' };
const PAID = { payment_expected: { amount: 10, currency: 'USD' }, pickup_driver: {} };

async function open(marketplace = '') {
  const stage = await openStage({ account: ACCOUNT, marketplace, timeout: '2s' });
  stage.erp.control.addProducts([{ sku: 'SB-0001', name: 'Gummies', on_hand: '100', unit_multiplier: '6' }]);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  stage.marketplace.changeRecord('customers', customer, { delivery_address: ADDRESS });
  await stage.sync();
  const place = () => stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '12' }] }).number;
  const transport = (number: string, fields: object) =>
    onMarketplace(stage, 'POST', '/transportation/orders/', { ...PAID, mp_order_number: number, ...fields });
  const inErp = (number: string) => stage.erp.control.findOrders(number)[0];
  return { ...stage, place, transport, inErp };
}

test('an exported order carries its delivery address, and each line its id and the units in a case', async () => {
  const stage = await open();
  const number = stage.place();
  await stage.sync();
  const line = stage.marketplace.order(number).lines[0];
  expect(stage.inErp(number)).toMatchObject({
    ship_to: ADDRESS,
    lines: [{ sku: 'SB-0001', key: String(line?.id), unit_multiplier: '6' }],
  });
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0, failed: 0 });
});

test('a day of delivery that is known at the create is exported with the order', async () => {
  const stage = await open();
  stage.erp.control.inject({ kind: 'status', status: 503, method: 'POST', path: '/v1/orders', times: 1 });
  const number = stage.place();
  await stage.transport(number, {
    status: 'planned',
    transport_order_id: 'T-1',
    requested_delivery_date: '2030-02-01',
  });
  await stage.sync();
  await stage.sync();
  expect(stage.inErp(number)?.delivery_date).toBe('2030-02-01');
});

test('the address and the day of an order take precedence over those of its customer and its transports', async () => {
  const stage = await open('      fields: { order: { requested_date: terms.wanted_on } }');
  stage.erp.control.inject({ kind: 'status', status: 503, method: 'POST', path: '/v1/orders', times: 1 });
  const number = stage.place();
  const fields = { delivery_address: { ...ADDRESS, city: 'Elko' }, terms: { wanted_on: '2030-01-20T09:00:00Z' } };
  stage.marketplace.editOrder(number, fields);
  await stage.transport(number, {
    status: 'planned',
    transport_order_id: 'T-1',
    requested_delivery_date: '2030-02-01',
  });
  await stage.sync();
  await stage.sync();
  expect(stage.inErp(number)).toMatchObject({ ship_to: { city: 'Elko' }, delivery_date: '2030-01-20' });
});

test('an order that an earlier version stored as it was sent is exported to its own address', async () => {
  const stage = await open('      fields: { order: { delivery_address: ship_to } }');
  const sqlite = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'));
  sqlite.exec(`CREATE TRIGGER as_sent AFTER INSERT ON orders BEGIN
    UPDATE orders SET raw = json_remove(raw, '$.delivery_address'); END`);
  sqlite.close();
  const number = stage.place();
  stage.marketplace.editOrder(number, { ship_to: { ...ADDRESS, city: 'Elko' } });
  await stage.sync();
  expect(stage.inErp(number)).toMatchObject({ ship_to: { city: 'Elko' } });
});

test('an order address with a state alone does not replace the address of the customer', async () => {
  const stage = await open();
  const number = stage.place();
  stage.marketplace.editOrder(number, { delivery_address: { state: 'NV' } });
  await stage.sync();
  expect(stage.inErp(number)?.ship_to).toEqual(ADDRESS);
});

test('the expected time of a transport and its tracking number reach the ERP as they become known', async () => {
  const stage = await open();
  const number = stage.place();
  await stage.sync();
  const expected_delivery_datetime = '2030-02-01T10:00:00Z';
  await stage.transport(number, { status: 'planned', transport_order_id: 'T-1', expected_delivery_datetime });
  await stage.sync();
  expect(stage.inErp(number)?.transports).toMatchObject([
    { id: 'T-1', status: 'planned', expected_at: expect.any(String) },
  ]);
  const tracking_transfer = { number: '1Z-7' };
  await stage.transport(number, { status: 'shipped', transport_order_id: 'T-2', tracking_transfer });
  await stage.sync();
  expect(stage.inErp(number)?.transports).toMatchObject([{ id: 'T-1' }, { id: 'T-2', tracking: '1Z-7' }]);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0, failed: 0 });
});

test('an ERP that does not declare delivery details is sent none', async () => {
  const stage = await open();
  stage.erp.control.setAbility({ order_details: false, tracking: false });
  await stage.sync();
  const number = stage.place();
  await stage.transport(number, {
    status: 'shipped',
    transport_order_id: 'T-1',
    tracking_transfer: { number: '1Z-7' },
  });
  await stage.sync();
  await stage.sync();
  expect(stage.inErp(number)).toMatchObject({ lines: [{ sku: 'SB-0001' }] });
  expect(JSON.stringify(stage.inErp(number))).not.toMatch(/ship_to|delivery_date|unit_multiplier|tracking|"key"/);
});
