import { afterEach, describe, expect, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import { Superseded } from '../../src/domain/superseded.ts';
import { rawNumber } from '../../src/http/json.ts';
import type { CallTrace } from '../../src/marketplace/client.ts';
import type { Governor } from '../../src/marketplace/quota.ts';
import { isUrgent } from '../../src/store/urgent.ts';
import { clientFor, KEY, ORDER, ORDER_JSON, openGovernor, startHttp } from './loopback.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
function opened<Opened extends { close(): Promise<void> }>(each: Opened): Opened {
  open.unshift(each);
  return each;
}

const poll = { lane: 'poll' } as const;

test('a list is requested with its query, the credentials and the version', async () => {
  const server = opened(
    await startHttp(() => ({ body: `{"count":1,"next":null,"previous":null,"results":[${ORDER_JSON}]}` })),
  );
  const governor = openGovernor();
  const client = opened(clientFor(`${server.url}/shop/`, { governor }));
  const page = await client.list(
    'orders.list',
    {
      query: {
        ordering: 'modified',
        modified__gte: '2024-05-01T10:00:00+02:00',
        page: 1,
        page_size: 500,
        include_children: 'line_items',
        status: undefined,
      },
    },
    poll,
  );
  expect(page).toMatchObject({ count: 1, more: false, invalidRows: [] });
  expect(page.rows[0]?.number).toBe(ORDER);
  expect(page.raw).toEqual(page.rows);
  expect(governor.lanes).toEqual(['poll']);
  const [request] = server.received;
  expect(request?.method).toBe('GET');
  expect(request?.url).toBe(
    '/shop/api/v2/orders-received/?page=1&page_size=500&ordering=modified&include_children=line_items&modified__gte=2024-05-01T10%3A00%3A00%2B02%3A00',
  );
  expect(request?.headers).toMatchObject({ authorization: `App ${KEY}`, 'service-version': '2022-10-31' });
});

describe('a token that the marketplace refuses', () => {
  /** Knows only its last token, and gives the next one when it is asked for a token after a refusal. */
  const renewing = (tokens: string[]) => {
    let [current = ''] = tokens;
    return {
      secret: async () => current,
      refused: (secret: string) => {
        if (secret === current) current = tokens[tokens.indexOf(secret) + 1] ?? current;
      },
    };
  };
  const guarded = async (good: string) =>
    opened(
      await startHttp(({ headers }) =>
        headers.authorization === `Bearer ${good}` ? { body: ORDER_JSON } : { status: 401, body: '{"detail":"no"}' },
      ),
    );

  test.each(['a read', 'a write'])(
    'a refused token costs %s a second try with the next token, and a second place in the quota',
    async (of) => {
      const server = await guarded('second');
      const governor = openGovernor();
      const auth = { scheme: 'bearer', token: renewing(['first', 'second', 'third']) } as const;
      const client = opened(clientFor(server.url, { auth, governor }));
      const path = { number: ORDER };
      const answer =
        of === 'a read'
          ? await client.call('orders.get', { path }, poll)
          : await client.call('orders.transition', { path: { ...path, action: 'accept' } }, poll);
      expect(answer).toMatchObject({ number: ORDER });
      expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
      expect(governor.lanes).toEqual(['poll', 'poll']);
    },
  );

  test('a refused token is not tried a third time, nor again when there is no other', async () => {
    const server = await guarded('none');
    for (const [tokens, calls] of [
      [['first', 'second', 'third'], 2],
      [['only'], 1],
    ] as const) {
      const auth = { scheme: 'bearer', token: renewing([...tokens]) } as const;
      const client = opened(clientFor(server.url, { auth }));
      const before = server.received.length;
      await expect(client.call('orders.get', { path: { number: ORDER } }, poll)).rejects.toMatchObject({
        kind: 'credentials',
      });
      expect(server.received.length - before).toBe(calls);
    }
  });
});

test('a bearer token and another version header are sent as configured', async () => {
  const server = opened(await startHttp(() => ({ body: ORDER_JSON })));
  const client = opened(
    clientFor(server.url, { auth: { scheme: 'bearer', token: 'a.b.c' }, versionHeader: 'Market-Version' }),
  );
  await client.call('orders.get', { path: { number: ORDER } }, poll);
  const headers = server.received[0]?.headers;
  expect(headers).toMatchObject({ authorization: 'Bearer a.b.c', 'market-version': '2022-10-31' });
  expect(headers).not.toHaveProperty('service-version');
});

test('an answer keeps every field and every digit', async () => {
  const sent = `{"number":"x","status":"New one","modified":"2024-05-01T10:00:00Z","seller":4711,"big":12345678901234567890.1200,"nested":{"a":[1,2.50,null]}}`;
  const server = opened(await startHttp(() => ({ body: sent })));
  const client = opened(clientFor(server.url));
  const order = await client.call('orders.get', { path: { number: 'x' } }, poll);
  expect(JSON.stringify(order)).toBe(sent);
});

test('a body is sent with its exact digits', async () => {
  const server = opened(await startHttp(() => ({ body: '{"id":5,"quantity":12.50,"reserved_qty":2}' })));
  const client = opened(clientFor(server.url));
  const body = { quantity: rawNumber('12.5000') };
  const answer = await client.call('products.patch', { path: { id: 5 }, body }, poll);
  expect(server.received[0]).toMatchObject({
    method: 'PATCH',
    url: '/api/v2/products/5/',
    body: '{"quantity":12.5000}',
  });
  expect(server.received[0]?.headers['content-type']).toBe('application/json');
  expect(JSON.stringify(answer?.quantity)).toBe('12.50');
});

test('a status transition is sent without a payload', async () => {
  const server = opened(await startHttp(() => ({ body: ORDER_JSON })));
  const client = opened(clientFor(server.url));
  await client.call('orders.transition', { path: { number: ORDER, action: 'fulfill' } }, poll);
  const [request] = server.received;
  expect(request).toMatchObject({
    method: 'POST',
    url: `/api/v2/orders-received/${ORDER}/transition/fulfill/`,
    body: '',
  });
  expect(request?.headers['content-length']).toBe('0');
  expect(request?.headers).not.toHaveProperty('content-type');
});

test.each([
  ['200 with the product', { status: 200, body: '{"id":5,"archived":true}' }, { id: 5, archived: true }],
  ['204 with nothing', { status: 204 }, null],
  ['200 with nothing', { status: 200 }, null],
])('an archive may be answered with %s', async (_, reply, answer) => {
  const server = opened(await startHttp(() => reply));
  const client = opened(clientFor(server.url));
  expect(await client.call('products.archive', { path: { id: 5 } }, poll)).toEqual(answer);
});

test('a create may be answered without the order', async () => {
  const server = opened(await startHttp(() => ({ status: 201 })));
  const client = opened(clientFor(server.url));
  const body = { seller: 1, customer: { id: 2 }, status: 'Submitted' as const, line_items: [] };
  expect(await client.call('orders.create', { body }, poll)).toBeNull();
});

test('an invalid request is not sent, and takes no place in the quota', async () => {
  const server = opened(await startHttp(() => ({ body: ORDER_JSON })));
  const governor = openGovernor();
  const client = opened(clientFor(server.url, { governor }));
  const line = { product: 3, quantity: '1,5', ordered_unit_price: { amount: rawNumber('1.00'), currency: 'USD' } };
  const call = client.call('orders.patch', { path: { number: '../x' }, body: { line_items: [line] } }, poll);
  const failure = await call.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CallFailure);
  expect(failure).toMatchObject({ kind: 'refused', outcome: 'not-applied', path: 'path.number' });
  expect((failure as Error).message).toBe(
    'marketplace orders.patch was not sent, its request does not fit: path.number: expected an order number; body.line_items[0].quantity: expected a decimal that is not below zero, with at most 4 digits after the point, such as "2.0000"',
  );
  expect(server.received).toEqual([]);
  expect(governor.lanes).toEqual([]);
});

