import type { Decimal } from '../domain/decimal.ts';
import type { DriftKind } from '../domain/drift.ts';
import type { OpenDrift } from '../domain/shadow/open-drift.ts';
import type { HistoryChange } from '../domain/shadow/stock-history.ts';

/** A difference between the figures that a listing showed and the figures that the program expected there. */
export interface Drift extends OpenDrift {
  readonly id: number;
  readonly listingId: number;
  /** null: the difference is not judged yet. */
  readonly kind: DriftKind | null;
  readonly note: string;
}

/** A product, by its id in the ERP. */
export interface SoldProduct {
  readonly account: string;
  readonly erpId: string;
}

/** One change as it was recorded; see the schema. */
export type HistoryRow = Omit<HistoryChange, 'kind' | 'key'> & { readonly atMs: number };

/** For an order of the ERP: its number on the marketplace, null while it is not there. */
export type HoldingRow = HistoryRow & { readonly number: string | null; readonly origin: 'marketplace' | 'erp' | null };

/** The recorded span of an account. */
export interface HistorySpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly readings: number;
  readonly orders: number;
}

export interface DriftStore {
  /** The difference of this listing that is not judged yet. */
  open(account: string, listingId: number): Promise<Drift | null>;

  /** Judges the difference. `null`: orders explain all of it. */
  judge(id: number, kind: DriftKind | null, note: string): Promise<void>;

  /** The judged differences, newest first. */
  ofListing(account: string, listingId: number, limit: number): Promise<Drift[]>;

  counts(account: string, sinceMs: number): Promise<{ kind: DriftKind; count: number }[]>;

  /** Deletes all but the newest differences. */
  prune(): Promise<void>;
}

/** The recorded changes of stock and of the units that orders take. */
export interface StockHistoryStore {
  /** The products of the ERP that are listed and have a recorded change. */
  productIds(account: string, after: string, limit: number): Promise<string[]>;

  readings(account: string, productId: string): Promise<HistoryRow[]>;

  orders(account: string, listingId: number): Promise<HistoryRow[]>;

  holdings(account: string, sku: string): Promise<HoldingRow[]>;

  /** Does the record show that the ERP held units of these SKUs for an order other than these? */
  isHeldBeside(account: string, skus: readonly string[], orderIds: readonly string[]): Promise<boolean>;

  /** The statuses that an order had on one side, by its number or id there, oldest first. */
  statuses(account: string, side: 'marketplace' | 'erp', key: string): Promise<HistoryRow[]>;

  /** null: nothing is recorded. */
  span(account: string, sinceMs: number): Promise<HistorySpan | null>;

  /** When the strategy was last replaced by another strategy; null: no replacement is known. */
  strategyChangedAtMs(account: string): Promise<number | null>;

  /** Deletes the records from before that time, and the oldest ones beyond the limit. */
  prune(beforeMs: number): Promise<void>;
}

/**
 * Units that were taken by orders that no list shows. They are not sold again before an order shows them or an operator
 * decides.
 */
export interface UnseenSaleStore {
  kept(product: SoldProduct): Promise<Decimal>;

  /**
   * Judges the units that were taken since the last judgement. The units that no known order explains wait for an operator.
   * @param listing the listing that had the units
   * @returns the number of units that wait
   */
  judge(product: SoldProduct, explained: Decimal, listing: number): Promise<Decimal>;
}
