import { isBefore } from './instant.ts';
import { isKnownStatus, OPEN_STATUSES } from './status.ts';

export interface OrdersFrom {
  readonly at: string;
  /**
   * `setting`: an order of this very instant is processed. `first-start`: such an order existed at the first start, so
   * it is history.
   */
  readonly by: 'setting' | 'first-start';
}

/** An order's state when it was first seen, and a person's decision about it. Later edits do not change these. */
export interface FirstSeen {
  readonly firstModified: string | null;
  /** null: first seen by a version that did not record it. */
  readonly firstStatus: string | null;
  /** `enter`: processed although it is older. `leave`: not entered in the ERP. */
  readonly history: 'enter' | 'leave' | null;
}

/**
 * `work`: kept in step. `history`: older than the date, left as it is. `waits`: older but open. A person decides,
 * because it may have been entered by hand.
 */
export type OrderStanding = 'work' | 'history' | 'waits';

/** @param from null: every order is processed */
export function orderStanding(seen: FirstSeen, from: OrdersFrom | null): OrderStanding {
  if (from === null || seen.history === 'enter' || !isFromBefore(seen, from)) return 'work';
  return seen.history === null && wasOpen(seen) ? 'waits' : 'history';
}

/** The documents show no creation time. The last change at first sight is used instead. */
function isFromBefore({ firstModified }: FirstSeen, { at, by }: OrdersFrom): boolean {
  if (firstModified === null) return false;
  return by === 'setting' ? isBefore(firstModified, at) : !isBefore(at, firstModified);
}

/** An unknown status may be an open one. */
function wasOpen({ firstStatus }: FirstSeen): boolean {
  return firstStatus !== null && (OPEN_STATUSES.includes(firstStatus) || !isKnownStatus(firstStatus));
}

/**
 * Describes from when an account's orders are processed.
 * @param recorded the active date; null: none; undefined: not read, or not recorded yet
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