test('an override moves an operation, and an impossible override is refused at once', async () => {
  const server = opened(await startHttp(() => ({ status: 204 })));
  const overrides = { 'line-items.delete': { method: 'POST' as const, path: '/lines/{id}/remove/' } };
  const client = opened(clientFor(server.url, { overrides }));
  await client.call('line-items.delete', { path: { id: 9 } }, poll);
  expect(server.received[0]).toMatchObject({ method: 'POST', url: '/api/v2/lines/9/remove/' });
  expect(() => clientFor(server.url, { overrides: { 'line-items.delete': { path: '/lines/{line}/' } } })).toThrow(
    'marketplace.operations.line-items.delete.path: "/lines/{line}/": {line} is no parameter of it: the path may have {id}',
  );
  for (const path of [
    'lines',
    '/../../x/',
    '/lines/./{id}/',
    '/lines/..',
    '/lines/{id}/%2e%2e/',
    '/lines/{id/',
    '//lines/{id}/?a=1',
  ])
    expect(() => clientFor(server.url, { overrides: { 'line-items.delete': { path } } }), path).toThrow(
      `marketplace.operations.line-items.delete.path: "${path}": expected a path`,
    );
  expect(() => clientFor(server.url, { overrides: { 'orders.burn': {} } as never })).toThrow('no such operation');
});

