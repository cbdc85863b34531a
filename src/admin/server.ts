import { fastifyCookie } from '@fastify/cookie';
import fastifyFormbody from '@fastify/formbody';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import type { Registry } from 'prom-client';
import { boundConnections } from '../http/connections.ts';
import { gatherBodies } from '../http/gather-bodies.ts';
import type { FactStore } from '../store/reading.ts';
import type { SessionStore } from '../store/sessions.ts';
import type { AdminContext } from '../use/admin-context.ts';
import { usersNow } from '../use/users.ts';
import { type AdminKeys, type Caller, type ConfiguredKeys, known } from './access.ts';
import { problemOf, sendProblem } from './api/problem.ts';
import { registerApi, sendNoRoute } from './api/register.ts';
import { isServed } from './hosts.ts';
import { registerScreen } from './screen/register.ts';
import { guardPages, sendNotFound, sendToLogIn } from './screen/send.ts';
import { createAttempts } from './session/attempts.ts';
import { createSessions } from './session/sessions.ts';
import { createTokens, TooManyAttempts } from './session/tokens.ts';
import { visitorOf } from './session/visitor.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Every reason why the process is not ready, each with the next step. */
  readonly reasons: readonly string[];
  /** The facts that this process cannot tell, and the process that can. */
  readonly unknown: readonly string[];
}

interface AdminParts {
  readonly readiness: () => Promise<Readiness>;
  readonly registry: Registry;
  /** Everything that lets somebody see more than the three probes now. */
  readonly keys: () => ConfiguredKeys;
  readonly sessions: SessionStore;
  /** The passwords that people have set. */
  readonly passwords: Pick<FactStore, 'startingWith'>;
  /** The names of hosts under which it is asked, beside addresses and localhost. */
  readonly hosts: readonly string[];
  /** The addresses of the proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** The path under which a proxy serves all of it; empty: none. */
  readonly base: string;
  /** Opens the store and the background work for a call of the API, in the name of the caller. */
  readonly openedFor: (caller: Caller) => AdminContext;
  /** A call of the API failed by a mistake of ours. */
  readonly onFailure: (error: unknown) => void;
}

const BODY_BYTES = 64 * 1024;
const REQUEST_MS = 15_000;
/** Some clients take their answers slowly, or not at all. Above this number, the oldest connection is closed for a new one. */
const MAX_CONNECTIONS = 1_000;
/** A connection is closed when nothing was sent or taken for this long. */
const IDLE_MS = 2 * 60_000;
/** The probes look at no token. */
const PROBES = new Set(['/livez', '/readyz', '/metrics']);
/** Their status says nothing that is not for everybody, and some ask for it under the name of a service. */
const FOR_EVERY_HOST = new Set(['/livez', '/readyz']);
const OPEN = new Set(['/login', '/login/link', '/logout']);
const OTHER_HOST =
  'Ask by an address or as localhost, or add the name of this host to admin.hosts in the configuration.';
const OPEN_FOLDER = '/assets/';

export interface Admin {
  readonly app: FastifyInstance;
  /** The path of a link that lets somebody in once, as an operator if one is configured; null: nobody may come in. */
  invite(): Promise<string | null>;
}

/**
 * The admin server. `GET /livez` (200 while the process turns), `/readyz` (200, or 503 with every reason why not as JSON)
 * and `/metrics` (Prometheus) are open; everything else asks for a bearer token or a session first.
 */
export function createAdmin(parts: AdminParts): Admin {
  const { readiness, registry, base, openedFor, onFailure } = parts;
  const keys = () => keysNow(parts);
  const sessions = createSessions(parts.sessions, keys, Date.now);
  const attempts = createAttempts(() => performance.now());
  const tokens = createTokens(attempts);
  const isOurs = ({ headers }: FastifyRequest) => isServed(headers.host, parts.hosts);
  const app = fastify({
    bodyLimit: BODY_BYTES,
    trustProxy: [...parts.trustedProxies],
    requestTimeout: REQUEST_MS,
    connectionTimeout: IDLE_MS,
    forceCloseConnections: true,
    rewriteUrl: ({ url = '/' }) => withoutBase(url, base),
    // Node takes the longer of the two for the whole request, and its own for the headers is a minute.
    http: { connectionsCheckingInterval: 1_000, headersTimeout: REQUEST_MS },
  });
  boundConnections(app.server, MAX_CONNECTIONS);
  gatherBodies(app, BODY_BYTES);
  app.register(fastifyCookie);
  app.register(fastifyFormbody);
  app.decorateRequest('visitor', null);
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isApi = path.startsWith('/api/');
    guardPages(reply);
    if (!isOurs(request) && !FOR_EVERY_HOST.has(path)) return sendProblem(reply, problemOf('other-host', OTHER_HOST));
    if (PROBES.has(path) || path.startsWith(OPEN_FOLDER)) return;
    request.visitor = await visitorOf(request, keys, { sessions, tokens });
    if (request.visitor !== null || OPEN.has(path)) return;
    if (!isApi && isForReading(request)) return sendToLogIn(request, reply, base);
    reply.header('www-authenticate', 'Bearer');
    return sendProblem(reply, problemOf('no-token', 'Send it with the request: Authorization: Bearer TOKEN'));
  });
  app.setNotFoundHandler((request, reply) =>
    isForReading(request) ? sendNotFound(reply, base) : sendNoRoute(request, reply),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const { statusCode = 500 } = error;
    if (error instanceof TooManyAttempts) {
      return sendProblem(reply.header('retry-after', error.waitS), problemOf('too-many-attempts', error.message));
    }
    if (statusCode === 413) return sendProblem(reply, problemOf('too-large', error.message));
    if (statusCode < 500) return sendProblem(reply, problemOf('not-fitting', error.message));
    onFailure(error);
    return sendProblem(reply, problemOf('failed', 'The log of the daemon says why.'));
  });
  registerApi(app, {
    base,
    openedFor,
    // A browser sends a cookie by itself. A cookie alone therefore lets nobody act: forms carry a token of their own.
    callerOf: ({ visitor, method }) =>
      visitor === null || (visitor.secret !== null && method !== 'GET') ? null : visitor.caller,
    onFailure,
  });
  app.register(async (inside) => {
    registerScreen(inside, { base, openedFor, sessions, attempts, keys, onFailure });
  });

  app.get('/livez', async () => ({ alive: true }));
  app.get('/readyz', async (request, reply) => {
    const { ready, reasons, unknown } = await readiness().catch(failedCheck);
    return reply.code(ready ? 200 : 503).send(isOurs(request) ? { ready, reasons, unknown } : { ready });
  });
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  return {
    app,
    async invite() {
      const [first] = known(await keys()).toSorted((a, b) => a.role.localeCompare(b.role));
      return first === undefined ? null : base + (await sessions.invite(first));
    },
  };
}

async function keysNow({ keys, passwords }: AdminParts): Promise<AdminKeys> {
  const configured = keys();
  return { ...configured, users: await usersNow(configured.users, passwords) };
}

/** The path without the base. A proxy may leave the base in the path, or take it away. */
function withoutBase(url: string, base: string): string {
  if (base === '' || !url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : url;
}

/** Does a person with a browser ask, who is shown a page instead of a problem in JSON? */
function isForReading({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}

/** A check that fails is a reason to be not ready. */
function failedCheck(error: unknown): Readiness {
  const message = error instanceof Error ? error.message : String(error);
  return { ready: false, reasons: [`The readiness check failed: ${message}`], unknown: [] };
}
