import { timingSafeEqual } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import { ZodError } from 'zod';
import { openSql } from '../sql.ts';
import { createTokenGrants } from '../token-grants.ts';
import { openBooks } from './books.ts';
import { controlCommands, createControl, type RequestRecord } from './control.ts';
import { createFaults } from './faults.ts';
import { Refusal } from './refusal.ts';
import { addContractRoutes } from './routes.ts';
import { SCHEMA } from './schema.ts';

export interface SandboxErpOptions {
  /** Each gives full access. */
  readonly tokens: readonly string[];
  /** By default a free port on loopback. */
  readonly host?: string;
  readonly port?: number;
  /** A SQLite file that outlives the server. By default in memory. */
  readonly file?: string;
  /** In milliseconds. By default this machine's. */
  readonly clock?: () => number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For the control API. */
    record?: RequestRecord;
  }
}

const MAX_REQUESTS_KEPT = 10_000;
const TOKEN_LIFE_SECONDS = 3_600;
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/**
 * A small ERP with the HTTP contract on SQLite, for demos and tests. `/_control/...` (loopback only, no token) acts for
 * people and injects faults.
 */
export async function startSandboxErp(options: SandboxErpOptions) {
  const clock = { offsetMs: 0 };
  const machineClock = options.clock ?? Date.now;
  const nowMs = () => machineClock() + clock.offsetMs;
  const books = openBooks(openSql(options.file ?? ':memory:', SCHEMA), nowMs);
  const faults = createFaults();
  const requests: RequestRecord[] = [];
  const grants = createTokenGrants({ lifeSeconds: TOKEN_LIFE_SECONDS, nowMs });
  let tokens = [...options.tokens];
  const setTokens = (next: readonly string[]) => {
    tokens = [...next];
    grants.revoke();
  };
  const control = createControl({ books, faults, clock, requests, setTokens });
  const stopping = new AbortController();

  const app = fastify({ forceCloseConnections: true, bodyLimit: 4 * 1024 * 1024 });
  answerErrorsAsTheContractSays(app);
  app.register(async (contract) => {
    recordRequests(contract, requests, nowMs);
    contract.addHook('onRequest', async (request, reply) => {
      reply.header('date', new Date(nowMs()).toUTCString());
      const { authorization = '' } = request.headers;
      if (!authorized(authorization, tokens) && !grants.knows(authorization.replace(/^Bearer /, ''))) {
        return reply.code(401).send({ error: 'the token is missing or not known here' });
      }
    });
    addContractRoutes(contract, { books, faults, nowMs, stopped: stopping.signal });
  });
  const commands = Object.keys(controlCommands(control));
  const about = {
    about: 'The ERP of the sandbox. Its calls need a token, and are those of "stockbridge guide erp-contract".',
    example: '/v1/products?limit=3',
    control: commands.map((name) => `POST /_control/${name}`),
  };
  for (const path of ['/', '/v1', '/v1/', '/_control', '/_control/']) app.get(path, async () => about);
  app.register(async (loopback) => {
    loopback.addHook('onRequest', async (request, reply) => {
      if (!LOOPBACK.has(request.socket.remoteAddress ?? '')) {
        return reply.code(403).send({ error: 'the control calls answer on this machine only' });
      }
    });
    loopback.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    loopback.post<{ Body: string }>('/_control/token', async (request, reply) => {
      const { status, body } = grants.answer(request.body, request.headers.authorization);
      return reply.code(status).send(body);
    });
    for (const [name, run] of Object.entries(controlCommands(control))) {
      loopback.post(`/_control/${name}`, async (request) => run(request.body));
    }
  });

  const url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
  return {
    url,
    control,
    async close(): Promise<void> {
      stopping.abort();
      await app.close();
      books.close();
    },
  };
}

export type SandboxErp = Awaited<ReturnType<typeof startSandboxErp>>;

function answerErrorsAsTheContractSays(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => reply.code(404).send({ error: `there is no ${request.method} here` }));
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error instanceof ZodError ? 400 : (error.statusCode ?? 500);
    const awaited = error instanceof Refusal ? error.awaited : null;
    return reply.code(status).send({ error: error.message, ...awaited });
  });
}

function authorized(header: string, tokens: readonly string[]): boolean {
  const given = Buffer.from(header);
  return tokens.some((token) => {
    const expected = Buffer.from(`Bearer ${token}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function recordRequests(app: FastifyInstance, requests: RequestRecord[], nowMs: () => number): void {
  app.addHook('onRequest', async (request) => {
    const { method, url } = request;
    request.record = { at: new Date(nowMs()).toISOString(), method, url, status: null, faults: [], body: null };
    requests.push(request.record);
    if (requests.length > MAX_REQUESTS_KEPT) requests.shift();
  });
  app.addHook('preHandler', async (request) => {
    if (request.record !== undefined) request.record.body = request.body ?? null;
  });
  app.addHook('onResponse', async (request, reply) => {
    if (request.record !== undefined) request.record.status = reply.raw.headersSent ? reply.raw.statusCode : null;
  });
}
