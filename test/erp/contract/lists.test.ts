import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { CallFailure } from '../../../src/domain/failure.ts';
import { createContractErp } from '../../../src/erp/contract/connector.ts';
import { answering, erpAt, json, onePage } from './answering-server.ts';

const PRODUCT = {
  id: 'P-1',
  sku: 'A',
  name: 'Apple',
  description: 'Red',
  active: true,
  deleted: false,
  price: { amount: '12.5000', currency: 'USD' },
  unit_multiplier: '12',
  attributes: { shelf: 'B2' },
  changed_at: '2030-01-01T00:00:00.000Z',
};
const STOCK = {
  sku: 'A',
  product_id: 'P-1',
  on_hand: '10',
  reserved: '4',
  available: '6',
  as_of: '2030-01-01T00:00:00.000Z',
};

function paramsOf(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? '', 'http://erp').searchParams;
}

it('a list is read page by page with its cursor, opaque and encoded, and keeps its filter', async () => {
  const cursor = 'http://elsewhere.example/?a=1&b=ü +/=';
  await using server = await answering((request, response) => {
    const at = paramsOf(request).get('cursor');
    if (at === null) return json(response, 200, onePage([PRODUCT], { next: cursor, complete: false }));
    if (at !== cursor) return json(response, 400, { error: `unknown cursor ${at}` });
    return json(response, 200, onePage([{ ...PRODUCT, id: 'P-2', sku: 'B' }]));
  });
  await using erp = erpAt(server);
  const pages = await Array.fromAsync(erp.listProducts('2030-01-01T00:00:00.000Z'));
  expect(pages.map((page) => page.items.map((item) => item.sku))).toEqual([['A'], ['B']]);
  expect(pages.map((page) => page.complete)).toEqual([false, true]);
  expect(server.asked.every((path) => path.includes('changed_since=2030-01-01T00%3A00%3A00.000Z'))).toBe(true);
});

it.each([
  ['holds half a character', 'a\ud800b'],
  ['is longer than an address may be', 'x'.repeat(5_000)],
])('a list is an invalid answer when its cursor %s, and ends', async (_, next) => {
  await using server = await answering((_request, response) =>
    json(response, 200, onePage([PRODUCT], { next, complete: false })),
  );
  await using erp = erpAt(server);
  const failure = await Array.fromAsync(erp.listProducts(null)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CallFailure);
  expect(failure).toMatchObject({ kind: 'invalid-answer', path: 'next' });
});

it.each([
  ['says false', { complete: false }],
  ['says nothing', { complete: undefined }],
])('a list is not complete when its last page %s', async (_what, last) => {
  await using server = await answering((_request, response) => json(response, 200, onePage([PRODUCT], last)));
  await using erp = erpAt(server);
  expect((await Array.fromAsync(erp.listProducts(null))).map((page) => page.complete)).toEqual([false]);
});

it('a list is not complete on a page that has a next one, whatever that page says', async () => {
  await using server = await answering((request, response) =>
    json(response, 200, onePage([], { next: paramsOf(request).has('cursor') ? null : 'more', complete: true })),
  );
  await using erp = erpAt(server);
  expect((await Array.fromAsync(erp.listStock(null))).map((page) => page.complete)).toEqual([false, true]);
});

it('a list has the earliest time that the ERP named', async () => {
  const times = ['2030-01-01T00:00:02Z', '2030-01-01T00:00:03Z', '2030-01-01T00:00:01Z'];
  await using server = await answering((request, response) => {
    const page = Number(paramsOf(request).get('cursor') ?? 0);
    json(response, 200, onePage([], { as_of: times[page], next: page < 2 ? String(page + 1) : null }));
  });
  await using erp = erpAt(server);
  const pages = await Array.fromAsync(erp.listOrders(null));
  expect(pages.map((page) => page.asOf)).toEqual([times[0], times[0], times[2]]);
});

it('a list with cursors that go round in a circle ends with a failure', async () => {
  await using server = await answering((request, response) =>
    json(response, 200, onePage([PRODUCT], { next: paramsOf(request).get('cursor') === 'a' ? 'b' : 'a' })),
  );
  await using erp = erpAt(server);
  await expect(Array.fromAsync(erp.listProducts(null))).rejects.toMatchObject({
    kind: 'invalid-answer',
    path: 'next',
  });
  expect(server.asked).toHaveLength(3);
});

it('a list without as_of or items is an invalid answer', async () => {
  for (const broken of [
    { items: [], next: null, complete: true },
    { as_of: '2030-01-01T00:00:00Z', next: null },
  ]) {
    await using server = await answering((_request, response) => json(response, 200, broken));
    await using erp = erpAt(server);
    await expect(Array.fromAsync(erp.listProducts(null))).rejects.toBeInstanceOf(CallFailure);
  }
});

