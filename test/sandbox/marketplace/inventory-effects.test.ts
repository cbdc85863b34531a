import { describe, expect, test } from 'vitest';
import { addCustomer, addProduct, figuresOf, firstOf, type Started, start } from './api.ts';

/** quantity, reserved, available after each step; 100 on hand, 7 ordered. */
const STORIES: readonly { title: string; steps: readonly (readonly [step: string, number, number, number])[] }[] = [
  {
    title: 'submitted and rejected',
    steps: [
      ['place', 100, 7, 93],
      ['reject', 100, 0, 100],
    ],
  },
  {
    title: 'accepted and rejected',
    steps: [
      ['place', 100, 7, 93],
      ['accept', 100, 7, 93],
      ['reject', 100, 0, 100],
    ],
  },
  {
    title: 'fulfilled',
    steps: [
      ['accept', 100, 7, 93],
      ['fulfill', 93, 0, 93],
    ],
  },
  {
    title: 'fulfilled and rejected',
    steps: [
      ['accept', 100, 7, 93],
      ['fulfill', 93, 0, 93],
      ['reject', 100, 0, 100],
    ],
  },
  {
    title: 'shipped and rejected',
    steps: [
      ['accept', 100, 7, 93],
      ['fulfill', 93, 0, 93],
      ['ship', 93, 0, 93],
      ['reject', 100, 0, 100],
    ],
  },
  {
    title: 'complete',
    steps: [
      ['accept', 100, 7, 93],
      ['fulfill', 93, 0, 93],
      ['ship', 93, 0, 93],
      ['complete', 93, 0, 93],
    ],
  },
  {
    title: 'submitted and canceled',
    steps: [
      ['place', 100, 7, 93],
      ['cancel', 100, 0, 100],
    ],
  },
];

async function placeSeven(market: Started) {
  const product = addProduct(market, 100);
  const order = market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 7 }] });
  return { product, order };
}

describe('inventory effects of order events (spec 1)', () => {
  for (const { title, steps } of STORIES) {
    test(title, async () => {
      const market = await start();
      const { product, order } = await placeSeven(market);
      for (const [step, ...expected] of steps) {
        if (step !== 'place') {
          const moved = await market.call('POST', `/orders-received/${order.number}/transition/${step}/`);
          expect(moved.status).toBe(200);
        }
        expect([step, ...(await figuresOf(market, product))]).toEqual([step, ...expected]);
      }
    });
  }

  test('an order in Backorder reserves nothing until it is accepted', async () => {
    const market = await start();
    const product = addProduct(market, 100);
    const customer = addCustomer(market);
    const order = market.placeOrder({ customer, status: 'Backorder', items: [{ product, quantity: 7 }] });
    expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
    market.transition(order.number, 'accept');
    expect(await figuresOf(market, product)).toEqual([100, 7, 93]);
  });

  test('an order in an unknown status reserves nothing', async () => {
    const market = await start();
    const { product, order } = await placeSeven(market);
    market.forceStatus(order.number, 'Combined');
    expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
  });

  test('two lines of one product count both, and editing or deleting one moves the reservation', async () => {
    const market = await start();
    const product = addProduct(market, 100);
    const items = [
      { product, quantity: 7 },
      { product, quantity: '2.5' },
    ];
    const { lines } = market.placeOrder({ customer: addCustomer(market), items });
    expect(await figuresOf(market, product)).toEqual([100, 9.5, 90.5]);
    market.editLine(lines[0]?.id ?? 0, { quantity: '3.2500' });
    expect(await figuresOf(market, product)).toEqual([100, 5.75, 94.25]);
    const gone = await market.call('DELETE', `/line-items/${lines[1]?.id}/`);
    expect(gone.status).toBe(204);
    expect(await figuresOf(market, product)).toEqual([100, 3.25, 96.75]);
  });

  test('the sandbox continues the orders of a deleted listing', async () => {
    const market = await start();
    const { product, order } = await placeSeven(market);
    market.deleteProduct(product);
    market.removeLine(order.lines[0]?.id ?? 0);
    expect(market.order(order.number).lines).toEqual([]);
  });

  test('stock never becomes a float: three tenths are three tenths', async () => {
    const market = await start();
    const product = addProduct(market, '0.3');
    market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: '0.1' }] });
    const { text } = await market.call('GET', `/products/?id=${product}`);
    expect(text).toContain('"quantity":0.3,"reserved_qty":0.1,"available_inventory":0.2,');
  });
});

