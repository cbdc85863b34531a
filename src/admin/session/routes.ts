import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { userOf } from '../../use/users.ts';
import { type AdminKeys, callerOf, type Known, knownUser } from '../access.ts';
import { html } from '../screen/html.ts';
import type { Shown } from '../screen/page.ts';
import { ALONE, pathOf, type Screen, sendPage } from '../screen/send.ts';
import { asText, FOREIGN_FORM, formPage, startSession, TOO_MANY_LOGINS } from './let-in.ts';
import { registerLinks } from './links.ts';
import { isFormToken } from './sessions.ts';
import { TooManyAttempts } from './tokens.ts';
import { createTurn } from './turn.ts';
import { COOKIE, isSameOrigin } from './visitor.ts';

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
  registerLinks(app, screen, inTurn);
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
  if (!isSameOrigin(request)) return refuse(403, FOREIGN_FORM);
  const enter = async (known: Known) => {
    await startSession(screen, request, reply, known);
    return reply.redirect(base + pathOf(to), 303);
  };
  const [account, secret] = [asText(name), asText(password)];
  const byToken = account === '' ? callerOf(`Bearer ${secret}`, await keys()) : null;
  if (byToken !== null) return enter(byToken);
  const waitMs = attempts.waitMs(request.ip, account);
  if (waitMs > 0) {
    const { message, waitS } = new TooManyAttempts(waitMs);
    reply.header('retry-after', waitS);
    return refuse(429, message);
  }
  const checking = inTurn(async () => callerWith(await keys(), account, secret));
  if (checking === null) return refuse(503, TOO_MANY_LOGINS);
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

async function callerWith(keys: AdminKeys, name: string, password: string): Promise<Known | null> {
  if (name === '') return null;
  const user = await userOf(keys.users, name, password);
  return user === null ? null : knownUser(user);
}

function logInPage(why: string | null, to: string): Shown {
  const fields = html`<input type="hidden" name="to" value="${to}">
<label>Name <input name="name" autocomplete="username" maxlength="100" autocapitalize="none"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" maxlength="500"></label>
<p class="soft">Without a name, the password is a token of the admin API.</p>
<button>Log in</button>`;
  const below = html`<dl><dt>New here</dt><dd><code>stockbridge user add NAME</code></dd><dt>No password</dt><dd><code>stockbridge user link NAME</code></dd></dl>`;
  return formPage({ title: 'Log in', action: 'login', why, fields, below });
}