test('several values of a parameter are repeated, or sent with commas where the deployment expects that', async () => {
  const server = opened(await startHttp(() => ({ body: '{"count":0,"next":null,"previous":null,"results":[]}' })));
  const query = { id: [1, 2, 3] };
  for (const arrays of ['repeated', 'commas'] as const) {
    const client = opened(clientFor(server.url, { overrides: { 'customers.list': { arrays } } }));
    await client.list('customers.list', { query }, poll);
  }
  expect(server.received.map(({ url }) => url.replace(/^.*\?/, ''))).toEqual(['id=1&id=2&id=3', 'id=1%2C2%2C3']);
});

test('the operations of the second document have a prefix of their own, and each operation may have its own credentials', async () => {
  const server = opened(await startHttp(() => ({ body: '{"count":0,"next":null,"previous":null,"results":[]}' })));
  const auths = { 'customers.list': { scheme: 'bearer', token: 'for-customers' } } as const;
  const client = opened(clientFor(`${server.url}/shop`, { referencePrefix: '/reference/v1', auths }));
  await client.list('customers.list', { query: {} }, poll);
  await client.list('products.list', { query: {} }, poll);
  expect(server.received.map(({ url, headers }) => `${url} ${headers.authorization}`)).toEqual([
    '/shop/reference/v1/customers/ Bearer for-customers',
    `/shop/api/v2/products/ App ${KEY}`,
  ]);
});

test('the quota headers of every answer reach the governor, also those of a refusal', async () => {
  const headers = { 'x-ratelimit-limit-minute': '300', 'x-ratelimit-remaining-minute': '12', 'retry-after': '1.5' };
  const server = opened(await startHttp(() => ({ status: 429, headers, body: '{"detail":"slow down"}' })));
  const governor = openGovernor();
  const client = opened(clientFor(server.url, { governor }));
  const failure = await client.call('orders.get', { path: { number: ORDER } }, poll).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'rate-limited', retryAfterMs: 1500, outcome: 'not-applied' });
  expect(governor.observed).toEqual([
    {
      status: 429,
      retryAfterMs: 1500,
      limitPerMinute: 300,
      remainingPerMinute: 12,
      limitPerSecond: null,
      remainingPerSecond: null,
    },
  ]);
});

test('an answer is not lost when the governor cannot store it', async () => {
  const server = opened(await startHttp(() => ({ body: '{"id":5}' })));
  const governor = { ...openGovernor(), observe: () => Promise.reject(new Error('redis is away')) };
  const client = opened(clientFor(server.url, { governor }));
  expect(await client.call('products.create', { body: { sku: 'A' } }, poll)).toEqual({ id: 5 });
});

test('a governor that has no room, or is unreachable, delays the call', async () => {
  const server = opened(await startHttp(() => ({ body: '{"id":5}' })));
  const full = new CallFailure('full', {
    side: 'marketplace',
    kind: 'rate-limited',
    outcome: 'not-applied',
    retryAfterMs: 9,
  });
  const refusing = opened(
    clientFor(server.url, { governor: { ...openGovernor(), acquire: () => Promise.reject(full) } }),
  );
  await expect(refusing.call('products.create', { body: {} }, poll)).rejects.toBe(full);
  const broken = { ...openGovernor(), acquire: () => Promise.reject(new Error('redis is away')) };
  const client = opened(clientFor(server.url, { governor: broken }));
  const call = client.call('products.create', { body: {} }, poll);
  await expect(call).rejects.toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  await expect(call).rejects.toThrow('redis is away');
  expect(server.received).toEqual([]);
});

