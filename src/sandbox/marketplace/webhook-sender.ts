import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import type { Faults } from './faults.ts';
import type { Market, MarketEvent } from './market.ts';
import { orderJson } from './order-json.ts';
import type { OrderRow } from './order-rows.ts';
import { findProduct, productJson } from './product-rows.ts';

export const targetSchema = z.strictObject({
  url: z.url(),
  types: z.array(z.enum(['order', 'product'])).readonly(),
  /** null: unsigned. */
  secret: z.string().nullable(),
  /** Service-Signature by default. */
  header: z.string().optional(),
  /** By default hmac-sha256 in base64 without a prefix. */
  algorithm: z.enum(['hmac-sha1', 'hmac-sha256', 'hmac-sha512']).optional(),
  encoding: z.enum(['base64', 'hex']).optional(),
  prefix: z.string().optional(),
});
export type WebhookTarget = z.infer<typeof targetSchema>;

export interface WebhookDelivery {
  readonly url: string;
  readonly type: 'order' | 'product';
  readonly action: 'create' | 'edit' | 'delete';
  readonly body: string;
  tries: number;
  /** waiting: to be sent or tried again. lost: by a fault, or too many wait. failed: given up. */
  outcome: 'waiting' | 'delivered' | 'failed' | 'lost';
  /** The receiver's last status; null: none. */
  status: number | null;
}

export interface WebhookSender {
  /** Sends a webhook after a delay, and again until it is accepted or the tries end. */
  start(target: WebhookTarget, delivery: WebhookDelivery, lateMs: number): void;
  /** Webhooks in transit or waiting for a try. */
  waiting(): number;
  settled(): Promise<void>;
  close(): Promise<void>;
}

const CONCURRENCY = 8;
const ANSWER_TIMEOUT_MS = 10_000;
/** Field notes: about 14 tries in 7 minutes. */
export const RETRY_DELAYS_MS: readonly number[] = [1, 2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60, 60].map((s) => s * 1000);

export function createWebhookSender(retryDelaysMs: readonly number[]): WebhookSender {
  const closing = new AbortController();
  const agent = new Agent({ connections: CONCURRENCY });
  const underway = new Set<Promise<void>>();
  const inSlot = createSlots(CONCURRENCY);

  const attempt = (target: WebhookTarget, delivery: WebhookDelivery) =>
    inSlot(async () => {
      delivery.tries += 1;
      delivery.status = closing.signal.aborted ? null : await post(agent, target, delivery.body, closing.signal);
      return delivery.status !== null && delivery.status >= 200 && delivery.status < 300;
    });

  const deliver = async (target: WebhookTarget, delivery: WebhookDelivery, lateMs: number) => {
    if (lateMs > 0) await pause(lateMs, closing.signal);
    for (const delayMs of [...retryDelaysMs, null]) {
      if (await attempt(target, delivery)) {
        delivery.outcome = 'delivered';
        return;
      }
      if (delayMs === null || closing.signal.aborted) break;
      await pause(delayMs, closing.signal);
    }
    delivery.outcome = 'failed';
  };

  return {
    start(target, delivery, lateMs) {
      const task = deliver(target, delivery, lateMs).finally(() => underway.delete(task));
      underway.add(task);
    },
    waiting: () => underway.size,
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    async close() {
      closing.abort();
      await Promise.all(underway);
      await agent.destroy();
    },
  };
}

/** Field notes: base64 of HMAC-SHA256 over the raw body, unless the target differs. */
function signature(
  { algorithm = 'hmac-sha256', encoding = 'base64', prefix = '' }: WebhookTarget,
  secret: string,
  body: string,
): string {
  return prefix + createHmac(algorithm.replace('hmac-', ''), secret).update(body).digest(encoding);
}

/** null: no answer. */
async function post(agent: Agent, target: WebhookTarget, body: string, closing: AbortSignal): Promise<number | null> {
  const name = target.header ?? 'Service-Signature';
  try {
    const answer = await request(target.url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(target.secret === null ? {} : { [name]: signature(target, target.secret, body) }),
      },
      body,
      signal: AbortSignal.any([closing, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return null;
  }
}

/** Limits concurrent work to `count`. */
function createSlots(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const queue: (() => void)[] = [];
  let taken = 0;
  return async (work) => {
    if (taken >= count) await new Promise<void>((resolve) => queue.push(resolve));
    else taken += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

const KEPT = 10_000;
const MAX_WAITING = 20_000;

export function createWebhooks(parts: {
  market: Market;
  faults: Faults;
  targets: readonly WebhookTarget[];
  sender: WebhookSender;
}) {
  const { sender, faults } = parts;
  let targets = parts.targets;
  let log: WebhookDelivery[] = [];
  let held: (() => void)[] = [];

  const dispatch = (target: WebhookTarget, event: MarketEvent, body: string) => {
    const occasion = { entity: event.type === 'order' ? 'orders' : 'products' } as const;
    const { type, action } = event;
    const lost = faults.strike(['webhook-lost'], occasion) !== null || sender.waiting() >= MAX_WAITING;
    const copies = faults.strike(['webhook-doubled'], occasion) ? 2 : 1;
    const lateMs = faults.strike(['webhook-late'], occasion)?.ms ?? 0;
    const reordered = faults.strike(['webhook-reordered'], occasion);
    for (let copy = 0; copy < copies; copy += 1) {
      const outcome = lost ? 'lost' : 'waiting';
      const delivery: WebhookDelivery = { url: target.url, type, action, body, tries: 0, outcome, status: null };
      log.push(delivery);
      if (!lost && reordered) held.push(() => sender.start(target, delivery, lateMs));
      else if (!lost) sender.start(target, delivery, lateMs);
    }
    if (log.length > KEPT * 2) log = log.slice(-KEPT);
    if (!reordered || held.length < reordered.batch) return;
    for (const release of held.reverse()) release();
    held = [];
  };

  return {
    targets: () => targets,
    setTargets: (wanted: readonly WebhookTarget[]): void => {
      targets = wanted;
    },
    /** Oldest first, at most 10,000. */
    deliveries: (): readonly WebhookDelivery[] => log.slice(-KEPT),
    /** Resolves when no webhook waits. */
    settled: sender.settled,
    send(event: MarketEvent): void {
      const wanted = targets.filter((target) => target.types.includes(event.type));
      if (wanted.length === 0) return;
      const body = webhookBody(parts.market, event);
      for (const target of wanted) dispatch(target, event, body);
    },
    close: sender.close,
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Field notes: `{action, type, data}`; an order has its lines in orderedproduct_set and no `modified`. */
function webhookBody(market: Market, { action, type, id, was }: MarketEvent): string {
  return `{"action":"${action}","type":"${type}","data":${was ?? (type === 'order' ? orderData(market, id) : productData(market, id))}}`;
}

function orderData(market: Market, id: number): string {
  const row = market.sql.get<OrderRow>('SELECT * FROM orders WHERE id = ?', id);
  return row ? orderJson(market, row, 'webhook') : 'null';
}

function productData(market: Market, id: number): string {
  return productJson(findProduct(market, id), market.settings());
}
