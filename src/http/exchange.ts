import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { createGathered } from './gathered.ts';

/** One HTTP request, as it goes out. */
export interface Exchange {
  readonly origin: string;
  readonly method: Dispatcher.HttpMethod;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** Bounds of one exchange. */
export interface Bounds {
  /** From the start to the last byte of the answer, including every wait. */
  readonly timeoutMs: number;
  /** Bytes of an answer that are taken in; a longer one is cut off. */
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** A whole answer. For an answer with an error status, the beginning of the body is enough. */
export interface Answered {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An exchange that ended without an answer. */
export interface Broken {
  readonly kind: 'broken';
  /** False only when not one byte of the request can have left: the other side cannot have acted on it. */
  readonly sent: boolean;
  /** Known when the answer broke off after its headers. */
  readonly status: number | null;
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`, ... or one of ours: `DEADLINE`, `STOPPED`, `TOO_LONG`. */
  readonly code: string;
  readonly message: string;
}

/** How an exchange ended. */
export type Exchanged = Answered | Broken;

/** A longer answer of an API counts as a mistake. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Bytes of an error answer that are worth reading. */
const ERROR_BODY_BYTES = 16 * 1024;

/** Keep-alive, HTTP/1.1, no retries: HTTP/2 would resend a request that the server had only announced not to take. */
export function createPool(origin: string, limits: { connections: number; connectTimeoutMs: number }): Pool {
  const { connections, connectTimeoutMs } = limits;
  return new Pool(origin, { connections, connectTimeout: connectTimeoutMs, allowH2: false, pipelining: 1 });
}

/**
 * Sends one request and reads its answer, once: nothing here retries, follows a redirect or throws.
 *
 * undici calls `onRequestStart` immediately before it writes the first byte, and not while a request waits for a
 * connection. So a failure before that call, of any code, means that nothing was sent. After that call, something may have
 * been sent.
 */
export function exchange(dispatcher: Dispatcher, request: Exchange, bounds: Bounds): Promise<Exchanged> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let status: number | null = null;
    let headers: IncomingHttpHeaders = {};
    let settled = false;
    const body = createGathered();

    const settle = (exchanged: Exchanged) => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      bounds.signal?.removeEventListener('abort', stop);
      resolve(exchanged);
    };
    const answer = () => settle({ kind: 'answer', status: status ?? 0, headers, body: body.whole() });
    const broken = (code: string, message: string) => {
      // An error status decides the call, even if the rest of its explanation got lost.
      if (status !== null && status >= 300) return answer();
      settle({ kind: 'broken', sent: controller !== null, status, code, message });
    };
    const breakOff = (code: string, message: string) => {
      broken(code, message);
      controller?.abort(new Error(message));
    };
    const stop = () => breakOff('STOPPED', 'the call was stopped');
    const deadline = setTimeout(
      () => breakOff('DEADLINE', `no complete answer within ${bounds.timeoutMs} ms`),
      bounds.timeoutMs,
    );

    if (bounds.signal?.aborted) return stop();
    bounds.signal?.addEventListener('abort', stop, { once: true });

    const { origin, method, target: path } = request;
    dispatcher.dispatch(
      { origin, method, path, headers: request.headers, body: request.body, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          // The request ended while it waited for a connection: nothing was sent.
          if (settled) return started.abort(new Error('ended before it was sent'));
          controller = started;
        },
        onResponseStart(_, statusCode, answered) {
          if (statusCode < 200) return;
          status = statusCode;
          headers = withTexts(answered);
        },
        onResponseData(_, chunk) {
          const failed = status !== null && status >= 300;
          if (!failed && body.size() + chunk.length > bounds.maxBodyBytes) {
            return breakOff('TOO_LONG', `the answer is longer than ${bounds.maxBodyBytes} bytes`);
          }
          body.add(chunk);
          if (failed && body.size() > ERROR_BODY_BYTES) {
            answer();
            controller?.abort(new Error('the rest of an error answer is not read'));
          }
        },
        onResponseEnd: answer,
        onResponseError(_, error) {
          const { code, message } = told(error);
          broken(code, message);
        },
      },
    );
  });
}

/** Fields of which only one can count (RFC 9110). */
const SINGLE = new Set(['content-type', 'date', 'etag', 'location', 'retry-after']);

/** A field that comes several times is one text, as Node has it: its first value, or all of them. Only cookies stay a list. */
function withTexts(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value]) => {
    if (!Array.isArray(value) || name === 'set-cookie') return [name, value] as const;
    return [name, SINGLE.has(name) ? value[0] : value.join(', ')] as const;
  });
  return Object.fromEntries(entries);
}

/** Connecting to several addresses fails with an AggregateError whose own message is empty. */
function told(error: Error & { code?: unknown; errors?: readonly Error[] }): { code: string; message: string } {
  const code = typeof error.code === 'string' ? error.code : error.name;
  return { code, message: error.message || error.errors?.[0]?.message || code };
}
