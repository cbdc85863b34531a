import { describe, expect, test } from 'vitest';
import { addCustomer, addProduct, figuresOf, handClock, type Started, start } from './api.ts';

const COMPANY = 'company_id=4711';
const EAST = { facility: 7, batch: 70 };
const WEST = { facility: 8, batch: 80 };

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(market: Started, grouping: string, filters = ''): Promise<readonly Row[]> {
  const { status, text } = await market.call('GET', `/inventory/measurements/by-${grouping}/?${COMPANY}${filters}`);
  expect([grouping, status]).toEqual([grouping, 200]);
  return JSON.parse(text) as Row[];
}

/** facility, batch, on hand, reserved, held, archived and available of a product, place by place. */
async function places(market: Started, product: number): Promise<readonly unknown[]> {
  const rows = await rowsOf(market, 'product-facility-batch', `&product_id=${product}`);
  return rows.map((row) => [
    row['facility_id'],
    row['batch_id'],
    ...['on_hand', 'reserved', 'held', 'archived', 'available'].map((figure) => Number(row[`${figure}_quantity`])),
  ]);
}

/** Facility, on hand and reserved of a product, place by place. */
async function onHand(market: Started, product: number): Promise<readonly unknown[]> {
  const rows = (await places(market, product)) as readonly (readonly unknown[])[];
  return rows.map(([facility, , quantity, reserved]) => [facility, quantity, reserved]);
}

/** Sends a command and answers its status. */
async function command(market: Started, path: string, body: object): Promise<Row> {
  const sent = await market.call('POST', `/inventory/commands/${path}/?${COMPANY}`, { created_by: 1, ...body });
  expect([path, sent.status]).toEqual([path, 202]);
  expect(sent.body['task_id']).toEqual(expect.any(String));
  return statusOf(market, Number(sent.body['command_id']));
}

async function statusOf(market: Started, id: number): Promise<Row> {
  const { status, body } = await market.call('GET', `/inventory/commands/${id}/status/?${COMPANY}`);
  expect(status).toBe(200);
  return body;
}

const at = (product: number, { facility, batch }: typeof EAST) => ({
  product_id: product,
  facility_id: facility,
  batch_id: batch,
});

/** 60 in the east, 40 in the west. */
async function placed(settings = {}) {
  const market = await start({ settings });
  const product = addProduct(market, 0);
  market.setInventory(product, [
    { ...EAST, onHand: 60 },
    { ...WEST, onHand: 40 },
  ]);
  const order = (quantity: number) =>
    market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity }] });
  return { market, product, order };
}

test('a brand without facilities has its stock at the implicit facility', async () => {
  const market = await start();
  const product = addProduct(market, '100.5');
  market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 7 }] });
  expect(await places(market, product)).toEqual([[1, 1, 100.5, 7, 0, 0, 93.5]]);
  expect(await figuresOf(market, product)).toEqual([100.5, 7, 93.5]);
});

test('a brand without facilities keeps its stock and reservations when stock is put elsewhere', async () => {
  const market = await start();
  const product = addProduct(market, 100);
  const order = market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 7 }] });
  await command(market, 'putaway', { ...at(product, EAST), quantity: '25.00' });
  expect(await places(market, product)).toEqual([
    [1, 1, 100, 7, 0, 0, 93],
    [7, 70, 25, 0, 0, 0, 25],
  ]);
  expect(await figuresOf(market, product)).toEqual([125, 7, 118]);
  market.transition(order.number, 'accept');
  market.transition(order.number, 'fulfill');
  expect(await places(market, product)).toEqual([
    [1, 1, 93, 0, 0, 0, 93],
    [7, 70, 25, 0, 0, 0, 25],
  ]);
});

test('every grouping of the measurements adds up to the product, and is filtered by its keys', async () => {
  const { market, product, order } = await placed();
  const other = addProduct(market, 5, { sku: 'SKU-2' });
  order(70);
  await command(market, 'hold', { ...at(product, WEST), quantity: '4', reason: 'test' });
  const groupings = {
    batch: 3,
    facility: 3,
    'facility-batch': 3,
    product: 2,
    'product-batch': 3,
    'product-facility': 3,
    'product-facility-batch': 3,
  };
  for (const [grouping, groups] of Object.entries(groupings)) {
    const rows = await rowsOf(market, grouping);
    const sum = (figure: string) => rows.reduce((total, row) => total + Number(row[`${figure}_quantity`]), 0);
    expect([grouping, rows.length, sum('on_hand'), sum('reserved'), sum('held'), sum('available')]).toEqual([
      grouping,
      groups,
      105,
      70,
      4,
      31,
    ]);
    expect(new Set(Object.keys(rows[0] ?? {}).filter((key) => key.endsWith('_id')))).toEqual(
      new Set(grouping.split('-').map((key) => `${key}_id`)),
    );
  }
  expect(await rowsOf(market, 'facility', '&facility_id=8,9')).toMatchObject([
    { facility_id: 8, on_hand_quantity: '40.00', available_quantity: '26.00', archived_quantity: '0.00' },
  ]);
  expect(await rowsOf(market, 'product', `&product_id=${other}`)).toHaveLength(1);
  expect(await figuresOf(market, product)).toEqual([96, 70, 26]);
  const wrong = await market.call('GET', '/inventory/measurements/by-batch/?company_id=1');
  expect(wrong.status).toBe(403);
});

