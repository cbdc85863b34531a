import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';

/** Names, counts and codes of a span. Never a text of either side, which may be personal. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'internal' | 'client' | 'consumer';

/** 16 and 8 bytes, hexadecimal. */
interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** A finished step. Times are epoch milliseconds. */
export interface Span extends SpanIds {
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links: readonly SpanIds[];
  readonly failed: boolean;
}

export interface Tracer {
  /** Distinguishes the spans of installations. */
  readonly installation: string;
  take(span: Span): void;
}

interface Current extends SpanIds {
  readonly tracer: Tracer;
  readonly attributes: Record<string, string | number | boolean>;
  /** The spans that caused this one. */
  readonly links: SpanIds[];
}

const MAX_LINKS = 32;

/** undefined: nothing is traced. */
const current = new AsyncLocalStorage<Current>();

/** Starts a trace of everything that `work` does. */
export function trace<Result>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  return spanOf({ tracer, traceId: bytes(16), links: [] }, null, name, attributes, work);
}

export function step<Result>(name: string, attributes: Attributes, work: () => Result): Result {
  const parent = current.getStore();
  if (parent === undefined) return work();
  return spanOf({ ...parent, links: [] }, parent.spanId, name, attributes, work);
}

export function annotate(attributes: Attributes): void {
  Object.assign(current.getStore()?.attributes ?? {}, attributes);
}

/** Adds a call that has just ended to the current trace. */
export function callEnded(name: string, attributes: Attributes, durationMs: number, failed: boolean): void {
  const parent = current.getStore();
  if (parent === undefined) return;
  const endMs = Date.now();
  const times = { startMs: endMs - durationMs, endMs };
  const ids = { traceId: parent.traceId, spanId: bytes(8), parentId: parent.spanId };
  parent.tracer.take({ ...ids, name, kind: 'client', ...times, attributes, links: [], failed });
}

/** A webhook that caused the current work. */
export interface TriggeringWebhook {
  readonly id: number;
  readonly account: string;
  readonly kind: string;
  readonly receivedAtMs: number;
}

export function linkWebhooks(webhooks: readonly TriggeringWebhook[]): void {
  const { tracer, links } = current.getStore() ?? {};
  if (tracer === undefined || links === undefined) return;
  for (const webhook of webhooks.slice(0, MAX_LINKS - links.length)) links.push(webhookIds(tracer, webhook));
}

/**
 * The wait of webhooks from arrival to reading, each as a trace of its own. Call it once they are recorded as read: a
 * failed read is repeated, and a span is sent once.
 */
export function webhooksRead(webhooks: readonly TriggeringWebhook[]): void {
  const { tracer } = current.getStore() ?? {};
  if (tracer === undefined) return;
  for (const webhook of webhooks.slice(0, MAX_LINKS)) {
    const times = { startMs: webhook.receivedAtMs, endMs: Math.max(webhook.receivedAtMs, Date.now()) };
    const attributes = { 'stockbridge.account': webhook.account, 'stockbridge.event': webhook.id };
    const about = {
      name: `webhook ${webhook.kind}`,
      kind: 'consumer',
      parentId: null,
      links: [],
      failed: false,
    } as const;
    tracer.take({ ...webhookIds(tracer, webhook), ...about, ...times, attributes });
  }
}

/** Facts that cost a call or a query are only collected for a trace. */
export function isTraced(): boolean {
  return current.getStore() !== undefined;
}

function spanOf<Result>(
  of: Pick<Current, 'tracer' | 'traceId' | 'links'>,
  parentId: string | null,
  name: string,
  given: Attributes,
  work: () => Result,
): Result {
  const { tracer, traceId, links } = of;
  const own: Current = { tracer, traceId, links, spanId: bytes(8), attributes: { ...given } };
  const startMs = Date.now();
  const began = performance.now();
  const ended = (failed: boolean): void => {
    const { spanId, attributes } = own;
    const endMs = startMs + performance.now() - began;
    tracer.take({ traceId, spanId, parentId, name, kind: 'internal', startMs, endMs, attributes, links, failed });
  };
  return current.run(own, () => {
    try {
      const result = work();
      if (!(result instanceof Promise)) {
        ended(false);
        return result;
      }
      void result.then(
        () => ended(false),
        () => ended(true),
      );
      return result;
    } catch (error) {
      ended(true);
      throw error;
    }
  });
}

function bytes(count: number): string {
  return randomBytes(count).toString('hex');
}

/**
 * The ids of a delivery's span. They are deterministic, so a later job can link to it. An equal body is the same
 * webhook again.
 */
function webhookIds({ installation }: Tracer, { account, id, receivedAtMs }: TriggeringWebhook): SpanIds {
  const hex = createHash('sha256')
    .update(JSON.stringify([installation, 'webhook', account, id, receivedAtMs]))
    .digest('hex');
  return { traceId: hex.slice(0, 32), spanId: hex.slice(32, 48) };
}
