import { createChance } from '../../src/sandbox/chance.ts';
import { disagreements } from '../support/agreement.ts';
import { comparedSides } from './sides.ts';
import type { Town } from './town.ts';

/** Units that are kept from buyers under the other settings. No stock is below it, so each listing shows another figure then. */
const KEPT_BACK = 7;
/** The ERP lists its products slowly, and just in time. */
const SLOW = { kind: 'delay', method: 'GET', path: '/v1/products', times: null } as const;
const SPARE_MS = 500;
/** The work begins, every list is read, and everything is compared within this time. */
const COMPARED_MS = 90_000;

/**
 * Settings are changed, and taken back while entities are still looked at under them. The ERP counts meanwhile. At the quiet end, and
 * before any pass over everything by the clock, each listing has the figure of the settings that are in force.
 */
export async function takeBack(town: Town): Promise<void> {
  const { seed, world, clock, sides, laws, say, strike } = town;
  const { erp } = sides;
  const mine = createChance(`${seed} taken back`);
  const change = (units: number) => {
    const how = mine.pick(['told', 'killed']);
    say(`the program is ${how}: ${units} units of each product are kept back from now on`);
    town.keepBack(units, how);
  };
  const count = () => {
    for (const { sku } of erp.control.state().products) {
      if (mine.whole(1, 3) === 1) continue;
      erp.control.setStock(sku, String(mine.whole(120, 300)));
    }
    town.note();
  };
  strike('settings taken back');
  for (let times = mine.whole(1, 2); times > 0; times -= 1) {
    count();
    // Nothing is compared with the new settings before each list was read.
    if (mine.whole(1, 3) > 1) erp.control.inject({ ...SLOW, delayMs: world.timeoutMs - SPARE_MS });
    change(KEPT_BACK);
    await clock.advance(mine.pick([0, 300, 1_000]));
    count();
    await clock.advance(mine.pick([300, 1_000, 2_000, 3_000, 4_000, 30_000]));
    erp.control.clearFaults();
    change(0);
    await clock.advance(mine.pick([0, 1_000, 5_000]));
  }
  await clock.advance(COMPARED_MS);
  for (const line of disagreements(comparedSides(sides), world.variant.strategy, town.strangers?.skuOf))
    if (line.includes('buyers can take')) laws.broken.push(`settings: ${line}`);
}
