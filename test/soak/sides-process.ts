import { startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { serve } from '../bench/support/rpc.ts';
import { disagreements } from '../support/agreement.ts';
import { chance } from '../support/chance.ts';
import { daysWork } from './life.ts';

/* Both sides in one process of their own, with people who never rest. */

const TOKEN = 'an-erp-token-of-the-soak';
/** The marketplace's limits (spec 1, Rate limits). */
const REAL = { perSecond: 8, perMinute: 300 };
const PRODUCTS = 40;
const DEED_EVERY_MS = 200;

const erp = await startSandboxErp({ tokens: [TOKEN] });
let marketplace: Awaited<ReturnType<typeof startSandboxMarketplace>>;
let life: NodeJS.Timeout | null = null;
let webhookTargets: Parameters<typeof marketplace.webhooks.setTargets>[0] = [];

const api = {
  async open({ speed }: { speed: number }) {
    const rate = { perSecond: REAL.perSecond * speed, perMinute: REAL.perMinute * speed };
    marketplace = await startSandboxMarketplace({
      settings: { rate: { ...rate, countRejected: false, headline: 'tightest' } },
    });
    erp.control.seed(PRODUCTS);
    for (const { sku } of erp.control.state().products) erp.control.setStock(sku, '800');
    return { marketplaceUrl: marketplace.url, key: marketplace.key, erpUrl: erp.url, token: TOKEN, ...rate };
  },

  sendWebhooksTo(receiverUrl: string, secret: string): void {
    webhookTargets = [
      { url: `${receiverUrl}/webhooks/main/orders`, types: ['order'], secret },
      { url: `${receiverUrl}/webhooks/main/products`, types: ['product'], secret },
    ];
    marketplace.webhooks.setTargets(webhookTargets);
  },

  startLife(seed: string): void {
    const deed = daysWork({ marketplace, erp }, chance(seed));
    life = setInterval(deed, DEED_EVERY_MS);
  },

  stopLife(): void {
    if (life !== null) clearInterval(life);
  },

  breakMarketplace: (fault: Parameters<typeof marketplace.faults.set>[0]) => void marketplace.faults.set(fault),
  breakErp: (fault: Parameters<typeof erp.control.inject>[0]) => erp.control.inject(fault),

  mend(): void {
    marketplace.faults.clear();
    erp.control.clearFaults();
  },

  figures() {
    const calls = Object.values(marketplace.requestLog.counts()).reduce((sum, count) => sum + count, 0);
    return { orders: marketplace.orders().length, calls, unlisted: PRODUCTS - marketplace.activeProductIds().length };
  },

  disagreements: () => disagreements({ marketplace, erp }, 'b'),
};

export type SidesApi = typeof api;

serve(api);
