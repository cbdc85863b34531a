/** The figure in which the marketplace counts a line, by the status of its order (spec 1, Inventory effects of order events). */
export type Effect = 'reserved' | 'consumed' | 'none';

/** The facts of an order status (spec 1, Order statuses). `rank` is the order's place on its way from Submitted to Complete. */
interface StatusFacts {
  readonly effect: Effect;
  readonly rank: number | null;
  readonly dead: boolean;
}

/** Not a status of the marketplace: the order is gone from there. */
export const DELETED = 'Deleted';

const STATUSES: Readonly<Record<string, StatusFacts>> = {
  Submitted: { effect: 'reserved', rank: 1, dead: false },
  Accepted: { effect: 'reserved', rank: 2, dead: false },
  Fulfilled: { effect: 'consumed', rank: 3, dead: false },
  Shipped: { effect: 'consumed', rank: 4, dead: false },
  Complete: { effect: 'consumed', rank: 5, dead: false },
  Rejected: { effect: 'none', rank: null, dead: true },
  Canceled: { effect: 'none', rank: null, dead: true },
  [DELETED]: { effect: 'none', rank: null, dead: true },
  Backorder: { effect: 'none', rank: null, dead: false },
};

/** Some deployments spell it with two l. */
function spelled(status: string): string {
  return status === 'Cancelled' ? 'Canceled' : status;
}

export function isKnownStatus(status: string): boolean {
  return Object.hasOwn(STATUSES, spelled(status));
}

/** Statuses the spec does not know hold no stock. */
export function effectOf(status: string): Effect {
  return STATUSES[spelled(status)]?.effect ?? 'none';
}

/** 1 Submitted … 5 Complete; null for a status that is not on that way. */
export function rankOf(status: string): number | null {
  return STATUSES[spelled(status)]?.rank ?? null;
}

/** The status of this rank, for a person. */
export function statusOfRank(rank: number): string {
  return Object.keys(STATUSES).find((status) => rankOf(status) === rank) ?? `rank ${rank}`;
}

/** Rejected by the brand or canceled by the retailer. */
export function isDead(status: string): boolean {
  return STATUSES[spelled(status)]?.dead ?? false;
}

/** Orders in these statuses are over. */
export const DEAD_STATUSES: readonly string[] = [...Object.keys(STATUSES).filter(isDead), 'Cancelled'];

/** An order in one of these statuses has ended for the person behind it. */
export const OVER_STATUSES: readonly string[] = [...DEAD_STATUSES, 'Shipped', 'Complete'];

export function isOver(status: string): boolean {
  return OVER_STATUSES.includes(status);
}

/** The statuses in which an order of the ERP has ended. */
export const OVER_IN_ERP: readonly string[] = ['shipped', 'cancelled'];

export function isOverInErp(status: string): boolean {
  return OVER_IN_ERP.includes(status);
}

/** The statuses in which the marketplace counts no line of a living order as sold yet. */
export const OPEN_STATUSES: readonly string[] = Object.keys(STATUSES).filter(
  (status) => !isDead(status) && effectOf(status) !== 'consumed',
);

/** The statuses in which a listing reserves the units of an order. */
export const RESERVED_STATUSES: readonly string[] = Object.keys(STATUSES).filter(
  (status) => effectOf(status) === 'reserved',
);

/** The figure in which the marketplace counts one line. A line that was added after Accepted is never counted (spec 1, Rule). */
export function lineEffect(status: string, late: boolean): Effect {
  return late ? 'none' : effectOf(status);
}
