import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ROUTES } from '../../src/admin/api/routes.ts';
import { ACTS } from '../../src/admin/screen/acts.ts';
import { PAGES } from '../../src/admin/screen/pages.ts';
import { COOKIE } from '../../src/admin/session/visitor.ts';

/** The secrets of the fuzzed daemon. */
export const SECRETS = ['the-first-webhook-secret', 'the-second-webhook-secret'] as const;
export const VIEWER_TOKEN = 'a-viewer-token-of-the-fuzz';
export const OPERATOR_TOKEN = 'an-operator-token-of-the-fuzz';

export interface FuzzRequest {
  readonly to: 'receiver' | 'admin';
  readonly bytes: Buffer;
  /** The request is whole and its length is right, so the connection may be used again. */
  readonly isFramed: boolean;
  readonly expected: 'accepted' | 'refused';
  /** The allowed statuses. A refused request may also get no answer. */
  readonly answers: readonly number[];
  readonly what: string;
}

/** The statuses for requests that are not let in. Any other status shows that a request got in. */
const DOOR = {
  genuine: [202],
  /** A signed body may be no JSON (400), or may have come before (409). */
  signed: [202, 400, 409],
  /** Size and number are checked before the signature. */
  forged: [401, 413, 429],
  elsewhere: [400, 404],
  unreadable: [400, 408, 413, 417, 431],
  /** The answer does not even tell whether a path exists. */
  withoutToken: [400, 401, 421, 429],
} as const;

/** The random parts of one request. The same seed gives the same requests. */
const draw = fc.record({
  what: fc.nat(999),
  number: fc.nat(1_000_000),
  at: fc.nat(100_000),
  bit: fc.nat(7),
  choice: fc.nat(999),
  junk: fc.uint8Array({ maxLength: 48 }),
  text: fc.string({ maxLength: 24 }),
});
type Draw = typeof draw extends fc.Arbitrary<infer Drawn> ? Drawn : never;

export function drawRequests(seed: number, count: number): FuzzRequest[] {
  return fc.sample(draw, { seed, numRuns: count }).map((drawn, index) => requestOf(drawn, `${seed}-${index}`));
}

const pick = <Item>(items: readonly Item[], choice: number): Item => items[choice % items.length] as Item;

function requestOf(drawn: Draw, id: string): FuzzRequest {
  const share = drawn.what % 40;
  if (share === 0) return genuine(id);
  if (share < 3) return torn(drawn, id);
  return share < 32 ? mutated(drawn, id) : adminRequest(drawn);
}

const sign = (body: Buffer, secret: string, encoding: 'base64' | 'hex' | 'base64url' = 'base64') =>
  createHmac('sha256', secret).update(body).digest(encoding);

interface Parts {
  method: string;
  path: string;
  headers: [string, string][];
  body: Buffer;
}

/** A webhook as the marketplace sends it. */
function sound(id: string): Parts {
  const body = Buffer.from(
    JSON.stringify({ action: 'edit', type: 'order', data: { number: `fuzz-${id}`, status: 'Submitted', total: 12.5 } }),
  );
  const headers: [string, string][] = [
    ['host', 'receiver'],
    ['content-type', 'application/json'],
    ['service-signature', sign(body, SECRETS[0])],
  ];
  return { method: 'POST', path: '/webhooks/main/orders', headers, body };
}

function genuine(id: string): FuzzRequest {
  return {
    to: 'receiver',
    bytes: bytesOf(sound(id)),
    isFramed: true,
    expected: 'accepted',
    answers: DOOR.genuine,
    what: 'genuine',
  };
}

function bytesOf({ method, path, headers, body }: Parts): Buffer {
  const lines = [...headers, ['content-length', String(body.length)]].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body]);
}

type Mutation = (parts: Parts, drawn: Draw) => void;

