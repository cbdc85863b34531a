import type { z } from 'zod';
import { credentialOf, type Secret } from '../../http/credential.ts';
import type { Answered } from '../../http/exchange.ts';
import { firstIssue, type ShapeIssue } from '../../http/misfit.ts';
import { servedAt } from '../../http/retry-after.ts';
import { parseEntity, parseRows, TooManyRows } from '../../http/rows.ts';
import { type LineOptions, openLine } from '../line.ts';
import { withoutFuture } from '../rows/times.ts';
import { brokenFailure, type Called, errorText, incompleteFailure, misfitFailure, statusFailure } from './failures.ts';

/** The path of the url is that in front of `/v1`. */
export interface HttpErpOptions extends LineOptions {
  readonly token: Secret;
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
  /** A page of a list, with the ERP's clock when it answered, as far as the head of the answer tells it. */
  list<T>(
    call: Call<T>,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly answer: T; readonly servedAt: string; readonly isDated: boolean }>;
  /** The same, with null where the ERP itself says 404. */
  find<T>(call: Call<T>, signal: AbortSignal | undefined): Promise<T | null>;
  /** Makes the failure for an answer that does not fit. */
  misfit(call: Pick<Call<unknown>, 'method' | 'purpose'>, issue: ShapeIssue): Error;
  /** Makes the failure for a list that may be incomplete. */
  incomplete(call: Pick<Call<unknown>, 'method' | 'purpose'>): Error;
  close(): Promise<void>;
}

interface Sent extends Answered {
  readonly token: string;
}

/** An ERP may answer with more rows than it is asked for, but not with any number of them. */
const MAX_ROWS = 10_000;

export function createCaller(options: HttpErpOptions): Caller {
  const { timeoutMs } = options;
  const credential = credentialOf(options.token);
  let latest = '';
  const line = openLine(options);
  const { origin, prefix } = line;

  /** @param token what was sent: the ERP's answer may repeat it */
  const calledBy = ({ method, purpose }: Pick<Call<unknown>, 'method' | 'purpose'>, token = latest): Called => {
    return { origin, token, purpose, write: method !== 'GET', timeoutMs };
  };

  async function send(call: Call<unknown>, signal: AbortSignal | undefined): Promise<Sent> {
    const token = await credential.secret();
    latest = token;
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    };
    const request = { method: call.method, target: prefix + call.path, headers, body };
    const operation = `${call.method} ${templateOf(call.path)}`;
    const exchanged = await line.exchange(request, { operation, write: call.method !== 'GET', signal });
    if (exchanged.kind === 'broken') throw brokenFailure(calledBy(call, token), exchanged);
    if (exchanged.status === 401) credential.refused(token);
    return { ...exchanged, token };
  }

  async function read<T>(call: Call<T>, answer: Sent, parse: (body: Uint8Array) => unknown): Promise<T> {
    const { status, body } = answer;
    const called = calledBy(call, answer.token);
    if (status >= 300) throw statusFailure(called, answer);
    let json: unknown;
    try {
      json = await parse(body);
    } catch (error) {
      const [path, message] = error instanceof TooManyRows ? ['items', error.message] : ['', 'expected JSON in UTF-8'];
      throw misfitFailure(called, status, { path, message });
    }
    const parsed = call.answer.safeParse(json);
    if (!parsed.success) throw misfitFailure(called, status, firstIssue(parsed.error));
    return parsed.data;
  }

  async function readEntity<T>(call: Call<T>, answer: Sent): Promise<T> {
    const at = servedAt(answer.headers, Date.now());
    return withoutFuture(await read(call, answer, parseEntity), at, at).row;
  }

  return {
    call: async (call, signal) => readEntity(call, await send(call, signal)),
    async list(call, signal) {
      const sent = await send(call, signal);
      const answer = await read(call, sent, (body) => parseRows(body, 'items', MAX_ROWS));
      return { answer, servedAt: servedAt(sent.headers, Date.now()), isDated: sent.headers.date !== undefined };
    },
    async find(call, signal) {
      const answer = await send(call, signal);
      // A 404 without the contract's error body is a proxy's or a wrong address: it says nothing about the record.
      return answer.status === 404 && errorText(answer) !== null ? null : readEntity(call, answer);
    },
    misfit: (call, issue) => misfitFailure(calledBy(call), 200, issue),
    incomplete: (call) => incompleteFailure(calledBy(call)),
    close: () => line.close(),
  };
}

/** `/v1/orders/{id}` for `/v1/orders/4711?...`. */
function templateOf(path: string): string {
  return path.replace(/\?.*$/, '').replace(/^(\/v1\/\w+)\/.*$/, '$1/{id}');
}
