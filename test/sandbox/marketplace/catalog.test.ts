import { expect, test } from 'vitest';
import { addProduct, figuresOf, firstOf, type Started, start, USD } from './api.ts';

const COMPANY = 'company_id=4711';

async function write(market: Started, method: string, path: string, body?: unknown) {
  const answer = await market.call(method, path, body);
  expect([method, path, answer.status < 300 ? '' : answer.text]).toEqual([method, path, '']);
  return answer.body;
}

test('a product line holds exactly the products that are sent', async () => {
  const market = await start();
  const [a, b] = [addProduct(market, 1, { sku: 'A' }), addProduct(market, 1, { sku: 'B' })];
  const body = { name: 'Gummies', brand_id: 301, menu_position: 3, product_ids: [a, b] };
  const line = await write(market, 'POST', '/product-lines/', body);
  expect(line).toMatchObject({
    name: 'Gummies',
    display_name: 'Gummies',
    brand: { id: 301, name: 'Juniper Ridge Botanicals' },
    menu_position: 3,
    products: [{ id: a }, { id: b }],
  });
  const other = await write(market, 'POST', '/product-lines/', { name: 'Balms', brand_id: 301 });
  await write(market, 'PATCH', `/product-lines/${other.id}/`, { product_ids: [b] });
  expect((await market.call('GET', `/product-lines/${line.id}/`)).body['products']).toMatchObject([{ id: a }]);
  expect((await firstOf(market, `/products/?product_line=${other.id}`)).id).toBe(b);
  await write(market, 'PATCH', `/products/${b}/`, { product_line: { id: line.id } });
  const listed = await market.call('GET', `/product-lines/?search=gum&brand=301&id=${line.id}&company=4711`);
  expect(listed.body.results).toMatchObject([{ id: line.id, products: [{ id: a }, { id: b }] }]);
  expect((await market.call('GET', '/product-lines/?company=1')).body.count).toBe(0);
});

test.each([
  [{ name: 'x', brand_id: 5 }, 'brand_id'],
  [{ name: 'x', brand_id: 301, product_ids: [99] }, 'product_ids'],
  [{ name: 'x'.repeat(101), brand_id: 301 }, 'name'],
  [{ name: 'x', brand_id: 301, menu_position: -1 }, 'menu_position'],
])('a product line with %j is refused', async (body, field) => {
  const market = await start();
  const { status, body: said } = await market.call('POST', '/product-lines/', body);
  expect([status, Object.keys(said)]).toEqual([400, [field]]);
  expect((await market.call('GET', '/product-lines/')).body.count).toBe(0);
});

test('a bulk update changes the prices of the products of a line, and reports failures', async () => {
  const market = await start();
  const a = addProduct(market, 1, { sku: 'A', retail_price: USD('10.05') });
  const b = addProduct(market, 1, { sku: 'B' });
  const c = addProduct(market, 1, { sku: 'C', retail_price: USD('10.00') });
  const line = await write(market, 'POST', '/product-lines/', { name: 'L', brand_id: 301, product_ids: [a, b] });
  const change = (field: string, value: number) => [
    { selector: 'product_line', selector_values: [line.id], update_data: [{ type: 'percentage_delta', field, value }] },
  ];
  expect(await write(market, 'PATCH', '/products/bulk/update/', change('retail_price', -10))).toEqual({
    updated: 1,
    expected: 2,
    errors: {
      retail_price: [
        {
          message: 'This product has no retail_price.',
          products: [{ id: b, name: 'Gummies', display_name: 'Gummies' }],
        },
      ],
    },
  });
  const price = async (id: number, field: string) => (await firstOf(market, `/products/?id=${id}`))[field];
  expect(await price(a, 'retail_price')).toEqual({ amount: '9.05', currency: 'USD' });
  expect(await price(c, 'retail_price')).toEqual(USD('10.00'));
  await write(market, 'PATCH', '/products/bulk/update/', change('wholesale_price', 2.5));
  expect(await price(b, 'wholesale_price')).toEqual({ amount: 12.3, currency: 'USD' });
  expect((await market.call('PATCH', '/products/bulk/update/', change('weight', 1))).status).toBe(400);
});

