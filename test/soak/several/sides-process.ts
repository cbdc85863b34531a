import { startSandboxErp } from '../../../src/sandbox/erp/server.ts';
import { startSandboxMarketplace } from '../../../src/sandbox/marketplace/start.ts';
import { serve } from '../../bench/support/rpc.ts';
import { disagreements } from '../../support/agreement.ts';
import type { Brand } from '../../support/brand.ts';
import { chance } from '../../support/chance.ts';
import { daysWork } from '../life.ts';

/* Both sides of many brands in one process, with people who never rest. */

const TOKEN = 'an-erp-token-of-the-soak';
const SECRET = 'a-webhook-secret-of-the-soak';
const STOCK = '800';
const DEED_EVERY_MS = 500;
/** A stock figure from this long ago may still be written: it was read, and the write waited for the quota. */
const KNOWN_FOR_MS = 60_000;

interface Opening {
  readonly products: number;
  /** The limits of the marketplace; null: none. */
  readonly rate: { readonly perSecond: number; readonly perMinute: number } | null;
}

type Side = Awaited<ReturnType<typeof openBrand>>;
let brands: Side[] = [];
let life: NodeJS.Timeout | null = null;

async function openBrand(name: string, { products, rate }: Opening) {
  const ways = { countRejected: false, headline: 'tightest' } as const;
  const settings = { rate: rate === null ? null : { ...rate, ...ways } };
  const marketplace = await startSandboxMarketplace({ settings });
  const erp = await startSandboxErp({ tokens: [TOKEN] });
  /** The stock counts of people, by SKU. Nothing else adds to the stock. */
  const counted = new Map<string, { readonly atMs: number; readonly onHand: number }[]>();
  const setStock: typeof erp.control.setStock = (sku, onHand, at) => {
    const counts = counted.get(sku) ?? [];
    counted.set(sku, [...counts, { atMs: Date.now(), onHand: Number(onHand) }]);
    return erp.control.setStock(sku, onHand, at);
  };
  const people = { marketplace, erp: { ...erp, control: { ...erp.control, setStock } } };
  erp.control.seed(products);
  for (const { sku } of erp.control.state().products) setStock(sku, STOCK);
  return { name, marketplace, erp, people, counted };
}

/** Writes of the daemons that let buyers take more than the ERP had at any time in the minute before. */
function tooMuch({ name, marketplace, counted }: Side): string[] {
  return marketplace.requestLog.calls().flatMap(({ at, method, url, body, applied }) => {
    const id = /\/products\/(\d+)\//.exec(url)?.[1];
    const written = /"available_inventory":\s*"?([\d.]+)/.exec(body)?.[1];
    if (method !== 'PATCH' || !applied || id === undefined || written === undefined) return [];
    const atMs = Date.parse(at);
    const { sku } = marketplace.product(Number(id));
    const before = (counted.get(sku) ?? []).filter((count) => count.atMs <= atMs);
    const first = before.findLastIndex((count) => count.atMs < atMs - KNOWN_FOR_MS);
    const most = Math.max(0, ...before.slice(Math.max(0, first)).map(({ onHand }) => onHand));
    return Number(written) <= most ? [] : [`${name}: ${sku} was set to ${written} at ${at}, and the ERP had ${most}`];
  });
}

const sum = (of: (brand: Side) => number): number => brands.reduce((total, brand) => total + of(brand), 0);

const api = {
  async open(count: number, opening: Opening): Promise<Brand[]> {
    brands = await Promise.all(Array.from({ length: count }, (_, index) => openBrand(`brand${index + 1}`, opening)));
    return brands.map(({ name, marketplace, erp }) => ({
      name,
      marketplaceUrl: marketplace.url,
      key: marketplace.key,
      erpUrl: erp.url,
      token: TOKEN,
      secret: SECRET,
    }));
  },

  /** Each brand's webhooks go to one of these receivers, no matter which daemon works the brand. */
  sendWebhooksTo(receivers: readonly string[]): void {
    for (const [index, { name, marketplace }] of brands.entries()) {
      const url = `${receivers[index % receivers.length]}/webhooks/${name}`;
      marketplace.webhooks.setTargets([
        { url: `${url}/orders`, types: ['order'], secret: SECRET },
        { url: `${url}/products`, types: ['product'], secret: SECRET },
      ]);
    }
  },

  startLife(seed: string): void {
    const luck = chance(seed);
    const deeds = brands.map(({ people, name }) => daysWork(people, chance(`${seed} ${name}`)));
    life = setInterval(() => luck.pick(deeds)?.(), DEED_EVERY_MS);
  },

  /** Places so many orders for each brand. */
  placeOrders(each: number): void {
    for (const { marketplace } of brands) {
      const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
      const [product = 0] = marketplace.activeProductIds();
      for (let n = 0; n < each; n += 1) marketplace.placeOrder({ customer, items: [{ product, quantity: '1' }] });
    }
  },

  stopLife(): void {
    if (life !== null) clearInterval(life);
  },

  figures: () => ({
    unlisted: sum(
      ({ marketplace, erp }) => erp.control.state().products.length - marketplace.activeProductIds().length,
    ),
    orders: sum(({ marketplace }) => marketplace.orders().length),
    exported: sum(({ marketplace }) => marketplace.orders().filter(({ externalId }) => externalId !== null).length),
    calls: sum(({ marketplace }) => marketplace.requestLog.total()),
    tooFast: sum(({ marketplace }) => marketplace.requestLog.statuses()['429'] ?? 0),
  }),

  disagreements: () =>
    brands.flatMap(({ name, marketplace, erp }) =>
      disagreements({ marketplace, erp }, 'b').map((line) => `${name}: ${line}`),
    ),

  tooMuch: () => brands.flatMap(tooMuch),
};

export type SidesApi = typeof api;

serve(api);
