import { describe, expect, it } from 'vitest';
import { DRAFT, start, TEXT, textWith, withTwoProducts } from './started.ts';

describe('orders and stock', () => {
  it('a draft reserves nothing; reserved counts; shipped leaves; cancelled releases', async () => {
    const { call, figures, control } = await withTwoProducts();
    const { body: draft } = await call('POST', '/v1/orders', { ...DRAFT, status: 'draft' });
    expect(await figures('A')).toEqual(['10', '0', '10']);
    await call('PATCH', `/v1/orders/${draft.id}`, { status: 'reserved' });
    expect(await figures('A')).toEqual(['10', '2.5', '7.5']);
    expect(control.shipOrder(draft.id).status).toBe('shipped');
    expect(await figures('A')).toEqual(['7.5', '0', '7.5']);
    const { body: other } = await call('POST', '/v1/orders', DRAFT);
    await call('PATCH', `/v1/orders/${other.id}`, { status: 'cancelled' });
    expect(await figures('A')).toEqual(['7.5', '0', '7.5']);
  });

  it('order lines are replaced together, and the reservation moves with them', async () => {
    const { call, figures } = await withTwoProducts();
    const { body: order } = await call('POST', '/v1/orders', DRAFT);
    const lines = [{ sku: 'B', quantity: '3', unit_price: '1.00' }];
    expect((await call('PATCH', `/v1/orders/${order.id}`, { lines })).body).toMatchObject({ lines, total: '15.00' });
    expect([await figures('A'), await figures('B')]).toEqual([
      ['10', '0', '10'],
      ['10', '3', '7'],
    ]);
  });

  it('no line becomes smaller than its shipped or abandoned quantity', async () => {
    const { call, figures, control } = await withTwoProducts();
    const { body: order } = await call('POST', '/v1/orders', DRAFT);
    control.shipLines(order.id, { A: { shipped: '1', given_up: '1' } });
    const [line] = control.state().orders.flatMap(({ lines }) => lines);
    const lines = DRAFT.lines.map((one) => ({ ...one, ...line, quantity: '1' }));
    expect(() => control.changeOrder(order.id, { lines })).toThrow('more is shipped and given up than 1');
    expect(await figures('A')).toEqual(['9', '0.5', '8.5']);
  });

  it('the sandbox ERP recalculates nothing: amounts are those that were sent', async () => {
    const { call } = await withTwoProducts();
    const { body: order } = await call('POST', '/v1/orders', DRAFT);
    const money = { discount: '1.00', shipping: '2.00', tax: '3.00', total: '99.99' };
    expect((await call('PATCH', `/v1/orders/${order.id}`, money)).body).toMatchObject(money);
  });

  it('a reservation may exceed the stock', async () => {
    const { call, figures } = await withTwoProducts();
    await call('POST', '/v1/orders', { ...DRAFT, lines: [{ sku: 'A', quantity: '12', unit_price: '4.00' }] });
    expect(await figures('A')).toEqual(['10', '12', '-2']);
  });

  it('an order posted twice is created twice, both found by their reference', async () => {
    const { call } = await withTwoProducts();
    const made = [await call('POST', '/v1/orders', DRAFT), await call('POST', '/v1/orders', DRAFT)];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    const found = (await call('GET', '/v1/orders?reference=R-1')).body;
    expect(found).toMatchObject({ items: [{ id: 'SO-000001' }, { id: 'SO-000002' }], complete: true });
    expect((await call('GET', '/v1/orders?reference=R-2')).body.items).toEqual([]);
  });

  it('shipped and cancelled orders are closed, but cancelling twice succeeds', async () => {
    const { call, control } = await withTwoProducts();
    const { body: shipped } = await call('POST', '/v1/orders', DRAFT);
    control.shipOrder(shipped.id);
    const { body: cancelled } = await call('POST', '/v1/orders', DRAFT);
    expect((await call('PATCH', `/v1/orders/${cancelled.id}`, { status: 'cancelled' })).status).toBe(200);
    expect((await call('PATCH', `/v1/orders/${cancelled.id}`, { status: 'cancelled' })).status).toBe(200);
    for (const [id, change] of [
      [shipped.id, { status: 'cancelled' }],
      [shipped.id, { lines: DRAFT.lines }],
      [cancelled.id, { status: 'reserved' }],
    ] as const) {
      const answer = await call('PATCH', `/v1/orders/${id}`, change);
      expect(answer).toMatchObject({ status: 409, body: { error: textWith(id) } });
    }
  });

  it('every change is in the lists since then, by the clock of the ERP', async () => {
    const { call, control, clock } = await withTwoProducts();
    const { body: order } = await call('POST', '/v1/orders', DRAFT);
    clock.ms += 5;
    const since = encodeURIComponent(new Date(clock.ms).toISOString());
    expect((await call('GET', `/v1/orders?changed_since=${since}`)).body.items).toEqual([]);
    control.shipOrder(order.id);
    expect((await call('GET', `/v1/orders?changed_since=${since}`)).body.items).toMatchObject([
      { id: order.id, status: 'shipped', changed_at: '2030-01-01T00:00:00.005Z' },
    ]);
    const stock = (await call('GET', `/v1/stock?changed_since=${since}`)).body.items;
    expect(stock).toMatchObject([{ sku: 'A', on_hand: '7.5', as_of: '2030-01-01T00:00:00.005Z' }]);
    expect((await call('GET', `/v1/products?changed_since=${since}`)).body.items).toEqual([]);
  });

  it.each([
    ['no reference', { reference: undefined }, 400, 'reference'],
    ['a number for a decimal', { total: 15 }, 400, 'total'],
    ['a status that is for people', { status: 'shipped' }, 400, 'status'],
    ['no lines', { lines: [] }, 400, 'lines'],
    ['a quantity of zero', { lines: [{ sku: 'A', quantity: '0', unit_price: '1' }] }, 400, 'lines.0.quantity'],
    ['an unknown SKU', { lines: [{ sku: 'Z', quantity: '1', unit_price: '1' }] }, 422, 'SKU Z'],
    ['an unknown customer', { customer: { id: 'C-000009' } }, 422, 'C-000009'],
  ])('an order with %s is refused and leaves nothing', async (_what, wrong, status, error) => {
    const { call, control } = await withTwoProducts();
    const answer = await call('POST', '/v1/orders', { ...DRAFT, ...wrong });
    expect(answer).toMatchObject({ status, body: { error: textWith(error) } });
    expect(control.state()).toMatchObject({ orders: [], stock: [{ reserved: '0' }, { reserved: '0' }] });
  });

  it('the sandbox ERP answers 404 for an unknown order', async () => {
    const { call } = await start();
    for (const method of ['GET', 'PATCH']) {
      const answer = await call(method, '/v1/orders/SO-000007', method === 'GET' ? undefined : { status: 'reserved' });
      expect(answer).toMatchObject({ status: 404, body: { error: TEXT } });
    }
  });

  it('orders made by people have themselves as reference', async () => {
    const { call, control, figures } = await withTwoProducts();
    const made = control.createOrder({ lines: [{ sku: 'A', quantity: '3', unit_price: '2.10' }], shipping: '1.00' });
    expect(made).toMatchObject({ origin: 'erp', reference: made.id, status: 'reserved', total: '7.3' });
    expect((await call('GET', `/v1/orders/${made.id}`)).body).toEqual(made);
    expect(await figures('A')).toEqual(['10', '3', '7']);
  });
});

