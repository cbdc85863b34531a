import { z } from 'zod';
import { credentialOf, type Secret } from '../../http/credential.ts';
import type { Answered } from '../../http/exchange.ts';
import { servedAt } from '../../http/retry-after.ts';
import { parseRows } from '../../http/rows.ts';
import { brokenFailure, type Called } from '../failure.ts';
import { type LineOptions, openLine } from '../line.ts';
import { errorFailure, foundFailure, statusFailure, unreadFailure } from './failures.ts';

/** The url includes the path before the database. */
export interface RpcOptions extends LineOptions {
  readonly database: string;
  readonly user: string;
  readonly password: Secret;
}

/** Ids, figures, and values like `{__class__: 'datetime', ...}`. */
export type Context = Readonly<Record<string, unknown>>;

export interface RpcCallOptions {
  /** As in "when asked to {purpose}". */
  readonly purpose: string;
  readonly write?: boolean;
  /** Added to the user's context. */
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Tryton's JSON-RPC as one user. Every failure is a `CallFailure`. */
export interface Rpc {
  /**
   * Calls `model.sale.sale.read` with these arguments. Returns lossless JSON. A button that does not fit its record's
   * state returns null and does nothing, so a write must be read back.
   */
  call(method: string, args: readonly unknown[], asked: RpcCallOptions): Promise<unknown>;
  /** The user's id and company; null: none. */
  who(): Promise<{ readonly userId: number; readonly company: number | null }>;
  /** The server's version and clock, without the database. */
  clock(signal?: AbortSignal): Promise<{ readonly version: string; readonly time: string }>;
  /** The server's clock at its last answer, ISO 8601 in whole seconds. */
  lastSeen(): string;
  /** The failure of a call that is not sent, since Tryton would misread or refuse it. */
  refuse(asked: RpcCallOptions, why: string): Error;
  /** The failure of an answered write without effect. */
  undone(asked: RpcCallOptions, why: string): Error;
  /** The failure of an invalid answer. */
  invalidAnswer(asked: RpcCallOptions, path: string, message: string): Error;
  close(): Promise<void>;
}

interface Session {
  readonly userId: number;
  readonly authorization: string;
  readonly context: Context;
}

const sessionAnswer = z.tuple([z.int(), z.string()]);
const preferencesAnswer = z.record(z.string(), z.unknown());

export function createRpc(options: RpcOptions): Rpc {
  const { user } = options;
  const credential = credentialOf(options.password);
  const { home, root, post, resultOf, called, hide, lastSeen, close } = createTransport(options);
  let session: Promise<Session> | null = null;

  async function login(): Promise<Session> {
    const password = await credential.secret();
    hide(password);
    const asked = { purpose: 'log in' };
    const answer = await post(home, { method: 'common.db.login', params: [user, { password }, 'en'] }, asked);
    if (answer.status === 401) credential.refused(password);
    const made = sessionAnswer.safeParse(await resultOf(answer, asked));
    if (!made.success) throw unreadFailure(called(asked), 'result', 'expected a session');
    const [userId, key] = made.data;
    const authorization = `Session ${Buffer.from(`${user}:${userId}:${key}`).toString('base64')}`;
    const prefer = { purpose: 'show the preferences of its user' };
    const preferences = { method: 'model.res.user.get_preferences', params: [true, {}], authorization };
    const context = preferencesAnswer.safeParse(await resultOf(await post(home, preferences, prefer), prefer));
    if (!context.success) throw unreadFailure(called(prefer), 'result', 'expected preferences');
    return { userId, authorization, context: context.data };
  }

  /** Calls share one session, since Tryton keeps a session without logout for a month. */
  function current(): Promise<Session> {
    const begun = (session ??= login());
    begun.catch(() => {
      if (session === begun) session = null;
    });
    return begun;
  }

  return {
    async call(method, args, asked) {
      const used = current();
      const { authorization, context } = await used;
      const params = [...args, { ...context, ...asked.context }];
      const answer = await post(home, { method, params, authorization }, asked);
      if (answer.status !== 401) return resultOf(answer, asked);
      // Tryton reports an ended session before it looks at the call, so the call is safely sent again.
      if (session === used) session = null;
      const renewed = await current();
      return resultOf(await post(home, { method, params, authorization: renewed.authorization }, asked), asked);
    },
    async who() {
      const { userId, context } = await current();
      return { userId, company: typeof context['company'] === 'number' ? context['company'] : null };
    },
    async clock(signal) {
      const asked = { purpose: 'say which version it is', signal };
      const version = await resultOf(await post(root, { method: 'common.server.version', params: [] }, asked), asked);
      return { version: String(version), time: lastSeen() };
    },
    lastSeen,
    refuse: (asked, why) => foundFailure(called(asked), 'not-applied', why),
    undone: (asked, why) => foundFailure(called(asked), 'unknown', why),
    invalidAnswer: (asked, path, message) => unreadFailure(called(asked), path, message),
    close,
  };
}

interface Sent {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly authorization?: string;
}

function createTransport(options: RpcOptions) {
  const { timeoutMs } = options;
  const line = openLine(options);
  const root = `${line.prefix}/`;
  let secret = '';
  let seen = new Date(0).toISOString();
  const called = ({ purpose, write = false }: RpcCallOptions): Called => ({
    erp: `Tryton at ${line.origin}`,
    secrets: [secret],
    purpose,
    write,
    timeoutMs,
  });

  return {
    /** The paths for calls to the database, and to the server itself. */
    home: `${root}${encodeURIComponent(options.database)}/`,
    root,
    called,
    async post(target: string, { method, params, authorization }: Sent, asked: RpcCallOptions): Promise<Answered> {
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
    /** Tryton reports failures with status 200. */
    async resultOf(answer: Answered, asked: RpcCallOptions): Promise<unknown> {
      if (answer.status >= 300) throw statusFailure(called(asked), answer);
      const json = await jsonOf(answer, called(asked));
      if ('error' in json) throw errorFailure(called(asked), json.error);
      if ('result' in json) return json.result;
      throw unreadFailure(called(asked), 'result', 'is missing');
    },
    /** Hides this text in later messages. */
    hide(text: string): void {
      secret = text;
    },
    lastSeen: () => seen,
    close: () => line.close(),
  };
}

/** More than is ever requested. */
const MAX_ROWS = 1_000;

async function jsonOf({ body }: Answered, called: Called): Promise<object> {
  try {
    const json = await parseRows(body, 'result', MAX_ROWS);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // Thrown below.
  }
  throw unreadFailure(called, '', 'expected a JSON object in UTF-8, and of no absurd size');
}
