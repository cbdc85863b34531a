import type { Cause } from '../domain/causes/cause.ts';
import type { Decimal } from '../domain/decimal.ts';

export type WorkState = 'pending' | 'held' | 'failed';

/** The flows that handle an entity, by the side whose id is their key. */
export interface FlowsOf {
  readonly marketplace: readonly string[];
  readonly erp: readonly string[];
}

/** The last row of the previous page: its id and its value in the sorted column (null: no value). */
export interface PageKey {
  readonly sorted: string | null;
  readonly id: string;
}

/** The sort orders of orders. Each has an index, except those by the status in the ERP. */
export const ORDER_SORTS = [
  'newest',
  'oldest',
  'number',
  'number-down',
  'customer',
  'customer-down',
  'status',
  'status-down',
  'total',
  'total-down',
  'erp-status',
  'erp-status-down',
] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

export const PRODUCT_SORTS = ['sku', 'sku-down', 'name', 'name-down', 'price', 'price-down'] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

export interface Choice {
  /** Prefix of a name or id; empty: every row. */
  readonly search: string;
  /** Empty: any state. */
  readonly states: readonly WorkState[];
  readonly flows: FlowsOf;
  readonly after: PageKey | null;
}

export interface OrderChoice extends Choice {
  /** In the marketplace's spelling; null: any. */
  readonly status: string | null;
  readonly sort: OrderSort;
}

export interface ProductChoice extends Choice {
  /** null: linked and unlinked. */
  readonly linked: boolean | null;
  readonly sort: ProductSort;
}

/** A marketplace order as a table row. */
export interface OrderRow {
  readonly number: string;
  readonly status: string;
  readonly modified: string;
  readonly customer: string | null;
  /** null: the order shows no total. */
  readonly total: Decimal | null;
  /** The currency of the first line; null without lines. */
  readonly currency: string | null;
  readonly lines: number;
  readonly erpId: string | null;
  readonly erpStatus: string | null;
  /** null: no work is left. */
  readonly state: WorkState | null;
  readonly heldFor: readonly Cause[];
}

export interface ProductRow {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  readonly sold: boolean;
  readonly price: Decimal;
  readonly currency: string;
  /** The sum over all locations; null: no stock was read. */
  readonly erpAvailable: Decimal | null;
  readonly listing: string | null;
  readonly archived: boolean;
  readonly available: Decimal | null;
  readonly state: WorkState | null;
  readonly heldFor: readonly Cause[];
}

/** A held or failed order, for a sum of totals. */
export interface StakeRow {
  readonly flow: string;
  readonly codes: readonly string[];
  readonly total: Decimal;
  readonly currency: string;
}

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** Too many names match, so only some were searched. */
  readonly isPartly: boolean;
}

/** Tables for people: search, filter, sort, and keyset paging. */
export interface BrowseStore {
  orders(account: string, choice: OrderChoice, limit: number): Promise<Found<OrderRow>>;

  products(account: string, choice: ProductChoice, limit: number): Promise<Found<ProductRow>>;

  /** Held or failed marketplace orders with a known total, at most `limit`. */
  atStake(account: string, flows: readonly string[], limit: number): Promise<StakeRow[]>;
}
