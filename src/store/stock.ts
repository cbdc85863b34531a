import type { Decimal } from '../domain/decimal.ts';
import type { DriftKind } from '../domain/drift.ts';
import type { OpenDrift } from '../domain/shadow/open-drift.ts';
import type { HistoryChange } from '../domain/shadow/stock-history.ts';

/** A listing's shown figures that differ from the expected ones. */
export interface Drift extends OpenDrift {
  readonly id: number;
  readonly listingId: number;
  /** null: undecided. */
  readonly kind: DriftKind | null;
  readonly note: string;
}

export interface SoldProduct {
  readonly account: string;
  readonly erpId: string;
}

export type HistoryRow = Omit<HistoryChange, 'kind' | 'key'> & { readonly atMs: number };

/** `number`: the ERP order's marketplace number; null: none yet. */
export type HoldingRow = HistoryRow & { readonly number: string | null; readonly origin: 'marketplace' | 'erp' | null };

export interface HistorySpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly readings: number;
  readonly orders: number;
}

export interface DriftStore {
  open(account: string, listingId: number): Promise<Drift | null>;

  /** Decides a drift. `null`: orders explain all of it. */
  judge(id: number, kind: DriftKind | null, note: string): Promise<void>;

  ofListing(account: string, listingId: number, limit: number): Promise<Drift[]>;

  counts(account: string, sinceMs: number): Promise<{ kind: DriftKind; count: number }[]>;

  prune(): Promise<void>;
}

export interface StockHistoryStore {
  /** Listed ERP products with a recorded change. */
  productIds(account: string, after: string, limit: number): Promise<string[]>;

  readings(account: string, productId: string): Promise<HistoryRow[]>;

  orders(account: string, listingId: number): Promise<HistoryRow[]>;

  holdings(account: string, sku: string): Promise<HoldingRow[]>;

  /** Did the ERP ever hold units of these SKUs for an order other than these? */
  isHeldBeside(account: string, skus: readonly string[], orderIds: readonly string[]): Promise<boolean>;

  /** The statuses of an order on one side, by its number or id there, oldest first. */
  statuses(account: string, side: 'marketplace' | 'erp', key: string): Promise<HistoryRow[]>;

  /** null: nothing is recorded. */
  span(account: string, sinceMs: number): Promise<HistorySpan | null>;

  /** When another strategy last came into force; null: never, as far as known. */
  strategyChangedAtMs(account: string): Promise<number | null>;

  /** Deletes records before that time, and the oldest beyond the limit. */
  prune(beforeMs: number): Promise<void>;
}

/**
 * Units taken by orders that no list shows. They are not sold again until an order shows them or an operator decides.
 */
export interface UnseenSaleStore {
  kept(product: SoldProduct): Promise<Decimal>;

  /**
   * Judges the units taken since the last judgement. Those that no known order explains wait for an operator.
   * @param listing the listing that had the units
   * @returns the number of waiting units
   */
  judge(product: SoldProduct, explained: Decimal, listing: number): Promise<Decimal>;
}