const resign =
  (of: (parts: Parts, drawn: Draw) => string): Mutation =>
  (parts, drawn) => {
    parts.headers = parts.headers.filter(([name]) => name !== 'service-signature');
    parts.headers.push(['service-signature', of(parts, drawn)]);
  };

/**
 * Each mutation makes a request without a valid signature, or no webhook. `isSound` finds requests that are still sound by
 * chance.
 */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  path: (parts, { choice, text }) => {
    const name = encodeURIComponent(text.toWellFormed());
    parts.path = pick(
      [
        `/webhooks/main/${name}`,
        `/webhooks/${name}/orders`,
        '/webhooks/main/orders/',
        '//webhooks/main/orders',
        '/webhooks/main/../main/orders',
        '/webhooks/%2e%2e/orders',
        '/webhooks/main%00/orders',
        '/webhooks/main%2Forders',
        '/webhooks/main/orders%ff',
        '/WEBHOOKS/main/orders',
        '/webhooks/__proto__/orders',
        '/webhooks/constructor/orders',
        '/',
        '*',
        `/${'a/'.repeat(2_000)}`,
        'http://elsewhere.example/webhooks/other/orders',
      ],
      choice,
    );
  },
  method: (parts, { choice }) => {
    parts.method = pick(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', 'TRACE', 'PROPFIND', 'FLY'], choice);
  },
  'signature missing': (parts) => {
    parts.headers = parts.headers.filter(([name]) => name !== 'service-signature');
  },
  'signature cut': resign(({ body }, { at }) => sign(body, SECRETS[0]).slice(0, at % 44)),
  'signature longer': resign(({ body }, { text }) => `${sign(body, SECRETS[0])}${legal(text)}x`),
  'signature in hex': resign(({ body }) => sign(body, SECRETS[0], 'hex')),
  'signature with a prefix': resign(({ body }) => `sha256=${sign(body, SECRETS[0])}`),
  'signature of a letter changed': resign(({ body }, { at, bit }) => {
    const letters = sign(body, SECRETS[0]).split('');
    const place = at % 43;
    letters[place] = pick(
      'ABCDEFGHabcdefgh0123+/'.split('').filter((letter) => letter !== letters[place]),
      at + bit,
    );
    return letters.join('');
  }),
  'signature in another case': resign(({ body }) => sign(body, SECRETS[0]).toLowerCase()),
  'signature by another secret': resign(({ body }, { text }) => sign(body, `${text}!`)),
  'signature by an empty secret': resign(({ body }) => sign(body, '')),
  'signature of other bytes': resign((_parts, { junk }) => sign(Buffer.from(junk), SECRETS[1])),
  'signature of any text': resign((_parts, { text }) => legal(text)),
  'signature twice': (parts) => {
    parts.headers.push(['Service-Signature', sign(parts.body, SECRETS[0])]);
  },
  'signature twice, wrong first': (parts) => {
    parts.headers.unshift(['service-signature', 'AAAA']);
  },
  'signature under another name': (parts, { choice }) => {
    const name = pick(['service_signature', 'x-service-signature', 'service-signature2', 'authorization'], choice);
    parts.headers = parts.headers.map(([key, value]) => [key === 'service-signature' ? name : key, value]);
  },
  'a bit of the body': (parts, { at, bit }) => {
    const body = Buffer.from(parts.body);
    body[at % body.length] = (body[at % body.length] ?? 0) ^ (1 << bit);
    parts.body = body;
  },
  'body cut': (parts, { at }) => {
    parts.body = parts.body.subarray(0, at % parts.body.length);
  },
  'body longer': (parts, { junk }) => {
    parts.body = Buffer.concat([parts.body, Buffer.from(junk), Buffer.from(' ')]);
  },
  'body of anything': (parts, { junk, number }) => {
    parts.body = Buffer.concat([Buffer.from(String(number)), Buffer.from(junk)]);
  },
  'body zipped': (parts) => {
    parts.body = gzipSync(parts.body, { level: 1 });
    parts.headers.push(['content-encoding', 'gzip']);
  },
  'body too large': (parts, { choice }) => {
    parts.body = Buffer.alloc(choice % 50 === 0 ? 1024 * 1024 + 1 : 20_000, ' ');
  },
  'body of a hostile form': (parts, { choice, text }) => {
    parts.body = Buffer.from(hostileJson(choice, text));
  },
  'header of any name': (parts, { text, number }) => {
    parts.headers = parts.headers.filter(([name]) => name !== 'service-signature');
    parts.headers.push([`x-${number}`, legal(text)], ['content-type', legal(text)]);
  },
};

