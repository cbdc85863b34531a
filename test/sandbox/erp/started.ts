import { afterEach, expect } from 'vitest';
import { type SandboxErp, type SandboxErpOptions, startSandboxErp } from '../../../src/sandbox/erp/server.ts';

export const TOKEN = 'sesame-4711';
const opened = new Set<SandboxErp>();
afterEach(async () => {
  await Promise.all([...opened].map((erp) => erp.close()));
  opened.clear();
});

/** Stands for any text in an expected value. */
export const TEXT: unknown = expect.any(String);

export function textWith(part: string): unknown {
  return expect.stringContaining(part);
}

/** A record as the tests look at it. */
export interface Row {
  id: string;
  sku: string;
  on_hand: string;
  reserved: string;
  available: string;
}

/** An answer as the tests look at it: a list, a record or an error. */
export interface Body extends Row {
  items: Row[];
  next: string | null;
  as_of: string;
  complete: boolean;
  status: string;
  customer: unknown;
  time: string;
  error: string;
}

/** A sandbox ERP on a clock of its own, closed after the test. */
export async function start(options: Partial<SandboxErpOptions> = {}) {
  const clock = { ms: Date.UTC(2030, 0, 1) };
  const erp = await startSandboxErp({ tokens: [TOKEN], clock: () => clock.ms, ...options });
  opened.add(erp);
  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
    const headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(erp.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }
  const figures = async (sku: string) => {
    const [row] = (await call('GET', `/v1/stock?sku=${encodeURIComponent(sku)}`)).body.items;
    return [row?.on_hand, row?.reserved, row?.available];
  };
  const close = async () => {
    opened.delete(erp);
    await erp.close();
  };
  return { erp, clock, call, figures, close, control: erp.control };
}

export const DRAFT = {
  reference: 'R-1',
  status: 'reserved',
  customer: { name: 'Corner Shop' },
  currency: 'USD',
  lines: [{ sku: 'A', quantity: '2.5', unit_price: '4.00' }],
  discount: '0.00',
  shipping: '5.00',
  tax: '0.00',
  total: '15.00',
  note: '',
};

export async function withTwoProducts() {
  const started = await start();
  started.control.addProducts([
    { sku: 'A', on_hand: '10' },
    { sku: 'B', on_hand: '10' },
  ]);
  return started;
}
