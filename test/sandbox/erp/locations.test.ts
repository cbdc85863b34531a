import { expect, test } from 'vitest';
import { start } from './started.ts';

const order = (quantity: string) => ({
  status: 'reserved' as const,
  lines: [{ sku: 'SB-1', quantity, unit_price: '1' }],
});

async function located() {
  const { erp, call } = await start();
  erp.control.addProducts([{ sku: 'SB-1', on_hand: '99' }]);
  erp.control.setStock('SB-1', '10', { location: 'EAST' });
  erp.control.setStock('SB-1', '5', { location: 'WEST', batch: 'LOT-7' });
  const rows = async () => {
    const { items } = (await call('GET', '/v1/stock?sku=SB-1')).body;
    return items.map((row) =>
      Object.values({ ...row, product_id: undefined, as_of: undefined })
        .filter(Boolean)
        .join(' '),
    );
  };
  return { control: erp.control, call, rows };
}

test('a product at several locations has a row for each, which add up to the total', async () => {
  const { control, rows } = await located();
  expect(await rows()).toEqual(['SB-1 10 0 10 EAST', 'SB-1 5 0 5 WEST LOT-7']);
  expect(control.stockOf('SB-1')).toMatchObject({ on_hand: '15', reserved: '0', available: '15' });
});

test('an order takes from the first location with enough stock, and gives back or ships from there', async () => {
  const { control, rows } = await located();
  const large = control.createOrder(order('7'));
  const small = control.createOrder(order('4'));
  expect(await rows()).toEqual(['SB-1 10 7 3 EAST', 'SB-1 5 4 1 WEST LOT-7']);
  control.shipOrder(large.id);
  expect(await rows()).toEqual(['SB-1 3 0 3 EAST', 'SB-1 5 4 1 WEST LOT-7']);
  control.cancelOrder(small.id);
  expect(await rows()).toEqual(['SB-1 3 0 3 EAST', 'SB-1 5 0 5 WEST LOT-7']);
  expect(control.stockOf('SB-1')).toMatchObject({ on_hand: '8', reserved: '0' });
});

test('a change at one location is in the stock listed since before it, and the control API accepts it', async () => {
  const { call } = await located();
  const before = (await call('GET', '/v1/stock')).body.as_of;
  const set = { sku: 'SB-1', on_hand: '6', location: 'WEST', batch: 'LOT-7' };
  expect((await call('POST', '/_control/set-stock', set)).status).toBe(200);
  const { items } = (await call('GET', `/v1/stock?changed_since=${before}`)).body;
  expect(items.map((row) => row.on_hand)).toEqual(['10', '6']);
});
