import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { onLoopback } from '../contract/answering-server.ts';

/* The parts that all stand-ins share: a server on loopback, and writes that are seen later than their own stamp. */

export interface Asked {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The header of this name, or an empty text. */
  readonly header: (name: string) => string;
  readonly body: string;
  /** The length of the first line of the request. */
  readonly length: number;
}

export interface StatedCapabilities {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Served {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here');
  const header = (name: string) => [request.headers[name] ?? []].flat().join(', ');
  const body = await text(request);
  const { method = '', url = '/' } = request;
  const length = `${method} ${url} HTTP/1.1`.length;
  return { method, path: decodeURIComponent(pathname), query: searchParams, header, body, length };
}

/** A server whose every answer is made by this function. */
export async function serve(
  answer: (asked: Asked) => Promise<StatedCapabilities> | StatedCapabilities,
): Promise<Served> {
  const { url, close } = await onLoopback((request, response) => {
    const say = ({ status, type = 'application/json', headers, body }: StatedCapabilities) => {
      response.writeHead(status, { date: new Date().toUTCString(), 'content-type': type, ...headers }).end(body);
    };
    readAsked(request)
      .then(answer)
      .then(say, (error: unknown) => say({ status: 500, type: 'text/plain', body: String(error) }));
  });
  return { url, stop: close };
}

/** `longest_transaction` of the stand-ins' descriptions. */
const STATED_LONGEST_MS = 1_000;

/**
 * Transactions of a database: one after the other, each stamped with the time of its start, and seen by others only when it
 * ends. A transaction that fails changes nothing. One that came to stand still for longer than the stand-ins say that a transaction
 * lasts is begun again, as a database gives one up that takes too long.
 */
export function transactions<State>(database: { state: State }, longestMs: number) {
  let before: Promise<unknown> = Promise.resolve();
  const run = async <T>(work: (startedAt: Date) => T): Promise<T> => {
    let startedAt: Date;
    do {
      startedAt = new Date();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
    } while (Date.now() - startedAt.getTime() > STATED_LONGEST_MS / 2);
    const saved = structuredClone(database.state);
    try {
      return work(startedAt);
    } catch (error) {
      database.state = saved;
      throw error;
    }
  };
  return <T>(work: (startedAt: Date) => T): Promise<T> => {
    const done = before.then(() => run(work));
    before = done.catch(() => {});
    return done;
  };
}
