import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { requireAccount } from '../../use/accounts.ts';
import { registerLive } from './live.ts';
import { openApi } from './openapi.ts';
import { operatorsOnly, problemOf, problemOfError, sendProblem } from './problem.ts';
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
      handler: (request, reply) => callRoute(route, request, reply, parts),
    });
  }
}

async function callRoute(route: Route, request: FastifyRequest, reply: FastifyReply, parts: ApiParts) {
  const caller = parts.callerOf(request);
  if (caller === null) {
    const why = 'Send a token of this admin API: Authorization: Bearer TOKEN';
    return sendProblem(reply, problemOf('no-token', why));
  }
  if (route.method !== 'GET' && caller.role !== 'operator') return sendProblem(reply, operatorsOnly(caller));
  const [path, query, body] = [
    route.parameters.safeParse(request.params),
    route.query.safeParse(request.query),
    route.body?.safeParse(request.body ?? {}) ?? NO_BODY,
  ];
  const errors = [...issuesOf('path', path), ...issuesOf('query', query), ...issuesOf('body', body)];
  if (errors.length > 0) {
    const detail = errors.map((one) => `${one.path}: ${one.message}`).join('; ');
    return sendProblem(reply, problemOf('not-fitting', detail, errors));
  }
  try {
    const opened = parts.openedFor(caller);
    requireAccount(opened.config, path.data ?? {});
    const given = { path: path.data, query: query.data, body: body.data, signal: AbortSignal.timeout(CALL_MS) };
    return await reply.send(route.answer.parse(await route.run(opened, given)));
  } catch (error) {
    return sendProblem(reply, problemOfError(error, parts.onFailure));
  }
}

const NO_BODY = { success: true, data: undefined } as const;

const MAX_ISSUES = 20;

function issuesOf(place: string, parsed: z.ZodSafeParseResult<unknown> | typeof NO_BODY) {
  if (parsed.success) return [];
  return parsed.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: [place, ...path].join('.'), message }));
}
