import type { Dispatcher } from 'undici';
import { createPool, type Exchange, type Exchanged, exchange, MAX_BODY_BYTES } from '../http/exchange.ts';
import type { ErpCallTrace } from './kind.ts';
import { createPlaces, type Ended, type OnPace } from './places.ts';
import { assertStillValid } from './send-guard.ts';
import type { Wire } from './wire.ts';

export interface LineOptions {
  /** `https://erp.example`, with the path before every call. */
  readonly url: string;
  /** For one call, from waiting for a connection to the last byte. */
  readonly timeoutMs: number;
  /** Must neither retry nor follow redirects. By default the line opens its own. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Called after each call. */
  readonly onCall?: ((call: ErpCallTrace) => void) | undefined;
  readonly wire?: Wire | undefined;
  /** The most concurrent calls. The default is the number of connections. */
  readonly most?: number | undefined;
  /** The most concurrent writes. The default is `most`. */
  readonly mostWrites?: number | undefined;
  /** Waits for the ERP's rate limits, once the call has its place. */
  readonly turn?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Called with the current limit when a call begins or ends. */
  readonly onPace?: OnPace | undefined;
}

export interface LineCall {
  /** The call without record ids: `PATCH /v1/orders/{id}`. */
  readonly operation: string;
  /** The call changes something, so a check may cut it. */
  readonly write: boolean;
  readonly signal: AbortSignal | undefined;
  /** Hides headers with a secret from the observer. */
  readonly headersHidden?: boolean;
  /** Hides a successful answer that is itself a secret. */
  readonly answerHidden?: boolean;
}

/** The HTTP connections to an ERP. It repeats no call, and adapts the number of concurrent calls to the ERP. */
export interface Line {
  /** `https://erp.example`, without credentials. */
  readonly origin: string;
  /** The url's path without a trailing slash. */
  readonly prefix: string;
  /**
   * @throws CallFailure when the call gets no place or no turn and is not sent; Superseded when its write is no longer
   * wanted
   */
  exchange(request: Omit<Exchange, 'origin'>, call: LineCall): Promise<Exchanged>;
  close(): Promise<void>;
}

/** As many as concurrent jobs, so that no call waits for a connection. */
const MAX_CONNECTIONS = 96;

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

/** Answers of the ERP or a proxy that ask for fewer calls. */
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
