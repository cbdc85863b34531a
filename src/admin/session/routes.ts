import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { userOf } from '../../use/users.ts';
import { type AdminKeys, callerOf, type Known, knownUser } from '../access.ts';
import { html } from '../screen/html.ts';
import type { Shown } from '../screen/page.ts';
import { ALONE, pathOf, type Screen, sendPage } from '../screen/send.ts';
import { isFormToken } from './sessions.ts';
import { TooManyAttempts } from './tokens.ts';
import { createTurn } from './turn.ts';
import { COOKIE, isByHttps, isSameOrigin } from './visitor.ts';

/** The most passwords that wait to be checked. */
const MOST_WAITING = 50;

/** Logging in and out. */
export function registerLogIn(app: FastifyInstance, screen: Screen): void {
  const { base } = screen;
  app.get('/login', async (request, reply) => {
    const { to } = request.query as { to?: unknown };
    if (request.visitor !== null) return reply.redirect(`${base}${pathOf(to)}`, 303);
    return sendPage(screen, reply, logInPage(null, pathOf(to)), ALONE);
  });
  const inTurn = createTurn(MOST_WAITING);
  app.post('/login', (request, reply) => logIn(screen, request, reply, inTurn));
  app.get('/login/link', async (request, reply) => {
    const { code } = request.query as { code?: unknown };
    const caller = await screen.sessions.take(asText(code));
    if (caller === null) {
      const why = 'This link was used, or it is too old. Log in, or ask for another one.';
      return sendPage(screen, reply, { ...logInPage(why, '/'), status: 401 }, ALONE);
    }
    await letIn(screen, request, reply, caller);
    reply.header('refresh', `0;url=${base}/`);
    return sendPage(screen, reply, onwardPage('./'), ALONE);
  });
  app.post('/logout', async (request, reply) => {
    const { token } = (request.body ?? {}) as Record<string, unknown>;
    const secret = request.visitor?.secret ?? null;
    if (secret !== null && isSameOrigin(request) && isFormToken(token, secret)) {
      await screen.sessions.end(secret);
      reply.clearCookie(COOKIE, { path: base === '' ? '/' : base });
    }
    return reply.redirect(`${base}/login`, 303);
  });
}

async function logIn(
  screen: Screen,
  request: FastifyRequest,
  reply: FastifyReply,
  inTurn: ReturnType<typeof createTurn>,
): Promise<FastifyReply> {
  const { base, attempts, keys } = screen;
  const { name, password, to } = (request.body ?? {}) as Record<string, unknown>;
  const refuse = (status: number, why: string) =>
    sendPage(screen, reply, { ...logInPage(why, pathOf(to)), status }, ALONE);
  if (!isSameOrigin(request)) return refuse(403, 'This was not sent by a page of this screen: try again.');
  const enter = async (known: Known) => {
    await letIn(screen, request, reply, known);
    return reply.redirect(base + pathOf(to), 303);
  };
  const [account, secret] = [asText(name), asText(password)];
  const byToken = account === '' ? callerOf(`Bearer ${secret}`, keys()) : null;
  if (byToken !== null) return enter(byToken);
  const waitMs = attempts.waitMs(request.ip, account);
  if (waitMs > 0) {
    const { message, waitS } = new TooManyAttempts(waitMs);
    reply.header('retry-after', waitS);
    return refuse(429, message);
  }
  const checking = inTurn(() => callerWith(keys(), account, secret));
  if (checking === null) return refuse(503, 'Too many people log in at this moment: try again.');
  const end = attempts.begin(request.ip, account);
  let caller: Known | null = null;
  try {
    caller = await checking;
  } finally {
    end(caller !== null);
  }
  if (caller === null) return refuse(401, 'The name or the password is wrong.');
  return enter(caller);
}

/** Begins a new session, whatever cookie came along. A cookie that somebody else planted and knows is of no use. */
async function letIn({ base, sessions }: Screen, request: FastifyRequest, reply: FastifyReply, caller: Known) {
  const former = request.cookies[COOKIE];
  if (former !== undefined) await sessions.end(former);
  reply.setCookie(COOKIE, await sessions.begin(caller), {
    path: base === '' ? '/' : base,
    httpOnly: true,
    sameSite: 'strict',
    secure: isByHttps(request),
  });
}

async function callerWith(keys: AdminKeys, name: string, password: string): Promise<Known | null> {
  if (name === '') return null;
  const user = await userOf(keys.users, name, password);
  return user === null ? null : knownUser(user);
}

const LONGEST = 500;

function asText(value: unknown): string {
  return typeof value === 'string' && value.length <= LONGEST ? value : '';
}

/** @param why the reason why the last attempt failed; null: there was no attempt */
function logInPage(why: string | null, to: string): Shown {
  return {
    title: 'Log in',
    body: html`<div class="login card"><h1>Log in</h1>
${why === null ? null : html`<p class="notice" role="alert">${why}</p>`}
<form class="stack" method="post" action="login">
<input type="hidden" name="to" value="${to}">
<label>Name <input name="name" autocomplete="username" maxlength="100" autocapitalize="none"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" maxlength="500"></label>
<p class="soft">Without a name, the password is a token of the admin API.</p>
<button>Log in</button>
</form></div>`,
  };
}

/** A page that leads on to the next one. After a link from another site, a browser holds back the cookie of the session. */
function onwardPage(to: string): Shown {
  return {
    title: 'One moment',
    body: html`<p>One moment. If nothing happens, <a href="${to}">go on</a>.</p>`,
  };
}
