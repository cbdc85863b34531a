import { Agent, request } from 'undici';
import manifest from '../../package.json' with { type: 'json' };
import type { Log } from '../logging/logging.ts';
import type { Attributes, Span, SpanKind, Tracer } from './spans.ts';

/** Spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. Work never waits for it. */

export interface OtlpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly installation: string;
  readonly log: Log;
  readonly onSpans: (outcome: 'sent' | 'dropped', count: number) => void;
  readonly sendEveryMs?: number;
}

interface OtlpTracer extends Tracer {
  /** Sends the waiting spans within a short time limit. */
  close(): Promise<void>;
}

const SEND_EVERY_MS = 5_000;
const SEND_MS = 10_000;
const LAST_SEND_MS = 2_000;
/** The most waiting spans. Further ones are dropped and counted. */
const MAX_WAITING = 4_096;
const BATCH = 512;
/** Statuses with which the collector asks to send again later, according to the protocol. */
const AGAIN = [429, 502, 503, 504];

export function openOtlp(options: OtlpOptions): OtlpTracer {
  const { url, headers, log, onSpans, installation, sendEveryMs = SEND_EVERY_MS } = options;
  const dispatcher = new Agent({ connections: 1, connect: { timeout: SEND_MS } });
  const waiting: Span[] = [];
  let isRefused = false;
  let sending: Promise<void> | null = null;

  const drop = (count: number): void => {
    if (count > 0) onSpans('dropped', count);
  };
  const told = (reason: string | null): void => {
    if (reason !== null && !isRefused) log.warn({ reason }, 'traces are not taken: spans are dropped until they are');
    if (reason === null && isRefused) log.info({}, 'traces are taken again');
    isRefused = reason !== null;
  };
  /** Returns true when the batch is finished: accepted, or refused for good. */
  const send = async (batch: readonly Span[], limitMs: number): Promise<boolean> => {
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(exported(batch, options)),
        dispatcher,
        signal: AbortSignal.timeout(limitMs),
      });
      answer.body.on('error', () => {}).destroy();
      const { statusCode } = answer;
      const isTaken = statusCode >= 200 && statusCode < 300;
      told(isTaken ? null : `answered with status ${statusCode}`);
      if (AGAIN.includes(statusCode)) return false;
      onSpans(isTaken ? 'sent' : 'dropped', batch.length);
      return true;
    } catch (error) {
      told(`no answer (${error instanceof Error ? error.name : 'unknown'})`);
      return false;
    }
  };
  const sendAll = async (limitMs: number): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      if (await send(batch, limitMs)) continue;
      const room = Math.max(0, MAX_WAITING - waiting.length);
      waiting.unshift(...batch.slice(batch.length - Math.min(room, batch.length)));
      drop(Math.max(0, batch.length - room));
      return;
    }
  };
  const flush = (limitMs: number): Promise<void> => {
    sending ??= sendAll(limitMs).finally(() => {
      sending = null;
    });
    return sending;
  };
  const timer = setInterval(() => void flush(SEND_MS), sendEveryMs);
  timer.unref();
  return {
    installation,
    take(span) {
      if (waiting.length >= MAX_WAITING) return drop(1);
      waiting.push(span);
      if (waiting.length === BATCH && !isRefused) void flush(SEND_MS);
    },
    async close() {
      clearInterval(timer);
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_SEND_MS).unref());
      await Promise.race([flush(LAST_SEND_MS), late]);
      drop(waiting.length);
      await dispatcher.destroy();
    },
  };
}

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, client: 3, consumer: 5 };
const FAILED = 2;

/** The request body: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
function exported(spans: readonly Span[], { installation }: OtlpOptions) {
  const { version } = manifest;
  const attributes = attributesOf({
    'service.name': 'stockbridge',
    'service.version': version,
    'service.instance.id': installation,
  });
  const scope = { name: 'stockbridge', version };
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans: spans.map(spanOf) }] }] };
}

function spanOf({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, links, failed }: Span) {
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf(attributes),
    links,
    status: failed ? { code: FAILED } : {},
  };
}

function nanoseconds(epochMs: number): string {
  return (BigInt(Math.round(epochMs * 1_000)) * 1_000n).toString();
}

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
