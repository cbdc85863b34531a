import { createChance } from '../../src/sandbox/chance.ts';
import { disagreements } from '../support/agreement.ts';
import { isHeld } from '../support/held.ts';
import { heldNow, invalidRows } from './ending.ts';
import { any } from './pick.ts';
import { comparedSides } from './sides.ts';
import type { Spoilt } from './spoil.ts';
import type { Town } from './town.ts';

/** Both sides are read whole, and everything is looked at, within this time. */
const LOOKED_MS = 70_000;
/** Everything that was found is done as well. */
const SETTLED_MS = 2 * LOOKED_MS;

/**
 * I19: one row is bad, and its neighbours change. All that does not concern the row comes to agree, and the row is on record with words.
 * Then it is mended, and the end of the story finds it in step.
 */
export async function bearBadRow(town: Town, buyers: readonly number[]): Promise<void> {
  const { seed, clock, sides, laws, say, strike } = town;
  const mine = createChance(`${seed} bad row`);
  const { marketplace, erp } = sides;
  town.endFaults();
  await clock.advance(LOOKED_MS);
  const onSale = erp.control.state().products.flatMap(({ id, sku, active, deleted }) => {
    const listing = marketplace.products().find((one) => one.sku === sku && !one.archived);
    return active && !deleted && listing !== undefined ? [{ sku, erpId: id, listing: listing.id }] : [];
  });
  for (const { sku } of onSale) erp.control.setStock(sku, String(mine.whole(30, 99)));
  town.note();
  await clock.advance(LOOKED_MS);
  if (laws.broken.length > 0 || onSale.length < 2) return;
  const victim = any(mine, onSale);
  const others = onSale.filter(({ sku }) => sku !== victim.sku);
  const changeBeside = () => {
    const { sku, listing } = any(mine, others);
    marketplace.placeOrder({ customer: any(mine, buyers), items: [{ product: listing, quantity: '1' }] });
    erp.control.setStock(sku, String(mine.whole(30, 99)));
    town.note();
  };
  changeBeside();
  const { told, row } = town.spoiler.begin(sides, victim, buyers, mine);
  strike('bad row');
  say(told);
  changeBeside();
  await clock.advance(mine.pick([0, 3_000, 20_000]));
  changeBeside();
  await clock.advance(SETTLED_MS);
  await judge(town, row);
  town.spoiler.end();
  say('the row is mended');
  if (mine.whole(0, 1) === 0) row.touch();
  town.note();
}

async function judge(town: Town, { collection, what, names }: Spoilt): Promise<void> {
  const { world, sides, laws } = town;
  const held = await heldNow(town);
  for (const line of disagreements(comparedSides(sides), world.variant.strategy))
    if (!names.some((name) => line.includes(name)) && !isHeld(line, held))
      laws.broken.push(`I19: beside ${collection} ${what}: ${line}`);
  if (!(await invalidRows(town)).some((one) => one.collection === collection && one.what === what))
    laws.broken.push(`I19: ${collection} ${what} is not on record as invalid`);
}
