import { expect, test } from 'vitest';
import { addCustomer, addProduct, handClock, type Started, start } from './api.ts';

async function withProducts(count: number, options: Parameters<typeof start>[0] = {}) {
  const market = await start(options);
  market.createProducts(Array.from({ length: count }, (_, index) => ({ sku: `S${index}`, name: `N${index}` })));
  return market;
}

async function ids(market: Started, query: string): Promise<readonly number[]> {
  const { status, body } = await market.call('GET', `/products/?${query}`);
  expect(status).toBe(200);
  return body.results.map((row) => row.id);
}

test.each([
  'page=0',
  'page=x',
  'page=-1',
  'page=1.5',
  'page=4',
  'page=',
  'page_size=0',
  'page_size=501',
  'page_size=x',
])('the page %s is a 404', async (query) => {
  const market = await withProducts(120);
  const answer = await market.call('GET', `/products/?${query}`);
  expect([answer.status, answer.body.detail]).toEqual([404, 'Invalid page.']);
});

test('the page envelope counts all rows, and names the next and the previous page with the same filters', async () => {
  const market = await withProducts(120);
  const first = (await market.call('GET', '/products/?ordering=id&archived=false')).body;
  expect([first.count, first.results.length, first.previous]).toEqual([120, 50, null]);
  expect(first.next).toBe(`${market.url}/api/v2/products/?ordering=id&archived=false&page=2`);
  const last = (await market.call('GET', '/products/?page=3&page_size=50')).body;
  expect([last.results.length, last.next]).toEqual([20, null]);
  expect(last.previous).toBe(`${market.url}/api/v2/products/?page=2&page_size=50`);
});

test('page 1 of an empty list is no error', async () => {
  const market = await start();
  const { status, body } = await market.call('GET', '/orders-received/?page=1&page_size=500');
  expect([status, body]).toEqual([200, { count: 0, next: null, previous: null, results: [] }]);
});

test('walking all pages of 500 sees every row once, in order', async () => {
  const market = await withProducts(1201);
  const seen = [
    ...(await ids(market, 'ordering=modified&page_size=500&page=1')),
    ...(await ids(market, 'ordering=modified&page_size=500&page=2')),
    ...(await ids(market, 'ordering=modified&page_size=500&page=3')),
  ];
  expect(seen).toEqual(Array.from({ length: 1201 }, (_, index) => index + 1));
  expect((await ids(market, 'ordering=-created_on&page_size=1'))[0]).toBe(1201);
});

test('modified is strictly increasing even when the clock stands still', async () => {
  const clock = handClock();
  const market = await withProducts(3, { now: clock.now });
  const { results } = (await market.call('GET', '/products/?ordering=modified')).body;
  expect(results.map((row) => row.modified)).toEqual([
    '2026-05-01T00:00:00.000000Z',
    '2026-05-01T00:00:00.000001Z',
    '2026-05-01T00:00:00.000002Z',
  ]);
});

test('modified__gte accepts zones, and refuses a plus that arrived as a space', async () => {
  const clock = handClock();
  const market = await withProducts(1, { now: clock.now });
  const count = async (at: string) => (await market.call('GET', `/products/?modified__gte=${at}`)).body.count;
  expect(await count('2026-04-30T17:00:00-07:00')).toBe(1);
  expect(await count('2026-05-01T02:00:00.000001%2B02:00')).toBe(0);
  expect(await count('2026-05-01T00:00')).toBe(1);
  expect((await market.call('GET', '/products/?modified__gte=2026-05-01T02:00:00+02:00')).status).toBe(400);
});

test('rows with equal times come by id, or shuffled anew with each call', async () => {
  const market = await start({ faults: [{ kind: 'same-modified' }] });
  market.createProducts(Array.from({ length: 40 }, (_, index) => ({ sku: `S${index}`, name: 'N' })));
  const inOrder = Array.from({ length: 40 }, (_, index) => index + 1);
  expect(await ids(market, 'ordering=modified')).toEqual(inOrder);
  market.changeSettings({ ties: 'shuffled' });
  const shuffled = await ids(market, 'ordering=modified');
  expect(shuffled).not.toEqual(inOrder);
  expect(shuffled.toSorted((left, right) => left - right)).toEqual(inOrder);
});

test('orders are filtered by status and modified, newest first by default', async () => {
  const market = await start();
  const product = addProduct(market);
  const customer = addCustomer(market);
  const place = (status: string) => market.placeOrder({ customer, status, items: [{ product, quantity: 1 }] }).number;
  const numbers = [place('Submitted'), place('Accepted'), place('Submitted')];
  const listed = async (query: string) =>
    (await market.call('GET', `/orders-received/?${query}`)).body.results.map((row) => row.number);
  expect(await listed('')).toEqual(numbers.toReversed());
  expect(await listed('ordering=modified')).toEqual(numbers);
  expect(await listed('status=Submitted&ordering=modified')).toEqual([numbers[0], numbers[2]]);
  const { results } = (await market.call('GET', '/orders-received/?ordering=modified')).body;
  expect(await listed(`modified__gte=${results[1]?.modified}&ordering=modified`)).toEqual(numbers.slice(1));
  market.transition(numbers[0] ?? '', 'accept');
  expect(await listed('ordering=modified')).toEqual([numbers[1], numbers[2], numbers[0]]);
});

test('an unknown filter is refused by name, or ignored', async () => {
  const market = await withProducts(1);
  const refused = await market.call('GET', '/products/?colour=red');
  expect([refused.status, refused.body]).toEqual([400, { colour: ['Unknown query parameter.'] }]);
  market.changeSettings({ unknownFilter: 'ignore' });
  expect((await market.call('GET', '/products/?colour=red')).body.count).toBe(1);
});

test('all filters may be ignored', async () => {
  const market = await withProducts(2, { settings: { filters: 'ignored' } });
  expect(await ids(market, 'sku=S1')).toEqual([1, 2]);
});

test('names that every object answers to are unknown parameters and fields', async () => {
  const market = await withProducts(2);
  const lenient = await withProducts(2, { settings: { unknownFilter: 'ignore' } });
  for (const name of ['constructor', '__proto__', 'toString']) {
    expect((await market.call('GET', `/products/?${name}=1`)).status).toBe(400);
    expect(await ids(lenient, `${name}=1`)).toEqual([1, 2]);
    const wrong = await market.call('PATCH', '/products/1/', JSON.parse(`{"${name}":1,"quantity":"x"}`));
    expect(wrong.status).toBe(400);
  }
  const { number } = market.placeOrder({
    customer: addCustomer(market),
    items: [{ product: 1, quantity: '1' }],
    oversell: true,
  });
  expect((await market.call('POST', `/orders/${number}/constructor/`)).status).toBe(404);
});
