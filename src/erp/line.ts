import type { Dispatcher } from 'undici';
import { createPool, type Exchange, type Exchanged, exchange, MAX_BODY_BYTES } from '../http/exchange.ts';
import type { ErpCallTrace } from './kind.ts';
import { createPlaces, type Ended, type OnPace } from './places.ts';
import { assertStillValid } from './send-guard.ts';
import type { Wire } from './wire.ts';

export interface LineOptions {
  /** `https://erp.example`, with the path that stands in front of every call. */
  readonly url: string;
  /** The limit for one call, from waiting for a connection to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The connections to use; the line opens its own when left out. They must neither retry nor follow redirects. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Called with every call, once it has ended. */
  readonly onCall?: ((call: ErpCallTrace) => void) | undefined;
  readonly wire?: Wire | undefined;
  /** The most calls at once; as many as there are connections when left out. */
  readonly most?: number | undefined;
  /** The most writes of them; as many as `most` when left out. */
  readonly mostWrites?: number | undefined;
  /** Waits until the ERP's limits of calls in a time let a call through. The call has its place by then. */
  readonly turn?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Called with the number of calls that the ERP is given at once, whenever a call begins or ends. */
  readonly onPace?: OnPace | undefined;
}

/** One call, as an observer of the wire knows it. */
export interface LineCall {
  /** `PATCH /v1/orders/{id}`: the call, never the record. */
  readonly operation: string;
  /** The call changes something, so a check may cut it off. */
  readonly write: boolean;
  readonly signal: AbortSignal | undefined;
  /** The headers are hidden from the observer, since one of them holds a secret that nobody else knows. */
  readonly headersHidden?: boolean;
  /** An answer of success is a secret that nobody else knows, so it is hidden from the observer. */
  readonly answerHidden?: boolean;
}

/** The connections to an ERP over HTTP. No call is repeated here, and no more run at once than the ERP answers in time. */
export interface Line {
  /** `https://erp.example`, without credentials. */
  readonly origin: string;
  /** The path of the url, without a slash at its end. */
  readonly prefix: string;
  /** @throws CallFailure when the call is not sent, since it found no place or no turn; Superseded when its write is not decided any more */
  exchange(request: Omit<Exchange, 'origin'>, call: LineCall): Promise<Exchanged>;
  close(): Promise<void>;
}

/** As many connections as jobs run at once: no call waits for a connection. */
const MAX_CONNECTIONS = 96;

/** A connection that broke before an answer came. */
const CUT: Exchanged = {
  kind: 'broken',
  sent: true,
  status: null,
  code: 'ECONNRESET',
  message: 'the connection was cut',
};

export function openLine(options: LineOptions): Line {
  const { url, timeoutMs, dispatcher: given, onCall, wire, turn, most = MAX_CONNECTIONS, mostWrites, onPace } = options;
  const { origin, pathname } = new URL(url);
  const dispatcher = given ?? createPool(origin, { connections: MAX_CONNECTIONS, connectTimeoutMs: timeoutMs });
  const places = createPlaces({ most, mostWrites, timeoutMs, onPace });
  const send: Line['exchange'] = async (
    request,
    { operation, write, signal, headersHidden = false, answerHidden = false },
  ) => {
    const cut = write ? (wire?.cut?.(operation) ?? null) : null;
    const bounds = { timeoutMs, maxBodyBytes: MAX_BODY_BYTES, signal };
    const beganMs = performance.now();
    const ended = cut === 'not-applied' ? CUT : await exchange(dispatcher, { ...request, origin }, bounds);
    const exchanged = cut === null ? ended : CUT;
    const headers = headersHidden ? {} : request.headers;
    wire?.saw?.({
      operation,
      request: shown(`${request.method} ${origin}${request.target}`, headers, request.body),
      answer: exchanged.kind === 'broken' ? null : answerOf(exchanged, headersHidden, answerHidden),
    });
    onCall?.({ operation, status: exchanged.status, durationMs: performance.now() - beganMs });
    return exchanged;
  };
  return {
    origin,
    prefix: pathname.replace(/\/+$/, ''),
    async exchange(request, call) {
      const place = await places.take(call.write ? 'write' : 'read', call.operation, call.signal);
      let ended: Ended = 'unheard';
      let beganMs = performance.now();
      try {
        await turn?.(call.signal);
        if (call.write) await assertStillValid(call.operation);
        beganMs = performance.now();
        const exchanged = await send(request, call);
        ended = endedOf(exchanged);
        return exchanged;
      } finally {
        place.leave(ended, performance.now() - beganMs);
      }
    },
    close: async () => {
      if (given === undefined) await dispatcher.destroy();
    },
  };
}

/** Answers that ask for fewer calls, from the ERP or from a proxy in front of it. */
const OVERLOADED = [429, 502, 503, 504];

function endedOf(exchanged: Exchanged): Ended {
  if (exchanged.kind === 'answer') return OVERLOADED.includes(exchanged.status) ? 'overloaded' : 'answered';
  const { code, sent } = exchanged;
  const isLate = code === 'DEADLINE';
  const isBroken = sent && code !== 'STOPPED' && code !== 'TOO_LONG';
  return isLate || isBroken ? 'overloaded' : 'unheard';
}

function answerOf(
  { status, headers, body }: Extract<Exchanged, { kind: 'answer' }>,
  headersHidden: boolean,
  answerHidden: boolean,
): string {
  if (answerHidden && status < 400) return shown(String(status), {}, null);
  return shown(String(status), headersHidden ? {} : headers, body);
}

/** The first line, the headers, an empty line and the body. */
function shown(first: string, headers: Readonly<Record<string, unknown>>, body: Exchange['body'] | Buffer): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString();
  return [first, ...head, '', text].join('\n');
}
