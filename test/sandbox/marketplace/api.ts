import { afterEach } from 'vitest';
import type { CustomerDraft } from '../../../src/sandbox/marketplace/control-schema.ts';
import {
  type SandboxMarketplace,
  type SandboxOptions,
  startSandboxMarketplace,
} from '../../../src/sandbox/marketplace/start.ts';

/** An answer as it came over HTTP. `body` is parsed by the plain JSON of the platform. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint: answers are looked into freely by tests
  readonly body: any;
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
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
}

export const USD = (amount: number | string) => ({ amount: String(amount), currency: 'USD' });

export function addCustomer(market: SandboxMarketplace, draft: Partial<CustomerDraft> = {}): number {
  return market.addCustomer({ name: 'Green Door', state: 'OR', ...draft });
}

/** A managed product with this quantity. */
export function addProduct(market: SandboxMarketplace, quantity: number | string = 100, fields: object = {}): number {
  const body = { sku: 'SKU-1', name: 'Gummies', wholesale_price: USD('12.00'), quantity: String(quantity), ...fields };
  return market.createProduct(body).id;
}

/** quantity, reserved and available of a product, as the API shows them. */
export async function figuresOf(market: Started, id: number): Promise<readonly [number, number, number]> {
  const { body } = await market.call('GET', `/products/?id=${id}`);
  const [row] = body.results;
  return [row.quantity, row.reserved_qty, row.available_inventory];
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
