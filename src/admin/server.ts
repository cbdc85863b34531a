import { type FastifyInstance, fastify } from 'fastify';
import type { Registry } from 'prom-client';
import type { Opened } from '../use/open.ts';
import { type AdminTokens, type Caller, callerOf } from './access.ts';
import { problemOf } from './api/problem.ts';
import { registerApi, sendProblem } from './api/register.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Every reason why not, each with what to do. */
  readonly reasons: readonly string[];
  /** The facts that this process cannot tell, and the process that can. */
  readonly unknown: readonly string[];
}

export interface AdminParts {
  readonly readiness: () => Promise<Readiness>;
  readonly registry: Registry;
  /** The tokens that may see more than the three probes now. Both null: nobody may. */
  readonly tokens: () => AdminTokens;
  /** What the calls of the API work with, in the name of whoever asks. */
  readonly openedFor: (caller: Caller) => Opened;
  /** A call of the API failed by a mistake of ours. */
  readonly onFailure: (error: unknown) => void;
}

const REQUEST_MS = 15_000;
const READINESS_MS = 5_000;
const PROBES = new Set(['/livez', '/readyz', '/metrics']);

/**
 * The admin server. `GET /livez` (200 while the process turns), `/readyz` (200, or 503 with every reason why not as JSON)
 * and `/metrics` (Prometheus) are open; everything else asks for a bearer token first.
 */
export function createAdmin({ readiness, registry, tokens, openedFor, onFailure }: AdminParts): FastifyInstance {
  const app = fastify({
    bodyLimit: 64 * 1024,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    // Node takes the longer of the two for the whole request, and its own for the headers is a minute.
    http: { connectionsCheckingInterval: 1_000, headersTimeout: REQUEST_MS },
  });
  app.addHook('onRequest', async (request, reply) => {
    if (PROBES.has(request.url.split('?')[0] ?? '') || callerOf(request.headers.authorization, tokens()) !== null)
      return;
    reply.header('www-authenticate', 'Bearer');
    return sendProblem(reply, problemOf('no-token', 'Send it with the request: Authorization: Bearer TOKEN'));
  });
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, problemOf('not-found', 'There is nothing here: /api/v1/openapi.json tells every call.')),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode === 413) return sendProblem(reply, problemOf('too-large', error.message));
    if (statusCode < 500) return sendProblem(reply, problemOf('not-fitting', error.message));
    onFailure(error);
    return sendProblem(reply, problemOf('failed', 'The log of the daemon says why.'));
  });
  registerApi(app, {
    openedFor,
    callerOf: ({ headers }) => callerOf(headers.authorization, tokens()),
    onFailure,
  });

  app.get('/livez', async () => ({ alive: true }));
  app.get('/readyz', async (_request, reply) => {
    const state = await withinTime(readiness);
    return reply
      .code(state.ready ? 200 : 503)
      .send({ ready: state.ready, reasons: state.reasons, unknown: state.unknown });
  });
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  return app;
}

/** A check that hangs or fails is a reason too. */
async function withinTime(readiness: AdminParts['readiness']): Promise<Readiness> {
  const { promise: late, resolve } = Promise.withResolvers<Readiness>();
  const reason = `The readiness check did not answer within ${READINESS_MS / 1000} s: something it asks hangs.`;
  const timer = setTimeout(() => resolve({ ready: false, reasons: [reason], unknown: [] }), READINESS_MS);
  try {
    return await Promise.race([readiness(), late]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ready: false, reasons: [`The readiness check failed: ${message}`], unknown: [] };
  } finally {
    clearTimeout(timer);
  }
}
