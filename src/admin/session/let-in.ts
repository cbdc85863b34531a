import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Known } from '../access.ts';
import { type Html, html } from '../screen/html.ts';
import type { Shown } from '../screen/page.ts';
import type { Screen } from '../screen/send.ts';
import { COOKIE, isByHttps } from './visitor.ts';

/** Begins a new session, whatever cookie came along. A cookie that somebody else planted and knows is of no use. */
export async function startSession(
  { base, sessions }: Screen,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Known,
) {
  const former = request.cookies[COOKIE];
  if (former !== undefined) await sessions.end(former);
  reply.setCookie(COOKIE, await sessions.begin(caller), {
    path: base === '' ? '/' : base,
    httpOnly: true,
    sameSite: 'strict',
    secure: isByHttps(request),
  });
}

const LONGEST = 500;

/** A field of a form, or empty where it is no text of a fitting length. */
export function asText(value: unknown): string {
  return typeof value === 'string' && value.length <= LONGEST ? value : '';
}

/** The reason why the last attempt failed; null: there was no attempt. */
function failureNotice(why: string | null): Html | null {
  return why === null ? null : html`<p class="notice refused" role="alert">${why}</p>`;
}

export const FOREIGN_FORM = 'This was not sent by a page of this screen: try again.';
export const TOO_MANY_LOGINS = 'Too many people log in at this moment: try again.';

interface FormPage {
  readonly title: string;
  readonly action: string;
  /** The reason why the last attempt failed; null: there was no attempt. */
  readonly why: string | null;
  readonly fields: Html;
  readonly below?: Html;
}

/** A page with one form, for somebody who is not logged in. */
export function formPage({ title, action, why, fields, below }: FormPage): Shown {
  return {
    title,
    body: html`<div class="login card"><h1>${title}</h1>
${failureNotice(why)}
<form class="stack" method="post" action="${action}">
${fields}
</form>
${below ?? null}</div>`,
  };
}
