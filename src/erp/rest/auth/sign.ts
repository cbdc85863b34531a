import { createHmac, randomBytes } from 'node:crypto';
import type { Given } from '../../../expressions/bundle.ts';
import type { Credential } from '../../../http/credential.ts';
import type { Outgoing } from '../request.ts';
import type { AuthSection } from './schema.ts';

/** A call's credentials, and the secrets in them that messages must not show. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>;
  /** A query parameter. */
  readonly parameter?: readonly [name: string, value: string] | undefined;
  /** The values of `$auth`, for templates that place the credentials themselves. */
  readonly auth?: Given | undefined;
  readonly secrets: readonly string[];
  /** Call it when the ERP rejects these credentials. */
  refused(): void;
}

type Signed = Exclude<AuthSection, { scheme: 'session' }>;
export type Sign = (origin: string, call: Outgoing) => Promise<Signature>;

export function signOf(auth: Signed, credential: (name: string) => Credential, nowMs: () => number): Sign {
  const one = (name: string, headersOf: (secret: string) => Record<string, string>): Sign => {
    const known = credential(name);
    return async () => {
      const secret = await known.secret();
      return { headers: headersOf(secret), secrets: [secret], refused: () => known.refused(secret) };
    };
  };
  switch (auth.scheme) {
    case 'none':
      return async () => ({ headers: {}, secrets: [], refused: () => {} });
    case 'basic':
      return one('password', (password) => ({
        authorization: `Basic ${Buffer.from(`${auth.user}:${password}`).toString('base64')}`,
      }));
    case 'bearer':
      return one('token', (token) => ({ authorization: `Bearer ${token}` }));
    case 'oauth2':
      return one('oauth2', (token) => ({ authorization: `Bearer ${token}` }));
    case 'header':
      return one('key', (key) => ({ [auth.header.toLowerCase()]: `${auth.prefix ?? ''}${key}` }));
    case 'query':
      return async () => {
        const known = credential('key');
        const secret = await known.secret();
        const secrets = [secret, encodeURIComponent(secret)];
        return { headers: {}, parameter: [auth.parameter, secret], secrets, refused: () => known.refused(secret) };
      };
    case 'oauth1':
      return oauth1(auth, credential, nowMs);
  }
}

/** RFC 5849, with HMAC-SHA256 instead of HMAC-SHA1. */
function oauth1(
  auth: Extract<Signed, { scheme: 'oauth1' }>,
  credential: (name: string) => Credential,
  nowMs: () => number,
): Sign {
  const [ours, theirs] = [credential('consumer_secret'), credential('token_secret')];
  return async (origin, call) => {
    const secrets = [await ours.secret(), await theirs.secret()];
    const given = {
      oauth_consumer_key: auth.consumer_key,
      oauth_nonce: randomBytes(16).toString('hex'),
      oauth_signature_method: 'HMAC-SHA256',
      oauth_timestamp: String(Math.floor(nowMs() / 1_000)),
      oauth_token: auth.token_id,
      oauth_version: '1.0',
    };
    const base = signatureBase(call.method, new URL(call.target, origin), [...formOf(call), ...Object.entries(given)]);
    const key = secrets.map(percent).join('&');
    const signature = createHmac('sha256', key).update(base).digest('base64');
    const fields = { ...(auth.realm === undefined ? {} : { realm: auth.realm }), ...given, oauth_signature: signature };
    const written = Object.entries(fields).map(([name, value]) => `${name}="${percent(value)}"`);
    return {
      headers: { authorization: `OAuth ${written.join(', ')}` },
      secrets,
      refused: () => {
        ours.refused(secrets[0] ?? '');
        theirs.refused(secrets[1] ?? '');
      },
    };
  };
}

/** Form fields are signed too: RFC 5849, 3.4.1.3.1. */
function formOf({ headers, body }: Outgoing): readonly (readonly [string, string])[] {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm && body !== null ? [...new URLSearchParams(body)] : [];
}

/** The signature base string: RFC 5849, 3.4.1. */
export function signatureBase(
  method: string,
  { origin, pathname, searchParams }: URL,
  others: readonly (readonly [name: string, value: string])[],
): string {
  const parameters = [...searchParams, ...others]
    .map(([name, value]): [string, string] => [percent(name), percent(value)])
    .toSorted(([a, x], [b, y]) => (a === b ? order(x, y) : order(a, b)))
    .map((pair) => pair.join('='));
  return [method, percent(`${origin}${pathname}`), percent(parameters.join('&'))].join('&');
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** RFC 3986, which encodes more than encodeURIComponent. */
function percent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
