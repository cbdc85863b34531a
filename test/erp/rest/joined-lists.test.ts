import { expect, it } from 'vitest';
import { answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

it('a list joined to a lookup gets the wanted id or reference', async () => {
  await using server = await answering((request, response) => {
    const url = new URL(request.url ?? '', 'http://erp');
    if (url.pathname === '/lines') return json(response, 200, [{ sku: 'A', qty: '2', price: '1.50' }]);
    return json(response, 200, [{ id: 7, ref: 'R-1' }]);
  });
  await using erp = restErp(
    server.url,
    `
lists:
  orders:
    request: { path: /orders }
    with:
      lines: { per: list, request: { path: /lines, query: { of: '{{ $reference }}' } } }
    row:
      id: $string(id)
      reference: ref
      origin: '"marketplace"'
      status: '"draft"'
      customer: {}
      currency: '"USD"'
      lines: '[$lines.{"sku": sku, "quantity": qty, "unit_price": price}]'
      discount: 0
      shipping: 0
      tax: 0
      total: 3
      note: '""'
      changed_at: $as_of
finds:
  orders-by-reference: { request: { path: /orders, query: { ref: '{{ $reference }}' } } }
`,
  );
  expect((await erp.findOrders('R-1')).map(({ id, lines }) => [id, lines.length])).toEqual([['7', 1]]);
  expect(server.asked).toEqual(['/lines?of=R-1', '/orders?ref=R-1']);
});