/** Hostile JSON that is signed. */
function hostileJson(choice: number, text: string): string {
  const deep = 500 + choice * 20;
  return pick(
    [
      `{"__proto__":{"type":"order","data":{"number":"x"}},"n":${choice}}`,
      `{"constructor":{"prototype":{"polluted":true}},"n":${choice}}`,
      `${'['.repeat(deep)}${']'.repeat(deep)}`,
      `${'{"data":'.repeat(deep)}1${'}'.repeat(deep)}`,
      `{"type":"order","type":"product","data":{"number":"1","number":"2"},"n":${choice}}`,
      `{"type":"order","data":{"number":1e999999,"id":-0,"n":${'9'.repeat(400)}},"c":${choice}}`,
      `{"type":"order","data":{"number":${JSON.stringify(text.repeat(20))}},"c":${choice}}`,
      `{"type":"order","data":null,"c":${choice}}`,
      `{"type":["order"],"data":[[]],"c":${choice}}`,
      `\ufeff{"type":"order","c":${choice}}`,
    ],
    choice,
  );
}

/** The text with `?` for each character that a header may not hold. Line breaks are for torn requests. */
function legal(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\xa0-\xff]/g, '?');
}

const NAMES = Object.keys(MUTATIONS);

function mutated(drawn: Draw, id: string): FuzzRequest {
  const parts = sound(id);
  const what = pick(NAMES, drawn.choice);
  MUTATIONS[what]?.(parts, { ...drawn, choice: drawn.number % 1_000 });
  if (what === 'body of a hostile form' && drawn.bit < 2) resign(({ body }) => sign(body, SECRETS[1]))(parts, drawn);
  const isFramed = parts.method === 'POST' && parts.path !== '*';
  const request = { to: 'receiver', bytes: bytesOf(parts), isFramed, what } as const;
  if (isSound(parts)) return { ...request, expected: 'accepted', answers: DOOR.signed };
  const isElsewhere = what === 'path' || what === 'method';
  return { ...request, expected: 'refused', answers: isElsewhere ? DOOR.elsewhere : DOOR.forged };
}

/** Judges the request as it was built, independently of the receiver's code. */
function isSound({ method, path, headers, body }: Parts): boolean {
  const signatures = headers.filter(([name]) => name.toLowerCase() === 'service-signature');
  const claimed = signatures[0]?.[1].trim();
  const isSigned = signatures.length === 1 && SECRETS.some((secret) => sign(body, secret) === claimed);
  return method === 'POST' && /^\/webhooks\/main\/(orders|products)$/.test(decoded(path)) && isSigned;
}

/** Decodes each segment by itself: an escaped slash does not divide a segment. */
function decoded(path: string): string {
  try {
    return (path.split('?')[0] ?? '')
      .split('/')
      .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
      .join('/');
  } catch {
    return path;
  }
}

