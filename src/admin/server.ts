import { createHash, timingSafeEqual } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import type { Registry } from 'prom-client';

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
  /** The tokens that may see more than the three probes now. None: nobody may. */
  readonly tokens: () => readonly string[];
}

const REQUEST_MS = 15_000;
const READINESS_MS = 5_000;
const PROBES = new Set(['/livez', '/readyz', '/metrics']);

/**
 * The admin server. `GET /livez` (200 while the process turns), `/readyz` (200, or 503 with every reason why not as JSON)
 * and `/metrics` (Prometheus) are open; everything else asks for a bearer token first.
 */
export function createAdmin({ readiness, registry, tokens }: AdminParts): FastifyInstance {
  const app = fastify({
    bodyLimit: 64 * 1024,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    // Node takes the longer of the two for the whole request, and its own for the headers is a minute.
    http: { connectionsCheckingInterval: 1_000, headersTimeout: REQUEST_MS },
  });
  app.addHook('onRequest', async (request, reply) => {
    if (PROBES.has(request.url.split('?')[0] ?? '') || isKnown(request.headers.authorization, tokens())) return;
    return reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'a token of this admin API is needed' });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'there is nothing here' }));

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

/** Compares digests, so that neither time nor length reveals anything of a token. */
function isKnown(header: string | undefined, tokens: readonly string[]): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  // The scheme may be spelt in any case (RFC 9110, 11.1).
  const given = digest((header ?? '').replace(/^bearer +/i, 'Bearer '));
  return tokens.some((token) => token !== '' && timingSafeEqual(given, digest(`Bearer ${token}`)));
}
