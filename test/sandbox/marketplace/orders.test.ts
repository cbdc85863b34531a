import { describe, expect, test } from 'vitest';
import { rawNumber } from '../../../src/http/json.ts';
import { addCustomer, addProduct, type Started, start } from './api.ts';

function draft(customer: number, product: number, change: object = {}) {
  return {
    seller: 4711,
    customer: { id: customer },
    status: 'Submitted',
    line_items: [
      { product, quantity: '2.0000', ordered_unit_price: { amount: 12.5, currency: 'USD' }, sale_price: null },
    ],
    discount_amount: 0,
    ...change,
  };
}

async function listed(market: Started, query = 'include_children=line_items') {
  return (await market.call('GET', `/orders-received/?${query}`)).body.results;
}

test('an order create answers 201 with number and external_id; posted twice it makes two', async () => {
  const market = await start();
  const body = draft(addCustomer(market), addProduct(market), { external_id: 'erp-1', notes: 'ring twice' });
  const made = await market.call('POST', '/orders-received/', body);
  expect(made.status).toBe(201);
  expect(made.body.number).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(made.body).toMatchObject({ external_id: 'erp-1', notes: 'ring twice', status: 'Submitted', seller: 4711 });
  await market.call('POST', '/orders-received/', body);
  expect(await listed(market)).toHaveLength(2);
});

test('an order create checks customer, products and seller', async () => {
  const market = await start();
  const [customer, product] = [addCustomer(market), addProduct(market)];
  const [gone, archived] = [addCustomer(market), addProduct(market)];
  market.archiveCustomer(gone);
  market.archiveProduct(archived);
  const refused = async (body: unknown) => {
    const answer = await market.call('POST', '/orders-received/', body);
    expect(answer.status).toBe(400);
    return Object.keys(answer.body);
  };
  expect(await refused(draft(999, product))).toEqual(['customer']);
  expect(await refused(draft(gone, product))).toEqual(['customer']);
  expect(await refused(draft(customer, 999))).toEqual(['line_items']);
  expect(await refused(draft(customer, archived))).toEqual(['line_items']);
  expect(await refused(draft(customer, product, { seller: 1 }))).toEqual(['seller']);
  expect(await refused(draft(customer, product, { status: 'Nonsense' }))).toEqual(['status']);
  expect(await refused(draft(customer, product, { line_items: undefined }))).toEqual(['line_items']);
  expect(await refused(draft(customer, product, { line_items: [{ product }] }))).toEqual(['line_items']);
  expect(await refused(draft(customer, product, { discount_amount: '1.234' }))).toEqual(['discount_amount']);
  expect(await refused('{"seller": 4711,')).toEqual(['detail']);
  expect(market.orders()).toEqual([]);
  expect(market.product(product).reserved).toBe('0');
});

test('a line with too many decimals or no quantity is refused, and nothing of the order is stored', async () => {
  const market = await start();
  const [customer, product] = [addCustomer(market), addProduct(market)];
  for (const quantity of ['1.00001', '0', '-1', 'x', '1e3']) {
    const line_items = [
      { product, quantity: '1', ordered_unit_price: { amount: 1, currency: 'USD' } },
      { product, quantity, ordered_unit_price: { amount: 1, currency: 'USD' } },
    ];
    const answer = await market.call('POST', '/orders-received/', draft(customer, product, { line_items }));
    expect([quantity, answer.status]).toEqual([quantity, 400]);
  }
  expect(market.orders()).toEqual([]);
  expect(market.product(product).reserved).toBe('0');
});

test('line items are only in lists that request them, and in other answers as configured', async () => {
  const market = await start();
  const made = await market.call('POST', '/orders-received/', draft(addCustomer(market), addProduct(market)));
  const path = `/orders-received/${made.body.number}/`;
  expect(made.body.line_items).toBeUndefined();
  expect((await market.call('GET', path)).body.line_items).toBeUndefined();
  expect((await listed(market, ''))[0]?.line_items).toBeUndefined();
  expect((await listed(market))[0]?.line_items).toHaveLength(1);
  market.changeSettings({ lineItemsIn: 'list-and-writes' });
  expect((await market.call('GET', path)).body.line_items).toBeUndefined();
  expect((await market.call('PATCH', path, {})).body.line_items).toHaveLength(1);
  market.changeSettings({ lineItemsIn: 'everywhere' });
  expect((await market.call('GET', path)).body.line_items).toHaveLength(1);
});