it('a row keeps every digit, whether decimals come as strings or as numbers', async () => {
  const body = JSON.stringify(onePage([PRODUCT, 'NUMBERS'])).replace(
    '"NUMBERS"',
    JSON.stringify({ ...PRODUCT, id: 7, sku: 'B', price: { amount: 0, currency: 'USD' } })
      .replace('"amount":0', '"amount":90071992547409931234.5600')
      .replace('"unit_multiplier":"12"', '"unit_multiplier":0.1'),
  );
  await using server = await answering((_request, response) => response.writeHead(200).end(body));
  await using erp = erpAt(server);
  const [page] = await Array.fromAsync(erp.listProducts(null));
  expect(page?.invalidRows).toEqual([]);
  const [first, second] = page?.items ?? [];
  expect(first?.price.amount.toFixed(4)).toBe('12.5000');
  expect(second).toMatchObject({ id: '7', sku: 'B' });
  expect(second?.price.amount.toFixed()).toBe('90071992547409931234.56');
  expect(second?.unitMultiplier.toFixed()).toBe('0.1');
});

it.each([
  ['price.amount', { price: { amount: '1e3', currency: 'USD' } }],
  ['price.amount', { price: { amount: null, currency: 'USD' } }],
  ['price', { price: null }],
  ['active', { active: 'yes' }],
  ['deleted', { deleted: undefined }],
  ['unit_multiplier', { unit_multiplier: '0' }],
  ['changed_at', { changed_at: 'yesterday' }],
])('a row that is invalid at %s is set aside, and the others are read', async (path, wrong) => {
  const rows = [
    { ...PRODUCT, ...wrong },
    { ...PRODUCT, id: 'P-2', sku: 'B', extra: 'field' },
  ];
  await using server = await answering((_request, response) => json(response, 200, onePage(rows)));
  await using erp = erpAt(server);
  const [page] = await Array.fromAsync(erp.listProducts(null));
  expect(page?.items.map((item) => item.sku)).toEqual(['B']);
  expect(page?.invalidRows).toMatchObject([{ what: 'P-1', id: 'P-1', sku: 'A', path }]);
  expect(page?.complete).toBe(true);
});

it('a row without a readable id leaves the list incomplete', async () => {
  for (const row of [null, 'row', { ...PRODUCT, id: null }]) {
    const pages = [onePage([row], { next: 'more', complete: false }), onePage([PRODUCT])];
    await using server = await answering((request, response) =>
      json(response, 200, pages[paramsOf(request).has('cursor') ? 1 : 0]),
    );
    await using erp = erpAt(server);
    expect((await Array.fromAsync(erp.listProducts(null))).map((page) => page.complete)).toEqual([false, false]);
  }
});

it('a row is passed on when its SKU comes twice', async () => {
  const rows = [PRODUCT, { ...PRODUCT, id: 'P-2' }];
  await using server = await answering((_request, response) => json(response, 200, onePage(rows)));
  await using erp = erpAt(server);
  expect((await Array.fromAsync(erp.listProducts(null)))[0]?.items.map((item) => item.id)).toEqual(['P-1', 'P-2']);
});

it('a stock row may name its location; an invalid one is known by its place', async () => {
  const rows = [
    { ...STOCK, location: null, batch: '' },
    { ...STOCK, location: 'EAST', batch: 7 },
    { ...STOCK, location: 'WEST', on_hand: 'many' },
  ];
  await using server = await answering((_request, response) => json(response, 200, onePage(rows)));
  await using erp = erpAt(server);
  const [page] = await Array.fromAsync(erp.listStock(null));
  expect(page?.items.map(({ location, batch }) => [location, batch])).toEqual([
    [undefined, undefined],
    ['EAST', '7'],
  ]);
  expect(page?.invalidRows).toMatchObject([{ id: 'P-1', location: 'WEST', path: 'on_hand' }]);
});

