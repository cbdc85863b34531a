import { expect, test } from 'vitest';
import { folderOf } from '../config/folder.ts';
import { answering } from '../erp/contract/answering-server.ts';
import { run } from './capture.ts';

const DEPTH = 300_000;
const DEEP = '['.repeat(DEPTH) + ']'.repeat(DEPTH);

const configured = (url: string): string => `version: 1
accounts:
  main:
    marketplace: { base_url: "http://127.0.0.1:1", auth: { scheme: app, key: a-key }, seller_id: 1 }
    inventory: { strategy: a }
    erp:
      type: rest
      url: ${url}
      lists:
        products:
          request: { path: /products }
          items: items
          row: { id: $string(id), sku: sku, active: true, deleted: false, price: { amount: 1, currency: '"USD"' }, unit_multiplier: 1, changed_at: $as_of }
`;

test.each([
  ['beside its rows', 1, `{"items":[{"id":1,"sku":"A"}],"more":${DEEP}}`],
  ['in a row', 0, `{"items":[{"id":1,"sku":"A","tree":${DEEP}}]}`],
  ['in place of its rows', 0, DEEP],
])('a deeply nested answer %s does not end erp try', async (_where, code, body) => {
  await using server = await answering((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  const path = folderOf({ 'c.yaml': configured(server.url) });
  const { exitCode, stdout, stderr } = await run(['erp', 'try', 'products', '--config', path('c.yaml')]);
  expect(stdout).toContain('received:');
  expect(stdout + stderr).not.toMatch(/call stack|RangeError|unexpected/i);
  expect(exitCode).toBe(code);
});
