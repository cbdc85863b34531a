import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { ROUTES } from '../../src/admin/api/routes.ts';
import { PAGES } from '../../src/admin/screen/pages.ts';
import { freePort } from '../../src/demo/free-port.ts';
import { startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { type Credential, FULL_ACCESS } from '../../src/sandbox/marketplace/auth.ts';
import { startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { hashPassword } from '../../src/use/users.ts';
import { run } from '../cli/capture.ts';
import { startChat, startMail } from '../support/channels.ts';
import { startCollector } from '../support/collector.ts';
import { startDaemon } from '../support/daemon.ts';
import { startEchoing } from '../support/echoing.ts';
import { figureOf } from '../support/guide.ts';
import { startRedis } from '../support/redis.ts';
import { until } from '../support/stage.ts';

/** Every secret that a configuration may hold, each a text that is nowhere else. */
const CANARIES = {
  appKey: 'canary-app-key-5d1f',
  bearerToken: 'canary.bearer.token-8a2c',
  erpToken: 'canary-erp-token-"quoted"-77b0',
  secondErpToken: 'canary-second-erp-token-19e4',
  webhookSecret: 'canary webhook secret \\ 3c9d',
  rotatedSecret: 'canary-rotated-secret-b6f8',
  operatorToken: 'canary-operator-token-e031',
  viewerToken: 'canary-viewer-token-42aa',
  redisPassword: 'canary/redis@password-90cd',
  chatPath: 'canary-chat-path-f00d',
  chatSecret: 'canary-chat-secret-7c1e',
  smtpPassword: 'canary-smtp-password-2b9a',
  traceHeader: 'canary-trace-header-61fd',
  userPassword: 'canary user password 83ce',
  databasePassword: 'canary-database-password-d4b7',
};

/** The forms in which a secret may be written: plain, in JSON, in an address, in base64. */
function formsOf(secret: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret), base64(secret)];
}

function expectNone(where: string, text: string): void {
  expect(text.length, where).toBeGreaterThan(10);
  for (const [name, secret] of Object.entries(CANARIES)) {
    const at = Math.max(...formsOf(secret).map((form) => text.indexOf(form)));
    expect(at < 0 ? null : text.slice(Math.max(0, at - 150), at + 80), `${name} in ${where}`).toBeNull();
  }
}

/** All that a Redis holds, as text. */
async function dumpRedis(redis: Redis): Promise<string> {
  const texts: unknown[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    // The job has ended meanwhile.
    if (type === 'none') continue;
    const read: Readonly<Record<string, () => Promise<unknown>>> = {
      string: () => redis.get(key),
      hash: () => redis.hgetall(key),
      list: () => redis.lrange(key, 0, -1),
      set: () => redis.smembers(key),
      zset: () => redis.zrange(key, '0', '-1'),
      stream: () => redis.xrange(key, '-', '+'),
    };
    expect(Object.keys(read)).toContain(type);
    texts.push([key, await read[type]?.()]);
  }
  return JSON.stringify(texts);
}

function dumpTables(file: string): Record<string, string> {
  const sqlite = new SqliteDatabase(file, { readonly: true });
  const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
  const text = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value));
  const dumped = tables.map((name) => {
    const rows = sqlite.prepare(`select * from "${name}"`).raw().all() as unknown[][];
    return [name, rows.map((row) => row.map(text).join('\t')).join('\n')] as const;
  });
  sqlite.close();
  return Object.fromEntries(dumped);
}

type Parts = Record<'marketplace' | 'direct' | 'erp' | 'state' | 'chat' | 'smtp' | 'traces' | 'user', string>;

