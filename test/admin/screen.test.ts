import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { linkFor } from '../../src/use/log-in-links.ts';
import { type ConfiguredUser, hashPassword } from '../../src/use/users.ts';
import { erpProduct, order, orderBatch, useShelf } from '../store/shelf.ts';
import { adminOn, SECRET } from '../support/admin.ts';
import { needing } from '../support/needing.ts';
import { findingsOn, launchChromium } from '../support/screen.ts';

const HOSTILE = `"><script>alert(1)</script>' onmouseover=alert(1) {{7*7}} \u202e`;
const OPERATOR = 'an-operator-token';
const shelf = useShelf();
const sameOrigin = { 'sec-fetch-site': 'same-origin' };
const html = { accept: 'text/html' };

let opened: ReturnType<typeof adminOn>;
const keys = {
  operator: OPERATOR,
  viewer: 'the-viewer-token',
  users: [] as { name: string; role: 'viewer'; password: string }[],
};

beforeEach(async () => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order({ number: 'aaaa-1', customer: { id: 1, name: HOSTILE } })]));
  await store.erp.recordProducts('main', [erpProduct({ id: 'P-1', sku: HOSTILE, name: HOSTILE })], {
    listing: null,
    lane: 'poll',
  });
  keys.users = [];
  opened = adminOn(store, () => keys);
});

const inject = (
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  form: Record<string, string> = {},
) =>
  opened.app.inject({
    method,
    url,
    headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
    ...(method === 'POST' ? { payload: new URLSearchParams(form).toString() } : {}),
  });

async function logIn(form: Record<string, string>, headers: Record<string, string> = sameOrigin) {
  const answer = await inject('POST', '/login', headers, form);
  return { answer, cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '' };
}

/** The address of a new link. */
async function linkTo(store: Store, users: readonly ConfiguredUser[], name: string): Promise<URL> {
  const admin = { users, publicUrl: null, basePath: '', listen: { host: '127.0.0.1', port: 9090 } };
  return new URL((await linkFor({ config: { admin }, store, by: 'cli' } as never, name, Date.now())).address);
}

test('a log-in by token or password gives a session, whose cookie no script and no other site gets', async () => {
  keys.users = [{ name: 'maria', role: 'viewer', password: await hashPassword('a long enough password') }];
  const { answer, cookie } = await logIn({ name: 'maria', password: 'a long enough password', to: '/orders' });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/orders']);
  expect(answer.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Strict$/);
  const page = await inject('GET', '/orders', { ...html, cookie });
  expect([page.statusCode, page.body.includes('maria (looks only)')]).toEqual([200, true]);
  keys.users = [];
  expect((await inject('GET', '/orders', { ...html, cookie })).statusCode).toBe(303);
});

test('over https the session cookie is Secure, a planted cookie is refused, and redirects stay on the screen', async () => {
  const planted = { cookie: 'stockbridge_session=planted', origin: 'https://screen.example', host: 'screen.example' };
  opened = adminOn(shelf().store, () => keys, { hosts: ['screen.example'] });
  const { answer, cookie } = await logIn({ password: OPERATOR, to: '//evil.example' }, planted);
  expect(answer.headers.location).toBe('/');
  expect(answer.headers['set-cookie']).toContain('Secure');
  expect(cookie).not.toContain('planted');
});

test('wrong log-ins are limited, and those that another site makes do not count', async () => {
  const tried = [];
  for (let at = 0; at < 11; at++) tried.push((await logIn({ password: 'guess' })).answer.statusCode);
  expect(tried).toEqual([...Array(10).fill(401), 429]);
  expect((await logIn({ password: OPERATOR }, { 'sec-fetch-site': 'cross-site' })).answer.statusCode).toBe(403);
});

