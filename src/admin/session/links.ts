import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { aboutUser } from '../../use/log-in-links.ts';
import { hashPassword, keepPassword, passwordProblem, SHORTEST_PASSWORD } from '../../use/users.ts';
import { type Known, knownUser } from '../access.ts';
import { html } from '../screen/html.ts';
import type { Shown } from '../screen/page.ts';
import { ALONE, type Screen, sendPage } from '../screen/send.ts';
import { asText, FOREIGN_FORM, formPage, startSession, TOO_MANY_LOGINS } from './let-in.ts';
import type { createTurn } from './turn.ts';
import { isSameOrigin } from './visitor.ts';

type Turn = ReturnType<typeof createTurn>;

/**
 * The links that let a person in once. A link only shows a page: whatever fetches its address does not use it up, and a link of
 * somebody else lets a browser in only after the person has read the name. A user without a password sets one first.
 */
export function registerLinks(app: FastifyInstance, screen: Screen, inTurn: Turn): void {
  app.get('/login/link', async (request, reply) => {
    const code = asText((request.query as { code?: unknown }).code);
    const invited = await screen.sessions.invited(code);
    if (invited === null) return sendPage(screen, reply, OVER, ALONE);
    return sendPage(screen, reply, pageOf(invited, code, await setsPassword(screen, invited), null), ALONE);
  });
  app.post('/login/link', (request, reply) => useLink(screen, request, reply, inTurn));
}

async function setsPassword({ keys }: Screen, { name }: Known): Promise<boolean> {
  return (await keys()).users.some((user) => user.name === name && user.setsPassword);
}

async function useLink(screen: Screen, request: FastifyRequest, reply: FastifyReply, inTurn: Turn) {
  const { base, sessions } = screen;
  const fields = (request.body ?? {}) as Record<string, unknown>;
  const code = asText(fields['code']);
  const invited = await sessions.invited(code);
  if (invited === null) return sendPage(screen, reply, OVER, ALONE);
  const sets = await setsPassword(screen, invited);
  const refuse = (status: number, why: string) =>
    sendPage(screen, reply, { ...pageOf(invited, code, sets, why), status }, ALONE);
  if (!isSameOrigin(request)) return refuse(403, FOREIGN_FORM);
  const chosen = sets ? await passwordIn(fields, inTurn) : null;
  if (chosen !== null && 'why' in chosen) return refuse(chosen.status, chosen.why);
  const caller = await sessions.take(code);
  if (caller === null) return sendPage(screen, reply, OVER, ALONE);
  const entering = chosen === null ? caller : await withPassword(screen, caller, chosen.hash);
  await startSession(screen, request, reply, entering);
  return reply.redirect(`${base}/`, 303);
}

/** The hash of the chosen password, or why it is refused. */
async function passwordIn(
  fields: Readonly<Record<string, unknown>>,
  inTurn: Turn,
): Promise<{ readonly hash: string } | { readonly status: number; readonly why: string }> {
  const password = asText(fields['password']);
  const why = wrongWith(password, fields['again']);
  if (why !== null) return { status: 400, why };
  const hashing = inTurn(() => hashPassword(password));
  return hashing === null ? { status: 503, why: TOO_MANY_LOGINS } : { hash: await hashing };
}

/** Sets the password. The former one, its sessions and its other links are then no longer valid. */
async function withPassword({ openedFor }: Screen, caller: Known, hash: string): Promise<Known> {
  const { store, by } = openedFor(caller);
  await keepPassword(store.facts, caller.name, hash);
  await store.audit.add({ ...aboutUser(caller.name), action: 'user.password', who: by });
  return knownUser({ ...caller, password: hash, setsPassword: true });
}

/** The reason why this password is not taken; null: it is. */
function wrongWith(password: string, again: unknown): string | null {
  const problem = passwordProblem(password);
  if (problem !== null) return `This is not taken: ${problem}.`;
  return password === again ? null : 'The two passwords differ.';
}

/** Relative, for a screen below the path of a proxy. */
const ACTION = 'login/link';

const OVER: Shown = {
  title: 'The link is over',
  status: 401,
  body: html`<div class="login card"><h1>The link is over</h1>
<p>It was used, or it is older than an hour. <code>stockbridge user link NAME</code> makes another one.</p>
<p><a href="login">Log in</a></p></div>`,
};

function pageOf({ name }: Known, code: string, sets: boolean, why: string | null): Shown {
  return sets ? passwordPage(name, code, why) : enterPage(name, code, why);
}

function enterPage(name: string, code: string, why: string | null): Shown {
  const fields = html`<input type="hidden" name="code" value="${code}">
<p>This link works once, within an hour.</p>
<button>Log in as ${name}</button>`;
  return formPage({ title: 'Log in', action: ACTION, why, fields });
}

function passwordPage(name: string, code: string, why: string | null): Shown {
  const fields = html`<input type="hidden" name="code" value="${code}">
<label>Name <input value="${name}" autocomplete="username" readonly></label>
<label>Password <input name="password" type="password" autocomplete="new-password" minlength="${SHORTEST_PASSWORD}" maxlength="500" required></label>
<label>Again <input name="again" type="password" autocomplete="new-password" maxlength="500" required></label>
<button>Set the password</button>`;
  return formPage({ title: 'Choose a password', action: ACTION, why, fields });
}
