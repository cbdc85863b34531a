import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { requireAccount } from '../../use/accounts.ts';
import { operatorsOnly, type Problem, problemOf, problemOfError } from '../api/problem.ts';
import { registerLogIn } from '../session/routes.ts';
import { formToken, isFormToken } from '../session/sessions.ts';
import { isSameOrigin, type Visitor } from '../session/visitor.ts';
import { ACTS, type Act } from './acts.ts';
import { loadAssets } from './assets.ts';
import type { Gathered } from './gathered.ts';
import { html } from './html.ts';
import { createNotices } from './notices.ts';
import type { Download, Look, Page, Shown } from './page.ts';
import { PAGES } from './pages.ts';
import { ALONE, pathOf, type Screen, sendPage } from './send.ts';
import { createShared } from './shared.ts';

const ACT_MS = 60_000;
const ASSETS_KEPT_S = 365 * 24 * 60 * 60;

/** Serves the pages, the actions behind their forms, logging in and out, and the files of the frame. */
export function registerScreen(app: FastifyInstance, parts: Omit<Screen, 'assets' | 'notices' | 'overviews'>): void {
  const { names, files } = loadAssets();
  const own = { notices: createNotices(), overviews: createShared<Gathered>() };
  const screen = { ...parts, ...own, assets: names };
  for (const [path, { type, content }] of files) {
    app.get(`/${path}`, async (_request, reply) =>
      reply.header('cache-control', `public, max-age=${ASSETS_KEPT_S}, immutable`).type(type).send(content),
    );
  }
  registerLogIn(app, screen);
  for (const page of PAGES) app.get(page.path, (request, reply) => showPage(screen, page, request, reply));
  for (const act of ACTS) app.post(`/act/${act.name}`, (request, reply) => runAct(screen, act, request, reply));
}

/** The path and query that an act returns to. Only questions that the page knows are kept. */
function hereOf({ url, query }: FastifyRequest, page: Page): string {
  const known = ['account', ...Object.keys(page.query.shape)];
  const asked = Object.entries(query as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
    typeof value === 'string' && known.includes(name) ? [[name, value]] : [],
  );
  const path = (url.split('?')[0] ?? '').slice(1);
  const rest = asked.length === 0 ? path : `${path}?${new URLSearchParams(asked).toString()}`;
  return rest === '' || rest.startsWith('?') ? `./${rest}` : rest;
}

/** The request as a page sees it. The account is the one that is asked for, or else the first. */
function lookOf(screen: Screen, page: Page, visitor: Visitor, request: FastifyRequest): Look {
  const opened = screen.openedFor(visitor.caller);
  const accounts = opened.config.accounts.map(({ name }) => name);
  const [first = ''] = accounts;
  const { account: asked } = request.query as Readonly<Record<string, unknown>>;
  const account = accounts.find((name) => name === asked) ?? first;
  return {
    opened,
    caller: visitor.caller,
    account,
    accounts,
    here: hereOf(request, page),
    form: visitor.secret === null ? null : formToken(visitor.secret),
    nowMs: Date.now(),
    overviews: screen.overviews,
  };
}

async function showPage(screen: Screen, page: Page, request: FastifyRequest, reply: FastifyReply) {
  const visitor = request.visitor as Visitor;
  const look = lookOf(screen, page, visitor, request);
  const notice = visitor.secret === null ? null : screen.notices.take(visitor.secret);
  const around = { section: page.section, look, notice };
  const refuse = (problem: Problem) => sendPage(screen, reply, problemPage(problem), around);
  const { account = look.account } = request.query as Readonly<Record<string, unknown>>;
  if (account !== look.account) return refuse(problemOf('not-found', 'There is no such account.'));
  const parsed = page.query.safeParse(request.query);
  if (!parsed.success) return refuse(problemOf('not-fitting', issuesText(parsed.error)));
  try {
    const { topic = '' } = request.params as { topic?: string };
    const shown = await page.show(look, parsed.data, topic);
    return await ('lines' in shown ? sendFile(reply, shown) : sendPage(screen, reply, shown, around));
  } catch (error) {
    return refuse(problemOfError(error, screen.onFailure));
  }
}

async function runAct(screen: Screen, act: Act, request: FastifyRequest, reply: FastifyReply) {
  const { caller, secret } = request.visitor as Visitor;
  const refuse = (problem: Problem) => sendPage(screen, reply, problemPage(problem), ALONE);
  if (caller.role !== 'operator') return refuse(operatorsOnly(caller));
  const { token, back, ...fields } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  if (secret !== null && !(isSameOrigin(request) && isFormToken(token, secret))) {
    return refuse(problemOf('operators-only', 'This was not sent by a page of this screen: open the page again.'));
  }
  const parsed = act.form.safeParse(fields);
  if (!parsed.success) return refuse(problemOf('not-fitting', issuesText(parsed.error)));
  try {
    const opened = screen.openedFor(caller);
    requireAccount(opened.config, parsed.data);
    const { said } = await act.run(opened, parsed.data, AbortSignal.timeout(ACT_MS));
    screen.overviews.forget();
    if (secret !== null) screen.notices.put(secret, said);
    const next = typeof back === 'string' ? back : '';
    return await reply.redirect(screen.base + pathOf(`/${next.replace(/^\.?\//, '')}`), 303);
  } catch (error) {
    return refuse(problemOfError(error, screen.onFailure));
  }
}

/** An error as a page. */
function problemPage({ title, detail, status }: Problem): Shown {
  return {
    title,
    status,
    body: html`<h1>${title}</h1><p class="lede">${detail}</p><p><a href="./">To the overview</a></p>`,
  };
}

const MOST_ISSUES = 20;

function issuesText({ issues }: z.ZodError): string {
  return issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ');
}

function sendFile(reply: FastifyReply, { name, type, lines }: Download): FastifyReply {
  reply.header('content-disposition', `attachment; filename="${name}"`).type(type);
  return reply.send(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()));
}