describe('commands', () => {
  const reason = 'stock take';
  const stories: readonly [path: string, body: object, east: number[], figures: number[]][] = [
    ['putaway', { quantity: '5.5' }, [65.5, 0, 0, 0, 65.5], [105.5, 0, 105.5]],
    ['reconcile', { to_quantity: '12.25', reason }, [12.25, 0, 0, 0, 12.25], [52.25, 0, 52.25]],
    ['destroy', { quantity: '60', reason }, [0, 0, 0, 0, 0], [40, 0, 40]],
    ['hold', { quantity: '.5', reason }, [60, 0, 0.5, 0, 59.5], [99.5, 0, 99.5]],
    ['archive', { quantity: '10.', reason }, [50, 0, 0, 10, 50], [90, 0, 90]],
  ];
  test.each(stories)('an inventory command changes the stock: %s', async (path, body, east, figures) => {
    const { market, product } = await placed();
    const status = await command(market, path, { ...at(product, EAST), ...body });
    expect(status).toMatchObject({ result_status: 'Success', command_type: path, result_metadata: {} });
    expect(status['result_on']).toEqual(expect.any(String));
    expect((await places(market, product))[0]).toEqual([7, 70, ...east]);
    expect(await figuresOf(market, product)).toEqual(figures);
  });

  test('held and archived units can be returned', async () => {
    const { market, product } = await placed();
    const body = { ...at(product, EAST), quantity: '10', reason };
    for (const path of ['hold', 'archive', 'unhold', 'unarchive']) {
      expect(await command(market, path, body)).toMatchObject({ result_status: 'Success' });
    }
    expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
    expect(await command(market, 'unhold', body)).toMatchObject({
      result_status: 'Failed',
      result_metadata: { error: '0 held at facility 7 in batch 70, 10 asked for' },
    });
  });

  test('a transfer moves units between facilities and between products', async () => {
    const { market, product } = await placed();
    const other = addProduct(market, 1, { sku: 'SKU-2' });
    const to = { to_product_id: product, to_facility_id: 9, to_batch_id: 80 };
    const from = { from_product_id: product, from_facility_id: 8, from_batch_id: 80 };
    await command(market, 'transfer', { ...from, ...to, quantity: '15' });
    await command(market, 'transfer', { ...from, ...to, to_product_id: other, quantity: '5' });
    expect(await figuresOf(market, product)).toEqual([95, 0, 95]);
    expect(await places(market, other)).toEqual([
      [1, 1, 1, 0, 0, 0, 1],
      [9, 80, 5, 0, 0, 0, 5],
    ]);
    expect(await rowsOf(market, 'batch', '&batch_id=80')).toMatchObject([{ on_hand_quantity: '40.00' }]);
  });

  test.each([
    ['destroy', { quantity: '26', reason }, '25 available at facility 7 in batch 70, 26 asked for'],
    ['hold', { quantity: '25.01', reason }, '25 available at facility 7 in batch 70, 25.01 asked for'],
    ['putaway', { quantity: '0' }, 'the quantity is 0: it must be above 0'],
    ['putaway', { quantity: '1', product_id: 99 }, 'there is no product 99'],
    ['putaway', { quantity: '1', facility_id: 5 }, 'there is no facility 5'],
    ['reconcile', { to_quantity: '-1', reason }, 'to_quantity is -1: what is on hand is not below 0'],
  ])('the command %s of %j fails, and changes nothing', async (path, body, error) => {
    const { market, product, order } = await placed({ facilities: [{ id: 7, name: 'East' }] });
    order(35);
    const before = await places(market, product);
    expect(await command(market, path, { ...at(product, EAST), ...body })).toMatchObject({
      result_status: 'Failed',
      result_metadata: { error },
    });
    expect(await places(market, product)).toEqual(before);
  });

  test('counted units are on hand, even when fewer than the reserved ones', async () => {
    const { market, product, order } = await placed();
    order(60);
    await command(market, 'reconcile', { ...at(product, EAST), to_quantity: '50', reason });
    expect((await places(market, product))[0]).toEqual([7, 70, 50, 60, 0, 0, -10]);
  });

  test('a change by a command bumps the product, and sends webhooks', async () => {
    const { market, product } = await placed();
    const modified = async () => (await market.call('GET', `/products/?id=${product}`)).body.results[0]?.modified ?? '';
    const before = await modified();
    const events: unknown[] = [];
    market.onEvent((event) => events.push(event));
    await command(market, 'putaway', { ...at(product, EAST), quantity: '1' });
    expect((await modified()) > before).toBe(true);
    expect(events).toEqual([{ type: 'product', action: 'edit', id: product, by: 'api' }]);
  });

  test('a product without managed inventory has no measurements, and its commands fail', async () => {
    const market = await start();
    const product = market.createProduct({ sku: 'U', name: 'Unlimited', inventory_management: 2 }).id;
    expect(await rowsOf(market, 'product')).toEqual([]);
    const status = await command(market, 'putaway', { ...at(product, EAST), quantity: '1' });
    expect(status['result_metadata']).toEqual({ error: `product ${product} keeps no inventory` });
  });
});

