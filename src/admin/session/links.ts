import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { aboutUser } from '../../use/log-in-links.ts';
import { hashPassword, keepPassword, passwordProblem, SHORTEST_PASSWORD } from '../../use/users.ts';
import { type Known, knownUser } from '../access.ts';
import { html } from '../screen/html.ts';
import type { Shown } from '../screen/page.ts';
import { ALONE, type Screen, sendPage } from '../screen/send.ts';
import { asText, ELSEWHERE, letIn, MANY_AT_ONCE, whyNot } from './let-in.ts';
import type { createTurn } from './turn.ts';
import { isSameOrigin } from './visitor.ts';

type Turn = ReturnType<typeof createTurn>;

/**
 * The links that let somebody in once. A user whose password the configuration leaves open sets it first, so that whatever only looks
 * at the address of the link does not use the link up.
 */
export function registerLinks(app: FastifyInstance, screen: Screen, inTurn: Turn): void {
  const { base, sessions } = screen;
  app.get('/login/link', async (request, reply) => {
    const code = asText((request.query as { code?: unknown }).code);
    const invited = await sessions.invited(code);
    if (invited !== null && (await setsPassword(screen, invited)))
      return sendPage(screen, reply, passwordPage(invited.name, code, null), ALONE);
    const caller = await sessions.take(code);
    if (caller === null) return sendPage(screen, reply, OVER, ALONE);
    await letIn(screen, request, reply, caller);
    reply.header('refresh', `0;url=${base}/`);
    return sendPage(screen, reply, ONWARD, ALONE);
  });
  app.post('/login/link', (request, reply) => setPassword(screen, request, reply, inTurn));
}

async function setsPassword({ keys }: Screen, { name }: Known): Promise<boolean> {
  return (await keys()).users.some((user) => user.name === name && user.setsPassword);
}

async function setPassword(screen: Screen, request: FastifyRequest, reply: FastifyReply, inTurn: Turn) {
  const { base, sessions, openedFor } = screen;
  const fields = (request.body ?? {}) as Record<string, unknown>;
  const [code, password] = [asText(fields['code']), asText(fields['password'])];
  const invited = await sessions.invited(code);
  if (invited === null || !(await setsPassword(screen, invited))) return sendPage(screen, reply, OVER, ALONE);
  const refuse = (status: number, why: string) =>
    sendPage(screen, reply, { ...passwordPage(invited.name, code, why), status }, ALONE);
  if (!isSameOrigin(request)) return refuse(403, ELSEWHERE);
  const wrong = wrongWith(password, fields['again']);
  if (wrong !== null) return refuse(400, wrong);
  const hashing = inTurn(() => hashPassword(password));
  if (hashing === null) return refuse(503, MANY_AT_ONCE);
  const hash = await hashing;
  const caller = await sessions.take(code);
  if (caller === null) return sendPage(screen, reply, OVER, ALONE);
  const { store, by } = openedFor(caller);
  await keepPassword(store.facts, caller.name, hash);
  await store.audit.add({ ...aboutUser(caller.name), action: 'user.password', who: by });
  // The former password, its sessions and its other links are in force no longer.
  await letIn(screen, request, reply, knownUser({ ...caller, password: hash, setsPassword: true }));
  return reply.redirect(`${base}/`, 303);
}

/** The reason why this password is not taken; null: it is. */
function wrongWith(password: string, again: unknown): string | null {
  const problem = passwordProblem(password);
  if (problem !== null) return `This is not taken: ${problem}.`;
  return password === again ? null : 'The two passwords differ.';
}

const OVER: Shown = {
  title: 'The link is over',
  status: 401,
  body: html`<div class="login card"><h1>The link is over</h1>
<p>It was used, or it is older than an hour. <code>stockbridge user link NAME</code> makes another one.</p>
<p><a href="login">Log in</a></p></div>`,
};

/** A page that leads on to the next one. After a link from another site, a browser holds back the cookie of the session. */
const ONWARD: Shown = {
  title: 'One moment',
  body: html`<p>One moment. If nothing happens, <a href="./">go on</a>.</p>`,
};

function passwordPage(name: string, code: string, why: string | null): Shown {
  return {
    title: 'Choose a password',
    body: html`<div class="login card"><h1>Choose a password</h1>
${whyNot(why)}
<form class="stack" method="post" action="login/link">
<input type="hidden" name="code" value="${code}">
<label>Name <input value="${name}" autocomplete="username" readonly></label>
<label>Password <input name="password" type="password" autocomplete="new-password" minlength="${SHORTEST_PASSWORD}" maxlength="500" required></label>
<label>Again <input name="again" type="password" autocomplete="new-password" maxlength="500" required></label>
<button>Set the password</button>
</form></div>`,
  };
}
