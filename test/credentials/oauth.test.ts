import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createOAuth } from '../../src/credentials/oauth.ts';
import { readGranted, tokenRequest } from '../../src/credentials/token-request.ts';
import { CLIENT, createTokenGrants } from '../../src/sandbox/token-grants.ts';
import type { OAuth } from '../../src/settings/auth.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const LIFE_SECONDS = 600;

let server: Server;
/** The forms of all requests to the token server. */
let asked: URLSearchParams[];
/** The answer of the token server instead of tokens. */
let trouble: { status: number; body: string } | null;
let settings: OAuth;
const nowMs = () => shelf().nowMs;

beforeEach(async () => {
  const grants = createTokenGrants({ lifeSeconds: LIFE_SECONDS, nowMs });
  [asked, trouble] = [[], null];
  server = createServer((request, response) => {
    let form = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      form += text;
    });
    request.on('end', () => {
      asked.push(new URLSearchParams(form));
      const { status, body } = trouble ?? grants.answer(form, request.headers.authorization);
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  settings = {
    scheme: 'oauth2',
    tokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    clientAuth: 'basic',
    grant: 'client_credentials',
    scope: null,
    refreshToken: null,
    assertion: null,
  };
});
afterEach(() => void server.close());

const hidden: string[] = [];
/** One process. All of them share the store. */
const open = (change: Partial<OAuth> = {}) =>
  createOAuth({
    account: 'main',
    side: 'erp',
    settings: () => ({ ...settings, ...change }),
    tokens: shelf().store.tokens,
    hide: (secret) => hidden.push(secret),
    timeoutMs: 5_000,
    now: nowMs,
  });
const rotating = { refreshToken: CLIENT.refreshToken };

test('a token is requested once, stored, and renewed before it expires', async () => {
  const first = await open().secret();
  expect(await open().secret()).toBe(first);
  shelf().nowMs += (LIFE_SECONDS - 61) * 1_000;
  expect(await open().secret()).toBe(first);
  shelf().nowMs += 1_000;
  expect(await open().secret()).not.toBe(first);
  expect(asked.map((form) => form.get('grant_type'))).toEqual(['client_credentials', 'client_credentials']);
  expect(hidden).toContain(first);
});

test('a token is renewed by one process while all others wait for it: a refresh token works once', async () => {
  const processes = Array.from({ length: 8 }, () => open(rotating));
  const secrets = await Promise.all(processes.map((one) => one.secret()));
  expect(new Set(secrets).size).toBe(1);
  shelf().nowMs += LIFE_SECONDS * 1_000;
  const next = await Promise.all(processes.map((one) => one.secret()));
  expect(new Set(next).size).toBe(1);
  expect(next[0]).not.toBe(secrets[0]);
  expect(asked.map((form) => form.get('refresh_token')?.slice(0, 8))).toEqual(['sandbox-', 'refresh-']);
});

test('a token is committed before any process has it', async () => {
  const { tokens } = shelf().store;
  const { record } = tokens;
  const order: string[] = [];
  Object.assign(tokens, {
    record: async (...args: Parameters<typeof record>) => {
      const done = await record(...args);
      order.push('committed');
      return done;
    },
  });
  onTestFinished(() => void Object.assign(tokens, { record }));
  await open(rotating).secret();
  order.push('used');
  expect(order).toEqual(['committed', 'used']);
});

test('a refused token is replaced, unless it is as good as new', async () => {
  const erp = open();
  const first = await erp.secret();
  erp.refused(first);
  await expect(erp.secret()).rejects.toMatchObject({ kind: 'credentials', outcome: 'not-applied' });
  shelf().nowMs += 30_000;
  expect(await erp.secret()).not.toBe(first);
});

test('a token is not mistaken for that of another client', async () => {
  const first = await open().secret();
  expect(await open({ scope: 'orders' }).secret()).not.toBe(first);
});

test('a refusal by a token server is an error of credentials, and the server is not called for a while; no message has a secret', async () => {
  trouble = { status: 400, body: `{"error": "invalid_grant", "error_description": "no ${CLIENT.refreshToken}"}` };
  const erp = open(rotating);
  const failure = await erp.secret().catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'credentials', side: 'erp', status: 400 });
  expect(String(failure)).toContain('invalid_grant: no ***');
  expect(String(failure)).toContain('refresh_token');
  await expect(erp.secret()).rejects.toThrow('invalid_grant');
  expect(asked).toHaveLength(1);
  // The right to ask was given back.
  trouble = null;
  shelf().nowMs += 10_000;
  await erp.secret();
});

test.each([
  [{ status: 503, body: '' }, 'unavailable'],
  [{ status: 429, body: '' }, 'rate-limited'],
  [{ status: 200, body: '<html>' }, 'credentials'],
  [{ status: 200, body: '{"access_token": "two words"}' }, 'credentials'],
])('a token server that answers %o is %s', async (answer, kind) => {
  trouble = answer;
  await expect(open().secret()).rejects.toMatchObject({ kind, outcome: 'not-applied' });
});

test('a token server that is down is unavailable', async () => {
  const tokenUrl = 'http://127.0.0.1:1/token';
  await expect(open({ tokenUrl }).secret()).rejects.toMatchObject({ kind: 'unavailable' });
});

test('id and secret go into the header in form encoding, or into the body', () => {
  const odd = { ...settings, clientId: 'a b', clientSecret: 'ü:%', scope: 'x y' };
  const basic = tokenRequest(odd, null, 0);
  expect(Buffer.from(basic.headers['authorization']?.slice(6) ?? '', 'base64').toString()).toBe('a+b:%C3%BC%3A%25');
  expect(basic.body).toBe('grant_type=client_credentials&scope=x+y');
  const body = tokenRequest({ ...odd, clientAuth: 'body' }, 'r', 0);
  expect(body.headers['authorization']).toBeUndefined();
  expect(Object.fromEntries(new URLSearchParams(body.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'r',
    scope: 'x y',
    client_id: 'a b',
    client_secret: 'ü:%',
  });
});

test.each<[string, object, object | string]>([
  ['a token too long for a header', { access_token: 'x'.repeat(20_000) }, expect.stringMatching(/more than 16000/)],
  ['a refresh token as long', { access_token: 'x', refresh_token: 'x'.repeat(20_000) }, expect.stringMatching(/16000/)],
  ['a token of two lines', { access_token: 'x\r\ny: z' }, expect.stringMatching(/no access_token that fits a header/)],
  ['a life of ages', { access_token: 'x', expires_in: 1e300 }, { expiresInMs: 31_536_000_000 }],
  ['a life of less than a millisecond', { access_token: 'x', expires_in: 0.0001 }, { expiresInMs: 1 }],
  ['a life of words', { access_token: 'x', expires_in: 'soon' }, { expiresInMs: null }],
])('a token server that answers with %s is understood', (_what, answer, known) => {
  const granted = readGranted(answer);
  if (typeof granted === 'string') expect(granted).toEqual(known);
  else expect(granted).toMatchObject(known as object);
});