test('a queued command is Pending until its time has come, and settles in the order of acceptance', async () => {
  const clock = handClock();
  const market = await start({ now: clock.now, settings: { commandDelayMs: 1000 } });
  const product = addProduct(market, 0);
  const putaway = { ...at(product, EAST), quantity: '5' };
  const first = await command(market, 'putaway', putaway);
  expect(first).toMatchObject({ result_status: 'Pending', result_on: null, result_metadata: {} });
  const second = await command(market, 'destroy', { ...putaway, reason: 'spilled' });
  expect(await figuresOf(market, product)).toEqual([0, 0, 0]);
  clock.advanceMs(1000);
  expect(market.product(product).quantity).toBe('0');
  for (const { command_id: id } of [first, second]) {
    expect(await statusOf(market, Number(id))).toMatchObject({ result_status: 'Success' });
  }
});

test('a queued command stays Pending, or fails, where a fault says so', async () => {
  const clock = handClock();
  const faults = [
    { kind: 'command-pending' as const, operation: 'inventory.putaway', times: 1 },
    { kind: 'command-pending' as const, operation: 'inventory.putaway', times: 1, ms: 5000 },
    { kind: 'command-failed' as const, operation: 'inventory.*', reason: 'the bay is flooded', times: 1, after: 2 },
  ];
  const market = await start({ now: clock.now, faults });
  const product = addProduct(market, 0);
  const putaway = { ...at(product, EAST), quantity: '5' };
  const stuck = await command(market, 'putaway', putaway);
  const late = await command(market, 'putaway', putaway);
  const failed = await command(market, 'putaway', putaway);
  expect([stuck, late, failed].map((each) => each['result_status'])).toEqual(['Pending', 'Pending', 'Failed']);
  expect(failed['result_metadata']).toEqual({ error: 'the bay is flooded' });
  clock.advanceMs(5000);
  expect(await statusOf(market, Number(late['command_id']))).toMatchObject({ result_status: 'Success' });
  clock.advanceMs(1_000_000_000);
  expect(await statusOf(market, Number(stuck['command_id']))).toMatchObject({ result_status: 'Pending' });
  expect(await figuresOf(market, product)).toEqual([5, 0, 5]);
});

test('a queued command is executed although its answer was lost', async () => {
  const { market, product } = await placed();
  market.faults.set({ kind: 'reset-after', operation: 'inventory.reconcile', times: 1 });
  const body = { ...at(product, EAST), to_quantity: '1', reason: 'x', created_by: 1 };
  const lost = market.call('POST', `/inventory/commands/reconcile/?${COMPANY}`, body);
  await expect(lost).rejects.toThrow('fetch failed');
  expect(market.inventory(product)[0]).toMatchObject({ onHand: '1' });
});

