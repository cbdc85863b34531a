import { fastifyCookie } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import type { AdminKeys, Caller } from '../access.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

export const COOKIE = 'stockbridge_session';

/** The caller behind a request, and the cookie that proves it. */
export interface Visitor {
  readonly caller: Caller;
  /** The text of the cookie; null: a bearer token was sent. */
  readonly secret: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null: the caller is unknown. */
    visitor: Visitor | null;
  }
}

/**
 * The visitor by the bearer token, or else by the cookie.
 * @throws TooManyAttempts
 */
export async function visitorOf(
  request: FastifyRequest,
  keys: () => Promise<AdminKeys>,
  { sessions, tokens }: { readonly sessions: Sessions; readonly tokens: Tokens },
): Promise<Visitor | null> {
  const { authorization, cookie = '' } = request.headers;
  if (authorization !== undefined) {
    const caller = tokens.callerOf(authorization, request.ip, await keys());
    return caller === null ? null : { caller, secret: null };
  }
  const found = await sessions.find(fastifyCookie.parse(cookie)[COOKIE]);
  return found === null ? null : { caller: found.caller, secret: found.secret };
}

/**
 * Whether a page of this screen sent the request, as the browser says. A browser that does not name the site is judged by the host
 * of its origin. A proxy may have changed the host, so the host that the proxy was asked by counts too.
 */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const host = URL.parse(headers.origin ?? '')?.host;
  return host !== undefined && [headers.host, headers['x-forwarded-host']].includes(host);
}

/** Did the browser come by https, to this server or to a proxy before it? */
export function isByHttps({ headers }: FastifyRequest): boolean {
  return (headers.origin ?? headers.referer ?? '').startsWith('https:') || headers['x-forwarded-proto'] === 'https';
}