test('every call that is sent is traced', async () => {
  const replies = [{ body: '{"id":5}' }, { status: 503 }, { body: '{}' }];
  const server = opened(await startHttp(() => replies.shift() ?? {}));
  const traces: CallTrace[] = [];
  const client = opened(clientFor(server.url, { onCall: (trace) => traces.push(trace) }));
  for (let call = 0; call < 3; call++) {
    await client.call('products.create', { body: {} }, { lane: 'operator' }).catch(() => undefined);
  }
  const common = { operation: 'products.create', lane: 'operator' };
  expect(traces.every(({ durationMs }) => durationMs > 0)).toBe(true);
  expect(traces).toMatchObject([
    { ...common, status: 200, outcome: 'answered', failure: null, headers: { 'content-type': 'application/json' } },
    { ...common, status: 503, outcome: 'unknown', failure: 'unavailable' },
    { ...common, status: 200, outcome: 'unknown', failure: 'invalid-answer' },
  ]);
});

test.each(['', 'with space', 'line\nbreak', 'ümlaut'])(
  'an API key that is no valid header value is refused without being printed: %j',
  (key) => {
    const create = () => clientFor('http://127.0.0.1:1', { auth: { scheme: 'app', key } });
    expect(create).toThrow(
      'marketplace.auth.key is empty or holds a space, a line break or another unprintable character',
    );
  },
);

test('a write that is no longer valid after its wait for the quota is not sent', async () => {
  const server = opened(await startHttp(() => ({ body: ORDER_JSON })));
  const client = opened(clientFor(server.url));
  const call = (revalidate: () => Promise<boolean>) =>
    client.call('orders.patch', { path: { number: ORDER }, body: { external_id: 'SO-1' } }, { ...poll, revalidate });
  await expect(call(async () => false)).rejects.toBeInstanceOf(Superseded);
  expect(server.received).toEqual([]);
  await call(async () => true);
  expect(server.received).toHaveLength(1);
  await client.call('orders.get', { path: { number: ORDER } }, { ...poll, revalidate: async () => false });
  expect(server.received).toHaveLength(2);
});

/** Notes every question. */
function sayingGovernor(said: string[], isLate: () => boolean): Governor {
  return {
    async acquire() {
      said.push('let through');
      return { isLate, giveBack: async () => void said.push('given back') };
    },
    observe: async () => {},
  };
}

test('a write that is sent too late for its grant is decided and granted again, three times at most', async () => {
  const server = opened(await startHttp(() => ({ body: ORDER_JSON })));
  const said: string[] = [];
  const late = [true, true, false, true, true, true, true];
  const client = opened(clientFor(server.url, { governor: sayingGovernor(said, () => late.shift() ?? false) }));
  const inLine = () => (isUrgent() ? '' : ', in line');
  const revalidate = async () => said.push(`right${inLine()}`) > 0;
  const sending = async () => void said.push(`sending${inLine()}`);
  const patch = () =>
    client.call(
      'orders.patch',
      { path: { number: ORDER }, body: { external_id: 'SO-1' } },
      { ...poll, revalidate, sending },
    );
  const lateOne = ['let through', 'right', 'sending', 'given back'];
  await patch();
  expect(said.splice(0)).toEqual([...lateOne, ...lateOne, 'let through', 'right', 'sending']);
  expect(server.received).toHaveLength(1);
  await expect(patch()).rejects.toMatchObject({
    kind: 'rate-limited',
    outcome: 'not-applied',
    status: null,
    retryAfterMs: 1_000,
    message: expect.stringContaining('3 times its place in the quota was over'),
  });
  expect(said).toEqual([...lateOne, ...lateOne, ...lateOne]);
  expect(server.received).toHaveLength(1);
});

test('a write that is no longer valid returns its place in the quota', async () => {
  const server = opened(await startHttp(() => ({ body: ORDER_JSON })));
  const said: string[] = [];
  const client = opened(clientFor(server.url, { governor: sayingGovernor(said, () => false) }));
  const request = { path: { number: ORDER }, body: { external_id: 'SO-1' } };
  const call = client.call('orders.patch', request, { ...poll, revalidate: async () => false });
  await expect(call).rejects.toBeInstanceOf(Superseded);
  expect(said).toEqual(['let through', 'given back']);
});

test('a write is recorded as sent once the quota grants it, and is not sent when it cannot be recorded', async () => {
  const server = opened(await startHttp(() => ({ body: ORDER_JSON })));
  const said: string[] = [];
  const governor = sayingGovernor(said, () => false);
  const client = opened(clientFor(server.url, { governor }));
  const options = { ...poll, sending: async () => void said.push(`sending, ${server.received.length} sent`) };
  const request = { path: { number: ORDER }, body: { external_id: 'SO-1' } };
  await client.call('orders.patch', request, options);
  expect(said).toEqual(['let through', 'sending, 0 sent']);
  await client.call('orders.get', { path: { number: ORDER } }, options);
  expect(said).toEqual(['let through', 'sending, 0 sent', 'let through']);
  const failing = client.call('orders.patch', request, {
    ...poll,
    sending: () => Promise.reject(new Error('disk full')),
  });
  await expect(failing).rejects.toThrow('disk full');
  expect(server.received).toHaveLength(2);
});

