import type { Dispatcher } from 'undici';
import type { Secret } from '../../http/credential.ts';
import { type Answered, createPool, type Exchanged, exchange, MAX_BODY_BYTES } from '../../http/exchange.ts';
import { parseBody } from '../../http/json.ts';
import { servedAt } from '../../http/retry-after.ts';
import type { ErpCallTrace } from '../kind.ts';
import type { Wire } from '../wire.ts';
import { brokenFailure, type Called, errorFailure, misfitFailure, statusFailure } from './failures.ts';

export interface RpcOptions {
  /** `https://tryton.example`, with a path in front of the database where there is one. */
  readonly url: string;
  readonly database: string;
  readonly user: string;
  readonly password: Secret;
  /** For one call, from waiting for a connection to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The connections to use; the connector's own when left out. Must neither retry nor follow redirects. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly onCall?: ((call: ErpCallTrace) => void) | undefined;
  readonly wire?: Wire | undefined;
}

/** As Tryton takes it: ids, figures, and values like `{__class__: 'datetime', ...}`. */
export type Context = Readonly<Record<string, unknown>>;

export interface Asked {
  /** As in "when asked to {purpose}". */
  readonly purpose: string;
  /** The call changes something. */
  readonly write?: boolean;
  /** Is added to the context of the user. */
  readonly context?: Context;
  readonly signal?: AbortSignal | undefined;
}

/** One POST of JSON-RPC, and its answer. */
export interface Transport {
  /** Where calls to the database go, and those to the server itself. */
  readonly home: string;
  readonly root: string;
  post(target: string, rpc: Sent, asked: Asked): Promise<Answered>;
  /** The result of an answer. Tryton reports failures of a call with the status 200. */
  resultOf(answer: Answered, asked: Asked): unknown;
  /** The call as messages show it. */
  called(asked: Asked): Called;
  /** No message shows this text from now on. */
  hide(secret: string): void;
  lastSeen(): string;
  close(): Promise<void>;
}

export interface Sent {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly authorization?: string;
}

/** As many connections as jobs run at once: no request waits for a connection. */
const MAX_CONNECTIONS = 16;

export function createTransport(options: RpcOptions): Transport {
  const { timeoutMs, onCall, wire } = options;
  const { origin, pathname } = new URL(options.url);
  const root = `${pathname.replace(/\/+$/, '')}/`;
  const limits = { connections: MAX_CONNECTIONS, connectTimeoutMs: timeoutMs };
  const dispatcher = options.dispatcher ?? createPool(origin, limits);
  let secret = '';
  let seen = new Date(0).toISOString();
  const called = ({ purpose, write = false }: Asked): Called => ({ origin, secret, purpose, write, timeoutMs });

  return {
    home: `${root}${encodeURIComponent(options.database)}/`,
    root,
    called,
    async post(target, { method, params, authorization }, asked) {
      const body = JSON.stringify({ id: 0, method, params });
      const json = { accept: 'application/json', 'content-type': 'application/json' };
      const headers = authorization === undefined ? json : { ...json, authorization };
      const cut = asked.write ? (wire?.cut?.(method) ?? null) : null;
      const bounds = { timeoutMs, maxBodyBytes: MAX_BODY_BYTES, signal: asked.signal };
      const request = { origin, method: 'POST', target, headers, body } as const;
      const ended = cut === 'not-applied' ? CUT : await exchange(dispatcher, request, bounds);
      const exchanged = cut === null ? ended : CUT;
      wire?.saw?.({ operation: method, request: `POST ${origin}${target}\n\n${body}`, answer: answerOf(exchanged) });
      onCall?.({ operation: method, status: exchanged.status });
      if (exchanged.kind === 'broken') throw brokenFailure(called(asked), exchanged);
      if (exchanged.headers.date !== undefined) seen = servedAt(exchanged.headers, 0);
      return exchanged;
    },
    resultOf(answer, asked) {
      if (answer.status >= 300) throw statusFailure(called(asked), answer);
      const json = jsonOf(answer, called(asked));
      if ('error' in json) throw errorFailure(called(asked), json.error);
      if ('result' in json) return json.result;
      throw misfitFailure(called(asked), 'result', 'is missing');
    },
    hide: (text) => {
      secret = text;
    },
    lastSeen: () => seen,
    close: async () => {
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

function jsonOf({ body }: Answered, called: Called): object {
  try {
    const json = parseBody(body);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // Told below.
  }
  throw misfitFailure(called, '', 'expected a JSON object in UTF-8');
}

/** A connection that broke before an answer came. */
const CUT: Exchanged = {
  kind: 'broken',
  sent: true,
  status: null,
  code: 'ECONNRESET',
  message: 'the connection was cut',
};

function answerOf(exchanged: Exchanged): string | null {
  return exchanged.kind === 'answer' ? `${exchanged.status}\n\n${exchanged.body.toString()}` : null;
}