test('a flood of wrong log-ins from many addresses blocks nobody who comes from another one', async () => {
  keys.users = [{ name: 'maria', role: 'viewer', password: await hashPassword('a long enough password') }];
  opened = adminOn(shelf().store, () => keys, { trustedProxies: ['127.0.0.1'] });
  const from = (address: string, form: Record<string, string>) =>
    logIn(form, { ...sameOrigin, 'x-forwarded-for': `198.51.100.7, ${address}` }).then(({ answer }) => answer);
  for (let at = 0; at < 9; at++) await from(`192.0.2.${at}`, { name: 'maria', password: 'a guess' });
  for (let at = 0; at < 2; at++) await from('192.0.2.1', { name: 'maria', password: 'a guess' });
  const again = await from('192.0.2.1', { name: 'maria', password: 'a long enough password' });
  expect([again.statusCode, Number(again.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
  expect((await from('203.0.113.1', { name: 'maria', password: 'a long enough password' })).statusCode).toBe(303);
  expect((await from('192.0.2.1', { password: OPERATOR })).statusCode).toBe(303);
});

test('a forwarded address is accepted from a trusted proxy alone', async () => {
  const tried = [];
  for (let at = 0; at < 11; at++) {
    const headers = { ...sameOrigin, 'x-forwarded-for': `192.0.2.${at}` };
    tried.push((await logIn({ password: 'guess' }, headers)).answer.statusCode);
  }
  expect(tried.at(-1)).toBe(429);
});

test('a log-in link works once, at whichever daemon, also with simultaneous uses; its code is no cookie', async () => {
  const link = (await opened.invite()) ?? '';
  const code = link.split('code=')[1] ?? '';
  expect((await inject('GET', '/orders', { ...html, cookie: `stockbridge_session=${code}` })).statusCode).toBe(303);
  opened = adminOn(shelf().store, () => keys);
  const enter = (headers: Record<string, string> = sameOrigin) =>
    inject('POST', '/login/link', { ...headers, ...html }, { code });
  const answers = await Promise.all([1, 2, 3].map(() => enter()));
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([303, 401, 401]);
  const entered = answers.find(({ statusCode }) => statusCode === 303);
  expect(entered?.headers['set-cookie']).toContain('stockbridge_session=');
  expect((await inject('GET', link, html)).statusCode).toBe(401);
});

test('opening a log-in link does not log in by itself, nor from a page of another site', async () => {
  const link = (await opened.invite()) ?? '';
  const code = link.split('code=')[1] ?? '';
  for (let looks = 0; looks < 2; looks++) {
    const { statusCode, headers } = await inject('GET', link, { ...html, 'sec-fetch-site': 'cross-site' });
    expect([statusCode, headers['set-cookie'], headers['refresh']]).toEqual([200, undefined, undefined]);
  }
  const { body } = await inject('GET', link, html);
  expect(body).toMatch(/<button>Log in as operator token<\/button>/);
  const elsewhere: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    {},
  ];
  for (const from of elsewhere) {
    const answer = await inject('POST', '/login/link', { ...from, ...html }, { code });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
  }
  expect((await inject('POST', '/login/link', { ...sameOrigin, ...html }, { code })).statusCode).toBe(303);
});

test('a user without a password sets it by a link, once; opening its page does not use it up', async () => {
  const { store } = shelf();
  const users = [{ name: 'maria', role: 'operator' as const }];
  opened = adminOn(store, () => ({ ...keys, users }));
  const password = 'a long enough password';
  expect((await logIn({ name: 'maria', password: '' })).answer.statusCode).toBe(401);
  const made = await Promise.all([1, 2].map(() => linkTo(store, users, 'maria')));
  const [link = '', other = ''] = made.map(({ pathname, search }) => pathname + search);
  const code = link.split('code=')[1] ?? '';
  const set = (fields: Record<string, string>, headers: Record<string, string> = sameOrigin) =>
    inject('POST', '/login/link', { ...headers, ...html }, { code, password, again: password, ...fields });
  for (let look = 0; look < 2; look++) expect((await inject('GET', link, html)).body).toContain('Choose a password');
  expect((await set({ password: 'short', again: 'short' })).statusCode).toBe(400);
  expect((await set({ again: 'another password 1' })).body).toContain('The two passwords differ.');
  expect((await set({}, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  const answers = await Promise.all([set({}), set({})]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([303, 401]);
  const entered = String(answers.find(({ statusCode }) => statusCode === 303)?.headers['set-cookie']).split(';')[0];
  expect((await inject('GET', '/orders', { ...html, cookie: entered ?? '' })).body).toContain('maria');
  expect((await logIn({ name: 'maria', password })).answer.statusCode).toBe(303);
  for (const over of [link, other]) expect((await inject('GET', over, html)).statusCode).toBe(401);
  const [row] = await store.audit.latest(1);
  expect([row?.who, row?.action, row?.target]).toEqual(['maria', 'user.password', 'user maria']);
  const kept = JSON.stringify([await store.facts.startingWith('', ''), await store.audit.latest(10)]);
  expect(kept).not.toMatch(new RegExp(`${password}|${code}`));
});

test('the log-in page names the commands that make a user and a link', async () => {
  const { body } = await inject('GET', '/login', html);
  expect(body).toMatch(/stockbridge user add NAME[^]*stockbridge user link NAME/);
});

test('a log-in link does not work once its token is no longer valid', async () => {
  const link = (await opened.invite()) ?? '';
  opened = adminOn(shelf().store, () => ({ ...keys, operator: 'another-operator-token' }));
  expect((await inject('GET', link, html)).statusCode).toBe(401);
});

test('an act needs the session, its form token and this site; a viewer cannot act', async () => {
  const { cookie } = await logIn({ password: OPERATOR });
  const page = await inject('GET', '/mappings', { ...html, cookie });
  const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
  const form = { token, account: 'main', flow: 'stock' };
  const pause = (headers: Record<string, string>, sent: Record<string, string> = form) =>
    inject('POST', '/act/pause', headers, sent).then(({ statusCode }) => statusCode);
  expect(await pause({ cookie, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await pause({ cookie, ...sameOrigin }, { ...form, token: 'guess' })).toBe(403);
  expect(await pause(sameOrigin)).toBe(401);
  expect(await shelf().store.pauses.all()).toEqual([]);
  expect(await pause({ cookie, ...sameOrigin })).toBe(303);
  expect(await shelf().store.pauses.all()).toMatchObject([{ flow: 'stock', reason: 'by operator token' }]);
  const viewer = await logIn({ password: 'the-viewer-token' });
  expect(await pause({ cookie: viewer.cookie, ...sameOrigin })).toBe(403);
  expect((await inject('POST', '/api/v1/jobs/replay', { cookie, ...sameOrigin })).statusCode).toBe(401);
});

test('a secret in the reason of a pause is neither stored nor displayed, whether the reason comes by the screen or by the API', async () => {
  const { cookie } = await logIn({ password: OPERATOR });
  const page = await inject('GET', '/mappings', { ...html, cookie });
  const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
  const reason = `the token ${SECRET} is refused`;
  const form = { token, account: 'main', flow: 'stock', reason };
  expect((await inject('POST', '/act/pause', { cookie, ...sameOrigin }, form)).statusCode).toBe(303);
  const answer = await opened.app.inject({
    method: 'PUT',
    url: '/api/v1/accounts/main/pauses/product',
    headers: { authorization: `Bearer ${OPERATOR}` },
    payload: { reason },
  });
  const hidden = 'the token [redacted] is refused';
  expect(answer.json()).toEqual({ account: 'main', flow: 'product', paused: true, reason: hidden });
  const { pauses, audit, journal } = shelf().store;
  expect((await pauses.all()).map((pause) => pause.reason)).toEqual([hidden, hidden]);
  const kept = [
    await audit.latest(10),
    await journal.of('main', 'stock', '*', 1),
    await journal.of('main', 'product', '*', 1),
  ];
  expect(JSON.stringify(kept)).not.toContain(SECRET);
});

test('values of either side are displayed as text, and no filter is too large or leads out of the manual', async () => {
  const { cookie } = await logIn({ password: OPERATOR });
  for (const url of ['/orders', '/products', `/orders?search=${encodeURIComponent(HOSTILE)}`]) {
    const { body, headers } = await inject('GET', url, { ...html, cookie });
    expect(body).not.toContain('<script>');
    expect(body).not.toContain('\u202e');
    expect(body).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39; onmouseover=');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  }
  for (const url of [`/orders?search=${'a'.repeat(201)}`, '/orders?account=other', '/guide/..%2f..%2fpackage']) {
    expect((await inject('GET', url, { ...html, cookie })).statusCode).toBeGreaterThanOrEqual(400);
  }
});

test('webhooks are listed, found and displayed as text, bounded; an operator can process one again, a viewer cannot', async () => {
  const { store } = shelf();
  const body = Buffer.from(`{"data":{"number":"${HOSTILE}"}} ${'x'.repeat(30_000)}`);
  await store.inbox.store([{ account: 'main', kind: 'orders', body, receivedAtMs: shelf().nowMs }]);
  const id = (await store.inbox.latest(1, { accounts: ['main'] }))[0]?.id ?? 0;
  await store.inbox.processed([{ id, entity: HOSTILE }]);
  const { cookie } = await logIn({ password: OPERATOR });
  const get = async (url: string, as = cookie) => (await inject('GET', url, { ...html, cookie: as })).body;
  const shown = await get(`/events/${id}`);
  for (const page of [shown, await get('/events'), await get(`/events?entity=${encodeURIComponent(HOSTILE)}`)]) {
    expect(page).not.toContain('<script>');
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)');
    expect(page.length).toBeLessThan(40_000);
  }
  expect(shown).toContain('All of it is shown in a terminal: <a href="guide/webhooks">how</a>');
  expect(await get('/events?entity=another')).toContain('No webhook is like this.');
  const viewer = (await logIn({ password: 'the-viewer-token' })).cookie;
  expect(await get('/events', viewer)).not.toContain('act/resend');
  const token = /name="token" value="([^"]+)"/.exec(await get('/events'))?.[1] ?? '';
  const sent = await inject('POST', '/act/resend', { cookie, ...sameOrigin }, { token, id: String(id) });
  expect(sent.statusCode).toBe(303);
  expect(await store.inbox.get(id)).toMatchObject({ processedAtMs: null });
  expect(await get('/events')).toContain('waits for the next read');
  for (const url of ['/events/0', '/events/999999', '/events/..%2f..%2fx', `/events?entity=${'a'.repeat(201)}`])
    expect((await inject('GET', url, { ...html, cookie })).statusCode).toBeGreaterThanOrEqual(400);
});

needing('chromium').test(
  'the pages in Chromium are accessible at both widths and in both colours, and load nothing from elsewhere',
  async () => {
    const body = Buffer.from(HOSTILE);
    await shelf().store.inbox.store([{ account: 'main', kind: 'orders', body, receivedAtMs: shelf().nowMs }]);
    const url = await opened.app.listen({ host: '127.0.0.1', port: 0 });
    const browser = await launchChromium();
    try {
      for (const [width, colorScheme] of [
        [360, 'dark'],
        [1440, 'light'],
      ] as const) {
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, bypassCSP: false });
        const page = await context.newPage();
        const told: string[] = [];
        page.on('console', (message) => told.push(message.text()));
        page.on('request', (request) => request.url().startsWith(url) || told.push(request.url()));
        await page.goto(`${url}/login?to=/orders`);
        await page.fill('[name=password]', OPERATOR);
        await page.click('main button');
        for (const path of [
          'orders',
          'products',
          'mappings',
          'activity',
          'events',
          'events/1',
          'audit',
          'guide',
          'guide/screen',
        ]) {
          await page.goto(`${url}/${path}`);
          expect(await findingsOn(page), path).toEqual([]);
        }
        expect(told).toEqual([]);
        await context.close();
      }
    } finally {
      await browser.close();
      await opened.app.close();
    }
  },
  120_000,
);
