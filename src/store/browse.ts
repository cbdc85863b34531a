import type { Cause } from '../domain/causes/cause.ts';
import type { Decimal } from '../domain/decimal.ts';

/** How far the work of an entity is. */
export type WorkState = 'pending' | 'held' | 'failed';

/** The flows that look at an entity, by the side whose id is their key. */
export interface FlowsOf {
  readonly marketplace: readonly string[];
  readonly erp: readonly string[];
}

/** The last row of the previous page: its value in the sorted column (null: it has none), and its id. */
export interface PageKey {
  readonly sorted: string | null;
  readonly id: string;
}

/** The sorts of orders: each column that an index has, in both directions. */
export const ORDER_SORTS = [
  'newest',
  'oldest',
  'number',
  'number-down',
  'customer',
  'customer-down',
  'status',
  'status-down',
] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

export const PRODUCT_SORTS = ['sku', 'sku-down', 'name', 'name-down'] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

/** A choice among the rows of a table. */
export interface Choice {
  /** The beginning of any name or id of a row; empty: every row. */
  readonly search: string;
  /** Empty: in any. */
  readonly states: readonly WorkState[];
  readonly flows: FlowsOf;
  /** null: the first page. */
  readonly after: PageKey | null;
}

export interface OrderChoice extends Choice {
  /** As the marketplace spells it; null: any. */
  readonly status: string | null;
  readonly sort: OrderSort;
}

export interface ProductChoice extends Choice {
  /** null: both. */
  readonly linked: boolean | null;
  readonly sort: ProductSort;
}

/** An order of the marketplace as a row of a table. */
export interface OrderRow {
  readonly number: string;
  readonly status: string;
  /** As the marketplace sent it. */
  readonly modified: string;
  readonly customer: string | null;
  /** null: not shown there. */
  readonly total: Decimal | null;
  /** The currency of the order's first line; null without lines. */
  readonly currency: string | null;
  /** The number of lines that were read. */
  readonly lines: number;
  readonly erpId: string | null;
  readonly erpStatus: string | null;
  /** null: nothing is left to do. */
  readonly state: WorkState | null;
  /** Why the order is held. */
  readonly heldFor: readonly Cause[];
}

/** A product of the ERP, with its listing, as a row of a table. */
export interface ProductRow {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  /** The ERP sells it. */
  readonly sold: boolean;
  readonly price: Decimal;
  readonly currency: string;
  /** The sum over all places; null: no stock of the product was read. */
  readonly erpAvailable: Decimal | null;
  /** null: the product is linked to no listing. */
  readonly listing: string | null;
  readonly archived: boolean;
  readonly available: Decimal | null;
  readonly state: WorkState | null;
  readonly heldFor: readonly Cause[];
}

/** An order that does not go on. The totals of such orders are added up. */
export interface StakeRow {
  readonly flow: string;
  /** The code of each of its holds, or the cause of its failed job. */
  readonly codes: readonly string[];
  readonly total: Decimal;
  readonly currency: string;
}

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** Too many names begin with the searched text, so only some of them were looked at. */
  readonly isPartly: boolean;
}

/** Tables for people: searched, filtered, sorted, and paged by key. */
export interface BrowseStore {
  orders(account: string, choice: OrderChoice, limit: number): Promise<Found<OrderRow>>;

  products(account: string, choice: ProductChoice, limit: number): Promise<Found<ProductRow>>;

  /** Orders of the marketplace that are held or failed, at most `limit`, whose total is known. */
  atStake(account: string, flows: readonly string[], limit: number): Promise<StakeRow[]>;
}
