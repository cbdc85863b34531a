import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { requireAccount } from '../../use/accounts.ts';
import { operatorsOnly, type Problem, problemOf, problemOfError } from '../api/problem.ts';
import { registerLogIn } from '../session/routes.ts';
import { formToken, isFormToken } from '../session/sessions.ts';
import { isSameOrigin, type Visitor } from '../session/visitor.ts';
import type { Act } from './act.ts';
import { ACTS } from './acts.ts';
import { loadAssets } from './assets.ts';
import type { Gathered } from './gathered.ts';
import { type Html, html } from './html.ts';
import { createNotices, type Refusal } from './notices.ts';
import { action, type Download, type Page, type PageContext, type Question, type Shown } from './page.ts';
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
function lookOf(
  screen: Screen,
  { caller, secret }: Visitor,
  asked: { readonly account: unknown; readonly here: string; readonly refused: Refusal | null },
): PageContext {
  const opened = screen.openedFor(caller);
  const accounts = opened.config.accounts.map(({ name }) => name);
  const [first = ''] = accounts;
  return {
    opened,
    caller,
    account: accounts.find((name) => name === asked.account) ?? first,
    accounts,
    here: asked.here,
    refused: asked.refused,
    form: secret === null ? null : formToken(secret),
    nowMs: Date.now(),
    overviews: screen.overviews,
  };
}

async function showPage(screen: Screen, page: Page, request: FastifyRequest, reply: FastifyReply) {
  const visitor = request.visitor as Visitor;
  const notice = visitor.secret === null ? null : screen.notices.take(visitor.secret);
  const query = request.query as Readonly<Record<string, unknown>>;
  const asked = { account: query['account'], here: hereOf(request, page), refused: notice?.refused ?? null };
  const context = lookOf(screen, visitor, asked);
  const around = { section: page.section, context, notice };
  const refuse = (problem: Problem) => sendPage(screen, reply, problemPage(problem), around);
  const { account = context.account } = query;
  if (account !== context.account) return refuse(problemOf('not-found', 'There is no such account.'));
  const parsed = page.query.safeParse(query);
  if (!parsed.success) return refuse(problemOf('not-fitting', issuesText(parsed.error)));
  try {
    const { topic = '' } = request.params as { topic?: string };
    const shown = await page.show(context, parsed.data, topic);
    return await ('lines' in shown ? sendFile(reply, shown) : sendPage(screen, reply, shown, around));
  } catch (error) {
    return refuse(problemOfError(error, screen.onFailure));
  }
}

async function runAct(screen: Screen, act: Act, request: FastifyRequest, reply: FastifyReply) {
  const visitor = request.visitor as Visitor;
  const { caller, secret } = visitor;
  const refuse = (problem: Problem) => sendPage(screen, reply, problemPage(problem), ALONE);
  if (caller.role !== 'operator') return refuse(operatorsOnly(caller));
  const { token, back, sure, ...fields } = (request.body ?? {}) as Readonly<Record<string, string | string[]>>;
  if (secret !== null && !(isSameOrigin(request) && isFormToken(token, secret))) {
    return refuse(problemOf('operators-only', 'This was not sent by a page of this screen: open the page again.'));
  }
  const here = hereAgain(back);
  const goBack = () => reply.redirect(screen.base + pathOf(`/${here.replace(/^\.\//, '')}`), 303);
  const keep = (problem: Problem, field: string | null) => {
    if (secret === null) return refuse(problem);
    const refused = { act: act.name, fields: textsOf(fields), field, detail: problem.detail };
    screen.notices.put(secret, { said: `Nothing was done. ${problem.title}: ${problem.detail}`, refused });
    return goBack();
  };
  const parsed = act.form.safeParse(fields);
  if (!parsed.success) {
    return keep(problemOf('not-fitting', issuesText(parsed.error)), String(parsed.error.issues[0]?.path[0] ?? ''));
  }
  try {
    const opened = screen.openedFor(caller);
    requireAccount(opened.config, parsed.data);
    const outcome = await act.run(opened, parsed.data, AbortSignal.timeout(ACT_MS), sure === 'yes');
    if ('question' in outcome) {
      const context = lookOf(screen, visitor, { account: fields['account'], here, refused: null });
      const body = questionPage(context, act.name, fields, outcome);
      const around = { section: null, context, notice: null, own: `act/${act.name}` };
      return await sendPage(screen, reply, { title: outcome.question, body }, around);
    }
    screen.overviews.forget();
    if (secret !== null) screen.notices.put(secret, outcome);
    return await goBack();
  } catch (error) {
    return keep(problemOfError(error, screen.onFailure), act.field ?? null);
  }
}

/** The page from which a form was sent, below the base. */
function hereAgain(back: unknown): string {
  const path = typeof back === 'string' ? pathOf(`/${back.replace(/^\.?\//, '')}`).slice(1) : '';
  return path === '' || path.startsWith('?') ? `./${path}` : path;
}

function textsOf(fields: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value].flat().join(' ')]));
}

/** A question before an act, with the form as it was sent. */
function questionPage(
  context: PageContext,
  name: string,
  fields: Readonly<Record<string, string | string[]>>,
  { question, told, asked = null, yes }: Question,
): Html {
  const back = html`<a class="button second" href="${context.here}">Back, and do nothing</a>`;
  return html`<h1>${question}</h1>${told}
<div class="${asked === null ? 'actions' : 'decide'}">${action(context, name, { ...fields, sure: 'yes' }, html`${asked}<button>${yes}</button>`)}${back}</div>`;
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
