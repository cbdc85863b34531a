import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireAccount } from '../../use/accounts.ts';
import type { Caller } from '../access.ts';
import { registerLive } from './live.ts';
import { type Answered, once } from './once.ts';
import { openApi } from './openapi.ts';
import { operatorsOnly, type Problem, problemOf, problemOfError, sendProblem } from './problem.ts';
import { type ApiParts, LIVE_PATH, type Route } from './route.ts';
import { GROUPS, ROUTES } from './routes.ts';
import { toApiSpelling } from './spelling.ts';

const BASE = '/api/v1';
const DESCRIPTION_PATH = '/openapi.json';
/** A link or a doubt is looked up on both sides, which may be slow. */
const CALL_MS = 60_000;

/** Serves every route, and their description under /api/v1/openapi.json. */
export function registerApi(app: FastifyInstance, parts: ApiParts): void {
  const description = openApi(GROUPS, parts.base);
  registerLive(app, BASE + LIVE_PATH, parts);
  app.get(BASE + DESCRIPTION_PATH, async () => description);
  for (const route of ROUTES) {
    app.route({
      method: route.method,
      url: BASE + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) => callRoute(route, request, reply, parts),
    });
  }
}

/** The answer to a request that no route takes: the path is unknown, or it is not asked like that. */
export function sendNoRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0] ?? '';
  const methods = methodsAt(path.slice(BASE.length));
  if (!path.startsWith(`${BASE}/`) || methods.length === 0)
    return sendProblem(
      reply,
      problemOf('not-found', `There is nothing here: ${BASE}${DESCRIPTION_PATH} tells every call.`),
    );
  const allowed = methods.join(', ');
  return sendProblem(reply.header('allow', allowed), problemOf('other-method', `Ask by one of these: ${allowed}.`));
}

function methodsAt(path: string): string[] {
  const own = [LIVE_PATH, DESCRIPTION_PATH].map((of) => ({ path: of, method: 'GET' }));
  const isAt = (of: string) => new RegExp(`^${of.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return [...own, ...ROUTES].filter((route) => isAt(route.path)).map(({ method }) => method);
}

async function callRoute(route: Route, request: FastifyRequest, reply: FastifyReply, parts: ApiParts) {
  const caller = parts.callerOf(request);
  if (caller === null) {
    const why = 'Send a token of this admin API: Authorization: Bearer TOKEN';
    return sendProblem(reply, problemOf('no-token', why));
  }
  if (route.method !== 'GET' && caller.role !== 'operator') return sendProblem(reply, operatorsOnly(caller));
  const given = givenOf(route, request);
  if ('problem' in given) return sendProblem(reply, given.problem);
  const answer = await answerOf(route, given, caller, parts);
  if (answer.isRepeated === true) reply.header('idempotency-replayed', 'true');
  if (answer.status !== 200) return sendProblem(reply, answer.body as Problem);
  return reply.send(answer.body);
}

interface Asked {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  readonly body: unknown;
  /** The Idempotency-Key of an act; null: it has none. */
  readonly key: string | null;
}

async function answerOf(
  route: Route,
  { key, ...asked }: Asked,
  caller: Caller,
  parts: ApiParts,
): Promise<Answered & { readonly isRepeated?: true }> {
  try {
    const opened = parts.openedFor(caller);
    requireAccount(opened.config, asked.path);
    const act = async (): Promise<Answered> => {
      try {
        const result = await route.run(opened, { ...asked, signal: AbortSignal.timeout(CALL_MS) });
        return { status: 200, body: toApiSpelling(route.answer, route.answer.parse(result)) };
      } catch (error) {
        return failedOf(error, parts);
      }
    };
    if (key === null) return await act();
    const request = [route.method, route.path, asked.path, asked.query, asked.body];
    return await once(opened.store.answers, { key, who: caller.name, request }, act);
  } catch (error) {
    return failedOf(error, parts);
  }
}

function failedOf(error: unknown, { onFailure }: ApiParts): Answered {
  const body = problemOfError(error, onFailure);
  return { status: body.status, body };
}

const KEY_HEADER = 'Idempotency-Key';
const idempotency = z.object({
  [KEY_HEADER]: z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/)
    .optional(),
});

function givenOf(route: Route, request: FastifyRequest): Asked | { readonly problem: Problem } {
  const key = route.method === 'GET' ? undefined : request.headers[KEY_HEADER.toLowerCase()];
  const [path, query, body, header] = [
    route.parameters.safeParse(request.params),
    route.query.safeParse(request.query),
    route.body?.safeParse(request.body ?? {}) ?? NO_BODY,
    idempotency.safeParse({ [KEY_HEADER]: key }),
  ];
  const errors = [
    ...issuesOf('path', path),
    ...issuesOf('query', query),
    ...issuesOf('body', body),
    ...issuesOf('header', header),
  ];
  if (path.success && errors.length === 0)
    return { path: path.data, query: query.data, body: body.data, key: header.data?.[KEY_HEADER] ?? null };
  const detail = errors.map((one) => `${one.path}: ${one.message}`).join('; ');
  return { problem: problemOf('not-fitting', detail, errors) };
}

const NO_BODY = { success: true, data: undefined } as const;

const MAX_ISSUES = 20;

function issuesOf(place: string, parsed: z.ZodSafeParseResult<unknown> | typeof NO_BODY) {
  if (parsed.success) return [];
  return parsed.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: [place, ...path].join('.'), message }));
}
