import { expect, it } from 'vitest';
import { answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

const DESCRIPTION = `
lists:
  products:
    request: { path: /items, query: { after: '{{ $cursor }}' } }
    items: data.items.*
    paging: { by: cursor, next: '$headers.\`x-next\`' }
    row: &row
      id: $string(id)
      sku: code
      name: code
      active: true
      deleted: false
      price: { amount: price, currency: '"USD"' }
      unit_multiplier: 1
      changed_at: '"2029-01-01T00:00:00Z"'
  stock:
    request: { path: /stock }
    items: data.*
    empty: $exists(data)
    row: { sku: code, product_id: code, on_hand: n, reserved: 0, available: n, as_of: $as_of }
finds:
  stock-by-sku:
    request: { path: /stock, query: { 'code[]': '{{ $skus }}' }, lists: repeated }
`;

it('rows that are the values of an object are read, no rows come as an empty list, and the next page is in a header', async () => {
  await using server = await answering((request, response) => {
    if (request.url === '/items')
      return json(response, 200, { data: { items: { 7: { id: 7, code: 'A', price: '1.10' } } } }, { 'x-next': 'p2' });
    if (request.url?.startsWith('/items')) return json(response, 200, { data: { items: [] } });
    const rows = { A: { code: 'A', n: 3 }, B: { code: 'B', n: 4 } };
    return json(response, 200, { data: rows });
  });
  await using erp = restErp(server.url, DESCRIPTION);
  const pages = await Array.fromAsync(erp.listProducts(null));
  expect(pages.flatMap(({ items }) => items.map(({ id, sku }) => [id, sku]))).toEqual([['7', 'A']]);
  expect(pages.at(-1)?.complete).toBe(true);
  const found = await erp.readStock(['A', 'B']);
  expect(found.items.map(({ sku, onHand }) => [sku, onHand.toFixed()])).toEqual([
    ['A', '3'],
    ['B', '4'],
  ]);
  expect(server.asked).toEqual(['/items', '/items?after=p2', '/stock?code%5B%5D=A&code%5B%5D=B']);
});