test('a queued command is answered with 202, and is sent as written', async () => {
  const server = opened(await startHttp(() => ({ status: 202, body: '{"command_id":7,"task_id":"t-1"}' })));
  const client = opened(clientFor(server.url));
  const body = { product_id: 1, facility_id: 2, batch_id: 3, quantity: '1.50', created_by: 4 };
  const accepted = await client.call('inventory.putaway', { query: { company_id: 9 }, body }, poll);
  expect(accepted).toEqual({ command_id: 7, task_id: 't-1' });
  expect(server.received[0]?.url).toBe('/api/v2/inventory/commands/putaway/?company_id=9');
});

test('a list without pages is an array with all its rows; without a body it is an invalid answer, not empty', async () => {
  const rows = [{ product_id: 1, on_hand_quantity: '5', available_quantity: '3', reserved_quantity: '2' }, { x: 1 }];
  let body = JSON.stringify(rows);
  const client = opened(clientFor(opened(await startHttp(() => ({ body }))).url));
  const list = () => client.list('inventory.measurements-by-product', { query: { company_id: 9 } }, poll);
  expect(await list()).toMatchObject({
    count: 2,
    more: false,
    rows: [rows[0]],
    raw: rows,
    invalidRows: [{ path: 'results[1].product_id' }],
  });
  body = '';
  await expect(list()).rejects.toMatchObject({ kind: 'invalid-answer', outcome: 'not-applied' });
});

describe('a 404 to the first page of a list', () => {
  const empty = {
    count: 0,
    more: false,
    rows: [],
    raw: [],
    invalidRows: [],
    askedAtMs: expect.any(Number),
    servedAt: expect.any(String),
  };
  const list = { query: { page: 1, page_size: 500 } };
  const replying = async (body: string, overrides = {}) => {
    const server = opened(
      await startHttp(({ url }) => (url.includes('/products/') ? { status: 404, body } : { body: ORDER_JSON })),
    );
    return opened(clientFor(server.url, { overrides }));
  };

  test('a 404 to the first page of a list is an empty collection when it speaks of a page', async () => {
    const client = await replying('{"detail":"Invalid page."}');
    expect(await client.list('products.list', list, poll)).toEqual(empty);
    const second = client.list('products.list', { query: { page: 2 } }, poll);
    await expect(second).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('a 404 to the first page of a list is an empty collection with any JSON, once another call has succeeded', async () => {
    const client = await replying('{"detail":"Not found."}');
    await expect(client.list('products.list', list, poll)).rejects.toMatchObject({ kind: 'not-found' });
    await client.call('orders.get', { path: { number: ORDER } }, poll);
    expect(await client.list('products.list', list, poll)).toEqual(empty);
  });

  test.each([
    ['a text', '404 page not found', {}],
    ['nothing', '', {}],
    ['under a path that was configured', '{"detail":"Invalid page."}', { 'products.list': { path: '/products/' } }],
  ])('a 404 to the first page of a list is a failure when it is %s', async (_, body, overrides) => {
    const client = await replying(body, overrides);
    await client.call('orders.get', { path: { number: ORDER } }, poll);
    await expect(client.list('products.list', list, poll)).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('a 404 to the first page of a list is a failure where the path is assumed: a wrong path never means no stock', async () => {
    const answers = ({ url }: { url: string }) =>
      url.includes('/inventory/') ? { status: 404, body: '{"detail":"Invalid page."}' } : { body: ORDER_JSON };
    const client = opened(clientFor(opened(await startHttp(answers)).url));
    await client.call('orders.get', { path: { number: ORDER } }, poll);
    const measurements = client.list('inventory.measurements-by-product', { query: { company_id: 1 } }, poll);
    await expect(measurements).rejects.toMatchObject({ kind: 'not-found' });
    await expect(measurements).rejects.toThrow(
      'nothing there. The path is assumed, not documented; name yours in the configuration: ' +
        'marketplace.operations.inventory.measurements-by-product: { method, path }.',
    );
  });
});
