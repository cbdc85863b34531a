import { describe, expect, test } from 'vitest';
import { createChance } from '../../../src/sandbox/chance.ts';
import { createFaults, parseFault } from '../../../src/sandbox/marketplace/faults.ts';
import { addCustomer, addProduct, handClock, type Started, start } from './api.ts';

/** Looks often, so that the caller gives up long before a held call is applied. Waits as long as a busy machine needs. */
const PATIENT = { interval: 10, timeout: 90_000 };
const PRODUCT = { sku: 'A', name: 'A' };
const create = (market: Started) => market.call('POST', '/products/', PRODUCT);

test('a fault can lose the answer after the call was applied', async () => {
  const market = await start({ faults: [{ kind: 'reset-after', operation: 'products.create', times: 1 }] });
  await expect(create(market)).rejects.toThrow('fetch failed');
  expect(market.products()).toHaveLength(1);
  expect((await create(market)).status).toBe(201);
  expect(market.requestLog.calls()).toMatchObject([
    { status: null, applied: true, faults: ['reset-after'] },
    { status: 201, applied: true, faults: [] },
  ]);
});

test('a fault can cut the connection before the call is applied', async () => {
  const market = await start({ faults: [{ kind: 'reset-before', times: 1 }] });
  await expect(create(market)).rejects.toThrow('fetch failed');
  expect(market.products()).toEqual([]);
  expect(market.requestLog.calls()[0]).toMatchObject({ status: null, applied: false });
});

test('a fault with a 5xx before leaves nothing; one with a 5xx after leaves the effect', async () => {
  const market = await start({
    faults: [
      { kind: 'status-before', status: 503, retryAfterSeconds: 7, times: 1 },
      { kind: 'status-after', status: 502, after: 1, times: 1 },
    ],
  });
  const before = await create(market);
  expect([before.status, before.headers.get('retry-after'), market.products().length]).toEqual([503, '7', 0]);
  const fine = await create(market);
  expect([fine.status, market.products().length]).toEqual([201, 1]);
  expect([(await create(market)).status, market.products().length]).toEqual([502, 2]);
  expect((await create(market)).status).toBe(201);
});

test('the sandbox can send half an answer, a page of HTML, or a 429 although calls are left', async () => {
  const market = await start();
  market.faults.set({ kind: 'truncate-body', times: 1 });
  await expect(market.call('GET', '/products/')).rejects.toThrow('terminated');
  market.faults.set({ kind: 'html-body', times: 1 });
  const html = await market.call('GET', '/products/');
  expect([html.status, html.headers.get('content-type'), html.text.slice(0, 6)]).toEqual([200, 'text/html', '<html>']);
  market.faults.set({ kind: 'rate-limit', retryAfterSeconds: 3, times: 1 });
  const limited = await market.call('GET', '/products/');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
});

