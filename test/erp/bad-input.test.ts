import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { ErpConnector } from '../../src/erp/connector.ts';
import { answering, onePage } from './contract/answering-server.ts';
import { restErp } from './rest/opened.ts';

/*
 * Answers that an ERP over HTTP may give in place of its products, each with its result: a row is set aside with its place, or
 * the read fails and says why. No such answer counts as an empty list. Databases and files have the same tests: sql/bad-input,
 * files/bad-input.
 */

const ROW = {
  id: 'P-1',
  sku: 'A',
  name: 'Äpfel',
  active: true,
  deleted: false,
  price: { amount: '12.50', currency: 'USD' },
  unit_multiplier: '1',
  changed_at: '2030-01-01T00:00:00.000Z',
};
const OTHER = { ...ROW, id: 'P-2', sku: 'B' };
const DESCRIBED = `
auth: { scheme: bearer, token: t }
lists:
  products:
    request: { path: /products, query: { since: '{{ $since }}' } }
    items: items
    since: { witness: changed_at }
    complete: complete
`;

type Answer = (response: ServerResponse) => void;
const rows =
  (...items: readonly unknown[]): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(onePage(items)));
const page = (status: number, type: string, body: string | Buffer): Answer => {
  return (response) => response.writeHead(status, { 'content-type': type }).end(body);
};

async function read(answer: Answer, since: string | null) {
  await using server = await answering((_request, response) => answer(response));
  await using erp: ErpConnector & AsyncDisposable = restErp(server.url, DESCRIBED, { token: 'a-token' });
  const pages = await Array.fromAsync(erp.listProducts(since));
  return {
    skus: pages.flatMap(({ items }) => items.map(({ sku }) => sku)),
    invalidRows: pages.flatMap(({ invalidRows }) => invalidRows.map(({ id, path }) => `${id} ${path}`)),
    complete: pages.at(-1)?.complete,
  };
}

test.each<[string, Answer, string[], string[]]>([
  ['a column that nobody knows', rows({ ...ROW, vat_code: 7 }, OTHER), ['A', 'B'], []],
  ['a field that is missing', rows({ ...ROW, active: undefined }, OTHER), ['B'], ['P-1 active']],
  ['a wrong type', rows({ ...ROW, price: 'twelve' }, OTHER), ['B'], ['P-1 price']],
  ['a figure with a decimal comma', rows({ ...ROW, unit_multiplier: '1,5' }, OTHER), ['B'], ['P-1 unit_multiplier']],
  ['a price without its currency', rows({ ...ROW, price: { amount: '1' } }, OTHER), ['B'], ['P-1 price.currency']],
  ['a SKU that comes twice, for people to settle', rows(ROW, { ...OTHER, sku: 'A' }), ['A', 'A'], []],
  ['a schema that changed overnight', rows({ ...ROW, sku: undefined, article: 'A' }, OTHER), ['B'], ['P-1 sku']],
])(
  'a row of the ERP that is invalid is set aside with its place, and the others are read: %s',
  async (_what, answer, skus, invalidRows) => {
    expect(await read(answer, null)).toEqual({ skus, invalidRows, complete: true });
  },
);

test('a price in another currency is passed on unchanged, so that the product is held and not repriced', async () => {
  await using server = await answering((_request, response) =>
    rows({ ...ROW, price: { amount: '12.50', currency: 'CHF' } })(response),
  );
  await using erp: ErpConnector & AsyncDisposable = restErp(server.url, DESCRIBED, { token: 'a-token' });
  const pages = await Array.fromAsync(erp.listProducts(null));
  expect(pages.flatMap(({ items }) => items.map(({ price }) => price.currency))).toEqual(['CHF']);
});

test('rows from before the requested time are dropped when a server ignores the filter of changes', async () => {
  const old = { ...OTHER, changed_at: '2029-06-01T00:00:00.000Z' };
  expect((await read(rows(ROW, old), '2029-12-31T00:00:00.000Z')).skus).toEqual(['A']);
});

test.each<[string, Answer, object]>([
  ['a page in place of JSON', page(502, 'text/html', '<h1>Bad gateway</h1>'), { kind: 'unavailable' }],
  ['a login page as 200', page(200, 'text/html', '<form action="/login">'), { kind: 'invalid-answer' }],
  ['a token that has expired', page(401, 'application/json', '{"error": "expired"}'), { kind: 'credentials' }],
  [
    'an answer in another encoding',
    page(200, 'application/json', Buffer.from(JSON.stringify(onePage([ROW])), 'latin1')),
    { kind: 'invalid-answer' },
  ],
  [
    'rows under another name overnight',
    page(200, 'application/json', '{"rows": [], "complete": true}'),
    { kind: 'invalid-answer' },
  ],
  ['an error as 200', page(200, 'application/json', '{"error": "no such table"}'), { kind: 'invalid-answer' }],
  ['nothing at all', page(200, 'application/json', ''), { kind: 'invalid-answer' }],
])('a bad answer of the ERP is not taken for an empty list: %s', async (_what, answer, failure) => {
  await expect(read(answer, null)).rejects.toMatchObject({ side: 'erp', ...failure });
});
