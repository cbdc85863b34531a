import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureScheme } from '../../marketplace/signature.ts';
import { type Bucket, createBucket, type Rate } from '../../shadow/bucket.ts';
import type { Delivery } from '../../store/reading.ts';
import { createBatches } from './batches.ts';
import { createNudges } from './nudges.ts';

export interface ReceiverLimits {
  readonly bodyBytes: number;
  /** From the first to the last byte of a request. */
  readonly requestMs: number;
  /** The most bytes of all bodies in memory. */
  readonly heldBytes: number;
  readonly connections: number;
  readonly debounceMs: number;
  /** The burst and the long-term rate of order nudges. Each costs a list call. */
  readonly nudges: Rate;
  /** The same for products: each product of an order sends a webhook, and so does every write of ours. */
  readonly productDebounceMs: number;
  /**
   * The nudges of an account without a secret, per kind of webhook. Anybody may send these webhooks, and polls run
   * anyway.
   */
  readonly hints: Rate;
  /** Per account: valid signed requests. */
  readonly sound: Rate;
  /** Per account: all others. Beyond this rate, they are answered 429. */
  readonly unsound: Rate;
}

export const RECEIVER_LIMITS: ReceiverLimits = {
  bodyBytes: 1024 * 1024,
  requestMs: 15_000,
  heldBytes: 64 * 1024 * 1024,
  connections: 2_000,
  debounceMs: 250,
  nudges: { burst: 10, perSecond: 1.5 },
  productDebounceMs: 5_000,
  hints: { burst: 2, perSecond: 1 / 30 },
  sound: { burst: 5_000, perSecond: 500 },
  unsound: { burst: 100, perSecond: 10 },
};

export type WebhookKind = Delivery['kind'];

type WebhookSigning = SignatureScheme & { readonly header: string };

export const OUTCOMES = {
  stored: [202, null],
  /** The account has no secret: nothing is stored. */
  nudged: [202, null],
  duplicate: [409, 'already received'],
  unsigned: [401, 'the signature is missing'],
  forged: [401, 'the signature is wrong'],
  garbage: [400, 'the body is not JSON'],
  'too-large': [413, 'the body is too large'],
  flood: [429, 'too many webhooks at once'],
  /** The inbox failed to store it. */
  failed: [503, 'it could not be stored, send it again'],
  unknown: [404, 'there is no such account'],
} as const;

export interface Answer {
  readonly outcome: keyof typeof OUTCOMES;
  readonly retryAfterMs?: number;
}

export interface IntakeParts {
  /** The signing by account name. null: no secret, so webhooks are only hints. undefined: no such account. */
  readonly accounts: { get(name: string): WebhookSigning | null | undefined };
  readonly verify: (rawBody: Buffer, header: string | undefined, signing: WebhookSigning) => boolean;
  /** Stores webhooks durably before it returns. Results in the given order; a stored body is a `duplicate`. */
  readonly inbox: {
    store(deliveries: readonly Delivery[]): Promise<readonly ('stored' | 'duplicate')[]>;
    /** Marks a stored body for processing once more; false: it still waits. */
    reopen(delivery: Delivery): Promise<boolean>;
  };
  readonly isNews: (delivery: Delivery) => Promise<boolean>;
  /** Called at once, and then as often as the limits allow. Must not throw. */
  readonly nudge: (account: string, kind: WebhookKind) => void;
  readonly onFailure: (error: unknown) => void;
  readonly nowMs: () => number;
  readonly limits: ReceiverLimits;
}

/** An account's rate limits. A flood of unsigned requests must not use up the limit of signed ones. */
export interface Sender {
  readonly account: string;
  readonly signing: WebhookSigning | null;
  readonly sound: Bucket;
  readonly unsound: Bucket;
}

const MAX_BATCH = 256;
const SEND_AGAIN_MS = 30_000;

