import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { buildConnector, Pool } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import type { ClientSettings, MarketplaceClient } from '../../src/marketplace/client.ts';
import { clientFor, KEY, ORDER, openGovernor, startHttp, startTcp } from './loopback.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
function opened<Opened extends { close(): Promise<void> }>(each: Opened): Opened {
  open.unshift(each);
  return each;
}

const options = { lane: 'poll' } as const;
const calls = {
  list: (client: MarketplaceClient, signal?: AbortSignal) => client.list('orders.list', {}, { ...options, signal }),
  get: (client: MarketplaceClient, signal?: AbortSignal) =>
    client.call('orders.get', { path: { number: ORDER } }, { ...options, signal }),
  create: (client: MarketplaceClient, signal?: AbortSignal) =>
    client.call('products.create', { body: { sku: 'A' } }, { ...options, signal }),
  patch: (client: MarketplaceClient, signal?: AbortSignal) =>
    client.call('products.patch', { path: { id: 5 }, body: { sku: 'A' } }, { ...options, signal }),
  deleteLine: (client: MarketplaceClient, signal?: AbortSignal) =>
    client.call('line-items.delete', { path: { id: 5 } }, { ...options, signal }),
};

async function failureOf(
  url: string,
  call: keyof typeof calls,
  settings: Partial<ClientSettings> = {},
  signal?: AbortSignal,
): Promise<CallFailure> {
  const client = opened(clientFor(url, settings));
  const error = await calls[call](client, signal).then(
    () => null,
    (caught: unknown) => caught,
  );
  if (!(error instanceof CallFailure)) throw new Error(`expected a CallFailure, got ${inspect(error)}`);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
  return error;
}

test.each([
  [
    400,
    'create',
    '{"sku":["This field is required."]}',
    'refused',
    'not-applied',
    'says: sku: This field is required.',
  ],
  [401, 'create', '{"detail":"no"}', 'credentials', 'not-applied', 'Check marketplace.auth'],
  [403, 'create', '', 'forbidden', 'not-applied', 'products.create needs "Products: Read & Write".'],
  [403, 'get', '', 'forbidden', 'not-applied', 'orders.get needs "Orders: Read".'],
  [404, 'get', '', 'not-found', 'not-applied', 'there is nothing there.'],
  [404, 'list', '', 'not-found', 'not-applied', 'no such page'],
  [
    404,
    'deleteLine',
    '',
    'not-found',
    'not-applied',
    'assumed, not documented; name yours in the configuration: marketplace.operations.line-items.delete: {',
  ],
  [405, 'deleteLine', '', 'not-found', 'not-applied', 'marketplace.operations.line-items.delete: {'],
  [405, 'patch', '', 'refused', 'not-applied', 'PATCH is not allowed there.'],
  [408, 'create', '', 'unavailable', 'not-applied', 'did not arrive in time'],
  [409, 'create', 'taken', 'refused', 'not-applied', 'says: taken'],
  [429, 'create', '', 'rate-limited', 'not-applied', 'quota'],
  [500, 'create', '<h1>Oops</h1>', 'unavailable', 'unknown', 'says: Oops'],
  [502, 'patch', '', 'unavailable', 'unknown', 'unknown: look it up before repeating it'],
  [503, 'get', '', 'unavailable', 'not-applied', 'in trouble'],
  [301, 'create', '', 'refused', 'not-applied', 'redirected to /elsewhere/***/, which is not followed'],
  [302, 'create', '', 'refused', 'unknown', 'slash at the end'],
  [308, 'get', '', 'refused', 'not-applied', 'base_url'],
] as const)('the failure of status %i to %s %s', async (status, call, body, kind, outcome, told) => {
  const headers = status < 400 ? { location: `/elsewhere/${KEY}/?token=1` } : {};
  const server = opened(await startHttp(() => ({ status, headers, body })));
  const failure = await failureOf(server.url, call);
  expect(failure).toMatchObject({ side: 'marketplace', kind, outcome, status });
  expect(failure.message).toContain(told);
  expect(failure.message).toContain(server.url);
  expect(server.received).toHaveLength(1);
});

