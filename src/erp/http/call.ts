import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { createExchanger, type HttpReply } from './exchange.ts';
import { type CallFacts, errorText, fromStatus, incompleteAnswer, misfitAnswer, withoutAnswer } from './failures.ts';
import { parseJson } from './json.ts';
import { firstIssue } from './rows.ts';

export interface HttpErpOptions {
  /** `https://erp.example`, with a path in front of `/v1` where there is one. */
  readonly url: string;
  readonly token: string;
  /** For one call, from waiting for a connection to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The connections to use; the connector's own when left out. Must neither retry nor follow redirects. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Told of every call, once it has ended. */
  readonly onCall?: ((call: ErpCallTrace) => void) | undefined;
}

export interface ErpCallTrace {
  /** `PATCH /v1/orders/{id}`: what was called, never which record. */
  readonly operation: string;
  /** null when there was no answer. */
  readonly status: number | null;
}

export interface Call<T> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `/v1/orders`, with its query, encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** As in "when asked to {purpose}". */
  readonly purpose: string;
  readonly answer: z.ZodType<T>;
}

/** Calls the ERP and answers with the parsed body. Every failure is a `CallFailure`. */
export interface Caller {
  call<T>(call: Call<T>, signal: AbortSignal | undefined): Promise<T>;
  /** The same, with null where the ERP itself says 404. */
  find<T>(call: Call<T>, signal: AbortSignal | undefined): Promise<T | null>;
  /** The failure that says that an answer to this call does not fit. */
  misfit(call: Pick<Call<unknown>, 'method' | 'purpose'>, issue: { path: string; message: string }): Error;
  /** The failure that says that this list may not be all. */
  incomplete(call: Pick<Call<unknown>, 'method' | 'purpose'>): Error;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;

export function createCaller({ url, token, timeoutMs, dispatcher, onCall }: HttpErpOptions): Caller {
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const exchanger = createExchanger({ origin: base.origin, timeoutMs, maxBodyBytes: MAX_BODY_BYTES, dispatcher });

  const factsOf = (call: Pick<Call<unknown>, 'method' | 'purpose'>): CallFacts => ({
    origin: base.origin,
    token,
    purpose: call.purpose,
    write: call.method !== 'GET',
    timeoutMs,
  });

  async function send(call: Call<unknown>, signal: AbortSignal | undefined): Promise<HttpReply> {
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    };
    const exchange = await exchanger.send({ method: call.method, path: prefix + call.path, headers, body }, signal);
    onCall?.({
      operation: `${call.method} ${templateOf(call.path)}`,
      status: exchange.ended === 'answered' ? exchange.reply.status : exchange.status,
    });
    if (exchange.ended !== 'answered') throw withoutAnswer(exchange, factsOf(call));
    return exchange.reply;
  }

  function read<T>(call: Call<T>, reply: HttpReply): T {
    if (reply.status < 200 || reply.status >= 300) throw fromStatus(reply, factsOf(call));
    const json = jsonOf(reply.body);
    if (json === undefined) {
      throw misfitAnswer(reply.status, { path: '', message: 'expected JSON in UTF-8' }, factsOf(call));
    }
    const parsed = call.answer.safeParse(json);
    if (!parsed.success) throw misfitAnswer(reply.status, firstIssue(parsed.error), factsOf(call));
    return parsed.data;
  }

  return {
    call: async (call, signal) => read(call, await send(call, signal)),
    async find(call, signal) {
      const reply = await send(call, signal);
      // A 404 without the contract's error body is a proxy's or a wrong address: it says nothing about the record.
      return reply.status === 404 && errorText(reply) !== null ? null : read(call, reply);
    },
    misfit: (call, issue) => misfitAnswer(200, issue, factsOf(call)),
    incomplete: (call) => incompleteAnswer(factsOf(call)),
    close: exchanger.close,
  };
}

/** `/v1/orders/{id}` for `/v1/orders/4711?...`. */
function templateOf(path: string): string {
  return path.replace(/\?.*$/, '').replace(/^(\/v1\/\w+)\/.*$/, '$1/{id}');
}

/** undefined when the bytes are not JSON in UTF-8. */
function jsonOf(body: Buffer): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