/** Bytes that are no request, several requests, or a request that never ends. None of them is signed. */
function torn(drawn: Draw, id: string): FuzzRequest {
  const { choice, at, bit, junk, text } = drawn;
  const parts = sound(id);
  resign(({ body }) => sign(body, 'nobody'))(parts, drawn);
  const whole = bytesOf(parts);
  const head = `POST /webhooks/main/orders HTTP/1.1\r\nhost: x\r\nservice-signature: ${sign(parts.body, 'nobody')}\r\n`;
  const flipped = Buffer.from(whole);
  flipped[at % whole.length] = (flipped[at % whole.length] ?? 0) ^ (1 << bit);
  const bytes = pick(
    [
      flipped,
      whole.subarray(0, at % whole.length),
      Buffer.concat([whole, whole, whole]),
      Buffer.from(junk),
      Buffer.from(
        `${head}transfer-encoding: chunked\r\n\r\n${(at % 64).toString(16)}\r\n${parts.body.toString()}\r\n0\r\n\r\n`,
      ),
      Buffer.from(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n${text}`),
      Buffer.from(`${head}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`),
      Buffer.from(`${head}content-length: 5\r\ncontent-length: 6\r\n\r\n{"a":1}`),
      Buffer.from(`${head}content-length: -1\r\n\r\n`),
      Buffer.from(`${head}content-length: 99999999999999999999\r\n\r\n{`),
      Buffer.from(`${head}x: ${text}\r\n\r\n`, 'latin1'),
      Buffer.from(`${head}x: ${'y'.repeat(20_000)}\r\n\r\n`),
      Buffer.from(`${head}expect: 200-ok\r\ncontent-length: 2\r\n\r\n{}`),
      Buffer.from(`${head}connection: upgrade\r\nupgrade: websocket\r\n\r\n`),
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      Buffer.from(`GET /metrics HTTP/9.9\r\n\r\n`),
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, ...junk]),
    ],
    choice,
  );
  const to = choice % 3 === 0 ? 'admin' : 'receiver';
  const readable = to === 'admin' ? DOOR.withoutToken : [...DOOR.elsewhere, ...DOOR.forged];
  return { to, bytes, isFramed: false, expected: 'refused', answers: [...DOOR.unreadable, ...readable], what: 'torn' };
}

const ADMIN_PATHS = [
  '/',
  '/api/v1/status',
  '/api/v1/openapi.json',
  '/api/v1/../../metrics',
  '/metrics/',
  '/livez/x',
  '//metrics',
  '/metrics%00',
  '/metrics%2f..%2fapi',
  '/api/v1/jobs?token=',
  '/api/v1/explain?name=SB-0001&token=',
  '/api/v1/events/1/resend',
  '/.git/config',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/__proto__',
  '*',
  '/api/v1/live',
  // Every call, page and act, with any parameters.
  ...ROUTES.map(({ path }) => `/api/v1${path.replaceAll(/\{\w+\}/g, '1')}`),
  ...PAGES.map(({ path }) => path.replace(':topic', '1')),
  ...ACTS.map(({ name }) => `/act/${name}`),
];

const TOKENS = [VIEWER_TOKEN, OPERATOR_TOKEN];

function adminRequest({ number, choice, at, text }: Draw): FuzzRequest {
  const token = pick(TOKENS, at);
  const path = pick(ADMIN_PATHS, number).replace('token=', `token=${token}`);
  const authorization = pick(
    [
      null,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${token.slice(0, at % token.length)}`,
      `Bearer ${token}x`,
      `bearer ${token}x`,
      `Bearer\t${token}`,
      `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
      token,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${legal(text)}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token}\0`.slice(0, -1).replace(token, token.split('').toReversed().join('')),
    ],
    choice,
  );
  const headers: [string, string][] = [['host', 'admin']];
  if (authorization !== null) headers.push(['authorization', authorization]);
  headers.push(
    ['cookie', `token=${token}; ${COOKIE}=${token}`],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-original-url', '/livez'],
  );
  const method = pick(['GET', 'GET', 'POST', 'DELETE', 'PUT', 'OPTIONS'], number >> 4);
  const bytes = bytesOf({ method, path, headers, body: Buffer.alloc(0) });
  const isFramed = method !== 'OPTIONS' && path !== '*';
  return { to: 'admin', bytes, isFramed, expected: 'refused', answers: DOOR.withoutToken, what: 'admin' };
}
