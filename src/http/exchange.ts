import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { createChunkBuffer } from './chunk-buffer.ts';

export interface Exchange {
  readonly origin: string;
  readonly method: Dispatcher.HttpMethod;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface Bounds {
  /** From the start to the last byte of the answer, including every wait. */
  readonly timeoutMs: number;
  /** A longer answer is cut off. */
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** For an error status, the beginning of the body is enough. */
export interface Answered {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Broken {
  readonly kind: 'broken';
  /** False only if no byte of the request can have left. */
  readonly sent: boolean;
  /** Known if the answer broke off after its headers. */
  readonly status: number | null;
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`, ... or one of ours: `DEADLINE`, `STOPPED`, `TOO_LONG`. */
  readonly code: string;
  readonly message: string;
}

export type Exchanged = Answered | Broken;

/** A longer answer of an API counts as a mistake. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** The bytes read of an error answer. */
const ERROR_BODY_BYTES = 16 * 1024;

/** Keep-alive, HTTP/1.1, no retries: HTTP/2 would resend a request that the server only announced not to take. */
export function createPool(origin: string, limits: { connections: number; connectTimeoutMs: number }): Pool {
  const { connections, connectTimeoutMs } = limits;
  return new Pool(origin, { connections, connectTimeout: connectTimeoutMs, allowH2: false, pipelining: 1 });
}

/**
 * Sends once: never retries, follows a redirect or throws.
 * undici calls `onRequestStart` right before the first byte, not while a request waits for a connection. So after an
 * earlier failure nothing was sent; after a later one something may have been.
 */
export function exchange(dispatcher: Dispatcher, request: Exchange, bounds: Bounds): Promise<Exchanged> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let status: number | null = null;
    let headers: IncomingHttpHeaders = {};
    let settled = false;
    const body = createChunkBuffer();

    const settle = (exchanged: Exchanged) => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      bounds.signal?.removeEventListener('abort', stop);
      resolve(exchanged);
    };
    const answer = () => settle({ kind: 'answer', status: status ?? 0, headers, body: body.whole() });
    const broken = (code: string, message: string) => {
      // An error status decides the call, even if the rest of its explanation is lost.
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

/** Fields that occur at most once (RFC 9110). */
const SINGLE = new Set(['content-type', 'date', 'etag', 'location', 'retry-after']);

/** Joins repeated fields into one text, as Node does: the first value, or all of them. Only cookies stay a list. */
function withTexts(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value]) => {
    if (!Array.isArray(value) || name === 'set-cookie') return [name, value] as const;
    return [name, SINGLE.has(name) ? value[0] : value.join(', ')] as const;
  });
  return Object.fromEntries(entries);
}

/** Connecting to several addresses fails with an AggregateError without a message of its own. */
function told(error: Error & { code?: unknown; errors?: readonly Error[] }): { code: string; message: string } {
  const code = typeof error.code === 'string' ? error.code : error.name;
  return { code, message: error.message || error.errors?.[0]?.message || code };
}