test('assignments are set for several products, listed, and reserve quantities', async () => {
  const market = await start();
  const [a, b] = [addProduct(market, 50, { sku: 'A' }), addProduct(market, 20, { sku: 'B' })];
  market.setInventory(a, [
    { facility: 1, batch: 1, onHand: 30 },
    { facility: 2, batch: 1, onHand: 20 },
  ]);
  const buyer = { buyer_id: 12, expiration_date: '2027-01-01T00:00:00Z', call_to_action: 'Order now', quantity: 15 };
  const group = { customer_group_id: 3, quantity: 5 };
  await write(market, 'PUT', `/product-assignments/?${COMPANY}`, {
    product_ids: [a, b],
    assigned_buyers: [buyer],
    assigned_groups: [group],
  });
  const listed = await market.call('GET', `/product-assignments/?${COMPANY}&product_ids=${b}`);
  expect(listed.body.results).toMatchObject([
    { seller_id: 4711, product_id: b, is_exclusive: false, assigned_buyers: [buyer], assigned_groups: [group] },
  ]);
  expect(await figuresOf(market, a)).toEqual([30, 0, 30]);
  const allocations = async (path: string): Promise<unknown> => JSON.parse((await market.call('GET', path)).text);
  expect(await allocations(`/inventory/buyers/12/allocations/?${COMPANY}`)).toMatchObject([
    { product_id: a, facility_id: 1, batch_id: 1, quantity: '15.00', buyer_ids: [12], group_ids: [] },
    { product_id: b, quantity: '15.00' },
  ]);
  expect(await allocations(`/inventory/customer-groups/3/allocations/?${COMPANY}`)).toMatchObject([
    { product_id: a, quantity: '5.00', buyer_ids: [], group_ids: [3] },
    { product_id: b, quantity: '5.00' },
  ]);
  const both = await market.call('GET', `/products/with-assignments/?${COMPANY}&listing_state=Available,Sample`);
  expect(both.body.results).toMatchObject([
    { id: a, available_inventory: '30', assignments: [{ product_id: a }] },
    { id: b, available_inventory: '0', assignments: [{ product_id: b }] },
  ]);
  await write(market, 'PUT', `/product-assignments/?${COMPANY}`, { product_ids: [b] });
  expect((await market.call('GET', `/product-assignments/?${COMPANY}`)).body.count).toBe(1);
  expect(await figuresOf(market, b)).toEqual([20, 0, 20]);
});

test('assignments that exceed the stock are refused, and change nothing', async () => {
  const market = await start();
  const product = addProduct(market, 5);
  const body = { product_ids: [product], assigned_buyers: [{ buyer_id: 1, quantity: 6 }] };
  const { status, text } = await market.call('PUT', `/product-assignments/?${COMPANY}`, body);
  expect([status, text]).toEqual([400, '{"product_ids":["Product 1 has 5 available, 6 are assigned."]}']);
  expect((await market.call('GET', `/product-assignments/?${COMPANY}`)).body.count).toBe(0);
});

test('tiles list what buyers can order', async () => {
  const market = await start();
  const deal = addProduct(market, 1, { sku: 'A', unit_multiplier: 6, sale_price: USD('9.00'), category: { id: 4 } });
  const plain = addProduct(market, 1, { sku: 'B', category: { id: 1 } });
  addProduct(market, 1, { sku: 'C', listing_state: 'Unavailable' });
  const dashboard = await market.call('GET', '/products/dashboard/?company_id=4711');
  expect(dashboard.body.results).toMatchObject([
    { id: deal, display_price: '9.00', unit_price: '1.50', spotlight_badges: ['deal'], company_id: 4711 },
    { id: plain, display_price: '12.00', spotlight_badges: [] },
  ]);
  const path = '/products/recommendations/?company_id=4711&placement=recommended-products-cart';
  expect((await market.call('GET', `${path}&category=4&category=1&object_id=${deal}`)).body.results).toMatchObject([
    { id: plain, score: 1, is_on_purchase_list: false },
  ]);
  expect((await market.call('GET', `${path}&product_count=1&page_size=1`)).body.count).toBe(1);
  expect((await market.call('GET', '/products/recommendations/?company_id=4711&placement=nowhere')).status).toBe(400);
});

