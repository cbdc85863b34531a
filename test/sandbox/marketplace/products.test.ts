import { describe, expect, test } from 'vitest';
import { addCustomer, addProduct, figuresOf, firstOf, type Started, start, USD } from './api.ts';

describe('inventory setting rules (spec 1, Products)', () => {
  for (const [title, post, patch] of [
    ['quantity in the POST', { quantity: 40 }, null],
    ['quantity in a later PATCH', {}, { quantity: 40 }],
    ['available_inventory in a later PATCH', {}, { available_inventory: 40 }],
  ] as const) {
    test(`1. nothing reserved: ${title}`, async () => {
      const market = await start();
      const made = await market.call('POST', '/products/', { sku: 'A', name: 'A', ...post });
      expect(made.status).toBe(201);
      if (patch) expect((await market.call('PATCH', `/products/${made.body.id}/`, patch)).status).toBe(200);
      expect(await figuresOf(market, made.body.id)).toEqual([40, 0, 40]);
    });
  }

  test('inventory setting rules 2 to 4: Q+d gives Q+d-R available; available A gives quantity A+R', async () => {
    const market = await start();
    const product = addProduct(market, 50);
    market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 8 }] });
    expect(await figuresOf(market, product)).toEqual([50, 8, 42]);
    const raised = await market.call('PATCH', `/products/${product}/`, { quantity: 55 });
    expect(raised.body).toMatchObject({ quantity: 55, reserved_qty: 8, available_inventory: 47 });
    const set = await market.call('PATCH', `/products/${product}/`, { available_inventory: 30.5 });
    expect(set.body).toMatchObject({ quantity: 38.5, reserved_qty: 8, available_inventory: 30.5 });
    const below = await market.call('PATCH', `/products/${product}/`, { quantity: 3 });
    expect(below.body).toMatchObject({ quantity: 3, reserved_qty: 8, available_inventory: -5 });
  });

  test.each([
    [{ quantity: -1 }, 'quantity'],
    [{ quantity: 1.23456 }, 'quantity'],
    [{ quantity: '5' }, 'quantity'],
    [{ available_inventory: 'many' }, 'available_inventory'],
    [{ quantity: 1, available_inventory: 1 }, 'quantity'],
    [{ reserved_qty: 1 }, 'reserved_qty'],
    [{ modified: '2026-01-01T00:00:00Z' }, 'modified'],
    [{ wholesale_price: { amount: -1, currency: 'USD' } }, 'wholesale_price'],
    [{ listing_state: 'Gone' }, 'listing_state'],
  ])('the sandbox refuses a quantity of %j with 400 and changes nothing', async (body, field) => {
    const market = await start();
    const product = addProduct(market, 50);
    const answer = await market.call('PATCH', `/products/${product}/`, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual([field]);
    expect(await figuresOf(market, product)).toEqual([50, 0, 50]);
  });

  test('only a managed product takes a quantity', async () => {
    const market = await start();
    const { id } = market.createProduct({ sku: 'U', name: 'U', inventory_management: 2 });
    expect((await market.call('PATCH', `/products/${id}/`, { quantity: 5 })).status).toBe(400);
  });
});

test('a product create answers 201 with the id, keeps unknown fields to the digit, and may repeat a SKU', async () => {
  const market = await start();
  const body = '{"sku":"A","name":"A","weight":12.5000,"brand":{"id":7},"external_ids":{"erp":"x-1"}}';
  const [first, second] = [
    await market.call('POST', '/products/', body),
    await market.call('POST', '/products/', body),
  ];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.id).toBeGreaterThan(first.body.id);
  expect(first.text).toContain('"weight":12.5000');
  expect(first.body).toMatchObject({ external_ids: { erp: 'x-1' }, listing_state: 'Available', quantity: 0 });
});

test('a product create requires sku and name', async () => {
  const market = await start();
  const answer = await market.call('POST', '/products/', { name: '' });
  expect([answer.status, answer.body]).toEqual([
    400,
    { sku: ['This field is required.'], name: ['This field is required.'] },
  ]);
});

test('a product patch changes what it names, bumps modified, and merges external_ids, null removing a key', async () => {
  const market = await start();
  const id = addProduct(market, 5, { description: 'old', external_ids: { a: '1', b: '2' } });
  const before = await firstOf(market, `/products/?id=${id}`);
  const body = { description: 'new', external_ids: { b: null, c: '3' } };
  const after = (await market.call('PATCH', `/products/${id}/`, body)).body;
  expect(after).toMatchObject({ description: 'new', name: 'Gummies', external_ids: { a: '1', c: '3' } });
  expect(after.modified > before.modified).toBe(true);
  expect(after.created_on).toBe(before.created_on);
});

test('external ids are up to 36 characters, of registered keys', async () => {
  const market = await start({ settings: { externalIdKeys: ['erp'] } });
  const id = addProduct(market);
  const patch = (external_ids: object) => market.call('PATCH', `/products/${id}/`, { external_ids });
  expect((await patch({ erp: 'x'.repeat(36) })).status).toBe(200);
  expect((await patch({ erp: 'x'.repeat(37) })).status).toBe(400);
  expect((await patch({ other: 'x' })).status).toBe(400);
});

