import type { OrderState } from '../sandbox/marketplace/actions.ts';
import { listedCount } from './brand.ts';
import { beat, buy, inTurn, type Scene, StoryStuck, untilInStep } from './scene.ts';
import type { Sides } from './sides.ts';

export interface Act {
  readonly title: string;
  play(scene: Scene): Promise<void>;
}

export const STORY_PRODUCTS = 12;

/** Sets faults before the daemon starts. */
export function prepareTrouble({ marketplace }: Sides): void {
  marketplace.faults.set({ kind: 'reset-after', operation: 'products.create', times: 1 });
}

/** Every act begins and ends with both sides in step. */
export const ACTS: readonly Act[] = [
  {
    title: 'Opening day: half of the products are listed, and one of those is not sold any more',
    async play({ world }) {
      world.tell('trouble', 'the marketplace will lose its answer to the first new listing, after it was made');
    },
  },
  { title: 'The first orders come in', play: firstOrders },
  { title: 'Everything fails a little while orders go on', play: trouble },
  { title: 'Second thoughts, before anything is packed', play: secondThoughts },
  { title: 'People in the ERP ship, receive, reprice, and take an order by phone', play: workInTheErp },
  { title: 'All that is open is shipped', play: shipTheRest },
];

async function firstOrders(scene: Scene): Promise<void> {
  const { marketplace, erp, tell } = scene.world;
  for (let number = 1; number <= 10; number += 1) {
    if (number === 3) {
      tell('trouble', 'the ERP will lose its answer to the next new order, after it was entered');
      erp.control.inject({ kind: 'lose-answer', method: 'POST', path: '/v1/orders', times: 1 });
    }
    if (number === 6) {
      tell('trouble', 'the webhook of the next order gets lost');
      marketplace.faults.set({ kind: 'webhook-lost', entity: 'orders', times: 1 });
    }
    const discount = number === 4 ? { discount: '12.50' } : {};
    const sale = number === 7 ? { sale: 10 } : {};
    buy(scene, { lines: 1 + (number % 2), ...discount, ...sale });
    await beat(scene);
  }
}

/** Buyers and staff change, cancel, reject and accept. */
async function secondThoughts(scene: Scene): Promise<void> {
  const { marketplace } = scene.world;
  const open = ordersIn(scene, 'Submitted');
  const [fewer, more, cheaper, canceled, rejected] = open;
  if (!fewer || !more || !cheaper || !canceled || !rejected) throw new StoryStuck('there are too few orders');
  const [line] = fewer.lines;
  const other = marketplace.activeProductIds().find((id) => more.lines.every(({ product }) => product !== id));
  const aCase = (product: number) => ({ product, quantity: marketplace.product(product).unitMultiplier });
  await inTurn(scene, [
    () => line && marketplace.editLine(line.id, { quantity: aCase(line.product).quantity }),
    () => other !== undefined && marketplace.addLine(more.number, aCase(other)),
    () => marketplace.editOrder(cheaper.number, { discount_amount: '5.00' }),
    () => marketplace.cancel(canceled.number),
    () => marketplace.transition(rejected.number, 'reject'),
  ]);
  await untilInStep(scene);
  await acceptAll(scene);
}

async function acceptAll(scene: Scene): Promise<void> {
  const { marketplace } = scene.world;
  const submitted = ordersIn(scene, 'Submitted');
  await inTurn(
    scene,
    submitted.map(
      ({ number }) =>
        () =>
          marketplace.transition(number, 'accept'),
    ),
  );
  // In strategy a, the ERP gets an order when it is fulfilled.
  if (scene.world.strategy !== 'a') return;
  for (const { number } of ordersIn(scene, 'Accepted')) marketplace.transition(number, 'fulfill');
}

async function workInTheErp(scene: Scene): Promise<void> {
  const { world, chance } = scene;
  const { erp, erpStaff, marketplace } = world;
  const [first, second, third, undeliverable] = readyToShip(scene);
  if (!first || !second || !third || !undeliverable) throw new StoryStuck('there is too little to ship');
  const skus = erp.control
    .state()
    .products.filter(({ active }) => active)
    .map(({ sku }) => sku);
  const sku = () => skus.splice(chance.whole(0, skus.length - 1), 1)[0] ?? '';
  const receive = () => erpStaff.receive(sku(), 12 * chance.whole(2, 10));
  const [customer] = marketplace.customers();
  await inTurn(scene, [
    ...[first, second, third].map((id) => () => erpStaff.ship(id)),
    () => erpStaff.cancel(undeliverable),
    receive,
    receive,
    receive,
    () => erpStaff.reprice(sku(), 5),
    () => erpStaff.bringBack(discontinuedSku(scene)),
    () => erpStaff.discontinue(sku()),
    () => customer && erpStaff.takeOrder(customer, sku(), 1),
  ]);
}

function discontinuedSku({ world }: Scene): string {
  const { products } = world.erp.control.state();
  return products[listedCount(products.length) - 1]?.sku ?? '';
}

async function trouble(scene: Scene): Promise<void> {
  const { marketplace, erp, app, tell } = scene.world;
  for (let number = 1; number <= 11; number += 1) {
    if (number === 2) {
      tell('trouble', 'the marketplace answers the next two calls for orders with 503');
      marketplace.faults.set({ kind: 'status-before', status: 503, operation: 'orders.*', times: 2 });
    }
    if (number === 4) {
      tell('trouble', 'the ERP answers the next two calls with 503');
      erp.control.inject({ kind: 'status', status: 503, path: '/v1/', times: 2 });
    }
    if (number === 7) {
      tell('trouble', 'Redis is flushed: every queued job and every count of the quota is gone');
      await app.core.redis.flushall();
    }
    buy(scene, { lines: 1 + (number % 2) });
    await beat(scene);
  }
}

async function shipTheRest(scene: Scene): Promise<void> {
  const { erpStaff } = scene.world;
  await inTurn(
    scene,
    readyToShip(scene).map((id) => () => erpStaff.ship(id)),
  );
}

function ordersIn({ world }: Scene, status: string): OrderState[] {
  return world.marketplace.orders().filter((order) => order.status === status);
}

/** Neither shipped nor cancelled. */
function readyToShip({ world }: Scene): string[] {
  return world.erp.control
    .state()
    .orders.filter(({ status }) => status === 'draft' || status === 'reserved')
    .map(({ id }) => id);
}