test('the records that describe products can be listed and read', async () => {
  const market = await start();
  const categories = await market.call('GET', '/product-categories/?ordering=-name&page_size=2');
  expect(categories.body).toMatchObject({
    count: 5,
    results: [{ id: 5, name: 'Topicals', slug: 'topicals' }, { id: 2 }],
  });
  expect((await market.call('GET', '/product-categories/3/')).body).toMatchObject({ name: 'Cartridges' });
  expect((await market.call('GET', '/product-categories/99/')).status).toBe(404);
  expect((await market.call('GET', '/product-subcategories/?search=flower')).body.count).toBe(1);
  expect((await market.call('GET', '/dosage-units/1/')).body).toMatchObject({ unit: 'mg' });
  const states = await market.call('GET', '/listing-states/?search=av&ordering=-value');
  expect(states.body).toEqual([
    { value: 'Unavailable', display_value: 'Unavailable' },
    { value: 'Available', display_value: 'Available' },
  ]);
  expect((await market.call('GET', '/grow-operation-types/')).body).toHaveLength(4);
  expect((await market.call('GET', '/licenses/')).body.count).toBe(1);
});

test('strains, batches, their documents and promotions are stored', async () => {
  const market = await start();
  const product = addProduct(market, 1);
  await write(market, 'POST', '/strains/', { id: 1, name: 'Fern Hollow' });
  const strain = await write(market, 'POST', '/strains/', { id: 1, name: 'Blue Mesa' });
  expect(strain.id).toBe(2);
  const batch = await write(market, 'POST', '/batches/', { name: 'LOT-7', strain: strain.id });
  await write(market, 'PATCH', `/batches/${batch.id}/`, { expires: '2027-01-01' });
  expect(await write(market, 'GET', `/batches/${batch.id}/`)).toEqual({
    id: batch.id,
    name: 'LOT-7',
    strain: strain.id,
    expires: '2027-01-01',
  });
  const document = await write(market, 'POST', '/batch-documents/', { batch: batch.id, name: 'lab.pdf' });
  const link = await write(market, 'POST', '/product-batches/', { batch: batch.id, product });
  expect((await market.call('POST', '/product-batches/', { batch: 99, product })).text).toBe(
    '{"batch":["There is no batch 99."]}',
  );
  for (const path of [`/product-batches/${link.id}/`, `/batch-documents/${document.id}/`, `/batches/${batch.id}/`]) {
    expect((await market.call('DELETE', path)).status).toBe(204);
    expect((await market.call('GET', path)).status).toBe(404);
  }
  await write(market, 'POST', '/promotions/', { status: 'Pending', start_date: '2026-12-01', max_cpc: USD('1.50') });
  expect(await firstOf(market, '/promotions/')).toMatchObject({
    period: 'Weekly',
    end_date: null,
    max_cpc: USD('1.50'),
  });
});

test('an order can be deleted: its reserved units are free again', async () => {
  const market = await start();
  const product = addProduct(market, 10);
  const customer = market.addCustomer({ name: 'Green Door', state: 'OR' });
  const { number } = market.placeOrder({ customer, items: [{ product, quantity: 4 }] });
  expect((await market.call('DELETE', `/orders-received/${number}/`)).status).toBe(204);
  expect((await market.call('GET', `/orders-received/${number}/`)).status).toBe(404);
  expect((await market.call('GET', '/orders-received/')).body.count).toBe(0);
  expect(await figuresOf(market, product)).toEqual([10, 0, 10]);
});
