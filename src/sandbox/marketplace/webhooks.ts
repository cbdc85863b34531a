import type { Faults } from './faults.ts';
import type { Market, MarketEvent } from './market.ts';
import { orderJson } from './order-json.ts';
import type { OrderRow } from './order-rows.ts';
import { findProduct, productJson } from './product-rows.ts';
import type { WebhookDelivery, WebhookSender, WebhookTarget } from './webhook-sender.ts';

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
    /** The latest deliveries, oldest first; at most 10,000 are kept. */
    deliveries: (): readonly WebhookDelivery[] => log.slice(-KEPT),
    /** Resolves when no webhook waits any more. */
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

/** Field notes: `{action, type, data}`; an order's lines sit in orderedproduct_set, and it carries no `modified`. */
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