test('order lines follow the product; frozen_data does not', async () => {
  const market = await start();
  const product = addProduct(market, 100, { unit_multiplier: 6 });
  market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: '6' }] });
  market.setProduct(product, {
    wholesale_price: { amount: '15.00', currency: 'USD' },
    sale_price: { amount: '9.99', currency: 'USD' },
  });
  const [order] = await listed(market);
  expect(order?.['frozen_data']).toEqual([
    { product, sku: 'SKU-1', name: 'Gummies', wholesale_price: { amount: 12, currency: 'USD' }, unit_multiplier: 6 },
  ]);
  expect(order?.line_items).toEqual([
    {
      id: 1,
      product,
      quantity: '6.0000',
      ordered_unit_price: { amount: 12, currency: 'USD' },
      sale_price: null,
      sales_price: { amount: 9.99, currency: 'USD' },
      wholesale_price: { amount: 15, currency: 'USD' },
      unit_multiplier: 6,
    },
  ]);
});

test('in California the excise is 27 percent after discounts and shipping', async () => {
  const market = await start();
  const product = addProduct(market, 1000);
  const items = [
    { product, quantity: 10, price: { amount: '33.33', currency: 'USD' } },
    {
      product,
      quantity: 3,
      price: { amount: '20.00', currency: 'USD' },
      salePrice: { amount: '15.55', currency: 'USD' },
    },
  ];
  for (const state of ['CA', 'OR']) {
    const customer = addCustomer(market, { state, shippingCharge: '25.00' });
    market.placeOrder({ customer, items, discount: '20.01' });
  }
  const [oregon, california] = await listed(market);
  // 333.30 + 46.65 - 20.01 + 25.00 = 384.94; 27 percent of it is 103.9338.
  expect(california).toMatchObject({
    total: { amount: 488.87 },
    tax_amount: { amount: 103.93 },
    delivery_address: { state: 'CA' },
  });
  expect(oregon).toMatchObject({
    total: { amount: 384.94 },
    tax_amount: { amount: 0 },
    shipping_charge: { amount: 25 },
  });
  market.changeSettings({ orderTotals: false });
  const [plain] = await listed(market);
  expect([plain?.['total'], plain?.['tax_amount'], plain?.['delivery_address']]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('in units, a price per case counts by the unit', async () => {
  const market = await start();
  const product = addProduct(market, 100, { unit_multiplier: 12 });
  market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 18 }] });
  expect((await listed(market))[0]?.['total']).toEqual({ amount: 18, currency: 'USD' });
  market.changeSettings({ lineQuantityIn: 'cases', stockIn: 'units' });
  expect((await listed(market))[0]?.['total']).toEqual({ amount: 216, currency: 'USD' });
});