function configText(parts: Parts): string {
  const c = Object.fromEntries(Object.entries(CANARIES).map(([name, secret]) => [name, JSON.stringify(secret)]));
  const quick = `
      poll: { orders: 100ms, products: 200ms, overlap: 2m }
      limits: { per_second: 1000, per_minute: 60000 }`;
  return `
version: 1
log_level: debug
state: ${parts.state}
webhooks: { listen: 127.0.0.1:0 }
admin:
  listen: 127.0.0.1:0
  operator_token: ${c['operatorToken']}
  viewer_token: ${c['viewerToken']}
  users: [{ name: maria, role: operator, password: "${parts.user}" }]
notify:
  - { type: webhook, url: "${parts.chat}", secret: ${c['chatSecret']} }
  - { type: webhook, name: gone, url: "http://127.0.0.1:1/${CANARIES.chatPath}", secret: ${c['chatSecret']} }
  - { type: email, smtp: "${parts.smtp}", from: a@b.test, to: [c@d.test] }
traces: { url: "${parts.traces}", headers: { Authorization: "Basic ${CANARIES.traceHeader}" } }
accounts:
  main:
    marketplace:
      base_url: ${parts.marketplace}
      auth: { scheme: app, key: ${c['appKey']} }
      seller_id: 4711${quick}
      webhooks: { secret: [${c['webhookSecret']}, ${c['rotatedSecret']}] }
    erp: { type: http, url: "${parts.erp}", token: ${c['erpToken']}, poll: 100ms }
    inventory: { strategy: b }
    orders: { export_from: 2000-01-01T00:00:00Z }
    brakes: { create: { count: 100000, percent: 10000 } }
  second:
    marketplace:
      base_url: ${parts.direct}
      auth: { scheme: bearer, token: ${c['bearerToken']} }
      seller_id: 4712${quick}
    erp: { type: http, url: "${parts.erp}", token: ${c['secondErpToken']}, poll: 100ms }
    inventory: { strategy: b }
    orders: { export_from: 2000-01-01T00:00:00Z }
    brakes: { create: { count: 100000, percent: 10000 } }
`;
}

/** A marketplace that knows the one credential, with a listing and an order of it. */
async function startShop(key: Credential) {
  const market = await startSandboxMarketplace({ settings: { rate: null }, keys: [key] });
  const [listing] = market.createProducts([{ sku: 'SB-0001', name: 'One', quantity: 50 }]);
  const customer = market.addCustomer({ name: 'A shop', state: 'NV' });
  const order = market.placeOrder({ customer, items: [{ product: listing?.id ?? 0, quantity: '1' }] });
  return { market, order };
}

