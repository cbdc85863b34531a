import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { RECEIVER_LIMITS, type ReceiverLimits } from '../../src/daemon/receiver/intake.ts';
import { createReceiver, type ReceiverParts } from '../../src/daemon/receiver/receiver.ts';
import { verifySignature } from '../../src/marketplace/signature.ts';
import type { Delivery } from '../../src/store/reading.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { inTime } from '../support/in-time.ts';

const SIGNING = {
  secrets: ['new-secret', 'old-secret'],
  header: 'Service-Signature',
  algorithm: 'hmac-sha256',
  encoding: 'base64',
  prefix: '',
} as const;

/** An inbox that keeps webhooks in memory, in batches, and can be made to wait or to fail. */
function memoryInbox() {
  const seen = new Set<string>();
  const inbox = {
    batches: [] as number[],
    stored: [] as Delivery[],
    /** Whether a webhook that comes again has been looked at before. */
    isProcessed: false,
    before: async (): Promise<void> => {},
    async reopen() {
      return inbox.isProcessed;
    },
    async store(deliveries: readonly Delivery[]) {
      await inbox.before();
      inbox.batches.push(deliveries.length);
      return deliveries.map((delivery) => {
        const key = `${delivery.account} ${delivery.kind} ${createHash('sha256').update(delivery.body).digest('hex')}`;
        if (seen.has(key)) return 'duplicate' as const;
        seen.add(key);
        inbox.stored.push(delivery);
        return 'stored' as const;
      });
    },
  };
  return inbox;
}

