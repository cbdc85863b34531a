import { createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { ConfigError } from '../../../src/config/problem.ts';
import { openErp } from '../../../src/core/sides.ts';
import { openCredentials } from '../../../src/credentials/credentials.ts';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import { openLine } from '../../../src/erp/line.ts';
import { CLIENT, createTokenGrants } from '../../../src/sandbox/token-grants.ts';
import { folderOf } from '../../config/folder.ts';
import { useShelf } from '../../store/shelf.ts';
import { answering, json } from '../contract/answering-server.ts';

const shelf = useShelf();

const configured = (url: string, auth: string): string => `accounts:
  main:
    marketplace: { base_url: https://marketplace.example, auth: { scheme: app, key: k }, seller_id: 4711 }
    inventory: { strategy: b }
    erp:
      type: rest
      url: ${url}
      auth: ${auth}
      lists: { products: { request: { path: /products, query: { q: "a b+c=&*'~é" } } } }
      finds: { order-by-id: { request: { method: POST, path: /find, form: { id: "{{ $id }}", also: "x y" } } } }
`;

/** The connector that a configuration with this section `auth` opens, with the credentials of a daemon. */
async function opened(url: string, auth: string, files: Record<string, string> = {}): Promise<ErpConnector> {
  const path = folderOf({ ...files, 'c.yaml': configured(url, auth) });
  const { config } = loadConfig(path('c.yaml'), {});
  const quiet = { info: () => {}, warn: () => {} };
  const credentials = openCredentials({
    config,
    tokens: shelf().store.tokens,
    renewal: null,
    log: quiet,
    now: () => shelf().nowMs,
  });
  const [account] = config.accounts;
  if (account === undefined) throw new Error('no account');
  const erp = await openErp(account, credentials);
  onTestFinished(() => erp.close());
  return erp;
}

const read = async (erp: ErpConnector) => (await Array.fromAsync(erp.listProducts(null))).at(-1)?.complete;

/** A server that shows its products only to callers that it knows. */
const guarded = (knows: (request: IncomingMessage, form: string) => boolean | Promise<boolean>) =>
  answering((request, response) => {
    const answer = async (): Promise<void> => {
      const form = await text(request);
      if (await knows(request, form)) json(response, 200, []);
      else json(response, 401, { error: `you are not known by ${request.headers.authorization}` });
    };
    void answer();
  });

it.each([
  ['basic', '{ scheme: basic, user: "b:r", password: "pä:ss" }', 'authorization', `Basic ${btoa('b:r:p\xc3\xa4:ss')}`],
  ['bearer', '{ scheme: bearer, token: t-1 }', 'authorization', 'Bearer t-1'],
  ['header', '{ scheme: header, header: X-Api-Key, prefix: "token ", key: "k:s" }', 'x-api-key', 'token k:s'],
])('a REST call is authenticated by %s', async (_, auth, header, value) => {
  await using server = await guarded(({ headers }) => headers[header] === value);
  expect(await read(await opened(server.url, auth))).toBe(true);
  const stranger = await opened(server.url, auth.replace(/(password|token|key): "?[\w-]/, '$&x'));
  const failure = await read(stranger).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'credentials', outcome: 'not-applied', status: 401 });
  expect(String(failure)).not.toMatch(/tx-1|kx:s/);
});

describe('OAuth 1', () => {
  const auth =
    '{ scheme: oauth1, consumer_key: c k, consumer_secret: "c&s", token_id: t-1, token_secret: "t s", realm: 12_SB1 }';
  /** RFC 3986. */
  const encode = (part: string) =>
    encodeURIComponent(part).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

  /** Verifies a call as RFC 5849 says: a new nonce, a current time, the realm, and the signature over everything else. */
  function verifier(url: () => string) {
    const nonces = new Set<string>();
    return ({ method = '', url: target = '', headers }: IncomingMessage, form: string): boolean => {
      const written = /^OAuth (.*)$/.exec(headers.authorization ?? '')?.[1] ?? '';
      const given = Array.from(
        written.matchAll(/(\w+)="([^"]*)"(?:, |$)/g),
        ([, name = '', value = '']): [string, string] => [name, decodeURIComponent(value)],
      );
      const fields = new Map(given);
      const nonce = fields.get('oauth_nonce') ?? '';
      const isFresh = !nonces.has(nonce) && nonce.length > 10;
      nonces.add(nonce);
      const address = new URL(target, url());
      const signed = [
        ...address.searchParams,
        ...(headers['content-type'] === 'application/x-www-form-urlencoded' ? new URLSearchParams(form) : []),
        ...given.filter(([name]) => name !== 'realm' && name !== 'oauth_signature'),
      ];
      const parameters = signed.map((pair) => pair.map(encode).join('=')).toSorted();
      const base = [method, `${address.origin}${address.pathname}`, parameters.join('&')].map(encode).join('&');
      const signature = createHmac('sha256', `${encode('c&s')}&${encode('t s')}`)
        .update(base)
        .digest('base64');
      return (
        isFresh &&
        fields.get('realm') === '12_SB1' &&
        fields.get('oauth_version') === '1.0' &&
        fields.get('oauth_signature_method') === 'HMAC-SHA256' &&
        fields.get('oauth_consumer_key') === 'c k' &&
        fields.get('oauth_token') === 't-1' &&
        Math.abs(Date.now() / 1_000 - Number(fields.get('oauth_timestamp'))) < 60 &&
        fields.get('oauth_signature') === signature
      );
    };
  }

  it('OAuth 1 signs method, address, query, form, realm and nonce', async () => {
    let url = '';
    await using server = await guarded(verifier(() => url));
    url = server.url;
    const erp = await opened(server.url, auth);
    expect([await read(erp), await read(erp)]).toEqual([true, true]);
    expect(await erp.getOrder('7 &')).toBeNull();
    const stranger = await opened(server.url, auth.replace('t s', 'another'));
    await expect(read(stranger)).rejects.toMatchObject({ kind: 'credentials' });
  });
});