test('I12: no secret of the configuration leaks, though both sides echo what they are sent', async () => {
  await using closing = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'canaries-'));
  closing.defer(() => rmSync(dir, { recursive: true, force: true }));
  const server = await startRedis();
  closing.defer(() => server.stop());
  const redis = server.connect();
  const redisPort = await freePort();
  await redis.config('SET', 'port', String(redisPort));
  await redis.config('SET', 'requirepass', CANARIES.redisPassword);
  await redis.auth(CANARIES.redisPassword);
  // Each account has a shop of its own: the second account would have nothing left to write to a shared shop.
  const shops = [
    await startShop({ ...FULL_ACCESS, secret: CANARIES.appKey }),
    await startShop({ ...FULL_ACCESS, scheme: 'Bearer', secret: CANARIES.bearerToken }),
  ] as const;
  const [{ market, order }, { market: direct }] = shops;
  closing.defer(async () => {
    for (const shop of shops) await shop.market.close();
  });
  const erp = await startSandboxErp({ tokens: [CANARIES.erpToken, CANARIES.secondErpToken] });
  closing.defer(() => erp.close());
  const [marketplace, echoingErp] = [await startEchoing(market.url), await startEchoing(erp.url)];
  closing.defer(() => [marketplace, echoingErp].forEach((side) => side.close()));

  erp.control.seed(2);

  const configFile = join(dir, 'stockbridge.yaml');
  const url = `redis://:${encodeURIComponent(CANARIES.redisPassword)}@127.0.0.1:${redisPort}/0`;
  const [chat, mail, collector] = [await startChat(), await startMail(), await startCollector()];
  const parts: Parts = {
    marketplace: marketplace.url,
    direct: direct.url,
    erp: echoingErp.url,
    state: `{ dir: ${dir}/data, redis: "${url}" }`,
    chat: `${new URL(chat.url).origin}/${CANARIES.chatPath}`,
    smtp: `smtp://us:${CANARIES.smtpPassword}@127.0.0.1:${mail.port}`,
    traces: collector.url,
    user: await hashPassword(CANARIES.userPassword),
  };
  writeFileSync(configFile, configText(parts));
  const daemon = startDaemon(configFile);
  closing.defer(() => daemon.kill());
  const started = await until('it listens', () => /"webhooks":"(http[^"]+)","admin":"(http[^"]+)"/.exec(daemon.log()));
  const [, receiver = '', admin = ''] = started;
  await hook(receiver, order.number);

  await until('both sides have repeated credentials', () => marketplace.echoed() > 0 && echoingErp.echoed() > 0);
  const verb = async (...args: string[]) => {
    const { stdout, stderr } = await run(['--config', configFile, '--debug', ...args]);
    return stdout + stderr;
  };
  const failed = await until('a job has failed', async () => {
    const found = await verb('jobs', 'list', '--json');
    return found.includes('422') || found.includes('may not do that') ? found : null;
  });

  const told = await listenTo(admin);
  await pauseWithSecrets(admin);
  await until('live changes tell of what was refused', () => told().includes('may not do that'));
  for (const password of [CANARIES.userPassword, `${CANARIES.userPassword}x`]) await logIn(admin, password);
  const data = join(dir, 'data', 'stockbridge.db');
  await until('people are told what needs them, and traces are sent', () => {
    asIfLongAgo(data);
    const delivered = chat.got.some(({ body }) => body.includes('"opened"')) && mail.mails.length > 0;
    return delivered && collector.texts.length > 0;
  });

  const pages = [
    '/livez',
    '/readyz',
    '/metrics',
    // Every page, and every call that only reads.
    ...PAGES.map(({ path }) => path.replace(':topic', '1')),
    '/entity?key=SB-0001&kind=product',
    '/needs?state=failed',
    ...ROUTES.filter(({ method }) => method === 'GET').map(
      ({ path }) => `/api/v1${path.replace('{account}', 'main').replaceAll(/\{\w+\}/g, '1')}`,
    ),
    `/?token=${encodeURIComponent(CANARIES.viewerToken)}x`,
  ];
  for (const path of pages) {
    for (const token of [CANARIES.operatorToken, CANARIES.viewerToken, `${CANARIES.operatorToken}x`]) {
      const answer = await fetch(admin + path, { headers: { authorization: `Bearer ${token}` } });
      const said = `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
      expectNone(`the answer of ${path.split('?')[0]}`, said);
    }
  }
  const orderKeys = ['order-in', order.number, '--account', 'main'];
  const verbs: string[][] = [
    ['config', 'show'],
    ['config', 'show', '--json'],
    ['config', 'check'],
    ['status'],
    ['status', '--json'],
    ['jobs', 'list'],
    ['jobs', 'show', ...orderKeys],
    ['map', 'list'],
    ['plan'],
    ['doctor'],
    ['doctor', '--json'],
    ['notify', 'test'],
    ['api', 'orders.list', '--account', 'main', '--dry-run'],
    ['api', 'orders.list', '--account', 'second', '--dry-run'],
    ['api', 'products.patch', '--account', 'main', '--param', 'id=1', '--body', join(dir, 'body.json')],
  ];
  expect(figureOf('I12')).toBe(
    `${Object.keys(CANARIES).length} secrets, each in up to ${formsOf('').length} written forms: in no log, table, key of Redis, answer of the receiver or of the admin port with its metrics, live event, message to people or trace, nor in what ${verbs.length} commands print`,
  );
  writeFileSync(join(dir, 'body.json'), '{"description": "blue"}');
  expectNone('jobs list --json', failed);
  for (const args of verbs) {
    const printed = await verb(...args);
    expect(printed).not.toContain('--help tells');
    expectNone(args.slice(0, 3).join(' '), printed);
  }
  expectNone('Redis', await dumpRedis(redis));
  expect(await daemon.terminate()).toBe(0);
  expectNone('the log', daemon.log());
  expectNone('live events', told());
  // The path and the signature of a message belong to its channel, so they are left out.
  expectNone('a message in a chat', chat.got.map(({ body }) => body).join('\n'));
  expectNone('a mail', unfolded(mail.mails.join('\n')));
  expectNone('traces', collector.texts.join('\n'));
  const tables = dumpTables(data);
  expect(Object.keys(tables)).toEqual(expect.arrayContaining(['journal', 'work', 'inbox', 'intents']));
  for (const [name, text] of Object.entries(tables)) expectNone(`table ${name}`, `${text}          .`);
  expectNone('the file of the database', readFileSync(data, 'latin1'));

  // The daemon ends at once: its password for Redis is wrong.
  const wrong = url.replace('canary', 'canary-wrong-canary');
  writeFileSync(configFile, configText({ ...parts, state: `{ dir: ${dir}/data, redis: "${wrong}" }` }));
  expectNone('sync without Redis', await verb('sync', '--account', 'main'));
  const postgres = `postgres://us:${CANARIES.databasePassword}@127.0.0.1:1/stockbridge`;
  writeFileSync(
    configFile,
    configText({ ...parts, state: `{ dir: ${dir}/data, redis: "${url}", store: postgres, postgres: "${postgres}" }` }),
  );
  for (const args of [['config', 'show'], ['doctor'], ['status'], ['run']])
    expectNone(`${args.join(' ')} without the database`, await verb(...args));
});

/** Returns a function that gives the live messages so far, from the first entry on. */
async function listenTo(admin: string): Promise<() => string> {
  const headers = { authorization: `Bearer ${CANARIES.viewerToken}`, 'last-event-id': '0' };
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const answer = await fetch(`${admin}/api/v1/live`, { headers, signal: abort.signal });
  let told = '';
  const read = async () => {
    for await (const part of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) told += part;
  };
  read().catch(() => {});
  return () => told;
}

async function logIn(admin: string, password: string): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const body = new URLSearchParams({ name: 'maria', password });
  const answer = await fetch(`${admin}/login`, { method: 'POST', headers, body, redirect: 'manual' });
  expect(answer.status).toBe(password === CANARIES.userPassword ? 303 : 401);
  expectNone('logging in', `${JSON.stringify([...answer.headers])} ${await answer.text()}`);
}