describe('stock read now', () => {
  const stockServer = (rows: readonly (typeof STOCK)[]) =>
    answering((_request, response) => json(response, 200, onePage(rows)));

  it('a stock read requests all products in one call and leaves out what was not requested', async () => {
    await using server = await stockServer([STOCK, { ...STOCK, product_id: 'P-2', sku: 'other' }]);
    await using erp = erpAt(server);
    const page = await erp.readStock(['A', 'B&C', 'Ü 1']);
    expect(page).toMatchObject({ items: [{ sku: 'A' }], invalidRows: [], complete: true });
    expect(server.asked).toEqual(['/v1/stock?sku=A,B%26C,%C3%9C%201&limit=500']);
  });

  it('a SKU with a comma is requested alone, and is unknown when the ERP splits it', async () => {
    await using server = await stockServer([STOCK, { ...STOCK, product_id: 'P-2', sku: 'B' }]);
    await using erp = erpAt(server);
    const page = await erp.readStock(['A', 'A,B']);
    expect(server.asked.map((path) => path.split('&')[0])).toEqual(['/v1/stock?sku=A', '/v1/stock?sku=A%2CB']);
    expect(page.items.map((row) => row.sku)).toEqual(['A']);
    expect(page.invalidRows).toMatchObject([{ sku: 'A,B', path: 'sku' }]);
  });

  it('a stock read keeps addresses short', async () => {
    await using server = await stockServer([]);
    await using erp = erpAt(server);
    const skus = Array.from({ length: 100 }, (_, index) => `${'long-sku-'.repeat(20)}${index}`);
    await erp.readStock(skus);
    expect(server.asked.length).toBeGreaterThan(1);
    expect(Math.max(...server.asked.map((path) => path.length))).toBeLessThan(4_200);
    expect(server.asked.flatMap((path) => path.match(/long-sku-\d+/g) ?? [])).toHaveLength(100);
  });

  it('a stock read refuses none, too many and empty SKUs', async () => {
    await using server = await stockServer([]);
    await using erp = erpAt(server);
    for (const skus of [[], [''], Array.from({ length: 101 }, (_, index) => `S${index}`)]) {
      await expect(erp.readStock(skus)).rejects.toBeInstanceOf(RangeError);
    }
    expect(server.asked).toEqual([]);
  });
});

describe('orders by reference', () => {
  const ORDER = {
    id: 'SO-1',
    reference: 'R1',
    origin: 'marketplace',
    status: 'reserved',
    customer: { id: 'C-1' },
    currency: 'USD',
    lines: [{ sku: 'A', quantity: '1', unit_price: '2.00' }],
    discount: '0',
    shipping: '0',
    tax: '0',
    total: '2.00',
    note: '',
    changed_at: '2030-01-01T00:00:00.000Z',
  };
  const find = async (answer: unknown) => {
    await using server = await answering((_request, response) => json(response, 200, answer));
    await using erp = erpAt(server);
    return await erp.findOrders('R1');
  };

  it('orders by reference are those with that reference, also when the ERP ignores the filter', async () => {
    expect(await find(onePage([ORDER, { ...ORDER, id: 'SO-2', reference: 'R2' }]))).toMatchObject([{ id: 'SO-1' }]);
  });

  it('orders by reference keep a status outside the contract', async () => {
    expect(await find(onePage([{ ...ORDER, status: 'on-credit-hold' }]))).toMatchObject([{ status: 'on-credit-hold' }]);
  });

  it('orders by reference are a failure, not "none", when a row is invalid', async () => {
    await expect(find(onePage([{ ...ORDER, lines: null }]))).rejects.toMatchObject({
      kind: 'invalid-answer',
      path: 'items.lines',
    });
  });

  it('orders by reference are a failure that is retried, not "none", when the answer is incomplete', async () => {
    const failing = expect(find(onePage([], { complete: false }))).rejects;
    await failing.toMatchObject({ kind: 'incomplete', outcome: 'not-applied', ofRead: true });
    await failing.toThrow(/does not say that its answer is complete.*It is tried again/);
  });

  it('null stands for the 404 of the ERP itself, not for that of a proxy', async () => {
    await using there = await answering((_request, response) => json(response, 404, { error: 'no such order' }));
    await using erp = erpAt(there);
    expect(await erp.getOrder('SO 1/2')).toBeNull();
    expect(there.asked).toEqual(['/v1/orders/SO%201%2F2']);
    await using proxy = await answering((_request, response) => response.writeHead(404).end('<html>nginx</html>'));
    await using behind = erpAt(proxy);
    await expect(behind.getOrder('SO-1')).rejects.toMatchObject({ kind: 'not-found' });
  });
});

it('a path in the address of the ERP precedes /v1', async () => {
  await using server = await answering((_request, response) => json(response, 200, onePage([])));
  const erp = createContractErp({ url: `${server.url}/bridge/`, token: 'sesame-4711', timeoutMs: 10_000 });
  await erp.findCustomers(7);
  await erp.close();
  expect(server.asked).toEqual(['/bridge/v1/customers?marketplace_id=7&limit=500']);
});
