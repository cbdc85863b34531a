import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf, LEAST } from '../config/folder.ts';
import { run } from './capture.ts';

const KEY = 'the-key-of-the-erp';

/** An ERP that repeats what it is sent, with the secret. */
async function startEcho(): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('ratelimit-policy', 'limit');
    response.setHeader('content-type', 'application/json');
    const echoed = (sent: string) => JSON.stringify({ items: [], sent, key: request.headers['x-key'] });
    void text(request).then((sent) => response.end(echoed(sent)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('erp try prints filters by their keys, and masks the secret of the ERP wherever it occurs', async () => {
  const yaml = LEAST.replace(
    /erp: .*/,
    `erp:
      type: rest
      url: ${await startEcho()}
      auth: { scheme: header, header: X-Key, key: ${KEY} }
      lists:
        products:
          request:
            method: POST
            path: /graphql
            body: { query: "{ items { uuid sku } }", filters: [{ key: limit, value: "100" }] }
          items: items
          paging: { by: page, size: 10, key: uuid }
          row: { id: uuid, name: name, sku: sku, changed_at: $as_of }`,
  );
  const config = folderOf({ 'c.yaml': yaml })('c.yaml');
  const { stdout, stderr } = await run(['erp', 'try', 'products', '--config', config]);
  expect(stderr).toBe('');
  expect(stdout).toContain('{ items { uuid sku } }');
  expect(stdout).toContain('ratelimit-policy: limit');
  expect(stdout).toContain('"key":"limit"');
  expect(stdout).toContain('"key":"[redacted]"');
  expect(stdout).not.toContain(KEY);
});

test('erp try masks headers with credentials, and prints others whose name contains such a word', async () => {
  const url = await startEcho();
  const yaml = LEAST.replace(
    /erp: .*/,
    `erp:
      type: rest
      url: ${url}
      auth:
        scheme: session
        user: bridge
        password: ${KEY}
        login: { method: GET, path: /login }
        token: '"ticket-4711"'
        sent: call
      lists:
        products:
          request:
            path: /products
            headers: { Idempotency-Key: read-17, X-Ticket: "{{ $auth.token }}", X-Csrf-Token: csrf-4711, Session: session-4711 }
          items: items`,
  );
  const config = folderOf({ 'c.yaml': yaml })('c.yaml');
  const { stdout, stderr } = await run(['erp', 'try', 'products', '--config', config]);
  expect(stderr).toBe('');
  expect(stdout).toContain('idempotency-key: read-17');
  expect(stdout).toContain('x-ticket: ***');
  expect(stdout).not.toMatch(/-4711/);
});

test('neither erp try nor a broken promise says that a single call is repeated', async () => {
  const server = createServer((_request, response) => response.writeHead(503).end('{}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = folderOf({ 'c.yaml': LEAST.replace('https://erp.example', url) })('c.yaml');
  for (const args of [['try', 'products'], ['check']]) {
    const { stdout, stderr } = await run(['erp', ...args, '--config', config]);
    expect(stdout + stderr).toContain('503');
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).not.toContain('tried again');
  }
});
