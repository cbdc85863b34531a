import type { Secret } from '../../http/credential.ts';
import type { Answered } from '../../http/exchange.ts';
import { parseBody } from '../../http/json.ts';
import { servedAt } from '../../http/retry-after.ts';
import { brokenFailure, type Called } from '../failure.ts';
import { type LineOptions, openLine } from '../line.ts';
import { errorFailure, statusFailure, unreadFailure } from './failures.ts';

/** The url holds the path in front of the database. */
export interface RpcOptions extends LineOptions {
  readonly database: string;
  readonly user: string;
  readonly password: Secret;
}

/** A context for Tryton: ids, figures, and values like `{__class__: 'datetime', ...}`. */
export type Context = Readonly<Record<string, unknown>>;

export interface Asked {
  /** As in "when asked to {purpose}". */
  readonly purpose: string;
  /** The call changes something. */
  readonly write?: boolean;
  /** Added to the context of the user. */
  readonly context?: Context;
  readonly signal?: AbortSignal | undefined;
}

/** Sends calls of JSON-RPC by POST, and reads their answers. */
export interface Transport {
  /** The path for calls to the database, and the path for calls to the server itself. */
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

export function createTransport(options: RpcOptions): Transport {
  const { timeoutMs } = options;
  const line = openLine(options);
  const root = `${line.prefix}/`;
  let secret = '';
  let seen = new Date(0).toISOString();
  const called = ({ purpose, write = false }: Asked): Called => ({
    erp: `Tryton at ${line.origin}`,
    secrets: [secret],
    purpose,
    write,
    timeoutMs,
  });

  return {
    home: `${root}${encodeURIComponent(options.database)}/`,
    root,
    called,
    async post(target, { method, params, authorization }, asked) {
      const body = JSON.stringify({ id: 0, method, params });
      const json = { accept: 'application/json', 'content-type': 'application/json' };
      const headers = authorization === undefined ? json : { ...json, authorization };
      const request = { method: 'POST', target, headers, body } as const;
      const call = { operation: method, write: asked.write === true, signal: asked.signal, headersHidden: true };
      const exchanged = await line.exchange(request, call);
      if (exchanged.kind === 'broken') throw brokenFailure(called(asked), exchanged);
      if (exchanged.headers.date !== undefined) seen = servedAt(exchanged.headers, 0);
      return exchanged;
    },
    resultOf(answer, asked) {
      if (answer.status >= 300) throw statusFailure(called(asked), answer);
      const json = jsonOf(answer, called(asked));
      if ('error' in json) throw errorFailure(called(asked), json.error);
      if ('result' in json) return json.result;
      throw unreadFailure(called(asked), 'result', 'is missing');
    },
    hide: (text) => {
      secret = text;
    },
    lastSeen: () => seen,
    close: () => line.close(),
  };
}

function jsonOf({ body }: Answered, called: Called): object {
  try {
    const json = parseBody(body);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // The failure is thrown below.
  }
  throw unreadFailure(called, '', 'expected a JSON object in UTF-8');
}
