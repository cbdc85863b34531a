import type { ErpStock } from '../domain/shadow/erp-stock.ts';
import type { ErpCustomer, ErpLot, ErpOrder, ErpPayment, ErpProduct } from '../erp/connector.ts';
import type { Lane } from './work.ts';
export interface StoredErpProduct extends Omit<ErpProduct, 'attributes'> {
  /** Lossless JSON. */
  readonly attributesText: string;
  /** Consecutive complete lists without the product. */
  readonly absences: number;
}

export interface KnownStock extends ErpStock {
  /** The tick of the last change of the figures. */
  readonly changedTick: number;
}

export interface StoredErpOrder extends ErpOrder {
  /** The ERP time at which its stock first included the order's lines; null: not yet. */
  readonly countedSince: string | null;
  /** The tick of the order's last change. */
  readonly changedTick: number;
}

/** The units of its products that an ERP order takes from the stock. */
export type Holding = Pick<StoredErpOrder, 'id' | 'status' | 'countedSince' | 'changedTick'> & {
  readonly lines: readonly Pick<StoredErpOrder['lines'][number], 'sku' | 'quantity'>[];
};

/** A customer that a list lacks stays until its absence is confirmed (`store.gone`). */
export interface ErpCustomerStore {
  /** @param askedAtMs our time of the request; undefined: the rows answer a write */
  recordCustomers(account: string, items: readonly ErpCustomer[], lane: Lane, askedAtMs?: number): Promise<void>;

  customer(account: string, id: string): Promise<ErpCustomer | null>;

  customerIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpOrderStore {
  /**
   * Marks the affected entities for work if an order really changed.
   * @param lookedAt marketplace number of the order whose own look stores this, so it is not marked
   * @param askedAtMs our time of the request; undefined: the orders answer a write
   */
  recordOrders(
    account: string,
    items: readonly ErpOrder[],
    lane: Lane,
    lookedAt?: string,
    askedAtMs?: number,
  ): Promise<number>;

  /**
   * Stores a page of the full list. An order that was not stored since the list began is accepted with any date of
   * change.
   * @param sinceMs when the list began, in epoch milliseconds
   * @returns the ids of the orders that really changed
   */
  recordOrderList(
    account: string,
    items: readonly ErpOrder[],
    list: { readonly lane: Lane; readonly sinceMs: number },
  ): Promise<readonly string[]>;

  /** ERP orders that are neither shipped nor cancelled. */
  openOrderIds(account: string): Promise<string[]>;

  /**
   * The ERP lacks these orders now: they no longer take units, and the affected entities are marked.
   * @param asOf the ERP time of their absence
   */
  dropOrders(
    account: string,
    ids: readonly string[],
    gone: { readonly asOf: string; readonly lane: Lane },
  ): Promise<void>;

  order(account: string, id: string): Promise<StoredErpOrder | null>;

  /** ERP orders, other than the linked one, with the number of the marketplace order, without cancelled ones. */
  otherOrders(account: string, link: { marketplaceId: string; erpId: string }): Promise<StoredErpOrder[]>;

  ordersByReference(account: string, reference: string): Promise<StoredErpOrder[]>;

  /**
   * At most 100 ERP orders from the marketplace, seen since then, without a link and without a marketplace order of
   * their number.
   */
  unknownOrders(account: string, sinceMs: number): Promise<StoredErpOrder[]>;

  /**
   * The units that ERP orders hold for the orders with this listing, by marketplace number. An ERP order that carries
   * the number replaces a dead or missing linked one. null: the ERP shows neither.
   */
  holdings(account: string, productId: number): Promise<Map<string, Holding | null>>;

  orderIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpLotStore {
  recordLots(account: string, items: readonly ErpLot[], lane: Lane): Promise<void>;

  lot(account: string, id: string): Promise<ErpLot | null>;

  lotIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpPaymentStore {
  recordPayments(account: string, items: readonly ErpPayment[], lane: Lane): Promise<void>;

  payment(account: string, id: string): Promise<ErpPayment | null>;

  paymentIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpProductStore {
  /**
   * `listing` numbers the complete list of the page; null: a partial read.
   * @returns the ids of the products whose content is new
   */
  recordProducts(
    account: string,
    items: readonly ErpProduct[],
    options: { listing: number | null; lane: Lane },
  ): Promise<readonly string[]>;

  /** The tick at which any product was last new or changed; 0 before the first product. */
  productsChangedTick(account: string): Promise<number>;

  /** The list contained these products in invalid rows, so they are not absent. */
  seenInListing(account: string, ids: readonly string[], listing: number): Promise<void>;

  /**
   * Counts an absence for each product that the complete list lacked, unless it is already gone. Returns how many were
   * absent.
   */
  closeListing(account: string, listing: number): Promise<number>;

  /** How many sold products the previous list had, and how many of them this one lacks. */
  missingFrom(account: string, listing: number): Promise<{ sold: number; missing: number }>;

  product(account: string, id: string): Promise<StoredErpProduct | null>;

  productsBySku(account: string, sku: string): Promise<StoredErpProduct[]>;

  /** At most 1,000 existing products that share their SKU with a product held for it. */
  heldTwins(account: string): Promise<string[]>;

  productIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpStockStore {
  /**
   * Returns how many rows have changed figures.
   * @param lookedAt ids of products whose own looks wait for these rows, so they are not marked
   */
  recordStock(account: string, rows: readonly ErpStock[], lane: Lane, lookedAt?: readonly string[]): Promise<number>;

  /** The total stock. An ERP that shows stock by location only must show a single location. */
  stock(account: string, productId: string): Promise<KnownStock | null>;

  /** Every stock row of the product: by location and batch, and in total. */
  stockRows(account: string, productId: string): Promise<KnownStock[]>;

  /** The number of sold products, and the ids of those with stock rows. */
  soldWithStock(account: string): Promise<{ sold: number; stocked: string[] }>;
}

/** Fact: JSON of the SKUs that a product received while another product had them -> the other's id. */
export const TAKEN_SKUS = 'taken-skus';

/** @param fact the value of `TAKEN_SKUS` */
export function takenSkus(fact: string | null): ReadonlyMap<string, string> {
  return new Map(Object.entries(fact === null ? {} : (JSON.parse(fact) as Record<string, string>)));
}

export interface FormerSkuStore {
  /** The earlier SKUs of a product that have not belonged to another product since. */
  formerSkus(account: string, id: string): Promise<string[]>;
}
