import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { accountNames } from '../../use/accounts.ts';
import type { LiveEvent } from '../../use/live.ts';
import { problemOf, problemOfError, sendProblem } from './problem.ts';
import { type ApiParts, asInstant, ofAccount } from './route.ts';

const HEARTBEAT_MS = 15_000;
/** A stream ends after this time. The browser then asks again, and its token or session is checked again. */
const LONGEST_MS = 10 * 60_000;
/** A listener that takes nothing is disconnected when this many bytes wait for it. It connects again, and gets what it missed. */
const MOST_WAITING_BYTES = 512 * 1024;
/** The same bound for all listeners together. Where many listen, each has its share. */
const ALL_WAITING_BYTES = 16 * 1024 * 1024;
/** A client has this long to take the rest of a stream that ended. After that, the connection is cut. */
const LAST_MS = 10_000;
const MISSED = 'event: missed\ndata: {}\n\n';

const lastSeen = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().catch(null);

/** Every entry of the journal as it comes, as server-sent events. The id of an event is that of its entry. */
export function registerLive(app: FastifyInstance, path: string, parts: ApiParts): void {
  const open = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });
  app.get(path, { exposeHeadRoute: false }, async (request, reply) => {
    const caller = parts.callerOf(request);
    if (caller === null) return sendProblem(reply, problemOf('no-token', 'Send a token of this admin API'));
    const query = ofAccount.safeParse(request.query);
    if (!query.success) return sendProblem(reply, problemOf('not-fitting', 'The only filter is account'));
    try {
      const { config, live } = parts.openedFor(caller);
      const names = accountNames(config, query.data.account);
      await stream(request, reply, { by: caller.name, names, live, open });
      return undefined;
    } catch (error) {
      return sendProblem(reply, problemOfError(error, parts.onFailure));
    }
  });
}

interface Streaming {
  readonly by: string;
  readonly names: readonly string[];
  readonly live: ReturnType<ApiParts['openedFor']>['live'];
  readonly open: Set<() => void>;
}

async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  { by, names, live, open }: Streaming,
): Promise<void> {
  let waiting = '';
  let write = (text: string): void => {
    waiting = waiting.length + text.length > MOST_WAITING_BYTES ? MISSED : waiting + text;
  };
  const leave = await live.listen(by, lastSeen.parse(request.headers['last-event-id'] ?? null), (told) => {
    const text = told.map((one) => textOf(one, names)).join('');
    if (text !== '') write(text);
  });
  reply.hijack();
  const { raw } = reply;
  // The client left while the entries that it missed were looked up.
  if (raw.destroyed) return leave();
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
  raw.writeHead(200, { ...headers, 'x-content-type-options': 'nosniff' });
  const end = (): void => {
    if (!open.delete(end)) return;
    clearInterval(heart);
    clearTimeout(limit);
    leave();
    raw.end();
    const last = setTimeout(() => raw.destroy(), LAST_MS);
    raw.once('close', () => clearTimeout(last));
  };
  write = (text) => {
    if (raw.writableLength > Math.min(MOST_WAITING_BYTES, ALL_WAITING_BYTES / open.size)) {
      end();
      raw.destroy();
    } else raw.write(text);
  };
  const heart = setInterval(() => write(': still there\n\n'), HEARTBEAT_MS);
  const limit = setTimeout(end, LONGEST_MS);
  open.add(end);
  raw.on('close', end);
  raw.write(`retry: 3000\n\n${waiting}`);
}

const texts = new WeakMap<object, string>();

function textOf(told: LiveEvent, names: readonly string[]): string {
  if (told === 'missed') return MISSED;
  if (!names.includes(told.entry.account)) return '';
  // All listeners get the same text.
  const text = texts.get(told) ?? eventOf(told);
  texts.set(told, text);
  return text;
}

function eventOf({ entry, isBehind }: Exclude<LiveEvent, 'missed'>): string {
  const { atMs, ...rest } = entry;
  // Without an id: a client that comes back would be told everything since this older entry once more.
  return `${isBehind ? '' : `id: ${entry.id}\n`}data: ${JSON.stringify({ ...rest, at: asInstant(atMs) })}\n\n`;
}
