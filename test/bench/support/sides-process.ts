import { setTimeout as sleep } from 'node:timers/promises';
import { casePrice, seedProducts } from '../../../src/sandbox/erp/seed.ts';
import { type SandboxErp, startSandboxErp } from '../../../src/sandbox/erp/server.ts';
import type { OrderPlacement } from '../../../src/sandbox/marketplace/control-schema.ts';
import { type SandboxMarketplace, startSandboxMarketplace } from '../../../src/sandbox/marketplace/start.ts';
import { serve } from './rpc.ts';

/*
 * A marketplace and an ERP in a process of their own, so measurements of the daemon contain nothing else. Both have the same
 * products, linked and with the same stock, which is more than anybody orders.
 */

const TOKEN = 'an-erp-token-of-the-bench';
const CUSTOMERS = 20;
const ON_HAND = '10000000';
const MAX_LINES = 3;

/** A place of stock, by its names in the ERP and on the marketplace. */
export interface BenchPlace {
  readonly location: string;
  readonly facility: number;
}

interface Opening {
  readonly products: number;
  /** So many of the products are listings; left out: all of them. */
  readonly listed?: number;
  /** The listings were made by hand: they are not linked, and have another stock. */
  readonly byHand?: boolean;
  readonly limits: boolean;
  readonly places: readonly BenchPlace[];
  readonly answerMs: number;
}

let marketplace: SandboxMarketplace;
let erp: SandboxErp;
let customers: number[] = [];
let placed = 0;
let taken = 0;

