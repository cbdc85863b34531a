import { createChance } from '../../src/sandbox/chance.ts';
import { seedProducts } from '../../src/sandbox/erp/seed.ts';
import { any } from './pick.ts';
import type { Town } from './town.ts';

const LOOKED_MS = 70_000;
/** By the quota of such a story, that many creates take longer than any list may go unread. */
const NEW_PRODUCTS = 60;
const MOST_MS = 300_000;
const LOOK_EVERY_MS = 1_000;

/**
 * I18: the ERP gets many products at once. They are listed as far as the quota lets them, right away or as an approved plan, and buyers
 * order meanwhile.
 */
export async function workOffBacklog(town: Town, buyers: readonly number[]): Promise<void> {
  const { seed, world, clock, sides, laws, freshnessLaw, operator, say, strike } = town;
  const mine = createChance(`${seed} backlog`);
  const { marketplace, erp } = sides;
  town.endFaults();
  await clock.advance(LOOKED_MS);
  const known = erp.control.state().products;
  for (const { sku } of known) erp.control.setStock(sku, '500');
  town.note();
  await clock.advance(LOOKED_MS);
  const onSale = marketplace.activeProductIds();
  if (laws.broken.length > 0 || onSale.length === 0) return;
  erp.control.addProducts([...seedProducts(known.length + NEW_PRODUCTS, 1 + (seed % 1_000))].slice(known.length));
  town.note();
  say(`the ERP has ${NEW_PRODUCTS} new products`);
  strike('backlog');
  if (world.brakes !== null) {
    await clock.advance(LOOKED_MS);
    for (const approved of await operator.approveAll()) town.allow(approved);
  }
  const isListed = () => marketplace.activeProductIds().length >= onSale.length + NEW_PRODUCTS;
  const isInErp = (number: string) => erp.control.findOrders(number).length > 0;
  const endMs = clock.nowMs() + MOST_MS;
  freshnessLaw.watch();
  for (let nextMs = clock.nowMs(); !isListed() && clock.nowMs() < endMs; ) {
    await clock.advance(LOOK_EVERY_MS);
    freshnessLaw.judge(isInErp);
    if (laws.broken.length > 0) return;
    if (clock.nowMs() < nextMs) continue;
    nextMs = clock.nowMs() + mine.whole(2_000, 12_000);
    const { number } = marketplace.placeOrder({
      customer: any(mine, buyers),
      items: [{ product: any(mine, onSale), quantity: '1' }],
    });
    if (world.variant.strategy === 'a') for (const step of ['accept', 'fulfill']) marketplace.transition(number, step);
    freshnessLaw.placed(number);
    town.note();
  }
  say('the backlog is worked off');
  freshnessLaw.rest();
}