describe('reservations follow orders', () => {
  const reservations = async (market: Started, id: number | string, query = '') => {
    const { text } = await market.call('GET', `/inventory/orders/${id}/reservations/?${COMPANY}${query}`);
    return (JSON.parse(text) as Row[]).map((row) => [row['facility_id'], row['quantity'], row['fulfilled_quantity']]);
  };

  test('reservations follow orders over facilities and batches, from submission to rejection', async () => {
    const { market, product, order } = await placed();
    const { id, number } = order(70);
    expect(await reservations(market, id)).toEqual([
      [7, '60.00', '0.00'],
      [8, '10.00', '0.00'],
    ]);
    expect(await reservations(market, number)).toEqual(await reservations(market, id));
    const backwards = await reservations(market, id, '&ordering=-facility_id&search=gumm');
    expect(backwards.map(([facility]) => facility)).toEqual([8, 7]);
    expect(await reservations(market, id, '&search=nothing')).toEqual([]);
    market.transition(number, 'accept');
    market.transition(number, 'fulfill');
    expect(await reservations(market, id)).toEqual([
      [7, '60.00', '60.00'],
      [8, '10.00', '10.00'],
    ]);
    expect(await onHand(market, product)).toEqual([
      [7, 0, 0],
      [8, 30, 0],
    ]);
    market.transition(number, 'reject');
    expect(await reservations(market, id)).toEqual([]);
    expect(await onHand(market, product)).toEqual([
      [7, 60, 0],
      [8, 40, 0],
    ]);
  });

  test('an edited line reserves more where there is stock, and releases at the last facility', async () => {
    const { market, product, order } = await placed();
    const line = order(50).lines[0]?.id ?? 0;
    market.editLine(line, { quantity: 90 });
    expect(await onHand(market, product)).toEqual([
      [7, 60, 60],
      [8, 40, 30],
    ]);
    market.editLine(line, { quantity: 55 });
    expect(await onHand(market, product)).toEqual([
      [7, 60, 55],
      [8, 40, 0],
    ]);
    market.removeLine(line);
    expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
  });

  test('units beyond the stock are reserved at the first facility', async () => {
    const { market, product } = await placed();
    market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 130 }], oversell: true });
    expect(await onHand(market, product)).toEqual([
      [7, 60, 90],
      [8, 40, 40],
    ]);
    expect(await figuresOf(market, product)).toEqual([100, 130, -30]);
  });

  test('fulfill, unfulfill and unreserve move what a line reserves, and the order goes on from there', async () => {
    const { market, product, order } = await placed();
    const { id, number, lines } = order(70);
    const line = { product_id: product, order_id: id, order_product_id: lines[0]?.id };
    expect(await command(market, 'fulfillment', { ...line, quantity: '65' })).toMatchObject({
      result_status: 'Success',
      command_type: 'fulfill',
    });
    expect(await figuresOf(market, product)).toEqual([35, 5, 30]);
    await command(market, 'unfulfillment', { ...line, quantity: '15' });
    expect(await reservations(market, id)).toEqual([
      [7, '60.00', '50.00'],
      [8, '10.00', '0.00'],
    ]);
    await command(market, 'unreserve', { ...line, quantity: '12' });
    expect(await figuresOf(market, product)).toEqual([50, 8, 42]);
    expect(await command(market, 'fulfillment', { ...line, quantity: '8.01' })).toMatchObject({
      result_status: 'Failed',
      result_metadata: { error: `8 reserved by line ${line.order_product_id}, 8.01 asked for` },
    });
    // Writing the order reserves nothing again, and fulfilling it takes what is left.
    market.editOrder(number, { external_id: 'erp-1' });
    expect(await figuresOf(market, product)).toEqual([50, 8, 42]);
    market.transition(number, 'accept');
    market.transition(number, 'fulfill');
    expect(await figuresOf(market, product)).toEqual([42, 0, 42]);
    market.transition(number, 'reject');
    expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
  });

  test.each([
    [{ order_id: 99 }, 'there is no order 99'],
    [{ order_product_id: 99 }, 'order 1 has no line 99'],
    [{ product_id: 99 }, 'line 1 is of product 1'],
  ])('a command for %j fails', async (wrong, error) => {
    const { market, product, order } = await placed();
    const { id, lines } = order(70);
    const line = { product_id: product, order_id: id, order_product_id: lines[0]?.id, quantity: '1' };
    const status = await command(market, 'unreserve', { ...line, ...wrong });
    expect(status).toMatchObject({ result_status: 'Failed', result_metadata: { error } });
  });
});

test("the sandbox spreads a product's quantity over its facilities", async () => {
  const { market, product, order } = await placed();
  order(10);
  market.setProduct(product, { quantity: 130 });
  expect(await onHand(market, product)).toEqual([
    [7, 90, 10],
    [8, 40, 0],
  ]);
  await market.call('PATCH', `/products/${product}/`, { available_inventory: 15 });
  expect(await onHand(market, product)).toEqual([
    [7, 10, 10],
    [8, 15, 0],
  ]);
  expect(await figuresOf(market, product)).toEqual([25, 10, 15]);
});
