import { serve } from './rpc.ts';

/*
 * What a bare script does with orders: it lists them, enters each into the ERP and marks it, ten at once. It remembers nothing, so it
 * survives no fault.
 */

const AT_ONCE = 10;
const PAGE_SIZE = 100;

export interface BareSides {
  readonly marketplaceUrl: string;
  readonly key: string;
  readonly erpUrl: string;
  readonly token: string;
}

interface ListedOrder {
  readonly number: string;
  readonly external_id: string | null;
  readonly total: { readonly amount: number };
  readonly customer: { readonly id: number; readonly display_name: string };
  readonly frozen_data: readonly { readonly product: number; readonly sku: string }[];
  readonly line_items: readonly {
    readonly product: number;
    readonly quantity: string;
    readonly ordered_unit_price: { readonly amount: number; readonly currency: string };
  }[];
}

const api = {
  /** Brings every order home that is not marked. Answers how long it took, and its processor. */
  async work(sides: BareSides): Promise<{ tookMs: number; cpuMs: number; count: number }> {
    const before = process.cpuUsage();
    const startedMs = performance.now();
    const orders = await listed(sides);
    const left = orders.values();
    const bring = async () => {
      for (const order of left) await bringHome(sides, order);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, bring));
    const { user, system } = process.cpuUsage(before);
    return { tookMs: performance.now() - startedMs, cpuMs: (user + system) / 1_000, count: orders.length };
  },
};

export type BareScriptApi = typeof api;

async function listed({ marketplaceUrl, key }: BareSides): Promise<ListedOrder[]> {
  const orders: ListedOrder[] = [];
  for (let page = 1; ; page += 1) {
    const query = `page=${page}&page_size=${PAGE_SIZE}&include_children=line_items`;
    const answer = await asked(`${marketplaceUrl}/api/v2/orders-received/?${query}`, `App ${key}`);
    const { results, next } = answer as { results: ListedOrder[]; next: string | null };
    orders.push(...results.filter(({ external_id }) => external_id === null));
    if (next === null) return orders;
  }
}

async function bringHome({ marketplaceUrl, key, erpUrl, token }: BareSides, order: ListedOrder): Promise<void> {
  const skus = new Map(order.frozen_data.map(({ product, sku }) => [product, sku]));
  const lines = order.line_items.map(({ product, quantity, ordered_unit_price: price }) => ({
    sku: skus.get(product),
    quantity,
    unit_price: String(price.amount),
  }));
  const made = (await asked(`${erpUrl}/v1/orders`, `Bearer ${token}`, 'POST', {
    reference: order.number,
    origin: 'marketplace',
    status: 'reserved',
    customer: { marketplace_id: order.customer.id, name: order.customer.display_name },
    currency: order.line_items[0]?.ordered_unit_price.currency ?? 'USD',
    lines,
    discount: '0',
    shipping: '0',
    tax: '0',
    total: String(order.total.amount),
    note: '',
  })) as { id: string };
  const url = `${marketplaceUrl}/api/v2/orders-received/${order.number}/`;
  await asked(url, `App ${key}`, 'PATCH', { external_id: made.id });
}

async function asked(url: string, authorization: string, method = 'GET', body?: object): Promise<unknown> {
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

serve(api);
