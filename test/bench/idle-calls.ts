import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './support/figure.ts';
import { openRig, totalOf, untilInStep } from './support/rig.ts';

const MINUTE_MS = 60_000;
const TARGET = 12;

/** Calls of a minute in which nothing happens, with the settings as shipped. */
export async function idleCalls(): Promise<Figure[]> {
  const rig = await openRig({ products: 500, limits: true });
  const daemon = await rig.startDaemon({ unlimited: false });
  await rig.sides.placeOrders(100);
  await untilInStep(daemon);
  await rig.sides.resetCalls();
  await sleep(MINUTE_MS);
  const calls = await rig.sides.calls();
  await rig.close();
  const products = calls['products.list'] ?? 0;
  const without = totalOf(calls) - products;
  // Listings are polled every five minutes: a minute may or may not hold one.
  const worst = without + 1;
  return [
    {
      what: 'calls of an idle minute',
      value: `${totalOf(calls)} counted (${products} for listings, which are due every five minutes); ${worst} in a minute that holds one`,
      comparedTo: `target ${TARGET} at most; 4 for polling orders every 15 seconds`,
      met: Math.max(worst, totalOf(calls)) <= TARGET,
    },
  ];
}
