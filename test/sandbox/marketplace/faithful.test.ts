import { describe, expect, test } from 'vitest';
import { tellMarketplace } from '../../../src/demo/tell-marketplace.ts';
import { addCustomer, addProduct, start } from './api.ts';

interface Page {
  readonly results: Record<string, unknown>[];
}

test('DELETE of an order answers 204, sends its webhook with the former order, and releases its reservation', async () => {
  const market = await start();
  const told: string[] = [];
  tellMarketplace(market, (_, text) => told.push(text), 'the API');
  market.webhooks.setTargets([{ url: 'http://127.0.0.1:1/orders', types: ['order'], secret: null }]);
  const product = addProduct(market);
  const { number } = market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 2 }] });
  expect((await market.call('DELETE', `/orders-received/${number}/`)).status).toBe(204);
  expect((await market.call('DELETE', `/orders-received/${number}/`)).status).toBe(404);
  expect(market.orders()).toEqual([]);
  expect(market.product(product).reserved).toBe('0');
  const [last, ...more] = market.webhooks.deliveries().filter(({ action }) => action === 'delete');
  expect(more).toEqual([]);
  expect(JSON.parse(last?.body ?? '')).toMatchObject({ action: 'delete', type: 'order', data: { number } });
  expect(market.webhooks.deliveries().filter(({ action }) => action === 'edit')).toEqual([]);
});

test.each(['/orders-received/', '/products/', '/customers/', '/brands/', '/order-payments/'])(
  '%s refuses an ordering by an unknown attribute',
  async (path) => {
    const market = await start();
    for (const ordering of ['nosuch', '-nosuch', 'id;drop']) {
      const refused = await market.call('GET', `${path}?ordering=${encodeURIComponent(ordering)}`);
      expect([ordering, refused.status]).toEqual([ordering, 400]);
    }
    expect((await market.call('GET', `${path}?ordering=-id`)).status).toBe(200);
  },
);

describe('brands', () => {
  const shop = async () => {
    const market = await start();
    const badges = [{ id: 1, name: 'Organic', code: 'organic', self_identify: false }];
    const fields = { badges, product_categories: ['edibles'], payment_methods: ['direct_pay'] };
    const one = market.addRecord('brands', { name: 'Juniper Two', ancillary_type: 'preferred', ...fields });
    market.addRecord('sponsorships', { brand: one['id'], placement: 'shop-brands-sidebar-3', name: 'Spring' });
    return { market, one: one['id'] };
  };

  test.each(['badge=organic', 'category=edibles', 'payment_method=direct_pay', 'ancillary_type=preferred'])(
    'brands of the shop page are filtered by %s',
    async (filter) => {
      const { market, one } = await shop();
      const ids = async (query: string) => {
        const { body } = await market.call('GET', `/shop-brands/?company_id=4711&${query}`);
        const { content } = body as unknown as { content: { collection: { resource_id: number }[] } };
        return content.collection.map(({ resource_id: id }) => id);
      };
      expect((await ids('ancillary_type=all')).length).toBeGreaterThan(1);
      expect(await ids(filter)).toEqual([one]);
    },
  );

  test('sponsored brands of a place are its listing', async () => {
    const { market, one } = await shop();
    const { body } = await market.call('GET', '/sponsorship-content/?company_id=4711&placement=shop-brands-sidebar-3');
    expect(body).toMatchObject({
      content: { sponsorships: { listing: [{ sponsorship: { name: 'Spring' }, resource: { resource_id: one } }] } },
    });
  });
});

test('children of products with assignments are returned on request', async () => {
  const market = await start();
  const product = addProduct(market);
  market.addRecord('product-images', { product, position: 1 });
  const shown = async (query: string) => {
    const { body } = await market.call('GET', `/products/with-assignments/?company_id=4711${query}`);
    return (body as unknown as Page).results[0];
  };
  expect(await shown('')).not.toHaveProperty('images');
  expect(await shown('&include_children=images,strains')).toMatchObject({ images: [{ position: 1 }], strains: [] });
});

test('tiles have a slug and their prices', async () => {
  const market = await start();
  addProduct(market);
  const { body } = await market.call('GET', '/products/dashboard/?company_id=4711');
  const [tile] = (body as unknown as Page).results;
  expect(tile).toMatchObject({
    slug: expect.stringMatching(/^[a-z0-9-]+$/) as string,
    display_unit_price: expect.any(String) as string,
  });
  expect(tile?.['pricing']).toHaveProperty('base_price');
});

test('the printed addresses can be opened', async () => {
  const market = await start();
  for (const url of [market.url, `${market.url}/api/v2/`, `${market.controlUrl}/`, market.controlUrl]) {
    const answer = await fetch(url);
    expect([url, answer.status]).toEqual([url, 200]);
    expect(await answer.json()).toHaveProperty('about');
  }
});

test('keys of either scheme, with fewer permissions, are issued and revoked by control calls', async () => {
  const market = await start();
  const control = (method: string, path: string, body?: object) =>
    fetch(`${market.controlUrl}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  const issued = await control('POST', '/keys', { scheme: 'Bearer', secret: 'b', permissions: { Orders: 'read' } });
  expect(await issued.json()).toEqual({
    scheme: 'Bearer',
    secret: 'b',
    owner: 'brand',
    permissions: { Orders: 'read' },
  });
  const status = async (path: string) =>
    (await market.call('GET', path, undefined, { authorization: 'Bearer b' })).status;
  expect([await status('/orders-received/'), await status('/products/')]).toEqual([200, 403]);
  await control('DELETE', '/keys/b');
  expect(await status('/orders-received/')).toBe(401);
});