test('an API key in an answer of the marketplace is masked in the failure', async () => {
  const server = opened(await startHttp(() => ({ status: 400, body: `{"detail":"who is ${KEY}?"}` })));
  const failure = await failureOf(server.url, 'create');
  expect(failure.message).toContain('who is ***?');
  const cut = opened(await startHttp(() => ({ status: 400, body: 'x'.repeat(490) + KEY })));
  expect((await failureOf(cut.url, 'create')).message).not.toContain(KEY.slice(0, 4));
});

test('a path that was overridden is no longer called assumed', async () => {
  const server = opened(await startHttp(() => ({ status: 404 })));
  const failure = await failureOf(server.url, 'deleteLine', {
    overrides: { 'line-items.delete': { path: '/l/{id}/' } },
  });
  expect(failure.message).not.toContain('assumed');
});

test.each([
  ['not JSON', 'create', '<html>', 'unknown', 'it is not JSON (application/json, 6 bytes); is base_url right?', ''],
  ['cut-off JSON', 'create', '{"id":', 'unknown', 'not JSON', ''],
  ['bytes that are not UTF-8', 'get', Buffer.from([0x22, 0xff, 0x22]), 'not-applied', 'not JSON', ''],
  ['nesting without end', 'get', '['.repeat(200_000), 'not-applied', 'not JSON', ''],
  ['nothing', 'create', '', 'unknown', 'does not fit', ''],
  ['no id', 'create', '{"sku":"A"}', 'unknown', "the answer's id does not fit", 'id'],
  ['no list', 'list', '[]', 'not-applied', 'does not fit', ''],
  ['a count below zero', 'list', '{"count":-1,"results":[]}', 'not-applied', "answer's count", 'count'],
] as const)('a success with %s is an invalid answer', async (_, call, body, outcome, told, path) => {
  const server = opened(await startHttp(() => ({ body })));
  const failure = await failureOf(server.url, call);
  expect(failure).toMatchObject({ kind: 'invalid-answer', outcome, status: 200, path });
  expect(failure.message).toContain(told);
});

test('a refused connection means that the call was not applied', async () => {
  const server = await startHttp(() => ({}));
  await server.close();
  const failure = await failureOf(server.url, 'create');
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'not-applied', status: null });
  expect(failure.message).toContain('refused. Is the marketplace up, and base_url right? Nothing was sent.');
});

test('a host name that cannot be resolved means that the call was not applied', async () => {
  const failure = await failureOf('http://marketplace.invalid', 'create');
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  expect(failure.message).toContain('could not be resolved');
});

test('a failed TLS handshake means that the call was not applied', async () => {
  const server = opened(await startHttp(() => ({})));
  const failure = await failureOf(server.url.replace('http:', 'https:'), 'create');
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  expect(failure.message).toContain('Nothing was sent.');
  expect(server.received).toEqual([]);
});

/** Connections that are established only when the test allows it, if ever. */
function holdingPool(url: string) {
  const connect = buildConnector({});
  const asked = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  const held: buildConnector.connector = (to, callback) => {
    asked.resolve();
    void allowed.promise.then(() => connect(to, callback));
  };
  return { pool: new Pool(url, { connections: 1, connect: held }), asked: asked.promise, allow: allowed.resolve };
}

test('a call stopped while connecting was not applied, fails at once, and is not sent by a later connection', async () => {
  const server = opened(await startHttp(() => ({ body: '{"id":5}' })));
  const { pool, asked, allow } = holdingPool(server.url);
  opened(pool);
  const stop = new AbortController();
  const failing = failureOf(server.url, 'create', { dispatcher: pool }, stop.signal);
  await asked;
  stop.abort();
  expect(await failing).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  allow();
  expect(await calls.patch(clientFor(server.url, { dispatcher: pool }))).toEqual({ id: 5 });
  expect(server.received.map(({ method }) => method)).toEqual(['PATCH']);
});

test('a call that gets no connection in time was not applied', async () => {
  const { pool } = holdingPool('http://127.0.0.1:1');
  const failure = await failureOf('http://127.0.0.1:1', 'create', { dispatcher: pool, timeoutMs: 20 });
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  expect(failure.message).toContain('no connection in time');
  await pool.destroy();
});