describe('a session', () => {
  const auth = (rest: string) => `
        scheme: session
        user: bridge
        password: open-sesame
        login: { method: POST, path: /login, body: { name: "{{ $user }}", secret: "{{ $password }}" } }
        ${rest}`;

  function erpWithSessions() {
    const state = { logins: 0, good: new Set<string>(), asCookie: true };
    const login = (response: ServerResponse, body: string): void => {
      state.logins += 1;
      const { name, secret } = JSON.parse(body) as { name: string; secret: string };
      if (name !== 'bridge' || secret !== 'open-sesame') return json(response, 403, { error: `no ${secret}` });
      const id = `s-${state.logins}`;
      state.good.add(id);
      json(response, 200, { token: id }, state.asCookie ? { 'set-cookie': `sid=${id}; Path=/; HttpOnly` } : {});
    };
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request);
      if (request.url === '/login') return login(response, body);
      const shown = request.headers.cookie?.replace('sid=', '') ?? request.headers.authorization?.replace('Token ', '');
      if (state.good.has(shown ?? '')) json(response, 200, []);
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>');
    };
    return { state, answer: (request: IncomingMessage, response: ServerResponse) => void answer(request, response) };
  }

  it.each([
    ['cookies', 'expired: { html: true }'],
    ['a token', 'token: token\n        prefix: "Token "\n        expired: { html: true }'],
  ])('a session by %s logs in once for all calls, and once more when it expires', async (kind, rest) => {
    const { state, answer } = erpWithSessions();
    state.asCookie = kind === 'cookies';
    await using server = await answering(answer);
    const erp = await opened(server.url, auth(rest));
    expect(await Promise.all([read(erp), read(erp), read(erp)])).toEqual([true, true, true]);
    expect(state.logins).toBe(1);
    state.good.clear();
    expect(await read(erp)).toBe(true);
    expect(state.logins).toBe(2);
  });

  it('an issued session is masked in traces, and a refusal is visible', async () => {
    const { answer } = erpWithSessions();
    await using server = await answering(answer);
    const seen: string[] = [];
    const line = openLine({
      url: server.url,
      timeoutMs: 5_000,
      wire: { saw: ({ answer: shown }) => void seen.push(shown ?? '') },
    });
    onTestFinished(() => line.close());
    const ask = (body: object) =>
      line.exchange(
        { method: 'POST', target: '/login', headers: {}, body: JSON.stringify(body) },
        { operation: 'POST /login', write: false, signal: undefined, answerHidden: true },
      );
    await ask({ name: 'bridge', secret: 'open-sesame' });
    await ask({ name: 'bridge', secret: 'closed' });
    expect(seen).toEqual(['200\n\n', expect.stringContaining('no closed')]);
  });

  it('the login of a session sends user and password, and no session', () => {
    const wrong = auth('token: token').replace('{{ $user }}', '{{ $auth.user }}');
    const path = folderOf({ 'c.yaml': configured('https://erp.example', wrong) });
    expect(() => loadConfig(path('c.yaml'), {})).toThrow(/\$auth/);
  });

  it('a session with a wrong password is not requested again and again: an account may be locked', async () => {
    const { state, answer } = erpWithSessions();
    await using server = await answering(answer);
    const erp = await opened(server.url, auth('expired: { html: true }').replace('open-sesame', 'open-barley'));
    for (const _ of [1, 2, 3]) {
      const failure = await read(erp).catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: 'credentials', outcome: 'not-applied' });
      expect(String(failure)).not.toContain('open-barley');
    }
    expect(state.logins).toBe(1);
  });
});