test('DELETE archives a product; listing_state Available or archived false restores it', async () => {
  const market = await start();
  const id = addProduct(market);
  const gone = await market.call('DELETE', `/products/${id}/`);
  expect([gone.status, gone.body['listing_state'], gone.body['archived']]).toEqual([200, 'Archived', true]);
  const back = await market.call('PATCH', `/products/${id}/`, { listing_state: 'Available' });
  expect(back.body['archived']).toBe(false);
  await market.call('DELETE', `/products/${id}/`);
  expect((await market.call('PATCH', `/products/${id}/`, { archived: false })).body['listing_state']).toBe('Available');
  market.changeSettings({ archiveAnswer: 'empty' });
  const empty = await market.call('DELETE', `/products/${id}/`);
  expect([empty.status, empty.text]).toEqual([204, '']);
  expect((await market.call('DELETE', '/products/999/')).status).toBe(404);
});

describe('the product list', () => {
  async function skus(market: Started, query: string): Promise<string[]> {
    const { status, body } = await market.call('GET', `/products/?ordering=sku&${query}`);
    expect(status).toBe(200);
    expect(body.count).toBe(body.results.length);
    return body.results.map((row) => row.sku);
  }

  async function withThree() {
    const market = await start();
    const ids = ['A', 'B', 'C,D'].map((sku, index) =>
      addProduct(market, index, { sku, name: `Name ${sku}`, brand: { id: index }, external_ids: { erp: `e${index}` } }),
    );
    return { market, ids };
  }

  test('the product list is filtered', async () => {
    const { market, ids } = await withThree();
    market.archiveProduct(ids[1] ?? 0);
    expect(await skus(market, '')).toEqual(['A', 'C,D']);
    expect(await skus(market, 'archived=false')).toEqual(['A', 'C,D']);
    expect(await skus(market, 'archived=true')).toEqual(['B']);
    expect(await skus(market, `id=${ids[0]},${ids[2]}`)).toEqual(['A', 'C,D']);
    expect(await skus(market, 'sku=A')).toEqual(['A']);
    expect(await skus(market, 'sku=C%2CD')).toEqual(['C,D']);
    expect(await skus(market, 'search=name%20a')).toEqual(['A']);
    expect(await skus(market, 'brand=2')).toEqual(['C,D']);
    expect(await skus(market, 'external_id_key=erp&external_id_values=e0,e1')).toEqual(['A']);
    expect(await skus(market, 'external_id_key=erp&external_id_values=e1&archived=true')).toEqual(['B']);
    expect(await skus(market, 'external_id_key=other&external_id_unmapped=true')).toEqual(['A', 'C,D']);
    market.changeSettings({ archivedInList: 'included' });
    expect(await skus(market, '')).toEqual(['A', 'B', 'C,D']);
    market.changeSettings({ archivedFilter: 'also' });
    expect(await skus(market, 'archived=true')).toEqual(['A', 'B', 'C,D']);
  });

  test('the product list compares modified and created_on to the microsecond', async () => {
    const { market } = await withThree();
    const rows = (await market.call('GET', '/products/?ordering=modified')).body.results;
    const second = rows[1]?.modified;
    expect(await skus(market, `modified__gte=${second}`)).toEqual(['B', 'C,D']);
    expect(await skus(market, `modified__gt=${second}`)).toEqual(['C,D']);
    expect(await skus(market, `created_on__lte=${second}`)).toEqual(['A', 'B']);
    expect(await skus(market, `created_on__lt=${second}`)).toEqual(['A']);
    expect((await market.call('GET', '/products/?modified__gte=yesterday')).status).toBe(400);
    expect((await market.call('GET', '/products/?modified__gte=2026-13-01T00:00:00Z')).status).toBe(400);
  });

  test('the product list is ordered by any attribute of the documents, numbers as numbers', async () => {
    const market = await start();
    for (const quantity of [9, 100, 20])
      addProduct(market, quantity, { sku: String(quantity), category: 200 - quantity });
    const ordered = async (ordering: string) =>
      (await market.call('GET', `/products/?ordering=${ordering}`)).body.results.map((row) => row.sku);
    expect(await ordered('quantity')).toEqual(['9', '20', '100']);
    expect(await ordered('-quantity')).toEqual(['100', '20', '9']);
    expect(await ordered('category')).toEqual(['100', '20', '9']);
    market.changeSettings({ ordering: 'ignored' });
    expect(await ordered('quantity')).toEqual(['9', '100', '20']);
  });

  test('the product list has times and figures in other forms, as configured', async () => {
    const market = await start({ settings: { timesShown: 'seconds', utcOffsetMinutes: -420, stockFigures: 'string' } });
    addProduct(market, 5, { wholesale_price: USD('3.5') });
    const row = await firstOf(market, '/products/');
    expect(row.modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-07:00$/);
    expect(row.quantity).toBe('5.0000');
  });
});
