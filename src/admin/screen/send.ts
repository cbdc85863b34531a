import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdminContext } from '../../use/admin-context.ts';
import type { AdminKeys, Caller } from '../access.ts';
import type { Attempts } from '../session/attempts.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Gathered } from './gathered.ts';
import type { createNotices, Notice } from './notices.ts';
import { type Assets, framed, type PageContext, type Section, type Shown } from './page.ts';
import type { Shared } from './shared.ts';

/** Everything that the screen is served with: sessions, files and the access to the store. */
export interface Screen {
  /** The path under which a proxy serves it; empty: none. */
  readonly base: string;
  readonly openedFor: (caller: Caller) => AdminContext;
  readonly sessions: Sessions;
  readonly keys: () => Promise<AdminKeys>;
  readonly onFailure: (error: unknown) => void;
  readonly assets: Assets;
  readonly attempts: Attempts;
  readonly notices: ReturnType<typeof createNotices>;
  readonly overviews: Shared<Gathered>;
}

/** Nothing but what this server serves, and nothing inline: a text of either side cannot run. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Tells the browser to load only from this server, and to tell no other server which page was asked for. */
export function guardPages(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
}

interface Around {
  readonly section: Section | null;
  readonly context: PageContext | null;
  readonly notice: Notice | null;
  readonly own?: string;
}

export const ALONE: Around = { section: null, context: null, notice: null };

export function sendPage(screen: Screen, reply: FastifyReply, shown: Shown, around: Around): FastifyReply {
  const { base, assets } = screen;
  reply.code(shown.status ?? 200).type('text/html; charset=utf-8');
  return reply.send(framed({ base, assets, ...around }, shown));
}

/**
 * The answer to somebody who is not logged in: the log-in page. After a link from another site the browser held the cookie back.
 * The same page is then asked for once more from here, with the cookie.
 */
export function sendToLogIn(request: FastifyRequest, reply: FastifyReply, base: string): FastifyReply {
  const to = pathOf(request.url);
  const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site';
  if (!isFromElsewhere) return reply.redirect(`${base}/login${to === '/' ? '' : `?to=${encodeURIComponent(to)}`}`, 303);
  return reply
    .header('refresh', `0;url=${base}${to}`)
    .type('text/html')
    .send('<!doctype html><title>One moment</title>');
}

/** The answer to a browser at an address that is none. */
export function sendNotFound(reply: FastifyReply, base: string): FastifyReply {
  return reply
    .code(404)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><title>Nothing is here</title><h1>Nothing is here</h1><p><a href="${base}/">To the overview</a></p></html>`,
    );
}

/** The text if it is a path of this server, else `/`. `//elsewhere` and `/\elsewhere` would lead to another server. */
export function pathOf(text: unknown): string {
  const isPath = typeof text === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && text.length <= 2_000;
  return isPath && !text.startsWith('/login') ? text : '/';
}
