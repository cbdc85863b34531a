import { type Dispatcher, Pool } from 'undici';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** How an exchange ended. `sent` is false only when it is certain that no byte of the request left. */
export type Exchange =
  | { readonly ended: 'answered'; readonly reply: HttpReply }
  | {
      readonly ended: 'failed' | 'timed-out' | 'stopped' | 'too-large';
      readonly sent: boolean;
      readonly status: number | null;
      readonly cause: Error | null;
    };

export interface Exchanger {
  send(request: HttpRequest, signal: AbortSignal | undefined): Promise<Exchange>;
  close(): Promise<void>;
}

/**
 * One HTTP request, one answer: no retry, no redirect, no HTTP/2. `timeoutMs` covers waiting for a connection, sending
 * and the whole answer. A request that was given up before it was sent is never sent later.
 */
export function createExchanger(options: {
  origin: string;
  timeoutMs: number;
  maxBodyBytes: number;
  /** The connections to use; a pool of its own when left out. */
  dispatcher?: Dispatcher | undefined;
}): Exchanger {
  const { origin, timeoutMs, maxBodyBytes } = options;
  const dispatcher = options.dispatcher ?? createPool(origin, timeoutMs);
  return {
    send: (request, signal) => exchange(dispatcher, { origin, ...request }, signal, { timeoutMs, maxBodyBytes }),
    close: async () => {
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

function createPool(origin: string, timeoutMs: number): Pool {
  return new Pool(origin, {
    connections: 8,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeoutMs },
    // The one timer below governs the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest & { readonly origin: string },
  signal: AbortSignal | undefined,
  limits: { timeoutMs: number; maxBodyBytes: number },
): Promise<Exchange> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let over = false;
    let head: Pick<HttpReply, 'status' | 'headers'> | null = null;
    let receivedBytes = 0;
    const chunks: Buffer[] = [];

    const settle = (result: Exchange) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(result);
    };
    const giveUp = (ended: 'failed' | 'timed-out' | 'stopped' | 'too-large', cause: Error | null) => {
      settle({ ended, sent: controller !== null, status: head?.status ?? null, cause });
      controller?.abort(new Error(`exchange ${ended}`));
    };
    const stop = () => giveUp('stopped', null);
    const timer = setTimeout(() => giveUp('timed-out', null), limits.timeoutMs);
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });

    dispatcher.dispatch(
      { ...request },
      {
        // Called right before the first byte is written.
        onRequestStart(started) {
          if (over) started.abort(new Error('given up before it was sent'));
          else controller = started;
        },
        onResponseStart(_controller, status, headers) {
          if (status >= 200) head = { status, headers };
        },
        onResponseData(_controller, chunk) {
          receivedBytes += chunk.length;
          if (receivedBytes > limits.maxBodyBytes) giveUp('too-large', null);
          else chunks.push(chunk);
        },
        onResponseEnd() {
          if (head !== null) settle({ ended: 'answered', reply: { ...head, body: Buffer.concat(chunks) } });
        },
        onResponseError(_controller, error) {
          giveUp('failed', error);
        },
      },
    );
  });
}