/** The API and the screen pause a flow each, for a reason that holds a secret. */
async function pauseWithSecrets(admin: string): Promise<void> {
  const reason = `the token ${CANARIES.erpToken} is refused`;
  const authorization = `Bearer ${CANARIES.operatorToken}`;
  const answer = await fetch(`${admin}/api/v1/accounts/main/pauses/payment-in`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ reason }),
  });
  expect(await answer.json()).toMatchObject({ reason: 'the token [redacted] is refused' });
  const credentials = new URLSearchParams({ name: '', password: CANARIES.operatorToken });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const entered = await fetch(`${admin}/login`, { method: 'POST', headers, body: credentials, redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(`${admin}/mappings`, { headers: { cookie } })).text();
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const form = new URLSearchParams({ token, account: 'main', flow: 'payment-out', reason });
  const sent = { method: 'POST', headers: { ...headers, cookie }, body: form, redirect: 'manual' } as const;
  expect((await fetch(`${admin}/act/pause`, sent)).status).toBe(303);
}

/** People are told of a concern only after a while. This dates the concerns back instead of waiting. */
function asIfLongAgo(file: string): void {
  const sqlite = new SqliteDatabase(file, { timeout: 10_000 });
  sqlite.prepare('update notices set since_ms = 1').run();
  sqlite.close();
}

/** A mail without the ends of lines that hide a word. */
function unfolded(mails: string): string {
  return mails.replaceAll(/=\r\n/g, '').replaceAll(/\r\n[ \t]/g, ' ');
}

async function hook(receiver: string, number: string): Promise<void> {
  const body = JSON.stringify({ action: 'create', type: 'order', data: { number, status: 'Submitted' } });
  for (const secret of [CANARIES.webhookSecret, `${CANARIES.rotatedSecret}-not`]) {
    const headers = { 'service-signature': createHmac('sha256', secret).update(body).digest('base64') };
    const answer = await fetch(`${receiver}/webhooks/main/orders`, { method: 'POST', body, headers });
    expectNone('the answer of the receiver', `${answer.status} ${await answer.text()}`);
  }
}
