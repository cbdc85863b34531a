import type { Chance } from '../../src/sandbox/marketplace/prng.ts';
import type { Sides } from './sides.ts';

/** The latest that a webhook comes, but for what is sent again. */
export const MAX_LATE_MS = 4_000;

type Strike = (sides: Sides, luck: Chance) => void;

/** What goes wrong on the sides themselves. */
export const SIDE_FAULTS = [
  'rows visible late',
  'equal timestamps',
  'webhooks lost',
  'webhooks doubled',
  'webhooks late',
  'webhooks reordered',
  'quota used by another',
  'ERP listing incomplete',
  'ERP listing empty',
  'ERP stock empty',
] as const;
export type SideFault = (typeof SIDE_FAULTS)[number];

const STRIKES: Record<SideFault, Strike> = {
  'rows visible late': ({ marketplace }, luck) =>
    marketplace.faults.set({ kind: 'late-rows', entity: 'orders', lists: luck.whole(1, 4), times: 1 }),
  'equal timestamps': ({ marketplace }, luck) =>
    marketplace.faults.set({ kind: 'same-modified', times: luck.whole(1, 6) }),
  'webhooks lost': ({ marketplace }, luck) => marketplace.faults.set({ kind: 'webhook-lost', times: luck.whole(1, 6) }),
  'webhooks doubled': ({ marketplace }, luck) =>
    marketplace.faults.set({ kind: 'webhook-doubled', times: luck.whole(1, 4) }),
  'webhooks late': ({ marketplace }, luck) =>
    marketplace.faults.set({ kind: 'webhook-late', ms: luck.whole(500, MAX_LATE_MS), times: luck.whole(1, 4) }),
  'webhooks reordered': ({ marketplace }) => marketplace.faults.set({ kind: 'webhook-reordered', batch: 3, times: 3 }),
  /** Of as much of the quota as there is: without one, it is nothing. */
  'quota used by another': ({ marketplace }, luck) => marketplace.useQuota(luck.pick([2, 8, 60, 200])),
  'ERP listing incomplete': ({ erp }, luck) =>
    erp.control.inject({ kind: 'incomplete', path: '/v1/products', times: luck.whole(1, 3) }),
  'ERP listing empty': ({ erp }, luck) =>
    erp.control.inject({ kind: 'empty', path: '/v1/products', times: luck.whole(1, 3) }),
  'ERP stock empty': ({ erp }, luck) =>
    erp.control.inject({ kind: 'empty', path: '/v1/stock', times: luck.whole(1, 3) }),
};

export function strikeSide(fault: SideFault, sides: Sides, luck: Chance): void {
  STRIKES[fault](sides, luck);
}
