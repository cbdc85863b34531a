import type { Dispatcher } from 'undici';
import { credentialOf, type Secret } from '../../http/credential.ts';
import { createPool, type Exchanged, exchange, MAX_BODY_BYTES } from '../../http/exchange.ts';
import { parseBody } from '../../http/json.ts';
import { servedAt } from '../../http/retry-after.ts';
import type { ErpCallTrace } from '../kind.ts';
import type { Wire } from '../wire.ts';
import { answerFailure, brokenFailure, type Called, errorFailure, misfitFailure, statusFailure } from './failures.ts';

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

/** Tryton's JSON-RPC, as one user. Every failure is a `CallFailure`. */
export interface Rpc {
  /**
   * Calls `model.sale.sale.read` with these arguments and the user's context, and answers with the result as lossless JSON.
   * A button that does not fit the state of its record answers null and does nothing: read back what a write has done.
   */
  call(method: string, args: readonly unknown[], asked: Asked): Promise<unknown>;
  /** The id of the user, and the company for which it works; null when it has none. */
  who(): Promise<{ readonly userId: number; readonly company: number | null }>;
  /** The version of the server, and its clock. Asks no database. */
  clock(signal?: AbortSignal): Promise<{ readonly version: string; readonly time: string }>;
  /** The clock of the server at its last answer, as ISO 8601, cut to seconds. */
  lastSeen(): string;
  /** Makes the failure for a call that was not sent, since Tryton would take it for another or not at all. */
  refuse(asked: Asked, why: string): Error;
  /** Makes the failure for a write that was answered and has not done what it is for. */
  undone(asked: Asked, why: string): Error;
  /** Makes the failure for an answer that does not fit. */
  misfit(asked: Asked, path: string, message: string): Error;
  close(): Promise<void>;
}

interface Session {
  readonly userId: number;
  readonly authorization: string;
  readonly context: Context;
}

/** As many connections as jobs run at once: no request waits for a connection. */
const MAX_CONNECTIONS = 16;

export function createRpc(options: RpcOptions): Rpc {
  const { timeoutMs, onCall, wire } = options;
  const credential = credentialOf(options.password);
  const { origin, pathname } = new URL(options.url);
  const root = `${pathname.replace(/\/+$/, '')}/`;
  const home = `${root}${encodeURIComponent(options.database)}/`;
  const dispatcher = options.dispatcher ?? createPool(origin, { connections: MAX_CONNECTIONS, connectTimeoutMs: timeoutMs });
  let session: Promise<Session> | null = null;
  let secret = '';
  let seen = new Date(0).toISOString();

  const called = ({ purpose, write = false }: Asked): Called => ({ origin, secret, purpose, write, timeoutMs });

  async function post(target: string, method: string, params: readonly unknown[], asked: Asked, authorization?: string) {
    const body = JSON.stringify({ id: 0, method, params });
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    };
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
  }

  /** The result of an answer. Tryton reports failures of a call with the status 200. */
  function resultOf(answer: Exclude<Exchanged, { kind: 'broken' }>, asked: Asked): unknown {
    if (answer.status >= 300) throw statusFailure(called(asked), answer);
    let json: unknown;
    try {
      json = parseBody(answer.body);
    } catch {
      throw misfitFailure(called(asked), '', 'expected JSON in UTF-8');
    }
    if (typeof json !== 'object' || json === null) throw misfitFailure(called(asked), '', 'expected an object');
    if ('error' in json) throw errorFailure(called(asked), json.error);
    if (!('result' in json)) throw misfitFailure(called(asked), 'result', 'is missing');
    return json.result;
  }

  async function login(): Promise<Session> {
    const password = await credential.secret();
    secret = password;
    const asked = { purpose: 'log in' };
    const answer = await post(home, 'common.db.login', [options.user, { password }, 'en'], asked);
    if (answer.status === 401) credential.refused(password);
    const made = resultOf(answer, asked);
    if (!Array.isArray(made)) throw misfitFailure(called(asked), 'result', 'expected a session');
    const [userId, key] = made as unknown[];
    const authorization = `Session ${Buffer.from(`${options.user}:${userId}:${key}`).toString('base64')}`;
    const prefer = { purpose: 'show the preferences of its user' };
    const preferences = resultOf(
      await post(home, 'model.res.user.get_preferences', [true, {}], prefer, authorization),
      prefer,
    );
    return { userId: Number(userId), authorization, context: preferences as Context };
  }

  /** All calls share one session: Tryton keeps those that nobody logs out of for a month. */
  function current(): Promise<Session> {
    const begun = (session ??= login());
    begun.catch(() => {
      if (session === begun) session = null;
    });
    return begun;
  }

  async function call(method: string, args: readonly unknown[], asked: Asked): Promise<unknown> {
    const used = current();
    const { authorization, context } = await used;
    const params = [...args, { ...context, ...asked.context }];
    const answer = await post(home, method, params, asked, authorization);
    if (answer.status !== 401) return resultOf(answer, asked);
    // The session has ended. Tryton says so before it looks at the call, so the call is sent in a new one.
    if (session === used) session = null;
    return resultOf(await post(home, method, params, asked, (await current()).authorization), asked);
  }

  return {
    call,
    async who() {
      const { userId, context } = await current();
      return { userId, company: typeof context['company'] === 'number' ? context['company'] : null };
    },
    async clock(signal) {
      const asked = { purpose: 'say which version it is', signal };
      const version = resultOf(await post(root, 'common.server.version', [], asked), asked);
      return { version: String(version), time: seen };
    },
    lastSeen: () => seen,
    refuse: (asked, why) => answerFailure(called(asked), 'not-applied', why),
    undone: (asked, why) => answerFailure(called(asked), 'unknown', why),
    misfit: (asked, path, message) => misfitFailure(called(asked), path, message),
    close: async () => {
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
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
