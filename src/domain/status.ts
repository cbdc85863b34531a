/** The figure in which the marketplace counts a line, by order status (spec 1, Inventory effects of order events). */
export type Effect = 'reserved' | 'consumed' | 'none';

/** Facts of an order status (spec 1, Order statuses). `rank`: its position from Submitted to Complete. */
interface StatusFacts {
  readonly effect: Effect;
  readonly rank: number | null;
  readonly dead: boolean;
}

/** Our own status for an order that the marketplace no longer has. */
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

/** Some deployments write "Cancelled". */
function spelled(status: string): string {
  return status === 'Cancelled' ? 'Canceled' : status;
}

export function isKnownStatus(status: string): boolean {
  return Object.hasOwn(STATUSES, spelled(status));
}

/** An unknown status holds no stock. */
export function effectOf(status: string): Effect {
  return STATUSES[spelled(status)]?.effect ?? 'none';
}

/** 1 Submitted … 5 Complete. null: not on that path. */
export function rankOf(status: string): number | null {
  return STATUSES[spelled(status)]?.rank ?? null;
}

export function statusOfRank(rank: number): string {
  return Object.keys(STATUSES).find((status) => rankOf(status) === rank) ?? `rank ${rank}`;
}

/** Rejected by the brand or canceled by the retailer. */
export function isDead(status: string): boolean {
  return STATUSES[spelled(status)]?.dead ?? false;
}

export const DEAD_STATUSES: readonly string[] = [...Object.keys(STATUSES).filter(isDead), 'Cancelled'];

/** Statuses after which the customer's order needs no more work. Personal data may then be erased. */
export const OVER_STATUSES: readonly string[] = [...DEAD_STATUSES, 'Shipped', 'Complete'];

export function isOver(status: string): boolean {
  return OVER_STATUSES.includes(status);
}

export const OVER_IN_ERP: readonly string[] = ['shipped', 'cancelled'];

export function isOverInErp(status: string): boolean {
  return OVER_IN_ERP.includes(status);
}

/** Statuses of living orders in which no line counts as sold yet. */
export const OPEN_STATUSES: readonly string[] = Object.keys(STATUSES).filter(
  (status) => !isDead(status) && effectOf(status) !== 'consumed',
);

export const RESERVED_STATUSES: readonly string[] = Object.keys(STATUSES).filter(
  (status) => effectOf(status) === 'reserved',
);

/** A line added after Accepted is never counted (spec 1, Rule). */
export function lineEffect(status: string, late: boolean): Effect {
  return late ? 'none' : effectOf(status);
}
