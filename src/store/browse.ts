import type { Cause } from '../domain/causes/cause.ts';
import type { Decimal } from '../domain/decimal.ts';

/** How far the work of an entity is. */
export type WorkState = 'pending' | 'held' | 'failed';

/** The flows that look at an entity, by the side whose id is their key. */
export interface FlowsOf {
  readonly marketplace: readonly string[];
  readonly erp: readonly string[];
}

/** The last row of the page before: what it is sorted by, and its id. */
export interface PageKey {
  readonly sorted: string;
  readonly id: string;
}

/** A choice among the rows of a table. */
export interface Choice {
  /** The beginning of any name or id of it; empty: every one. */
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
  readonly sort: 'newest' | 'oldest' | 'number';
}

export interface ProductChoice extends Choice {
  /** null: both. */
  readonly linked: boolean | null;
  readonly sort: 'sku' | 'name';
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
  /** Of its first line; null without lines. */
  readonly currency: string | null;
  readonly erpId: string | null;
  readonly erpStatus: string | null;
  /** null: nothing is left to do. */
  readonly state: WorkState | null;
  /** Why it is held. */
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
  /** Over all places; null: no stock was read of it. */
  readonly erpAvailable: Decimal | null;
  /** null: it is linked to none. */
  readonly listing: string | null;
  readonly archived: boolean;
  readonly available: Decimal | null;
  readonly state: WorkState | null;
  readonly heldFor: readonly Cause[];
}

/** An order that does not go on, for the sum of what is at stake. */
export interface StakeRow {
  readonly flow: string;
  /** Of each of its holds; for a failed job its cause. */
  readonly codes: readonly string[];
  readonly total: Decimal;
  readonly currency: string;
}

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** So many names begin with what was searched that only some were looked at. */
  readonly isPartly: boolean;
}

/** Tables for people: searched, filtered, sorted, and paged by key. */
export interface BrowseStore {
  orders(account: string, choice: OrderChoice, limit: number): Promise<Found<OrderRow>>;

  products(account: string, choice: ProductChoice, limit: number): Promise<Found<ProductRow>>;

  /** Orders of the marketplace that are held or failed, at most `limit`, whose total is known. */
  atStake(account: string, flows: readonly string[], limit: number): Promise<StakeRow[]>;
}
