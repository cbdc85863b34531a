import type { IncomingHttpHeaders } from 'node:http';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { boundConnections } from '../../http/connections.ts';
import { gatherBodies } from '../../http/gather-bodies.ts';
import {
  type Answer,
  createIntake,
  failure,
  flood,
  type IntakeParts,
  OUTCOMES,
  refusal,
  type Sender,
  type WebhookKind,
} from './intake.ts';
import { createSlots } from './slots.ts';

export interface ReceiverParts extends IntakeParts {
  /** `account` null: the path names no configured account. */
  readonly onCount: (account: string | null, kind: WebhookKind, outcome: Answer['outcome']) => void;
}

/** When to send a body again for which there was no room. */
const ROOM_MS = 1_000;
const DRAIN_MS = 2_000;

/**
 * `POST /webhooks/{account}/orders` and `/products`. A webhook is a hint: its signature is verified over the raw bytes,
 * it is stored durably, answered 202, and triggers a read. Refused requests are only counted.
 */
export function createReceiver(parts: ReceiverParts): FastifyInstance {
  const intake = createIntake(parts);
  const enter = createSlots(parts.limits.heldBytes);
  const app = rawBodyServer(parts.limits);
  const connections = boundConnections(app.server, parts.limits.connections);
  app.addHook('preClose', async () => {
    intake.stop();
    // Requests being stored are still answered. Half-open connections are not waited for.
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref();
  });

  const answer = (reply: FastifyReply, sender: Sender | null, kind: WebhookKind, said: Answer): FastifyReply => {
    parts.onCount(sender?.account ?? null, kind, said.outcome);
    if (said.retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(said.retryAfterMs / 1000));
    const [status, error] = OUTCOMES[said.outcome];
    return reply.code(status).send(error === null ? { accepted: true } : { error });
  };
  // The rest of the body is not read, so the connection is closed.
  const answerUnread: typeof answer = (reply, ...rest) => answer(reply.header('connection', 'close'), ...rest);

  for (const kind of ['orders', 'products'] as const) {
    app.post<{ Params: { account: string }; Body: Buffer | null }>(`/webhooks/:account/${kind}`, {
      onRequest(request, reply, next) {
        const sender = intake.sender(request.params.account);
        if (sender === null) return void answerUnread(reply, null, kind, { outcome: 'unknown' });
        const refused = intake.before(sender, request.headers);
        if (refused !== null) return void answerUnread(reply, sender, kind, refused);
        const slot = enter(announced(request.headers, parts.limits), () => request.raw.destroy());
        if (slot === null) return void answerUnread(reply, sender, kind, flood(ROOM_MS));
        reply.raw.once('close', () => {
          slot.release();
          connections.answered(request.raw.socket);
        });
        request.raw.once('end', () => {
          slot.arrived();
          connections.arrived(request.raw.socket);
        });
        next();
      },
      async handler(request, reply) {
        const sender = intake.sender(request.params.account) as Sender;
        const said = await intake.after(sender, kind, request.headers, request.body ?? Buffer.alloc(0));
        return answer(reply, sender, kind, said);
      },
      errorHandler(error, request, reply) {
        const sender = intake.sender(request.params.account) as Sender;
        const theirs = error.statusCode !== undefined && error.statusCode < 500;
        const said = theirs
          ? refusal(sender, error.statusCode === 413 ? 'too-large' : 'garbage')
          : failure(parts, error);
        answerUnread(reply, sender, kind, said);
      },
    });
  }
  return app;
}

function announced({ 'content-length': length }: IncomingHttpHeaders, { bodyBytes }: IntakeParts['limits']): number {
  return length === undefined ? bodyBytes : Math.min(Number(length), bodyBytes);
}

/** A server that passes bodies on as bytes, whatever their content type. */
function rawBodyServer(limits: IntakeParts['limits']): FastifyInstance {
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    forceCloseConnections: 'idle',
    // Node applies the longer of the two limits to the whole request. Its default for headers is a minute.
    http: { connectionsCheckingInterval: Math.min(limits.requestMs, 1_000), headersTimeout: limits.requestMs },
  });
  gatherBodies(app, limits.bodyBytes);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'there is nothing here' }));
  return app;
}