describe('customers and payments', () => {
  it('a customer is created, found by its marketplace id, and named in orders', async () => {
    const { call } = await withTwoProducts();
    const { status, body: made } = await call('POST', '/v1/customers', { name: 'Corner Shop', marketplace_id: 7 });
    expect([status, made.id]).toEqual([201, 'C-000001']);
    expect((await call('GET', '/v1/customers?marketplace_id=7')).body.items).toEqual([made]);
    expect((await call('GET', '/v1/customers?marketplace_id=8')).body.items).toEqual([]);
    const { body: order } = await call('POST', '/v1/orders', { ...DRAFT, customer: { marketplace_id: 7 } });
    expect(order.customer).toEqual({ id: 'C-000001', name: 'Corner Shop', marketplace_id: 7 });
  });

  it('a payment carries the reference of its order', async () => {
    const { call, control } = await withTwoProducts();
    const { body: order } = await call('POST', '/v1/orders', DRAFT);
    control.addPayment({ order_id: order.id, amount: '15.00', method: 'ACH' });
    expect((await call('GET', '/v1/payments')).body.items).toMatchObject([
      { reference: 'R-1', order_id: order.id, amount: '15.00', currency: 'USD' },
    ]);
  });

  it('a payment is accepted for an existing order, each time it is posted, and found by its marketplace id', async () => {
    const { call, control } = await withTwoProducts();
    await call('POST', '/v1/orders', DRAFT);
    const payment = { reference: 'R-1', amount: '15.00', currency: 'USD', marketplace_id: '7' };
    const { status, body: made } = await call('POST', '/v1/payments', payment);
    expect([status, made]).toEqual([201, expect.objectContaining({ ...payment, voided: false, method: null })]);
    await call('POST', '/v1/payments', payment);
    expect((await call('GET', '/v1/payments?marketplace_id=7')).body.items).toHaveLength(2);
    expect((await call('GET', '/v1/payments?marketplace_id=8')).body.items).toEqual([]);
    expect((await call('POST', '/v1/payments', { ...payment, reference: 'R-2' })).status).toBe(422);
    expect(control.changePayment(made.id, { voided: true })).toMatchObject({ voided: true, amount: '15.00' });
  });
});
