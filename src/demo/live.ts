import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, createChance } from '../sandbox/chance.ts';
import { type Buyers, startBuyers } from '../sandbox/marketplace/buyers.ts';
import type { StrategyLetter } from './compare.ts';
import { type Figures, figuresOf } from './figures.ts';
import type { Tell } from './tell.ts';
import { openWorld, type World } from './world.ts';

export interface LiveOptions {
  readonly strategy: StrategyLetter;
  readonly seed: number;
  readonly ordersPerMinute: number;
  readonly tell: Tell;
  readonly signal: AbortSignal;
  readonly onOpen: (world: World) => Promise<void>;
  readonly onSummary: (figures: Figures) => void;
}

const PRODUCTS = 24;
const POLL = { orders: '15s', products: '1m', erp: '2s' } as const;
const SUMMARY_EVERY_MS = 10_000;
const ERP_STAFF_EVERY_MS = 2_000;

/** Buyers order at random, and people in the ERP act, until it is stopped. */
export async function runLive(options: LiveOptions): Promise<void> {
  const { strategy, seed, ordersPerMinute, tell, signal, onSummary } = options;
  const world = await openWorld({ strategy, seed, tell, poll: POLL, products: PRODUCTS });
  let buyers: Buyers | null = null;
  try {
    await options.onOpen(world);
    buyers = startBuyers(world.marketplace, { ordersPerMinute, seed });
    const summaries = setInterval(() => onSummary(figuresOf(world)), SUMMARY_EVERY_MS);
    signal.addEventListener('abort', () => clearInterval(summaries), { once: true });
    await workInTheErp(world, createChance(`erp ${seed}`), signal);
    await buyers.stop();
    tell('demo', 'stopping: what is in progress ends first');
    await world.stopBridge();
    onSummary(figuresOf(world));
  } finally {
    await buyers?.stop();
    await world.close();
  }
}

/** With the frequency in a hundred looks. */
const NOW_AND_THEN: readonly (readonly [number, (world: World, chance: Chance) => void])[] = [
  [12, receiveGoods],
  [4, reprice],
  [4, takeOrder],
  [2, changeAssortment],
];

async function workInTheErp(world: World, chance: Chance, signal: AbortSignal): Promise<void> {
  const seen = new Set<string>();
  for (;;) {
    await sleep(ERP_STAFF_EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    shipOne(world, seen);
    let roll = chance.whole(1, 100);
    for (const [share, deed] of NOW_AND_THEN) {
      if (roll > 0 && roll <= share) deed(world, chance);
      roll -= share;
    }
  }
}

/** Ships the oldest order that was ready at the last look. In strategy a, marketplace staff fulfil first. */
function shipOne({ marketplace, erp, erpStaff, strategy }: World, seen: Set<string>): void {
  const orders = marketplace.orders();
  const accepted = orders.find(({ status }) => status === 'Accepted');
  if (strategy === 'a' && accepted !== undefined) marketplace.transition(accepted.number, 'fulfill');
  const wanted = strategy === 'a' ? 'Fulfilled' : 'Accepted';
  const marked = new Map(orders.filter(({ status }) => status === wanted).map((order) => [order.externalId, order]));
  const ready = erp.control
    .state()
    .orders.filter(({ id, status }) => marked.has(id) && (status === 'reserved' || status === 'draft'));
  const next = ready.find(({ id }) => seen.has(id));
  for (const { id } of ready) seen.add(id);
  if (next === undefined) return;
  seen.delete(next.id);
  erpStaff.ship(next.id);
}

/** Restocks the product with the least stock. */
function receiveGoods({ erp, erpStaff }: World, chance: Chance): void {
  const { products, stock } = erp.control.state();
  const sold = new Set(products.filter(({ active }) => active).map(({ sku }) => sku));
  const [least] = stock
    .filter(({ sku }) => sold.has(sku))
    .toSorted((a, b) => Number(a.available) - Number(b.available));
  if (least !== undefined) erpStaff.receive(least.sku, 12 * chance.whole(5, 20));
}

function reprice({ erp, erpStaff }: World, chance: Chance): void {
  const sku = anySku(erp, chance, true);
  if (sku !== null) erpStaff.reprice(sku, chance.pick([-10, -5, 4, 8]));
}

function takeOrder({ marketplace, erp, erpStaff }: World, chance: Chance): void {
  const customers = marketplace.customers();
  const customer = customers[chance.whole(0, customers.length - 1)];
  const sku = anySku(erp, chance, true);
  if (customer === undefined || sku === null) return;
  const listing = marketplace.products().find((product) => product.sku === sku && !product.archived);
  if (listing !== undefined && Number(listing.available) > Number(listing.unitMultiplier))
    erpStaff.takeOrder(customer, sku, 1);
}

/** Takes a product off sale, or brings one back. */
function changeAssortment({ erp, erpStaff }: World, chance: Chance): void {
  const gone = anySku(erp, chance, false);
  if (gone !== null) return erpStaff.bringBack(gone);
  const sku = anySku(erp, chance, true);
  if (sku !== null) erpStaff.discontinue(sku);
}

function anySku({ control }: World['erp'], chance: Chance, active: boolean): string | null {
  const skus = control
    .state()
    .products.filter((product) => product.active === active)
    .map(({ sku }) => sku);
  return skus[chance.whole(0, skus.length - 1)] ?? null;
}
