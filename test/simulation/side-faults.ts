import type { Chance } from '../../src/sandbox/chance.ts';
import type { Sides } from './sides.ts';

/** The longest delay of a webhook, except for repeated ones. */
export const MAX_LATE_MS = 4_000;

/** The faults of the sides themselves. */
export const SIDE_FAULTS = [
  'rows visible late',
  'equal timestamps',
  'webhooks lost',
  'webhooks doubled',
  'webhooks late',
  'webhooks reordered',
  'quota used by another',
  'ERP products incomplete',
  'ERP stock incomplete',
  'ERP orders incomplete',
  'ERP products empty',
  'ERP stock empty',
] as const;
export type SideFault = (typeof SIDE_FAULTS)[number];

type Arm = (sides: Sides, luck: Chance) => void;

const ARMS: Record<SideFault, Arm> = {
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
  'quota used by another': ({ marketplace }, luck) => marketplace.useQuota(luck.pick([2, 8, 60, 200])),
  'ERP products incomplete': incomplete('/v1/products'),
  'ERP stock incomplete': incomplete('/v1/stock'),
  'ERP orders incomplete': incomplete('/v1/orders'),
  'ERP products empty': ({ erp }, luck) =>
    erp.control.inject({ kind: 'empty', path: '/v1/products', times: luck.whole(1, 3) }),
  'ERP stock empty': ({ erp }, luck) =>
    erp.control.inject({ kind: 'empty', path: '/v1/stock', times: luck.whole(1, 3) }),
};

/** Only one product is missing: in a listing that is called complete, that would be believed. */
function incomplete(path: string): Arm {
  return ({ erp }, luck) =>
    erp.control.inject({ kind: 'incomplete', method: 'GET', path, keep: 0.8, times: luck.pick([1, 3, 20]) });
}

export function armSide(fault: SideFault, sides: Sides, luck: Chance): void {
  ARMS[fault](sides, luck);
}

/** The fault for each side's own name of it. */
const STRUCK_AS: Readonly<Record<string, SideFault>> = {
  'late-rows': 'rows visible late',
  'same-modified': 'equal timestamps',
  'webhook-lost': 'webhooks lost',
  'webhook-doubled': 'webhooks doubled',
  'webhook-late': 'webhooks late',
  'webhook-reordered': 'webhooks reordered',
  'incomplete /v1/products': 'ERP products incomplete',
  'incomplete /v1/stock': 'ERP stock incomplete',
  'incomplete /v1/orders': 'ERP orders incomplete',
  'empty /v1/products': 'ERP products empty',
  'empty /v1/stock': 'ERP stock empty',
};

/** How often each armed fault has struck. */
export function struckOn(sides: Sides): Map<string, number> {
  const found = new Map<string, number>();
  const add = (kind: string, times: number): void => {
    const name = STRUCK_AS[kind];
    if (name !== undefined) found.set(name, (found.get(name) ?? 0) + times);
  };
  for (const { fault, struck } of sides.marketplace.faults.list()) add(fault.kind, struck);
  for (const [kind, times] of sides.erp.struck) add(kind, times);
  return found;
}