/** The bytes in use after a garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

async function start(over: Partial<Omit<ReceiverParts, 'limits'>> & { limits?: Partial<ReceiverLimits> } = {}) {
  const inbox = memoryInbox();
  const nudges: string[] = [];
  const counts: string[] = [];
  const failures: unknown[] = [];
  const clock = { ms: 0 };
  const app = createReceiver({
    accounts: new Map(Object.entries({ main: SIGNING, open: null })),
    verify: verifySignature,
    inbox,
    isNews: async ({ body }) => !body.toString().includes('known'),
    nudge: (account, kind) => nudges.push(`${account} ${kind}`),
    onCount: (account, kind, outcome) => counts.push(`${account} ${kind} ${outcome}`),
    onFailure: (error) => failures.push(error),
    nowMs: () => clock.ms,
    ...over,
    limits: { ...RECEIVER_LIMITS, ...over.limits },
  });
  opened.push(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, url, inbox, nudges, counts, failures, clock };
}

function signatureOf(body: string | Buffer, secret = 'new-secret'): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

async function post(
  url: string,
  body: string | Buffer,
  { path = '/webhooks/main/orders', signature = signatureOf(body) }: { path?: string; signature?: string | null } = {},
): Promise<{ status: number; body: unknown; retryAfter: string | null }> {
  const headers: Record<string, string> = signature === null ? {} : { 'service-signature': signature };
  const response = await fetch(url + path, { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers });
  return { status: response.status, body: await response.json(), retryAfter: response.headers.get('retry-after') };
}

const TEXT: unknown = expect.any(String);
const ORDER = '{"action":"edit","type":"order","data":{"number":"1"}}';

it('a signed webhook is answered 202 only once it is durable, byte for byte, and triggers a read', async () => {
  const { url, inbox, nudges, counts } = await start();
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  inbox.before = () => {
    reached.resolve();
    return gate.promise;
  };
  const body = Buffer.from('{"name":"Zoë",  "n": 1.50}\n');
  let answered = false;
  const answer = post(url, body).finally(() => {
    answered = true;
  });
  await reached.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect([answered, nudges]).toEqual([false, []]);
  gate.resolve();
  expect(await answer).toMatchObject({ status: 202 });
  expect(inbox.stored).toMatchObject([{ account: 'main', kind: 'orders', receivedAtMs: 0 }]);
  expect(inbox.stored[0]?.body.equals(body)).toBe(true);
  expect([nudges, counts]).toEqual([['main orders'], ['main orders stored']]);
});

it('a signed webhook is accepted under either secret of a rotation', async () => {
  const { url } = await start();
  expect(await post(url, ORDER, { signature: signatureOf(ORDER, 'old-secret') })).toMatchObject({ status: 202 });
});

it('a repeated webhook is refused, and triggers a read only when the first has been processed since', async () => {
  const { url, inbox, nudges, counts } = await start({
    limits: { debounceMs: 1, productDebounceMs: 1, nudges: { burst: 1_000, perSecond: 1_000 } },
  });
  await post(url, ORDER);
  await inTime(async () => {
    expect(await post(url, ORDER)).toMatchObject({ status: 409, body: { error: 'already received' } });
  });
  expect([inbox.stored.length, nudges.length, counts.at(-1)]).toEqual([1, 1, 'main orders duplicate']);
  inbox.isProcessed = true;
  expect(await post(url, ORDER)).toMatchObject({ status: 409 });
  await inTime(() => expect(nudges).toHaveLength(2));
  expect(inbox.stored).toHaveLength(1);
  expect(await post(url, ORDER, { path: '/webhooks/main/products' })).toMatchObject({ status: 202 });
});

it('a signed webhook shares its commit with those that arrive while another commit runs', async () => {
  let verified = 0;
  const verify: ReceiverParts['verify'] = (...args) => {
    verified += 1;
    return verifySignature(...args);
  };
  const { url, inbox } = await start({ verify });
  const gate = Promise.withResolvers<void>();
  inbox.before = () => gate.promise;
  const answers = Array.from({ length: 40 }, (_, number) => post(url, `{"number":${number}}`));
  await inTime(() => expect(verified).toBe(40));
  gate.resolve();
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([202]));
  expect(inbox.stored).toHaveLength(40);
  expect(inbox.batches.length).toBeLessThanOrEqual(2);
});

it('a signed webhook is answered 503 when it cannot be stored, and is accepted later', async () => {
  const { url, inbox, nudges, counts, failures } = await start();
  inbox.before = () => Promise.reject(new Error('database or disk is full'));
  expect(await post(url, ORDER)).toMatchObject({ status: 503, retryAfter: '30' });
  expect([nudges, counts, failures]).toEqual([[], ['main orders failed'], [new Error('database or disk is full')]]);
  inbox.before = async () => {};
  expect(await post(url, ORDER)).toMatchObject({ status: 202 });
});

it('a signed webhook is in SQLite when it is answered', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'receiver-'));
  const database = await openDatabase(dir);
  const { url } = await start({ inbox: createStore(database.db, () => 0).inbox });
  const answers = await Promise.all([ORDER, ORDER, '{"number":2}'].map((body) => post(url, body)));
  expect(answers.map(({ status }) => String(status)).sort()).toEqual(['202', '202', '409']);
  const rows = database.sqlite.prepare('SELECT account, kind, body FROM inbox ORDER BY length(body)').all();
  expect(rows).toEqual([
    { account: 'main', kind: 'orders', body: Buffer.from('{"number":2}') },
    { account: 'main', kind: 'orders', body: Buffer.from(ORDER) },
  ]);
  database.close();
  await rm(dir, { recursive: true });
});

it.each([
  ['without a signature', ORDER, { signature: null }, 401, 'main orders unsigned'],
  ['with another signature', ORDER, { signature: signatureOf('{}') }, 401, 'main orders forged'],
  ['with the secret of nobody', ORDER, { signature: signatureOf(ORDER, 'guess') }, 401, 'main orders forged'],
  ['signed garbage', 'hello', {}, 400, 'main orders garbage'],
  ['a signed number', '7', {}, 400, 'main orders garbage'],
  ['nothing, signed', '', {}, 400, 'main orders garbage'],
  ['no UTF-8, signed', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'main orders garbage'],
  ['garbage for an open account', 'hello', { path: '/webhooks/open/orders' }, 400, 'open orders garbage'],
  ['no such account', ORDER, { path: '/webhooks/nobody/orders' }, 404, 'null orders unknown'],
  ['an account by a name of JavaScript', ORDER, { path: '/webhooks/__proto__/orders' }, 404, 'null orders unknown'],
])('a webhook is refused and only counted: %s', async (_what, body, options, status, count) => {
  const { url, inbox, nudges, counts } = await start();
  expect(await post(url, body, options)).toMatchObject({ status, body: { error: TEXT } });
  expect([inbox.stored, nudges, counts]).toEqual([[], [], [count]]);
});

it('a webhook of an unknown kind is answered as not found', async () => {
  const { url, counts } = await start();
  expect(await post(url, ORDER, { path: '/webhooks/main/payments' })).toMatchObject({ status: 404 });
  expect(counts).toEqual([]);
});

it('a webhook that is too large is refused, by its length and while it streams', async () => {
  const { url, inbox, counts } = await start({ limits: { bodyBytes: 1_000 } });
  const body = JSON.stringify('x'.repeat(2_000));
  expect(await post(url, body)).toMatchObject({ status: 413 });
  const answer = await rawExchange(url, [
    'POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n' +
      `service-signature: ${signatureOf(body)}\r\n\r\n`,
    `${body.length.toString(16)}\r\n${body}\r\n`,
  ]);
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect([inbox.stored, counts]).toEqual([[], ['main orders too-large', 'main orders too-large']]);
});

/** Sends these bytes, never ends the request, and returns everything that comes back until the other side closes. */
function rawExchange(url: string, parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    for (const part of parts) socket.write(part);
  });
}

