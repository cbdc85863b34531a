import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Books } from './books.ts';
import { distorted, type Faults } from './faults.ts';
import type { ListQuery } from './lists.ts';
import { customerDraft, orderChange, orderDraft, paymentDraft, productDraft } from './records.ts';
import { Refusal } from './refusal.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Query = ListQuery & Record<string, string | undefined>;

interface Asked {
  readonly query: Query;
  /** '' where the path has none. */
  readonly id: string;
  readonly body: unknown;
  /** Path and query, as received. */
  readonly url: string;
}

/** The contract's calls. Faults occur after authentication. */
export function addContractRoutes(
  app: FastifyInstance,
  { books, faults, nowMs, stopped }: { books: Books; faults: Faults; nowMs: () => number; stopped: AbortSignal },
): void {
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, answer: (asked: Asked) => unknown) =>
    app.route({
      method,
      url: path,
      handler: (request, reply) => {
        const { url, body } = request;
        const { id = '' } = request.params as { id?: string };
        const asked = { query: request.query as Query, id, body, url };
        return serve(request, reply, faults, stopped, () => ({
          status: method === 'POST' ? 201 : 200,
          body: books.inTransaction(() => answer(asked)),
        }));
      },
    });

  call('GET', '/v1/ping', () => ({
    name: 'Stockbridge sandbox ERP',
    version: '1',
    time: new Date(nowMs()).toISOString(),
    totals: books.orders.totals(),
    can: ['approvals', 'lots', 'products', 'transports'],
    capabilities: books.abilities.said(),
  }));
  call('GET', '/v1/products', ({ query }) => books.products(query, query['sku'] ?? null));
  call('POST', '/v1/products', ({ body }) => {
    const { sku, ...fields } = valid(productDraft, body);
    return books.catalog.add(sku, fields);
  });
  call('GET', '/v1/stock', ({ query, url }) => books.stock(query, skusOf(url)));
  call('GET', '/v1/lots', ({ query }) => books.lotList(query));
  call('GET', '/v1/orders', ({ query }) => books.orderList(query, query['reference'] ?? null));
  call('GET', '/v1/orders/:id', ({ id }) => books.orders.get(id));
  call('POST', '/v1/orders', ({ body }) => {
    const draft = valid(orderDraft, body);
    books.abilities.refuseCreate(draft, books.orderList({ limit: '1' }, draft.reference).items.length > 0);
    return books.orders.create(draft);
  });
  call('PATCH', '/v1/orders/:id', ({ id, body }) => {
    const change = valid(orderChange, body);
    books.abilities.refuseChange(id, change);
    return books.orders.change(id, change);
  });
  call('GET', '/v1/customers', ({ query }) => books.customerList(query, integerOf(query['marketplace_id'])));
  call('POST', '/v1/customers', ({ body }) => books.customers.add(valid(customerDraft, body)));
  call('GET', '/v1/payments', ({ query }) => books.paymentList(query, query['marketplace_id'] ?? null));
  call('POST', '/v1/payments', ({ body }) => books.payments.create(valid(paymentDraft, body)));
}

/** @throws Refusal 400 naming the first invalid field */
export function valid<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Refusal(400, `${issue?.path.map(String).join('.') || 'body'}: ${issue?.message}`);
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  faults: Faults,
  stopped: AbortSignal,
  answer: () => Answer,
): Promise<unknown> {
  const due = faults.strike(request.method, request.url.split('?')[0] ?? '');
  if (request.record !== undefined) request.record.faults = due.map((one) => one.kind);
  for (const one of due) {
    if (one.kind === 'delay') await sleep(one.delayMs, undefined, { signal: stopped });
    if (one.kind === 'reset') return drop(request, reply);
    if (one.kind === 'status') {
      if (one.applied) answer();
      if (one.retryAfter !== undefined) reply.header('retry-after', one.retryAfter);
      return reply.code(one.status).send({ error: one.error ?? 'made to fail' });
    }
  }
  const { status, body } = answer();
  for (const one of due) {
    if (one.kind === 'slow-answer') await sleep(one.delayMs, undefined, { signal: stopped });
    if (one.kind === 'lose-answer') return drop(request, reply);
    if (one.kind === 'garbage') return reply.code(status).type('text/html').send('<html>Welcome to the proxy</html>');
    if (one.kind === 'truncate') return cutShort(reply, status, JSON.stringify(body));
  }
  return reply.code(status).send(distorted(body, due));
}

function drop(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.resetAndDestroy();
  return reply;
}

function cutShort(reply: FastifyReply, status: number, text: string): FastifyReply {
  reply.hijack();
  const half = text.slice(0, Math.floor(text.length / 2));
  reply.raw.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  reply.raw.write(half, () => reply.raw.destroy());
  return reply;
}

/** `sku=A,B%2CC` is "A" and "B,C": split before decoding. */
function skusOf(url: string): string[] | null {
  const query = url
    .split('?')[1]
    ?.split('&')
    .find((part) => part.startsWith('sku='));
  if (query === undefined) return null;
  return query.slice('sku='.length).split(',').filter(Boolean).map(decoded);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal(400, `sku=${text}: not URL-encoded`);
  }
}

function integerOf(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(400, `marketplace_id=${text}: expected a number`);
  return Number(text);
}