const api = {
  async open({ products, listed = products, byHand = false, limits, places, answerMs }: Opening) {
    marketplace = await startSandboxMarketplace(limits ? {} : { settings: { rate: null } });
    erp = await startSandboxErp({ tokens: [TOKEN] });
    if (answerMs > 0) {
      marketplace.faults.set({ kind: 'delay-before', ms: answerMs });
      erp.control.inject({ kind: 'delay', delayMs: answerMs, times: null });
    }
    erp.control.addProducts([...seedProducts(products)].map((product) => ({ ...product, on_hand: ON_HAND })));
    marketplace.createProducts(
      erp.control
        .state()
        .products.slice(0, listed)
        .map(byHand ? madeByHand : listingOf),
    );
    for (const { sku } of places.length === 0 ? [] : erp.control.state().products) {
      for (const { location } of places) erp.control.setStock(sku, ON_HAND, { location });
      const inventory = places.map(({ facility }) => ({ facility, batch: 1, onHand: ON_HAND }));
      marketplace.setInventory(marketplace.productBySku(sku).id, inventory);
    }
    customers = Array.from({ length: CUSTOMERS }, (_, index) => addCustomer(`Shop ${index + 1}`));
    return { marketplaceUrl: marketplace.url, key: marketplace.key, erpUrl: erp.url, token: TOKEN };
  },

  /** Buyers order, all at once; nobody is told by webhook. Each order has one to three lines. */
  placeOrders(count: number): string[] {
    const products = marketplace.activeProductIds();
    const orders = Array.from({ length: count }, () => nextOrder(products));
    return marketplace.placeOrders(orders).map(({ number }) => number);
  },

  /** From now on, sends a webhook for every event. */
  sendWebhooksTo(receiverUrl: string, secret: string): void {
    marketplace.webhooks.setTargets([
      { url: `${receiverUrl}/webhooks/main/orders`, types: ['order'], secret },
      { url: `${receiverUrl}/webhooks/main/products`, types: ['product'], secret },
    ]);
  },

  /**
   * Buyers order at random moments and the marketplace sends its webhooks. Returns for each order the milliseconds until the
   * ERP was asked to create it.
   */
  async timeOrders(count: number, everyMs: number): Promise<number[]> {
    const products = marketplace.activeProductIds();
    const placedAt = new Map<string, number>();
    for (let index = 0; index < count; index += 1) {
      await sleep(-Math.log(1 - Math.random()) * everyMs);
      const now = Date.now();
      placedAt.set(marketplace.placeOrder(nextOrder(products)).number, now);
    }
    const took = new Map<string, number>();
    for (const deadline = Date.now() + 30_000; took.size < count && Date.now() < deadline; await sleep(50)) {
      for (const { method, url, body, at } of erp.control.requests()) {
        const reference = (body as { reference?: string } | null)?.reference ?? '';
        const from = placedAt.get(reference);
        if (method === 'POST' && url.startsWith('/v1/orders') && from !== undefined)
          took.set(reference, Date.parse(at) - from);
      }
    }
    return [...took.values()];
  },

  /**
   * A buyer orders once in `everyMs`, for `forMs`; nobody is told by webhook. Returns for each order the milliseconds until the
   * ERP was asked to create it, since it was placed and since the first list of orders after that. An order that does not come
   * counts as if it came at the end.
   */
  async followOrders(everyMs: number, forMs: number): Promise<{ sincePlacedMs: number; sinceListMs: number }[]> {
    const products = marketplace.activeProductIds();
    const orders: { readonly number: string; readonly atMs: number }[] = [];
    const createdAt = new Map<string, number>();
    const listedAt: number[] = [];
    const endMs = Date.now() + forMs;
    // Beyond the end, the last orders may still arrive.
    const lastMs = endMs + 60_000;
    for (let nextMs = Date.now(); Date.now() < endMs || createdAt.size < orders.length; await sleep(100)) {
      if (Date.now() > lastMs) break;
      if (Date.now() >= nextMs && Date.now() < endMs) {
        orders.push({ number: marketplace.placeOrder(nextOrder(products)).number, atMs: Date.now() });
        nextMs += everyMs;
      }
      for (const { method, url, body, at } of erp.control.requests()) {
        const reference = (body as { reference?: string } | null)?.reference ?? '';
        if (method === 'POST' && url.startsWith('/v1/orders') && !createdAt.has(reference))
          createdAt.set(reference, Date.parse(at));
      }
    }
    const stoppedMs = Date.now();
    for (const { operation, at } of marketplace.requestLog.calls())
      if (operation === 'orders.list') listedAt.push(Date.parse(at));
    return orders.map(({ number, atMs }) => {
      const inErpMs = createdAt.get(number) ?? stoppedMs;
      const listMs = listedAt.find((one) => one >= atMs) ?? atMs;
      return { sincePlacedMs: inErpMs - atMs, sinceListMs: inErpMs - listMs };
    });
  },

  /** Takes one unit of so many products at this location. */
  takeAt(location: string, count: number): void {
    const onHand = String(Number(ON_HAND) - 1);
    for (const { sku } of erp.control.state().products.slice(0, count)) erp.control.setStock(sku, onHand, { location });
  },

  /** Takes one unit of so many products. */
  take(count: number): void {
    taken += 1;
    const onHand = String(Number(ON_HAND) - taken);
    for (const { sku } of erp.control.state().products.slice(0, count)) erp.control.setStock(sku, onHand);
  },

  /** Products whose figure at a facility differs from the ERP's at the location. */
  placeProblems(places: readonly BenchPlace[]): string[] {
    const stock = Map.groupBy(erp.control.state().stock, ({ sku }) => sku);
    return [...stock].flatMap(([sku, rows]) => {
      const shown = marketplace.inventory(marketplace.productBySku(sku).id);
      const isRight = ({ location, facility }: BenchPlace) =>
        shown.find((each) => each.facility === facility)?.onHand ===
        rows.find((row) => row.location === location)?.on_hand;
      return places.every(isRight) ? [] : [sku];
    });
  },

  /** Calls by operation since the last reset. */
  calls(): Record<string, number> {
    return { ...marketplace.requestLog.counts() };
  },

  /** Requests to the ERP for lists since the last reset, by the kind of list. Further pages of a list do not count. */
  erpLists(): Record<string, number> {
    const isFirstPage = (url: string) => /^\/v1\/\w+(\?|$)/.test(url) && !/[?&]cursor=/.test(url);
    const lists = erp.control.requests().filter(({ method, url }) => method === 'GET' && isFirstPage(url));
    const named = lists.map(({ url }) => url.replace(/^\/v1\/(\w+).*$/, '$1'));
    return Object.fromEntries(
      Map.groupBy(named, (name) => name)
        .entries()
        .map(([name, all]) => [name, all.length]),
    );
  },

  /** Answers of the marketplace with this status since the last reset. */
  answered: (status: number): number => marketplace.requestLog.statuses()[String(status)] ?? 0,

  isInErp: (number: string): boolean => erp.control.state().orders.some(({ reference }) => reference === number),

  ordersInErp: (): number => erp.control.state().orders.length,

  /** When the calls of an operation since the last reset were made, in milliseconds since 1970. */
  callTimes(operation: string): number[] {
    const calls = marketplace.requestLog.calls().filter((call) => call.operation === operation);
    return calls.map(({ at }) => Date.parse(at));
  },

  resetCalls(): void {
    marketplace.requestLog.reset();
    erp.control.clearRequests();
  },

  /** Problems of orders: not exported, exported twice, not marked. */
  orderProblems(): string[] {
    const byReference = Map.groupBy(erp.control.state().orders, ({ reference }) => reference);
    return marketplace.orders().flatMap(({ number, externalId }) => {
      const found = byReference.get(number) ?? [];
      if (found.length === 1 && found[0]?.id === externalId) return [];
      return [`order ${number}: ${found.length} ERP orders, external id ${externalId}`];
    });
  },
};

export type SidesApi = typeof api;

function addCustomer(name: string): number {
  const id = marketplace.addCustomer({ name, state: 'OR' });
  erp.control.addCustomer({ name, marketplace_id: id });
  return id;
}

function listingOf(product: ReturnType<SandboxErp['control']['state']>['products'][number]) {
  return {
    sku: product.sku,
    name: product.name,
    description: product.description,
    listing_state: 'Available',
    inventory_management: 1,
    wholesale_price: casePrice(product),
    unit_multiplier: product.unit_multiplier,
    quantity: ON_HAND,
    external_ids: { stockbridge: product.id },
  };
}

/** A listing that somebody made: without the ERP's id, and with another stock. */
function madeByHand(product: Parameters<typeof listingOf>[0]) {
  return { ...listingOf(product), quantity: '5', external_ids: {} };
}

function nextOrder(products: readonly number[]): OrderPlacement {
  placed += 1;
  const lines = 1 + (placed % MAX_LINES);
  const items = Array.from({ length: lines }, (_, line) => ({
    product: products[(placed * 7 + line * 13) % products.length] ?? 0,
    quantity: '2',
  }));
  return { customer: customers[placed % customers.length] ?? 0, items };
}

serve(api);
