import { isBefore } from './instant.ts';
import { isKnownStatus, OPEN_STATUSES } from './status.ts';

/** The instant from which orders are work. */
export interface OrdersFrom {
  readonly at: string;
  /** `setting`: an order of this very instant is work. `first-start`: it was there at the first start, so it is from before. */
  readonly by: 'setting' | 'first-start';
}

/** How an order was when it was seen first, and a person's decision about it. Later edits change none of it. */
export interface FirstSight {
  readonly firstModified: string | null;
  /** null: it was seen before first sights were kept. */
  readonly firstStatus: string | null;
  /** `enter`: it is work although it is from before. `leave`: it stays out of the ERP. */
  readonly history: 'enter' | 'leave' | null;
}

/**
 * `work`: an order that is kept in step. `history`: it is from before the date, and stays as it is. `waits`: it was open then, so a
 * person decides whether it is entered, because somebody may have entered it by hand.
 */
export type OrderStanding = 'work' | 'history' | 'waits';

/** @param from null: every order is work */
export function orderStanding(seen: FirstSight, from: OrdersFrom | null): OrderStanding {
  if (from === null || seen.history === 'enter' || !isFromBefore(seen, from)) return 'work';
  return seen.history === null && wasOpen(seen) ? 'waits' : 'history';
}

/** The documents show no time at which an order was made. So the time of its last change counts, at its first sight. */
function isFromBefore({ firstModified }: FirstSight, { at, by }: OrdersFrom): boolean {
  if (firstModified === null) return false;
  return by === 'setting' ? isBefore(firstModified, at) : !isBefore(at, firstModified);
}

/** A status that is not known may be one of an open order. */
function wasOpen({ firstStatus }: FirstSight): boolean {
  return firstStatus !== null && (OPEN_STATUSES.includes(firstStatus) || !isKnownStatus(firstStatus));
}

/**
 * Says from when the orders of an account count.
 * @param recorded the date that is in force; null: none is; undefined: the records were not looked at, or there are none yet
 */
export function ordersFromText(
  { history, exportFrom }: { readonly history: 'leave' | 'enter'; readonly exportFrom: string | null },
  recorded?: OrdersFrom | null,
): string {
  if (history === 'enter') return 'every order is entered, also those of the past (orders.history: enter)';
  if (exportFrom !== null) return `orders count from ${exportFrom}, as orders.export_from says`;
  if (recorded === undefined) return 'orders.export_from is not set: orders count from the first start';
  if (recorded === null) return 'orders.export_from is not set, and was not at the first start: every order counts';
  return `orders.export_from is not set: orders count from ${recorded.at}, which is on record since the first start`;
}
