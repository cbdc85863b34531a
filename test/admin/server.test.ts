import { tmpdir } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { Readiness } from '../../src/admin/server.ts';
import { createMetrics, measureDisk } from '../../src/daemon/metrics.ts';
import { adminWith } from '../support/admin.ts';

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

async function start(
  readiness: () => Promise<Readiness> = async () => ({ ready: true, reasons: [], unknown: [] }),
  hosts: readonly string[] = [],
) {
  const metrics = createMetrics();
  const { app } = adminWith({
    readiness,
    hosts,
    registry: metrics.registry,
    keys: () => ({ viewer: 'viewer-4711', operator: '', users: [] }),
  });
  opened.push(app);
  return { app, metrics, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

describe('the probes', () => {
  it('livez answers while the process runs, ready or not', async () => {
    const { url } = await start(async () => ({ ready: false, reasons: ['no'], unknown: [] }));
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });

  it('readyz is 200 when ready and 503 with every reason when not', async () => {
    let state: Readiness = { ready: true, reasons: [], unknown: ['main: whether the ERP answers'] };
    const { url } = await start(async () => state);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const reasons = ['Redis cannot be reached.', 'The ERP refuses the token of main.'];
    state = { ready: false, reasons, unknown: [] };
    const answer = await fetch(`${url}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual(state);
  });

  it('readyz reports when the check itself fails', async () => {
    const { url } = await start(() => Promise.reject(new Error('database is locked')));
    const answer = await fetch(`${url}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      ready: false,
      reasons: ['The readiness check failed: database is locked'],
      unknown: [],
    });
  });
});

it('a browser at an unknown address gets a page with a way home, a program gets a problem in JSON', async () => {
  const { url } = await start();
  const ask = (accept: string) =>
    fetch(`${url}/no-such-page`, { headers: { accept, authorization: 'Bearer viewer-4711' } });
  const page = await ask('text/html,*/*');
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<a href="/">To the overview</a>');
  expect((await ask('*/*')).headers.get('content-type')).toContain('application/problem+json');
});

it('the metrics have the free space on the disk of the data folder at the time of the request', async () => {
  const { url, metrics } = await start();
  measureDisk(metrics, tmpdir());
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^stockbridge_disk_free_bytes [1-9]/m);
});

it('the metrics are in the text format of Prometheus, ours with our prefix and those of Node under their usual names', async () => {
  const { url, metrics } = await start();
  metrics.calls.inc({ account: 'main', side: 'marketplace', operation: 'orders.list', status: '200', lane: 'poll' });
  metrics.webhooks.inc({ account: 'main', kind: 'orders', outcome: 'stored' }, 2);
  metrics.pending.set({ account: 'main', flow: 'order-in' }, 3);
  const answer = await fetch(`${url}/metrics`);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(text).toContain(
    'stockbridge_calls_total{account="main",side="marketplace",operation="orders.list",status="200",lane="poll"} 1',
  );
  expect(text).toContain('stockbridge_webhooks_total{account="main",kind="orders",outcome="stored"} 2');
  expect(text).toContain('stockbridge_pending_entities{account="main",flow="order-in"} 3');
  expect(text).toMatch(/^process_cpu_seconds_total /m);
  const names = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(names.filter((line) => !/^(stockbridge|process|nodejs)_/.test(line))).toEqual([]);
});

it('the metrics of two daemons in one process are separate', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.inDoubt.set({ account: 'main' }, 1);
  expect(await other.registry.metrics()).not.toContain('in_doubt_writes{');
});

it.each([
  ['no token', undefined, 401],
  ['a wrong token', 'Bearer guess', 401],
  ['an empty token', 'Bearer ', 401],
  ['a token', 'Bearer viewer-4711', 404],
  ['a token, its scheme in small letters', 'bearer viewer-4711', 404],
  ['a token in capitals', 'Bearer VIEWER-4711', 401],
])('a request to the admin server is refused with %s', async (_what, authorization, status) => {
  const { app } = await start();
  for (const url of ['/api/v1/orders', '/livez/orders', '/metrics2', '/not-there']) {
    const headers = authorization === undefined ? {} : { authorization };
    expect((await app.inject({ url, headers })).statusCode).toBe(status);
  }
});

describe('guesses of a token', () => {
  const ask = (app: FastifyInstance, token: string, url = '/api/v1/orders') =>
    app.inject({ url, headers: { authorization: `Bearer ${token}` } });

  it('wrong tokens are delayed after ten, with the time to wait; the right one never waits', async () => {
    const { app } = await start();
    for (let at = 0; at < 10; at++) expect((await ask(app, `guess-${at}`)).statusCode).toBe(401);
    for (const url of ['/api/v1/orders', '/login', '/logout', '/not-there', '/api/v1/live']) {
      const answer = await ask(app, 'guess-10', url);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '1']);
      expect(answer.json()).toMatchObject({ type: 'urn:stockbridge:problem:too-many-attempts' });
    }
    expect((await ask(app, 'guess-10', '/livez')).statusCode).toBe(200);
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    const logIn = (password: string) =>
      app.inject({ method: 'POST', url: '/login', headers, payload: `password=${password}` });
    expect([(await logIn('guess-10')).statusCode, (await logIn('viewer-4711')).statusCode]).toEqual([429, 303]);
    expect((await ask(app, 'viewer-4711')).statusCode).toBe(404);
  });

  it('a repeated wrong token counts once: a program with a former one blocks nobody', async () => {
    const { app } = await start();
    for (let at = 0; at < 50; at++) expect((await ask(app, 'a-former-token')).statusCode).toBe(401);
    expect((await ask(app, 'viewer-4711')).statusCode).toBe(404);
  });
});

describe('a request under the name of another host', () => {
  const ask = async (host: string, url: string, hosts: string[] = []) => {
    const { app } = await start(async () => ({ ready: false, reasons: ['the ERP is down'], unknown: [] }), hosts);
    return app.inject({ url, headers: { host, authorization: 'Bearer viewer-4711' } });
  };

  it.each(['/metrics', '/login', '/api/v1/status', '/', '/not-there'])(
    'a request under the name of another host is refused at %s',
    async (url) => {
      const answer = await ask('evil.example:9090', url);
      expect(answer.statusCode).toBe(421);
      expect(answer.json()).toMatchObject({ detail: expect.stringContaining('admin.hosts') });
    },
  );

  it('a request under the name of another host gets from the probes only whether the process runs and is ready', async () => {
    expect((await ask('evil.example', '/livez')).json()).toEqual({ alive: true });
    const answer = await ask('evil.example', '/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([503, { ready: false }]);
  });

  it.each([
    '127.0.0.1:9090',
    '[::1]:9090',
    'localhost:9090',
    '10.1.2.3:9090',
    'bridge.brand.example',
    'bridge.brand.example.:9090',
    'BRIDGE:9090',
  ])('a request is not under the name of another host when it is %s', async (host) => {
    const answer = await ask(host, '/metrics', ['bridge.brand.example', 'bridge']);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  });
});

it('a whole request has no more time than its headers: Node takes the longer of the two for it', async () => {
  const { app } = await start();
  expect([app.server.requestTimeout, app.server.headersTimeout]).toEqual([15_000, 15_000]);
});