describe('order patch', () => {
  async function oneOrder() {
    const market = await start();
    const product = addProduct(market);
    const order = market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 2 }] });
    return { market, product, order, path: `/orders-received/${order.number}/` };
  }

  test('an order patch changes the sent fields and the modified time', async () => {
    const { market, path } = await oneOrder();
    const before = (await market.call('GET', path)).body;
    const body = { external_id: 'erp-9', discount_amount: rawNumber('5.25'), notes: 'changed' };
    const after = (await market.call('PATCH', path, body)).body;
    expect(after).toMatchObject({ external_id: 'erp-9', discount_amount: 5.25, notes: 'changed' });
    expect(after.modified > before.modified).toBe(true);
    expect((await market.call('PATCH', path, { external_id: null })).body['external_id']).toBeNull();
  });

  test('an entry of an order patch with an id changes its line, one without adds a line', async () => {
    const { market, path, product, order } = await oneOrder();
    const id = order.lines[0]?.id;
    const added = { product, quantity: '1', ordered_unit_price: { amount: rawNumber('1.10'), currency: 'USD' } };
    const line_items = [{ id, quantity: '3.5000' }, added];
    expect((await market.call('PATCH', path, { line_items })).status).toBe(200);
    const [shown] = await listed(market);
    expect(shown?.line_items.map((line) => line.quantity)).toEqual(['3.5000', '1.0000']);
    expect(shown?.line_items[0]).toMatchObject({ ordered_unit_price: { amount: 12 } });
    await market.call('PATCH', path, { line_items: [added] });
    expect((await listed(market))[0]?.line_items).toHaveLength(3);
    expect((await market.call('PATCH', path, { line_items: [{ id: 999, quantity: '1' }] })).status).toBe(400);
  });

  test('an order patch of status, number and customer is refused', async () => {
    const { market, path } = await oneOrder();
    for (const body of [{ status: 'Shipped' }, { number: 'x' }, { customer: { id: 1 } }, { frozen_data: [] }]) {
      expect((await market.call('PATCH', path, body)).status).toBe(400);
    }
  });

  test('a line is deleted once, and its order reflects it', async () => {
    const { market, order, path } = await oneOrder();
    const before = (await market.call('GET', path)).body;
    const line = `/line-items/${order.lines[0]?.id}/`;
    expect((await market.call('DELETE', line)).status).toBe(204);
    expect((await market.call('DELETE', line)).status).toBe(404);
    const [after] = await listed(market);
    expect(after?.line_items).toEqual([]);
    expect((after?.modified ?? '') > before.modified).toBe(true);
  });
});

describe('transitions', () => {
  const ROADS: Record<string, readonly string[]> = {
    Draft: ['submit', 'cancel'],
    Submitted: ['accept', 'reject', 'cancel'],
    Accepted: ['fulfill', 'reject', 'cancel'],
    Backorder: ['accept', 'reject', 'cancel'],
    Fulfilled: ['ship', 'reject'],
    Shipped: ['complete', 'reject'],
    Complete: [],
    Rejected: [],
    Canceled: [],
  };
  const ACTIONS = ['submit', 'accept', 'fulfill', 'ship', 'complete', 'reject', 'cancel'];

  test.each(Object.entries(ROADS))('the transitions from %s are: %j and no other', async (status, allowed) => {
    const market = await start();
    const product = addProduct(market);
    const customer = addCustomer(market);
    for (const action of ACTIONS) {
      const { number } = market.placeOrder({ customer, status, items: [{ product, quantity: 1 }] });
      const answer = await market.call('POST', `/orders-received/${number}/transition/${action}/`);
      expect([action, answer.status]).toEqual([action, allowed.includes(action) ? 200 : 400]);
      if (answer.status === 400) expect(answer.body.detail).toContain(status);
      expect(answer.status === 400 ? status : answer.body.status).toBe(market.order(number).status);
    }
  });

  test('a repeated transition is refused, an unknown action or order is not found, a payload is refused', async () => {
    const market = await start();
    const product = addProduct(market);
    const customer = addCustomer(market);
    const { number } = market.placeOrder({ customer, status: 'Accepted', items: [{ product, quantity: 1 }] });
    const fulfill = `/orders-received/${number}/transition/fulfill/`;
    expect((await market.call('POST', fulfill, '{}')).status).toBe(400);
    expect((await market.call('POST', fulfill)).status).toBe(200);
    expect((await market.call('POST', fulfill)).status).toBe(400);
    expect((await market.call('POST', `/orders-received/${number}/transition/teleport/`)).status).toBe(404);
    const other = '11111111-1111-4111-8111-111111111111';
    expect((await market.call('POST', `/orders-received/${other}/transition/fulfill/`)).status).toBe(404);
    expect((await market.call('GET', '/orders-received/not-a-uuid/')).status).toBe(404);
  });
});