describe('OAuth 2', () => {
  const client = `client_id: ${CLIENT.id}, client_secret: ${CLIENT.secret}`;

  /** The ERP and its token server. */
  async function erpWithTokens() {
    const grants = createTokenGrants({ lifeSeconds: 600, nowMs: () => shelf().nowMs });
    const forms: string[] = [];
    const server = await answering((request, response) => {
      void text(request).then((form) => {
        if (request.url !== '/token') {
          const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
          return grants.knows(token) ? json(response, 200, []) : json(response, 401, { error: 'unknown' });
        }
        forms.push(form);
        const { status, body } = grants.answer(form, request.headers.authorization);
        json(response, status, body);
      });
    });
    return { ...server, grants, forms };
  }

  it.each(['basic', 'body'])(
    'OAuth 2 by client credentials in the %s requests a token once, and later the next one',
    async (how) => {
      await using server = await erpWithTokens();
      const auth = `{ scheme: oauth2, token_url: "${server.url}/token", ${client}, client_auth: ${how}, scope: "a b" }`;
      const erp = await opened(server.url, auth);
      expect(await Promise.all([read(erp), read(erp)])).toEqual([true, true]);
      shelf().nowMs += 590_000;
      expect(await read(erp)).toBe(true);
      server.grants.revoke();
      shelf().nowMs += 60_000;
      expect(await read(erp)).toBe(true);
      // The token is as good as new, so another one would be refused as well.
      server.grants.revoke();
      await expect(read(erp)).rejects.toMatchObject({ kind: 'credentials' });
      expect(server.forms.map((form) => new URLSearchParams(form).get('scope'))).toEqual(['a b', 'a b', 'a b']);
    },
  );

  it('OAuth 2 by refresh tokens uses each once, across all processes, and stores the next before it is used', async () => {
    await using server = await erpWithTokens();
    const first = `refresh_token: ${CLIENT.refreshToken}`;
    const auth = `{ scheme: oauth2, token_url: "${server.url}/token", ${client}, ${first} }`;
    const processes = await Promise.all([1, 2, 3].map(() => opened(server.url, auth)));
    for (const _ of [1, 2, 3]) {
      expect(await Promise.all(processes.map(read))).toEqual([true, true, true]);
      shelf().nowMs += 600_000;
    }
    const used = server.forms.map((form) => new URLSearchParams(form).get('refresh_token'));
    expect(new Set(used).size).toBe(3);
  });

  const pem = (key: 'rsa' | 'ec') => {
    const encoding = {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    } as const;
    return key === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2_048, ...encoding })
      : generateKeyPairSync('ec', { namedCurve: 'P-256', ...encoding });
  };

  const PSS = { padding: 6, saltLength: 32 };
  const VERIFY = { RS256: {}, PS256: PSS, ES256: { dsaEncoding: 'ieee-p1363' } } as const;

  /** Reads the JWT as RFC 7519 and 7523 have it, and says what is wrong with it. */
  function faultOf(jwt: string, publicKey: string, algorithm: keyof typeof VERIFY, audience: string): string | null {
    const [head = '', payload = '', signature = ''] = jwt.split('.');
    const jsonOf = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    const [header, claims] = [jsonOf(head), jsonOf(payload)];
    const key = { key: createPublicKey(publicKey), ...VERIFY[algorithm] };
    const nowSeconds = shelf().nowMs / 1_000;
    if (!verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url')))
      return 'signature';
    if (header['alg'] !== algorithm || header['typ'] !== 'JWT' || header['kid'] !== 'cert-7') return 'header';
    if (claims['iss'] !== 'client-1' || claims['sub'] !== 'client-1' || claims['aud'] !== audience) return 'parties';
    if (!(Number(claims['iat']) <= nowSeconds && nowSeconds < Number(claims['exp']))) return 'time';
    if (Number(claims['exp']) - Number(claims['iat']) !== 120) return 'lifetime';
    return JSON.stringify(claims['scope']) === '["rest_webservices"]' ? null : 'scope';
  }

  it.each([
    ['RS256', 'rsa', 'assertion'],
    ['PS256', 'rsa', 'assertion'],
    ['ES256', 'ec', 'assertion'],
    ['RS256', 'rsa', 'grant'],
  ] as const)('OAuth 2 by a signed assertion, %s with a key of %s, as %s', async (algorithm, kind, place) => {
    const { publicKey, privateKey } = pem(kind);
    const asked: string[] = [];
    let audience = '';
    const faults: (string | null)[] = [];
    await using server = await answering((request, response) => {
      void text(request).then((written) => {
        if (request.url !== '/token') {
          const isKnown = request.headers.authorization === 'Bearer granted';
          return json(response, isKnown ? 200 : 401, isKnown ? [] : { error: 'unknown' });
        }
        const form = new URLSearchParams(written);
        asked.push([...form.keys()].toSorted().join(' '));
        expect(request.headers.authorization).toBeUndefined();
        const jwt = form.get(place === 'grant' ? 'assertion' : 'client_assertion') ?? '';
        faults.push(faultOf(jwt, publicKey, algorithm, audience));
        const granted = { access_token: 'granted', token_type: 'Bearer', expires_in: '3600' };
        json(response, faults.at(-1) === null ? 200 : 400, faults.at(-1) === null ? granted : { error: jwt });
      });
    });
    audience = `${server.url}/token`;
    const how = place === 'grant' ? 'client_auth: none, grant: jwt-bearer' : 'client_auth: assertion';
    const signed = `key: "\${file:key.pem}", algorithm: ${algorithm}, key_id: cert-7, lifetime: 2m, claims: { scope: [rest_webservices] }`;
    const auth = `{ scheme: oauth2, token_url: "${server.url}/token", client_id: client-1, ${how}, assertion: { ${signed} } }`;
    const erp = await opened(server.url, auth, { 'key.pem': privateKey });
    expect(await read(erp)).toBe(true);
    expect(faults).toEqual([null]);
    expect(asked).toEqual([
      place === 'grant'
        ? 'assertion client_id grant_type'
        : 'client_assertion client_assertion_type client_id grant_type',
    ]);
    const wrong = await opened(server.url, auth.replace('cert-7', 'cert-8').replace('-1, client', '-2, client'), {
      'key.pem': privateKey,
    });
    const failure = await read(wrong).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'credentials' });
    expect(String(failure)).toContain('check client_id, the key and the audience of assertion');
    expect(String(failure)).not.toMatch(/eyJ/);
  });

  it('OAuth 2 with a wrong key, or without a required setting, is an error of the configuration', () => {
    const { privateKey } = pem('rsa');
    const problems = (rest: string): string[] => {
      const auth = `{ scheme: oauth2, token_url: https://t.example, client_id: c, ${rest} }`;
      const path = folderOf({
        'key.pem': privateKey,
        'no.pem': 'nothing',
        'c.yaml': configured('https://e.example', auth),
      });
      try {
        loadConfig(path('c.yaml'), {});
        return [];
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return error.problems.map((one) => `${one.path.replace('accounts.main.erp.auth.', '')}: ${one.message}`);
      }
    };
    expect(problems('client_auth: body')).toEqual(['client_secret: is missing: client_auth is body']);
    expect(problems('client_auth: assertion')).toEqual(['assertion: is missing: client_auth or grant needs it']);
    const key = (file: string, more = '') => `client_auth: assertion, assertion: { key: "\${file:${file}}"${more} }`;
    expect(problems(key('key.pem'))).toEqual([]);
    expect(problems(key('no.pem'))).toEqual([
      expect.stringMatching(/^assertion\.key: is no private key in PEM without a passphrase/),
    ]);
    expect(problems(key('key.pem', ', algorithm: ES256'))).toEqual([
      expect.stringMatching(/^assertion\.key: is a key of type rsa, and the algorithm needs ec/),
    ]);
    expect(problems('client_secret: s, assertion: { key: "${file:key.pem}" }')).toEqual([
      'assertion: is never sent: neither client_auth nor grant needs it',
    ]);
  });
});
