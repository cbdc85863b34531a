import { expect, it } from 'vitest';
import { answering, erpAt, json, onePage } from './answering-server.ts';

const ODD = [
  '../x',
  'a/../b',
  '...',
  '%2F',
  '%2e%2e',
  'x?y=1',
  'x#y',
  'x&z=1',
  'x\\y',
  'x\ny',
  'x y',
  'é',
  '📦',
  '+',
  '0',
];
const NO_ADDRESS = ['', '.', '..', 'half \ud800', '\udc00'];

const AT = '2030-01-01T00:00:00.000Z';
const ORDER = {
  id: 'SO-1',
  reference: 'R-1',
  origin: 'marketplace',
  status: 'draft',
  customer: null,
  currency: 'USD',
  lines: [],
  discount: '0',
  shipping: '0',
  tax: '0',
  total: '0',
  note: '',
  changed_at: AT,
};

it.each(ODD)('an id of any characters is one segment of the address and a whole parameter: %j', async (id) => {
  await using server = await answering((request, response) =>
    json(response, 200, request.url?.includes('?') ? onePage([]) : { ...ORDER, id }),
  );
  await using erp = erpAt(server);
  await erp.getOrder(id);
  await erp.updateOrder(id, { status: 'cancelled' });
  await erp.findOrders(id);
  await erp.readStock([id]);
  const urls = server.asked.map((asked) => new URL(asked, server.url));
  for (const { pathname } of urls.slice(0, 2)) {
    expect(pathname.split('/')).toHaveLength(4);
    expect(decodeURIComponent(pathname.slice('/v1/orders/'.length))).toBe(id);
  }
  expect(urls[2]?.searchParams.getAll('reference')).toEqual([id]);
  expect(urls[3]?.searchParams.getAll('sku')).toEqual([id]);
  expect([...(urls[2]?.searchParams.keys() ?? [])]).toEqual(['reference', 'limit']);
  expect([...(urls[3]?.searchParams.keys() ?? [])]).toEqual(['sku', 'limit']);
});

it.each(NO_ADDRESS)('an id that would change the address is not sent: %j', async (id) => {
  await using server = await answering((_request, response) => json(response, 200, ORDER));
  await using erp = erpAt(server);
  const refused = {
    kind: 'refused',
    outcome: 'not-applied',
    message: expect.stringContaining('no address') as string,
  };
  await expect(erp.getOrder(id)).rejects.toMatchObject(refused);
  await expect(erp.updateOrder(id, { status: 'cancelled' })).rejects.toMatchObject(refused);
  expect(server.asked).toEqual([]);
});

it('an id with half a character makes its row invalid without a name, so that nothing counts as gone', async () => {
  const row = { sku: 'A', product_id: 'P-\ud800', on_hand: '1', reserved: '0', available: '1', as_of: AT };
  await using server = await answering((_request, response) => json(response, 200, onePage([row])));
  await using erp = erpAt(server);
  const [page] = await Array.fromAsync(erp.listStock(null));
  expect(page).toMatchObject({ items: [], complete: false, invalidRows: [{ id: null, path: 'product_id' }] });
});