/** null: no such account. */
function createSenders({ accounts, limits, nowMs }: IntakeParts): (account: string) => Sender | null {
  const allowances = new Map<string, Pick<Sender, 'sound' | 'unsound'>>();
  return (account) => {
    const signing = accounts.get(account);
    if (signing === undefined) {
      allowances.delete(account);
      return null;
    }
    const allowance = allowances.get(account) ?? {
      sound: createBucket(limits.sound, nowMs),
      unsound: createBucket(limits.unsound, nowMs),
    };
    allowances.set(account, allowance);
    return { account, signing, ...allowance };
  };
}

export function createIntake(parts: IntakeParts) {
  const { limits, nowMs } = parts;
  const store = createBatches(parts.inbox.store, MAX_BATCH);
  const { debounceMs, productDebounceMs } = limits;
  const nudges = {
    orders: createNudges(debounceMs, limits.nudges, nowMs),
    products: createNudges(productDebounceMs, { burst: 1, perSecond: 1_000 / productDebounceMs }, nowMs),
  };
  const hints = {
    orders: createNudges(debounceMs, limits.hints, nowMs),
    products: createNudges(productDebounceMs, limits.hints, nowMs),
  };

  async function keep(sender: Sender, kind: WebhookKind, body: Buffer): Promise<'stored' | 'duplicate' | 'nudged'> {
    const { account, signing } = sender;
    const paced = signing === null ? hints : nudges;
    const nudge = () => paced[kind].nudge(account, () => parts.nudge(account, kind));
    if (signing === null) {
      nudge();
      return 'nudged';
    }
    const delivery = { account, kind, body, receivedAtMs: nowMs() };
    const outcome = await store(delivery);
    follow(delivery, outcome).then((isNews) => isNews && nudge(), nudge);
    return outcome;
  }

  /** A repeated body may be news: an order that is edited back sends the same body. */
  async function follow(delivery: Delivery, outcome: 'stored' | 'duplicate'): Promise<boolean> {
    if (!(await parts.isNews(delivery))) return false;
    return outcome === 'stored' || parts.inbox.reopen(delivery);
  }

  return {
    sender: createSenders(parts),

    /** The answer if it is certain before the body is read; null: go on. */
    before(sender: Sender, headers: IncomingHttpHeaders): Answer | null {
      const { signing } = sender;
      if (signing !== null && signatureOf(headers, signing) === undefined) return refusal(sender, 'unsigned');
      return Number(headers['content-length']) > limits.bodyBytes ? refusal(sender, 'too-large') : null;
    },

    async after(sender: Sender, kind: WebhookKind, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
      const { signing } = sender;
      if (signing !== null && !parts.verify(body, signatureOf(headers, signing), signing)) {
        return refusal(sender, 'forged');
      }
      if (!isJson(body)) return refusal(sender, 'garbage');
      const waitMs = sender.sound();
      if (waitMs > 0) return flood(waitMs);
      try {
        return { outcome: await keep(sender, kind, body) };
      } catch (error) {
        return failure(parts, error);
      }
    },

    stop: () => {
      for (const { orders, products } of [nudges, hints]) {
        orders.stop();
        products.stop();
      }
    },
  };
}

/** A refusal with its own status, or 429 if there were too many. */
export function refusal(sender: Sender, outcome: 'unsigned' | 'forged' | 'garbage' | 'too-large'): Answer {
  const waitMs = sender.unsound();
  return waitMs > 0 ? flood(waitMs) : { outcome };
}

export function failure(parts: Pick<IntakeParts, 'onFailure'>, error: unknown): Answer {
  parts.onFailure(error);
  return { outcome: 'failed', retryAfterMs: SEND_AGAIN_MS };
}

export function flood(waitMs: number): Answer {
  return { outcome: 'flood', retryAfterMs: waitMs };
}

function signatureOf(headers: IncomingHttpHeaders, { header }: WebhookSigning): string | undefined {
  const value = headers[header.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

function isJson(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
