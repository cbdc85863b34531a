import { afterEach } from 'vitest';
import type { CustomerDraft } from '../../../src/sandbox/marketplace/control-schema.ts';
import {
  type SandboxMarketplace,
  type SandboxOptions,
  startSandboxMarketplace,
} from '../../../src/sandbox/marketplace/start.ts';

/** The fields of answers that tests read: of a list, an order or a product. */
export interface Seen {
  readonly [other: string]: unknown;
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Seen[];
  readonly detail: string;
  readonly id: number;
  readonly number: string;
  readonly sku: string;
  readonly status: string;
  readonly modified: string;
  readonly created_on: string;
  readonly quantity: number | string | null;
  readonly line_items: readonly { readonly [other: string]: unknown; readonly quantity: string }[];
}

/** An answer as it came over HTTP. `body` is parsed by the plain JSON of the platform. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Seen;
}

export interface Started extends SandboxMarketplace {
  /** Sends a call below /api/v2 with the sandbox's first key. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
}

const open: SandboxMarketplace[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((market) => market.close()));
});

/** A marketplace for one test, closed after it; limits off unless the test is about them. */
export async function start(options: SandboxOptions = {}): Promise<Started> {
  const market = await startSandboxMarketplace({ ...options, settings: { rate: null, ...options.settings } });
  open.push(market);
  return { ...market, call: (method, path, body, headers) => send(market, method, path, body, headers) };
}

async function send(
  market: SandboxMarketplace,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const answer = await fetch(`${market.url}/api/v2${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `App ${market.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type') === 'application/json';
  const seen = (isJson ? JSON.parse(text) : {}) as Seen;
  return { status: answer.status, headers: answer.headers, text, body: seen };
}

export const USD = (amount: number | string) => ({ amount: String(amount), currency: 'USD' });

export function addCustomer(
  market: Pick<SandboxMarketplace, 'addCustomer'>,
  draft: Partial<CustomerDraft> = {},
): number {
  return market.addCustomer({ name: 'Green Door', state: 'OR', ...draft });
}

/** A managed product with this quantity. */
export function addProduct(
  market: Pick<SandboxMarketplace, 'createProduct'>,
  quantity: number | string = 100,
  fields: object = {},
): number {
  const body = { sku: 'SKU-1', name: 'Gummies', wholesale_price: USD('12.00'), quantity: String(quantity), ...fields };
  return market.createProduct(body).id;
}

/** The first row of a list. */
export async function firstOf(market: Started, path: string): Promise<Seen> {
  const { body, status, text } = await market.call('GET', path);
  const row = status === 200 ? body.results[0] : undefined;
  if (!row) throw new Error(`${path} answered no row: ${status} ${text}`);
  return row;
}

/** quantity, reserved and available of a product, as the API shows them. */
export async function figuresOf(market: Started, id: number): Promise<readonly unknown[]> {
  const row = await firstOf(market, `/products/?id=${id}`);
  return [row.quantity, row['reserved_qty'], row['available_inventory']];
}

/** A clock that tests turn by hand. */
export function handClock(startMs = Date.UTC(2026, 4, 1)): { now: () => number; advanceMs: (ms: number) => void } {
  let micros = startMs * 1000;
  return {
    now: () => micros,
    advanceMs: (ms) => {
      micros += ms * 1000;
    },
  };
}
