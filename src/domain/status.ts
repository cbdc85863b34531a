/** Where the marketplace counts a line of an order in this status (spec 1, Inventory effects of order events). */
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

/** Nothing happens to an order in one of these statuses any more, as far as the person behind it is concerned. */
export const OVER_STATUSES: readonly string[] = [...DEAD_STATUSES, 'Shipped', 'Complete'];

export function isOver(status: string): boolean {
  return OVER_STATUSES.includes(status);
}

/** The same of an order in the ERP. */
export const OVER_IN_ERP: readonly string[] = ['shipped', 'cancelled'];

export function isOverInErp(status: string): boolean {
  return OVER_IN_ERP.includes(status);
}

/** Orders in these statuses have nothing behind them that the marketplace counts as sold. */
export const OPEN_STATUSES: readonly string[] = Object.keys(STATUSES).filter(
  (status) => !isDead(status) && effectOf(status) !== 'consumed',
);

/** Where the marketplace counts one line: a line added after Accepted is counted nowhere, ever (spec 1, Rule). */
export function lineEffect(status: string, late: boolean): Effect {
  return late ? 'none' : effectOf(status);
}