it('a webhook for an account without a secret triggers a read and is not stored', async () => {
  const { url, inbox, nudges, counts } = await start();
  expect(await post(url, ORDER, { path: '/webhooks/open/products', signature: null })).toMatchObject({ status: 202 });
  expect([inbox.stored, nudges, counts]).toEqual([[], ['open products'], ['open products nudged']]);
});

it('webhooks for an account without a secret trigger a few reads a minute at most', async () => {
  const limits = { hints: { burst: 2, perSecond: 1 / 30 }, debounceMs: 1, productDebounceMs: 1 };
  const { url, nudges } = await start({ limits });
  for (let round = 0; round < 20; round += 1) {
    for (const kind of ['orders', 'products']) {
      await post(url, `{"number":${round}}`, { path: `/webhooks/open/${kind}`, signature: null });
    }
  }
  expect(nudges.toSorted()).toEqual(['open orders', 'open orders', 'open products', 'open products']);
  const { burst, perSecond } = RECEIVER_LIMITS.hints;
  expect(2 * (burst + 60 * perSecond)).toBeLessThanOrEqual(8);
});

it('a flood of valid webhooks is answered 429 beyond the allowance, which fills again', async () => {
  const { url, counts, clock } = await start({ limits: { sound: { burst: 2, perSecond: 1 } } });
  const send = (number: number) => post(url, `{"number":${number}}`);
  expect([(await send(1)).status, (await send(2)).status]).toEqual([202, 202]);
  expect(await send(3)).toMatchObject({ status: 429, retryAfter: '1' });
  expect(counts.at(-1)).toBe('main orders flood');
  clock.ms += 1_000;
  expect(await send(3)).toMatchObject({ status: 202 });
});

it('a flood of forged webhooks is answered 429 and does not use up the allowance of signed ones', async () => {
  const { url, inbox } = await start({
    limits: { sound: { burst: 1, perSecond: 1 }, unsound: { burst: 3, perSecond: 1 } },
  });
  const forged: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    forged.push((await post(url, ORDER, { signature: round % 2 === 0 ? null : 'AAAA' })).status);
  }
  expect(forged).toEqual([401, 401, 401, 429, 429, 429]);
  expect(await post(url, ORDER)).toMatchObject({ status: 202 });
  expect(inbox.stored).toHaveLength(1);
});

it('a flood of webhooks for one account leaves the others alone', async () => {
  const { url } = await start({
    accounts: new Map(Object.entries({ main: SIGNING, second: SIGNING })),
    limits: { sound: { burst: 1, perSecond: 1 } },
  });
  expect((await post(url, '{"number":1}')).status).toBe(202);
  expect((await post(url, '{"number":2}')).status).toBe(429);
  expect((await post(url, '{"number":1}', { path: '/webhooks/second/orders' })).status).toBe(202);
});

it('a flood of slow bodies does not block a small complete one', async () => {
  const { url } = await start({ limits: { heldBytes: 1_000 } });
  const head = (bytes: number) =>
    `POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\nservice-signature: AAAA\r\ncontent-length: ${bytes}\r\n\r\n{`;
  const dawdlers = Array.from({ length: 40 }, () => rawExchange(url, [head(300)]).catch(() => 'put out'));
  for (let index = 0; index < 20; index += 1) {
    expect((await post(url, `{"number":${index}}`)).status).toBe(202);
    dawdlers.push(rawExchange(url, [head(300)]).catch(() => 'put out'));
  }
  await Promise.race(dawdlers);
});

