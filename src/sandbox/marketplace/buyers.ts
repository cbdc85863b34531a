import { setTimeout as wait } from 'node:timers/promises';
import { type Chance, createChance } from '../chance.ts';
import { Exact } from '../exact.ts';
import type { Actions, OrderState, ProductState } from './actions.ts';
import type { OrderedItem } from './control-schema.ts';
import type { Settings } from './settings.ts';
import { type Money, Refusal } from './wire-values.ts';

type Shop = Actions & { settings(): Settings };

/** An act of a buyer or of staff. */
export interface Deed {
  readonly did: 'ordered' | 'accepted' | 'edited' | 'canceled' | 'rejected';
  readonly number: string;
  readonly customer: string;
  readonly lines: number;
}

export interface BuyersOptions {
  readonly ordersPerMinute: number;
  readonly seed: number | string;
  readonly onDeed?: (deed: Deed) => void;
  /** Stops after this many orders. */
  readonly maxOrders?: number;
}

const MAX_LINES = 5;
/** Staff look at an order after this many newer ones. */
const LOOKED_AT_AFTER = 3;
/** In percent of orders; the rest are accepted unchanged. */
const CANCELED = 5;
const REJECTED = 3;
const EDITED = 8;

/** Buyers order at random and staff accept, the same for the same seed. */
export function startBuyers(shop: Shop, options: BuyersOptions) {
  const stopping = new AbortController();
  const done = run(shop, options, stopping.signal);
  return {
    /** Resolves after `maxOrders` orders or a stop. */
    done,
    async stop(): Promise<void> {
      stopping.abort();
      await done;
    },
  };
}

export type Buyers = ReturnType<typeof startBuyers>;

async function run(shop: Shop, options: BuyersOptions, stopping: AbortSignal): Promise<void> {
  const chance = createChance(`buyers ${options.seed}`);
  const tell = (done: Deed | null) => done && options.onDeed?.(done);
  const meanMs = 60_000 / options.ordersPerMinute;
  const open: string[] = [];
  for (let ordered = 0; ordered < (options.maxOrders ?? Number.POSITIVE_INFINITY); ordered += 1) {
    const untilNextMs = Math.min(-Math.log(1 - chance.fraction()), 5) * meanMs;
    await wait(untilNextMs, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    if (open.length >= LOOKED_AT_AFTER) tell(lookAt(shop, chance, open.shift() ?? ''));
    const order = placeOrder(shop, chance);
    if (!order) continue;
    open.push(order.number);
    tell(deed(shop, 'ordered', order));
  }
  for (const number of open) tell(lookAt(shop, chance, number));
}

/** null: no product is available. */
function placeOrder(shop: Shop, chance: Chance): OrderState | null {
  const ids = shop.activeProductIds();
  const buyers = shop.customers().filter((customer) => !customer.archived);
  const [buyer, ...others] = buyers;
  if (!buyer) return null;
  const items = new Map<number, OrderedItem>();
  let worth = new Exact(0);
  for (let line = chance.whole(1, MAX_LINES); line > 0 && ids.length > 0; line -= 1) {
    const product = shop.product(ids[chance.whole(0, ids.length - 1)] ?? 0);
    const quantity = wantedQuantity(shop, chance, product);
    const salePrice = chance.fraction() < 0.1 ? { salePrice: tenPercentOff(product.price) } : {};
    if (quantity === null || items.has(product.id)) continue;
    items.set(product.id, { product: product.id, quantity, ...salePrice });
    worth = worth.plus((salePrice.salePrice ?? product.price).amount);
  }
  if (items.size === 0) return null;
  const customer = chance.pick([buyer, ...others]).id;
  const discount = chance.fraction() < 0.2 ? `${chance.whole(1, 20)}.00` : '0';
  // Orders cannot have a negative value. Each item is at least one case at its price.
  const given = worth.lessThan(discount) ? '0' : discount;
  return shop.placeOrder({ customer, items: [...items.values()], discount: given });
}

function tenPercentOff(price: Money): Money {
  return { ...price, amount: new Exact(price.amount).times('0.9').toFixed(2) };
}

/** One to four whole cases, within the stock. */
function wantedQuantity(shop: Shop, chance: Chance, product: ProductState): string | null {
  const cases = new Exact(chance.whole(1, 4));
  const inCase = new Exact(product.unitMultiplier);
  const { lineQuantityIn, stockIn = lineQuantityIn } = shop.settings();
  const available = new Exact(product.available).dividedToIntegerBy(stockIn === 'cases' ? 1 : inCase);
  const affordable = product.managed ? available : cases;
  const taken = Exact.min(cases, affordable);
  if (!taken.greaterThan(0)) return null;
  return (lineQuantityIn === 'cases' ? taken : taken.times(inCase)).toFixed();
}

/** The buyer edits or cancels, or staff accept. null: somebody changed the order before. */
function lookAt(shop: Shop, chance: Chance, number: string): Deed | null {
  const roll = chance.whole(1, 100);
  try {
    if (roll <= CANCELED) return deed(shop, 'canceled', shop.cancel(number));
    if (roll <= CANCELED + REJECTED) return deed(shop, 'rejected', shop.transition(number, 'reject'));
    const edited = roll <= CANCELED + REJECTED + EDITED && takeLess(shop, shop.order(number));
    const accepted = shop.transition(number, 'accept');
    return deed(shop, edited ? 'edited' : 'accepted', accepted);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Halves the first line; false: it cannot be halved. */
function takeLess(shop: Shop, order: OrderState): boolean {
  const [line] = order.lines;
  if (!line) return false;
  const step = shop.settings().lineQuantityIn === 'cases' ? '1' : shop.product(line.product).unitMultiplier;
  const fewer = new Exact(line.quantity).dividedBy(2).dividedToIntegerBy(step).times(step);
  if (!fewer.greaterThan(0)) return false;
  shop.editLine(line.id, { quantity: fewer.toFixed() });
  return true;
}

function deed(shop: Shop, did: Deed['did'], order: OrderState): Deed {
  const customer = shop.customers().find(({ id }) => id === order.customer)?.name ?? '';
  return { did, number: order.number, customer, lines: order.lines.length };
}
