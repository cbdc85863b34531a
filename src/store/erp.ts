import type { ErpStock } from '../domain/shadow/erp-stock.ts';
import type { ErpCustomer, ErpLot, ErpOrder, ErpPayment, ErpProduct } from '../erp/connector.ts';
import type { Lane } from './work.ts';
export interface StoredErpProduct extends Omit<ErpProduct, 'attributes'> {
  /** Lossless JSON. */
  readonly attributesText: string;
  /** The number of consecutive complete lists that lacked the product. */
  readonly absences: number;
}

export interface KnownStock extends ErpStock {
  /** The tick at which the figures took their present values. */
  readonly changedTick: number;
}

export interface StoredErpOrder extends ErpOrder {
  /** The ERP time at which its stock was first seen to include the order's lines; null: not included yet. */
  readonly countedSince: string | null;
  /** The tick at which the order was first seen in its present state. */
  readonly changedTick: number;
}

/** The units of its products that an ERP order takes from the stock. */
export type Holding = Pick<StoredErpOrder, 'id' | 'status' | 'countedSince' | 'changedTick'> & {
  readonly lines: readonly Pick<StoredErpOrder['lines'][number], 'sku' | 'quantity'>[];
};

/** A customer that is missing from a list stays unchanged until its absence is confirmed (`store.gone`). */
export interface ErpCustomerStore {
  /** @param askedAtMs when the rows were requested, by our clock; undefined: they are the answer to a write */
  recordCustomers(account: string, items: readonly ErpCustomer[], lane: Lane, askedAtMs?: number): Promise<void>;

  customer(account: string, id: string): Promise<ErpCustomer | null>;

  customerIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpOrderStore {
  /**
   * Stores ERP orders. Marks the affected entities for work if an order really changed.
   * @param lookedAt marketplace number of the order whose own look stores this. It is not marked, because its look goes
   * on.
   * @param askedAtMs when the orders were requested, by our clock; undefined: they are the answer to a write
   */
  recordOrders(
    account: string,
    items: readonly ErpOrder[],
    lane: Lane,
    lookedAt?: string,
    askedAtMs?: number,
  ): Promise<number>;

  /**
   * Stores a page of the full list of ERP orders. An order that was not stored since the list began is accepted with
   * any date of change.
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
   * Records that the ERP lacks these orders now. They no longer take units, and the affected entities are marked for
   * work.
   * @param asOf the ERP time of their absence
   */
  dropOrders(
    account: string,
    ids: readonly string[],
    gone: { readonly asOf: string; readonly lane: Lane },
  ): Promise<void>;

  order(account: string, id: string): Promise<StoredErpOrder | null>;

  /** ERP orders besides the linked one that carry the number of the marketplace order and are not cancelled. */
  ordersBeside(account: string, link: { marketplaceId: string; erpId: string }): Promise<StoredErpOrder[]>;

  ordersByReference(account: string, reference: string): Promise<StoredErpOrder[]>;

  /**
   * ERP orders from the marketplace that have no link and match the number of no marketplace order, seen since then; at
   * most 100.
   */
  unknownOrders(account: string, sinceMs: number): Promise<StoredErpOrder[]>;

  /**
   * The units that ERP orders hold for the orders with this listing, by marketplace number. If the linked ERP order is
   * dead or missing, the order that carries the number holds them. null: the ERP shows neither.
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
   * Stores a page of products. `listing` numbers the complete list that the page belongs to; null: a partial read.
   * @returns the ids of the products whose content is new
   */
  recordProducts(
    account: string,
    items: readonly ErpProduct[],
    options: { listing: number | null; lane: Lane },
  ): Promise<readonly string[]>;

  /** The tick at which any product was last new or changed; 0 before the first product. */
  productsChangedTick(account: string): Promise<number>;

  /** Records that a list contained these products in invalid rows, so that they do not count as absent. */
  seenInListing(account: string, ids: readonly string[], listing: number): Promise<void>;

  /**
   * Counts one more absence for each product that a complete list lacked, unless the product is already gone. Returns
   * how many were absent.
   */
  closeListing(account: string, listing: number): Promise<number>;

  /** How many sold products the previous list contained, and how many of those this list lacks. */
  missingFrom(account: string, listing: number): Promise<{ sold: number; missing: number }>;

  product(account: string, id: string): Promise<StoredErpProduct | null>;

  productsBySku(account: string, sku: string): Promise<StoredErpProduct[]>;

  /** Existing products that share their SKU with a product that is held for it; at most 1,000. */
  heldTwins(account: string): Promise<string[]>;

  productIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpStockStore {
  /**
   * Stores stock rows. Returns how many have changed figures.
   * @param lookedAt ids of products whose own looks wait for these rows, so they are not marked
   */
  recordStock(account: string, rows: readonly ErpStock[], lane: Lane, lookedAt?: readonly string[]): Promise<number>;

  /** The total stock of the product. If the ERP shows stock by location only, it must show a single location. */
  stock(account: string, productId: string): Promise<KnownStock | null>;

  /** Every stock row of the product: by location and batch, and in total. */
  stockRows(account: string, productId: string): Promise<KnownStock[]>;

  /** The number of sold products, and the ids of those with stock rows. */
  soldWithStock(account: string): Promise<{ sold: number; stocked: string[] }>;
}

/** Fact: the SKUs that a product received while another product had them. JSON: SKU to the other product's id. */
export const TAKEN_SKUS = 'taken-skus';

/** @param fact the value of `TAKEN_SKUS` */
export function takenSkus(fact: string | null): Readonly<Record<string, string>> {
  return fact === null ? {} : (JSON.parse(fact) as Record<string, string>);
}

export interface FormerSkuStore {
  /** The earlier SKUs of a product that have not belonged to another product since. */
  formerSkus(account: string, id: string): Promise<string[]>;
}