it('a flood of slow bodies does not block one that does not announce its length', async () => {
  const { url } = await start({ limits: { heldBytes: 1_000, bodyBytes: 400 } });
  const head =
    'POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\nservice-signature: AAAA\r\ncontent-length: 300\r\n\r\n{';
  const dawdlers = Array.from({ length: 40 }, () => rawExchange(url, [head]).catch(() => 'put out'));
  const body = '{"number":1}';
  const whole = [
    `POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\nservice-signature: ${signatureOf(body)}\r\n`,
    `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ];
  expect(await rawExchange(url, [whole.join('')])).toMatch(/^HTTP\/1\.1 202 /);
  await Promise.race(dawdlers);
});

it('a flood of bytes that come one by one is refused before they are read, and takes little memory', async () => {
  const { app, url, counts } = await start();
  const readBytes: (() => number)[] = [];
  app.server.on('connection', (socket: Socket) => void readBytes.push(() => socket.bytesRead));
  const head = 'POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\nservice-signature: AAAA\r\n';
  const body = '1\r\nx\r\n'.repeat(300_000);
  const before = heldBytes();
  const slow = rawExchange(url, [`${head}transfer-encoding: chunked\r\n\r\n`, body]).catch(() => 'put out');
  await inTime(() => expect(counts).toEqual(['main orders too-large']));
  expect(readBytes[0]?.()).toBeLessThan(body.length / 2);
  expect(heldBytes() - before).toBeLessThan(10_000_000);
  app.server.closeAllConnections();
  await slow;
});

it('a flood of silent connections does not block one that sends: it replaces the oldest', async () => {
  const { url } = await start({ limits: { connections: 20 } });
  const slow = Array.from({ length: 60 }, () =>
    rawExchange(url, ['POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\n']).catch(() => 'put out'),
  );
  await Promise.race(slow);
  for (let index = 0; index < 20; index += 1) {
    expect((await post(url, `{"number":${index}}`)).status).toBe(202);
  }
});

it('a body that keeps coming for longer than a request may take is answered 408, and its connection ends', async () => {
  const { url, counts } = await start({ limits: { requestMs: 300 } });
  const head =
    'POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\nservice-signature: AAAA\r\ncontent-length: 9\r\n\r\n{';
  expect(await rawExchange(url, [head])).toMatch(/^HTTP\/1\.1 408 /);
  await inTime(() => expect(counts).toEqual(['main orders garbage']));
});

it('closing the receiver answers what is being stored and does not wait for a half-open connection', async () => {
  const { app, url, inbox } = await start();
  const half = rawExchange(url, ['POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\n']).catch(() => 'closed');
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  inbox.before = () => {
    reached.resolve();
    return gate.promise;
  };
  const answer = post(url, ORDER);
  await reached.promise;
  const closed = app.close();
  gate.resolve();
  expect(await answer).toMatchObject({ status: 202 });
  await Promise.all([closed, half]);
});

it('a webhook without news triggers no read, and an unreadable one does', async () => {
  const { url, inbox, nudges } = await start();
  expect(await post(url, '{"number":"known"}')).toMatchObject({ status: 202 });
  expect([inbox.stored.length, nudges]).toEqual([1, []]);
  const unsure = await start({ isNews: () => Promise.reject(new Error('the database is away')) });
  expect(await post(unsure.url, ORDER)).toMatchObject({ status: 202 });
  await inTime(() => expect(unsure.nudges).toEqual(['main orders']));
});

it('webhooks trigger a read at once, then one for all within the debounce time, by account and kind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { app, nudges } = await start({ limits: { debounceMs: 500 } });
    const send = async (number: number, path = '/webhooks/main/orders') => {
      const payload = `{"number":${number}}`;
      const headers = { 'service-signature': signatureOf(payload) };
      expect((await app.inject({ method: 'POST', url: path, payload, headers })).statusCode).toBe(202);
    };
    for (let number = 0; number < 20; number += 1) await send(number);
    expect(nudges).toEqual(['main orders']);
    await send(0, '/webhooks/main/products');
    expect(nudges).toEqual(['main orders', 'main products']);
    vi.advanceTimersByTime(499);
    expect(nudges).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(nudges).toEqual(['main orders', 'main products', 'main orders']);
    vi.advanceTimersByTime(5_000);
    expect(nudges).toHaveLength(3);
    await send(99);
    expect(nudges).toHaveLength(4);
  } finally {
    vi.useRealTimers();
  }
});

it('webhooks trigger reads no more often in the long run than their rate', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const clock = { now: 0 };
    const limits = { debounceMs: 350, nudges: { burst: 3, perSecond: 1 } };
    const { app, nudges } = await start({ limits, nowMs: () => clock.now });
    for (let number = 0; number < 100; number += 1) {
      const payload = `{"number":${number}}`;
      const headers = { 'service-signature': signatureOf(payload) };
      await app.inject({ method: 'POST', url: '/webhooks/main/orders', payload, headers });
      clock.now += 100;
      vi.advanceTimersByTime(100);
    }
    expect(nudges.length).toBeGreaterThanOrEqual(12);
    expect(nudges.length).toBeLessThanOrEqual(13);
  } finally {
    vi.useRealTimers();
  }
});