test('a call stopped before its turn is not sent', async () => {
  const server = opened(await startHttp(() => ({})));
  const governor = openGovernor();
  const failure = await failureOf(server.url, 'create', { governor }, AbortSignal.abort());
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  expect(server.received).toEqual([]);
  expect(governor.lanes).toEqual([]);
});

/** Everything after the first byte was sent, by what the server does with the request. */
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
test.each([
  ['a reset', (socket: Socket) => socket.resetAndDestroy(), 'the connection broke'],
  ['a closed connection', (socket: Socket) => socket.end(), 'the connection broke'],
  ['half a head', (socket: Socket) => socket.end('HTTP/1.1 2'), 'the connection broke'],
  ['something else than HTTP', (socket: Socket) => socket.end('SSH-2.0-x\r\n\r\n'), 'not HTTP'],
  ['half a body', (socket: Socket) => socket.end(`${HEAD}content-length: 99\r\n\r\n{"id"`), 'the connection broke'],
  [
    'half a chunked body',
    (socket: Socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"id"`),
    'the connection broke',
  ],
])('%s leaves a write in doubt, and fails a read', async (_, serve, told) => {
  let requests = 0;
  const server = opened(await startTcp((socket) => (requests++, serve(socket))));
  const write = await failureOf(server.url, 'create');
  expect(write).toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
  expect(write.message).toContain(told);
  expect(await failureOf(server.url, 'get')).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  expect(requests).toBe(2);
});

test('a silent and a very slow answer both end at the time-out, with a write in doubt', async () => {
  const silent = opened(await startTcp(() => {}));
  const settings = { timeoutMs: 100 };
  const failure = await failureOf(silent.url, 'patch', settings);
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
  expect(failure.message).toContain('no complete answer within 100 ms');
  const trickling = opened(
    await startTcp((socket) => {
      socket.write(`${HEAD}content-length: 100000\r\n\r\n`);
      const timer = setInterval(() => socket.write(' '), 10);
      socket.on('close', () => clearInterval(timer));
    }),
  );
  expect(await failureOf(trickling.url, 'create', settings)).toMatchObject({ outcome: 'unknown', status: 200 });
});

test('a call stopped while its answer is awaited leaves a write in doubt', async () => {
  const stop = new AbortController();
  const server = opened(await startTcp(() => stop.abort()));
  const failure = await failureOf(server.url, 'create', {}, stop.signal);
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
  expect(failure.message).toContain('stopped while the answer was awaited');
});

test('a reset of a reused connection leaves a write in doubt', async () => {
  const server = opened(
    await startTcp((socket, count) => {
      if (count === 1) socket.write(`${HEAD}content-length: 8\r\n\r\n{"id":5}`);
      else socket.resetAndDestroy();
    }),
  );
  const client = opened(clientFor(server.url));
  await calls.create(client);
  await expect(calls.create(client)).rejects.toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
});

test('a connection closed while idle is replaced, and nothing is sent twice', async () => {
  const seen: number[] = [];
  const server = opened(
    await startTcp((socket, count) => {
      seen.push(count);
      socket.end(`${HEAD}content-length: 8\r\n\r\n{"id":5}`);
    }),
  );
  const client = opened(clientFor(server.url));
  for (let call = 0; call < 5; call++) expect(await calls.create(client)).toEqual({ id: 5 });
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test('an error status decides even when its body is truncated', async () => {
  const head = 'HTTP/1.1 429 Too Many\r\nretry-after: 3\r\ncontent-length: 999\r\n\r\n{"detail":"slow';
  const server = opened(await startTcp((socket) => socket.end(head)));
  expect(await failureOf(server.url, 'create')).toMatchObject({
    kind: 'rate-limited',
    outcome: 'not-applied',
    retryAfterMs: 3000,
  });
});

test('only the beginning of an endless error body is read', async () => {
  const head = 'HTTP/1.1 400 Bad\r\ncontent-length: 99999999\r\n\r\n';
  const server = opened(await startTcp((socket) => socket.write(head + 'no! '.repeat(5000))));
  const failure = await failureOf(server.url, 'create');
  expect(failure).toMatchObject({ kind: 'refused', outcome: 'not-applied', status: 400 });
  expect(failure.message.length).toBeLessThan(800);
});
