import { setTimeout as sleep } from 'node:timers/promises';
import { OPEN_STATUSES } from '../../src/domain/status.ts';
import { casePrice, seedProducts } from '../../src/sandbox/erp/seed.ts';
import { startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { wallMicros } from '../../src/sandbox/marketplace/instants.ts';
import { startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { serve } from '../bench/support/rpc.ts';
import { disagreements } from '../support/agreement.ts';
import { chance } from '../support/chance.ts';

/* Both sides of the brand, in one process: a marketplace with a past, an ERP, and buyers. */

const ERP_TOKEN = 'an-erp-token-of-the-first-day';
const STATUSES = ['Submitted', 'Accepted', 'Fulfilled', 'Shipped', 'Complete', 'Rejected', 'Canceled'];
const STATES = ['NV', 'CA', 'OR', 'WA', 'CO'];
const MONTH_MICROS = 30 * 24 * 3_600 * 1_000_000;
const LOOK_EVERY_MS = 50;
/** A listing that stands for no product of the ERP until somebody makes one. */
const GIFT_BOX = 'GIFT-BOX-9';

/** The ways in which people write the SKU of the ERP in another spelling. */
const SPELLINGS: readonly ((sku: string) => string)[] = [
  (sku) => sku.toLowerCase(),
  (sku) => sku.replace('-', ' '),
  (sku) => sku.replace('-', '_'),
  (sku) => sku.replace('-', ''),
  (sku) => ` ${sku} `,
];

export interface Past {
  readonly products: number;
  readonly customers: number;
  readonly orders: number;
  /** The factor on the marketplace's documented limits. */
  readonly speed: number;
}

let atMicros = -MONTH_MICROS;
const luck = chance('the first day');
const erp = await startSandboxErp({ tokens: [ERP_TOKEN] });
let marketplace: Awaited<ReturnType<typeof startSandboxMarketplace>>;
let customers: number[] = [];
/** The orders that were over before the program began. */
let history: ReadonlySet<string> = new Set();
let buying: AbortController | null = null;

interface Placed {
  readonly number: string;
  readonly atMs: number;
  inErpAtMs: number | null;
}
const placed: Placed[] = [];

/** Returns the number of the order. */
function order(product: number): string {
  const customer = luck.pick(customers) ?? 0;
  return marketplace.placeOrder({ customer, items: [{ product, quantity: '1' }] }).number;
}

async function buy(everyMs: number, { signal }: AbortController): Promise<void> {
  while (!signal.aborted) {
    const known = marketplace.activeProductIds().filter((id) => marketplace.product(id).sku !== GIFT_BOX);
    const number = order(luck.pick(known) ?? 0);
    placed.push({ number, atMs: Date.now(), inErpAtMs: null });
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}

setInterval(() => {
  for (const one of placed) {
    if (one.inErpAtMs === null && erp.control.findOrders(one.number).length > 0) one.inErpAtMs = Date.now();
  }
}, LOOK_EVERY_MS);

const api = {
  /** The two sides as they were before the program: half of the products are listed, under SKUs that people typed. */
  async open({ products, customers: shops, orders, speed }: Past) {
    const rate = { perSecond: 8 * speed, perMinute: 300 * speed, countRejected: false, headline: 'tightest' } as const;
    marketplace = await startSandboxMarketplace({ settings: { rate }, now: () => wallMicros() + atMicros });
    const seeds = [...seedProducts(products)].map((seed, index) => ({
      ...seed,
      name: `${seed.name} No. ${index + 1}`,
      on_hand: '5000',
    }));
    erp.control.addProducts(seeds);
    marketplace.createProducts(
      seeds.slice(0, Math.floor(products / 2)).map((seed, index) => ({
        sku: SPELLINGS[index % SPELLINGS.length]?.(seed.sku) ?? seed.sku,
        name: seed.name,
        wholesale_price: casePrice(seed),
        unit_multiplier: seed.unit_multiplier,
        quantity: '5000',
      })),
    );
    customers = Array.from({ length: shops }, (_, index) =>
      marketplace.addCustomer({ name: `Shop ${index + 1}`, state: STATES[index % STATES.length] ?? 'NV' }),
    );
    const listed = marketplace.activeProductIds();
    const past = Array.from({ length: orders }, (_, index) => ({
      customer: luck.pick(customers) ?? 0,
      items: [{ product: luck.pick(listed) ?? 0, quantity: '1' }],
      status: STATUSES[index % STATUSES.length] ?? 'Complete',
    }));
    const before = marketplace.placeOrders(past);
    history = new Set(before.flatMap(({ number, status }) => (OPEN_STATUSES.includes(status) ? [] : [number])));
    atMicros = 0;
    return { marketplaceUrl: marketplace.url, key: marketplace.key, erpUrl: erp.url, token: ERP_TOKEN };
  },

  startBuying(everyMs: number): void {
    buying = new AbortController();
    void buy(everyMs, buying);
  },
  stopBuying: () => buying?.abort(),

  /** A buyer orders what no product of the ERP stands for. */
  orderTheUnknown(): void {
    const wholesale_price = { amount: '40.00', currency: 'USD' };
    const { id } = marketplace.createProduct({ sku: GIFT_BOX, name: 'Gift box', wholesale_price, quantity: '10' });
    order(id);
  },
  makeTheUnknown: () =>
    erp.control.addProducts([
      { sku: GIFT_BOX, name: 'Gift box', price: { amount: '40.00', currency: 'USD' }, on_hand: '10' },
    ]),

  breakErp: () => erp.control.inject({ kind: 'reset', times: null }),
  mendErp: () => erp.control.clearFaults(),

  /** The old key is refused from now on. Returns the new one. */
  rotateKey(): string {
    const [old] = marketplace.keys.all();
    const { secret } = marketplace.keys.issue({ ...FULL, secret: `key-of-${Date.now()}` });
    marketplace.keys.revoke(old?.secret ?? '');
    return secret;
  },

  figures() {
    const calls = marketplace.requestLog.calls();
    const answered = (operation: string) =>
      calls.filter((call) => call.operation === operation && call.status === 200).map(({ at }) => Date.parse(at));
    const erpReads = (path: string) =>
      erp.control
        .requests()
        .filter(({ method, url, status }) => method === 'GET' && url.startsWith(path) && status === 200)
        .map(({ at }) => Date.parse(at));
    return {
      placed,
      calls: marketplace.requestLog.total(),
      statuses: marketplace.requestLog.statuses(),
      creates: calls.filter(
        ({ operation, status }) => operation === 'products.create' && status !== null && status < 300,
      ).length,
      listings: marketplace.activeProductIds().length,
      reads: {
        orders: answered('orders.list'),
        listings: answered('products.list'),
        'ERP products': erpReads('/v1/products'),
        'ERP stock': erpReads('/v1/stock'),
        'ERP orders': erpReads('/v1/orders'),
      },
    };
  },

  /** The differences between both sides, without the orders that were over before the start. */
  disagreements(): string[] {
    const trueSku = new Map(
      marketplace.products().map(({ id, sku }) => [id, sku === GIFT_BOX ? sku : asInErp(sku)] as const),
    );
    const orders = () => marketplace.orders().filter(({ number }) => !history.has(number));
    return disagreements({ marketplace: { ...marketplace, orders }, erp }, 'b', (listing) => trueSku.get(listing));
  },
};

const FULL = {
  scheme: 'App',
  owner: 'brand',
  permissions: { Orders: 'write', Products: 'write', Customers: 'write' },
} as const;

const asInErp = (sku: string): string => `SB-${/\d+/.exec(sku)?.[0] ?? ''}`;

export type SidesApi = typeof api;

serve(api);
