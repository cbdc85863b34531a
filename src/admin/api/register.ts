import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { registerLive } from './live.ts';
import { openApi } from './openapi.ts';
import { type Problem, problemOf, problemOfError, sendProblem } from './problem.ts';
import { type ApiParts, LIVE_PATH, type Route } from './route.ts';
import { ROUTES } from './routes.ts';

const BASE = '/api/v1';
/** A link or a doubt is looked up on both sides, which may be slow. */
const CALL_MS = 60_000;

/** Serves every route, and their description under /api/v1/openapi.json. */
export function registerApi(app: FastifyInstance, parts: ApiParts): void {
  const description = openApi(ROUTES);
  registerLive(app, BASE + LIVE_PATH, parts);
  app.get(`${BASE}/openapi.json`, async () => description);
  for (const route of ROUTES) {
    app.route({
      method: route.method,
      url: BASE + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const { status, answer } = await callRoute(route, request, parts);
        return status === 200 ? reply.send(answer) : sendProblem(reply, answer as Problem);
      },
    });
  }
}

type Called =
  | { readonly status: 200; readonly answer: unknown }
  | { readonly status: number; readonly answer: Problem };

async function callRoute(route: Route, request: FastifyRequest, parts: ApiParts): Promise<Called> {
  const caller = parts.callerOf(request);
  if (caller === null)
    return refused(problemOf('no-token', 'Send a token of this admin API: Authorization: Bearer TOKEN'));
  if (route.method !== 'GET' && caller.role !== 'operator') {
    return refused(problemOf('operators-only', `The ${caller.name} may look, and not act.`));
  }
  const [path, query, body] = [
    route.parameters.safeParse(request.params),
    route.query.safeParse(request.query),
    route.body?.safeParse(request.body ?? {}) ?? NO_BODY,
  ];
  const errors = [...issuesOf('path', path), ...issuesOf('query', query), ...issuesOf('body', body)];
  if (errors.length > 0) {
    const detail = errors.map((one) => `${one.path}: ${one.message}`).join('; ');
    return refused(problemOf('not-fitting', detail, errors));
  }
  try {
    const given = { path: path.data, query: query.data, body: body.data, signal: AbortSignal.timeout(CALL_MS) };
    return { status: 200, answer: route.answer.parse(await route.run(parts.openedFor(caller), given)) };
  } catch (error) {
    const problem = problemOfError(error);
    if (problem !== null) return refused(problem);
    parts.onFailure(error);
    return refused(problemOf('failed', 'The log of the daemon says why.'));
  }
}

const NO_BODY = { success: true, data: undefined } as const;

function refused(answer: Problem): Called {
  return { status: answer.status, answer };
}

const MAX_ISSUES = 20;

function issuesOf(place: string, parsed: z.ZodSafeParseResult<unknown> | typeof NO_BODY) {
  if (parsed.success) return [];
  return parsed.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: [place, ...path].join('.'), message }));
}