test('a call that its caller cancelled is applied all the same', async () => {
  const market = await start({ faults: [{ kind: 'delay-before', ms: 300, times: 1 }] });
  const caller = new AbortController();
  const given = fetch(`${market.url}/api/v2/products/`, {
    method: 'POST',
    headers: { authorization: `App ${market.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(PRODUCT),
    signal: caller.signal,
  });
  const refused = expect(given).rejects.toThrow('given up');
  // The caller waits until the marketplace has the request: a request that never left is not applied.
  await expect.poll(() => market.faults.list()[0]?.struck, PATIENT).toBe(1);
  caller.abort(new Error('given up'));
  await refused;
  await expect.poll(() => market.products().length, PATIENT).toBe(1);
});

test('a held answer does not keep the marketplace from closing', async () => {
  const market = await start({ faults: [{ kind: 'delay-after', ms: 600_000 }] });
  const held = market.call('GET', '/products/').catch((error: unknown) => error);
  await expect.poll(() => market.faults.list()[0]?.struck, PATIENT).toBe(1);
  await market.close();
  expect(await held).toBeInstanceOf(Error);
});

test('a fault can reduce the answer of a write to the id, or to the inventory fields', async () => {
  const market = await start();
  market.faults.set({ kind: 'sparse-answer', keep: 'id', times: 2 });
  expect((await create(market)).body).toEqual({ id: 1 });
  expect((await market.call('GET', '/products/?id=1')).body.results[0]).toMatchObject({ sku: 'A' });
  const patch = () => market.call('PATCH', '/products/1/', { quantity: 3, name: 'B' });
  expect((await patch()).body).toEqual({ id: 1 });
  market.faults.set({ kind: 'sparse-answer', keep: 'inventory', times: 2 });
  const figures = { reserved_qty: 0, available_inventory: 3 };
  expect((await patch()).body).toEqual({ ...figures, quantity: 3 });
  expect((await create(market)).body).toMatchObject({ id: 2, quantity: 0 });
  expect(market.products().map(({ name }) => name)).toEqual(['B', 'A']);
});

test('a fault can return a wrong next page', async () => {
  const market = await start({ faults: [{ kind: 'next-lies', next: 'other-host', times: 1 }] });
  market.createProducts([PRODUCT, PRODUCT]);
  const next = async () => (await market.call('GET', '/products/?page_size=1')).body.next;
  expect(await next()).toBe('http://elsewhere.invalid/api/v2/products/?page=2');
  expect(await next()).toBe(`${market.url}/api/v2/products/?page_size=1&page=2`);
  market.faults.set({ kind: 'next-lies', next: 'null' });
  expect(await next()).toBeNull();
});

test('a refused call uses up no fault', async () => {
  const market = await start({ faults: [{ kind: 'status-before', status: 500, times: 1 }] });
  await market.call('GET', '/products/', undefined, { authorization: 'App wrong' });
  expect(market.faults.list()).toMatchObject([{ seen: 0, struck: 0 }]);
});

describe('faults of rows', () => {
  async function withOrder() {
    const clock = handClock();
    const market = await start({ now: clock.now });
    const items = [{ product: addProduct(market), quantity: 1 }];
    const customer = addCustomer(market);
    const place = () => market.placeOrder({ customer, items }).number;
    const seen = async () =>
      (await market.call('GET', '/orders-received/?ordering=modified')).body.results.map((row) => [
        row.number,
        row.status,
      ]);
    return { clock, market, place, seen };
  }

  test('with the fault of late rows a new order is visible only after some lists, with its original modified', async () => {
    const { market, place, seen, clock } = await withOrder();
    const first = place();
    market.faults.set({ kind: 'late-rows', entity: 'orders', lists: 2, times: 1 });
    const late = place();
    clock.advanceMs(5000);
    const third = place();
    expect(await seen()).toEqual([
      [first, 'Submitted'],
      [third, 'Submitted'],
    ]);
    expect((await market.call('GET', `/orders-received/${late}/`)).status).toBe(200);
    expect((await seen()).length).toBe(2);
    expect(await seen()).toEqual([
      [first, 'Submitted'],
      [late, 'Submitted'],
      [third, 'Submitted'],
    ]);
  });

  test('with the fault of late rows a changed order has its former state until its time has come', async () => {
    const { market, place, seen, clock } = await withOrder();
    const [first, second] = [place(), place()];
    market.faults.set({ kind: 'late-rows', entity: 'orders', ms: 1000, times: 1 });
    market.transition(first, 'accept');
    expect(await seen()).toEqual([
      [first, 'Submitted'],
      [second, 'Submitted'],
    ]);
    expect((await market.call('GET', '/orders-received/?status=Accepted')).body.count).toBe(0);
    clock.advanceMs(1000);
    expect(await seen()).toEqual([
      [second, 'Submitted'],
      [first, 'Accepted'],
    ]);
  });

  test('late rows become visible when the fault is cleared', async () => {
    const { market, place, seen } = await withOrder();
    const first = place();
    market.faults.set({ kind: 'late-rows', entity: 'orders', lists: 50, times: 1 });
    market.transition(first, 'accept');
    expect(await seen()).toEqual([[first, 'Submitted']]);
    market.faults.clear();
    expect(await seen()).toEqual([[first, 'Accepted']]);
  });

  test('products can be late rows', async () => {
    const market = await start({ faults: [{ kind: 'late-rows', entity: 'products', lists: 1, times: 1 }] });
    await create(market);
    expect((await market.call('GET', '/products/')).body.count).toBe(0);
    expect((await market.call('GET', '/products/')).body.count).toBe(1);
  });

  test('a refused order does not make the next one late', async () => {
    const market = await start();
    const line = { product: addProduct(market), quantity: '1', ordered_unit_price: { amount: 1, currency: 'USD' } };
    const order = { seller: 4711, customer: { id: addCustomer(market) }, status: 'Submitted' };
    market.faults.set({ kind: 'late-rows', entity: 'orders', lists: 5, times: 1 });
    const line_items = [line, { ...line, quantity: '0' }];
    expect((await market.call('POST', '/orders-received/', { ...order, line_items })).status).toBe(400);
    expect((await market.call('POST', '/orders-received/', { ...order, line_items: [line] })).status).toBe(201);
    expect((await market.call('GET', '/orders-received/')).body.count).toBe(1);
  });

  test('a fault can make timestamps equal or truncated', async () => {
    const { market, place, clock } = await withOrder();
    clock.advanceMs(1500);
    place();
    market.faults.set({ kind: 'same-modified', entity: 'orders', times: 2 });
    for (let left = 3; left > 0; left -= 1) {
      clock.advanceMs(1000);
      place();
    }
    market.faults.set({ kind: 'whole-second-modified', entity: 'orders', times: 1 });
    place();
    const { results } = (await market.call('GET', '/orders-received/?ordering=id')).body;
    expect(results.map((row) => row.modified.slice(17))).toEqual([
      '01.500000Z',
      '01.500000Z',
      '01.500000Z',
      '04.500000Z',
      '04.000000Z',
    ]);
  });
});

test('the chance of a fault comes from the seed', () => {
  const strikes = (seed: string) => {
    const faults = createFaults(createChance(seed));
    faults.set({ kind: 'reset-before', chance: 0.5 });
    return Array.from({ length: 200 }, () => (faults.strike(['reset-before'], {}) ? 1 : 0));
  };
  expect(strikes('a')).toEqual(strikes('a'));
  expect(strikes('a')).not.toEqual(strikes('b'));
  const struck = strikes('a').filter((hit) => hit === 1).length;
  expect(struck).toBeGreaterThan(70);
  expect(struck).toBeLessThan(130);
});

test('a fault can be aimed at a family, after some calls, a number of times', () => {
  const faults = createFaults(createChance('a'));
  const id = faults.set({ kind: 'reset-before', operation: 'orders.*', after: 1, times: 2 });
  const hit = (operation: string) => faults.strike(['reset-before', 'reset-after'], { operation }) !== null;
  expect(['products.list', 'orders.list', 'orders.get', 'orders.list', 'orders.list'].map(hit)).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  faults.clear(id);
  expect(faults.list()).toEqual([]);
});

test('faults can be set on a command line', () => {
  expect(parseFault('reset-after@orders.create,times=2')).toEqual({
    kind: 'reset-after',
    operation: 'orders.create',
    times: 2,
  });
  expect(parseFault('delay-before,ms=300,chance=0.1')).toEqual({ kind: 'delay-before', ms: 300, chance: 0.1 });
  expect(() => parseFault('delay-before')).toThrow('fault "delay-before": ms: Invalid input');
  expect(() => parseFault('reset-afterr')).toThrow("'reset-after'");
  expect(() => parseFault('reset-after,tims=1')).toThrow('tims');
});