describe('the late-line rule', () => {
  for (const status of ['Submitted', 'Accepted']) {
    test(`a line added at ${status} reserves, and is consumed`, async () => {
      const market = await start();
      const { product, order } = await placeSeven(market);
      if (status === 'Accepted') market.transition(order.number, 'accept');
      market.addLine(order.number, { product, quantity: 5 });
      expect(await figuresOf(market, product)).toEqual([100, 12, 88]);
      if (status === 'Submitted') market.transition(order.number, 'accept');
      market.transition(order.number, 'fulfill');
      expect(await figuresOf(market, product)).toEqual([88, 0, 88]);
    });
  }

  for (const status of ['Fulfilled', 'Shipped']) {
    test(`a line added at ${status} neither reserves nor consumes, and is not given back`, async () => {
      const market = await start();
      const { product, order } = await placeSeven(market);
      market.transition(order.number, 'accept');
      market.transition(order.number, 'fulfill');
      if (status === 'Shipped') market.transition(order.number, 'ship');
      const entry = { product, quantity: '5.0000', ordered_unit_price: { amount: 12, currency: 'USD' } };
      const added = await market.call('PATCH', `/orders-received/${order.number}/`, { line_items: [entry] });
      expect(added.status).toBe(200);
      expect(await figuresOf(market, product)).toEqual([93, 0, 93]);
      await market.call('POST', `/orders-received/${order.number}/transition/reject/`);
      expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
    });
  }

  test('after Accepted, editing or deleting a line moves no stock, and a rejection returns the reserved units', async () => {
    const market = await start();
    const { product, order } = await placeSeven(market);
    const other = addProduct(market, 20, { sku: 'SKU-2' });
    const { lines } = market.addLine(order.number, { product: other, quantity: 4 });
    market.transition(order.number, 'accept');
    market.transition(order.number, 'fulfill');
    market.editLine(lines[0]?.id ?? 0, { quantity: 30 });
    market.removeLine(lines[1]?.id ?? 0);
    expect(await figuresOf(market, product)).toEqual([93, 0, 93]);
    expect(await figuresOf(market, other)).toEqual([16, 0, 16]);
    market.transition(order.number, 'reject');
    expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
    expect(await figuresOf(market, other)).toEqual([16, 0, 16]);
  });

  test('an order that is created Fulfilled moves no stock', async () => {
    const market = await start();
    const product = addProduct(market, 100);
    market.placeOrder({ customer: addCustomer(market), status: 'Fulfilled', items: [{ product, quantity: 7 }] });
    expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
  });
});

describe('units and cases', () => {
  test('in cases, a line reserves its quantity times unit_multiplier', async () => {
    const market = await start({ settings: { lineQuantityIn: 'cases', stockIn: 'units' } });
    const product = addProduct(market, 100, { unit_multiplier: 12 });
    market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 2 }] });
    expect(await figuresOf(market, product)).toEqual([100, 24, 76]);
  });

  test('in units, unit_multiplier does not matter', async () => {
    const market = await start();
    const product = addProduct(market, 100, { unit_multiplier: 12 });
    market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 2 }] });
    expect(await figuresOf(market, product)).toEqual([100, 2, 98]);
  });

  test('reserved units are released even when the case size changed meanwhile', async () => {
    const market = await start({ settings: { lineQuantityIn: 'cases', stockIn: 'units' } });
    const product = addProduct(market, 100, { unit_multiplier: 12 });
    const order = market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 2 }] });
    market.setProduct(product, { unit_multiplier: 10 });
    market.transition(order.number, 'reject');
    expect(await figuresOf(market, product)).toEqual([100, 0, 100]);
  });
});

describe('the product of an order that moves stock', () => {
  test("a reservation does not bump the product's modified, unless the setting says so", async () => {
    const market = await start();
    const product = addProduct(market, 100);
    const modified = async () => (await firstOf(market, `/products/?id=${product}`)).modified;
    const before = await modified();
    const customer = addCustomer(market);
    market.placeOrder({ customer, items: [{ product, quantity: 1 }] });
    expect(await modified()).toBe(before);
    market.changeSettings({ orderEffectsBumpProduct: 'always' });
    market.placeOrder({ customer, items: [{ product, quantity: 1 }] });
    expect((await modified()) > before).toBe(true);
  });

  test('a product of unlimited stock has no figures', async () => {
    const market = await start();
    const product = market.createProduct({ sku: 'U', name: 'Unlimited', inventory_management: 2 }).id;
    market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 5000 }] });
    expect(await figuresOf(market, product)).toEqual([null, null, null]);
  });
});
