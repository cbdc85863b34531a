import type { ErpStock } from '../domain/shadow/erp-stock.ts';
import type { ErpCustomer, ErpLot, ErpOrder, ErpPayment, ErpProduct } from '../erp/connector.ts';
import type { Lane } from './work.ts';
export interface StoredErpProduct extends Omit<ErpProduct, 'attributes'> {
  /** The attributes as they came: lossless JSON. */
  readonly attributesText: string;
  /** The number of complete listings in a row from which the product was absent. */
  readonly absences: number;
}

export interface KnownStock extends ErpStock {
  /** This installation's count of reads when the figures took their present values. */
  readonly changedTick: number;
}

export interface StoredErpOrder extends ErpOrder {
  /** The ERP's clock when its stock was first seen to count the order's lines; null while the stock does not count them. */
  readonly countedSince: string | null;
  /** This installation's count of reads when the order was first seen in its present state. */
  readonly changedTick: number;
}

/** The units that an ERP order takes of its products. */
export type Holding = Pick<StoredErpOrder, 'id' | 'status' | 'countedSince' | 'changedTick'> & {
  readonly lines: readonly Pick<StoredErpOrder['lines'][number], 'sku' | 'quantity'>[];
};

/** A customer that is missing from a list stays unchanged until its absence is confirmed (`store.gone`). */
export interface ErpCustomerStore {
  /** @param askedAtMs our own clock when the rows were asked for; undefined: they are the answer to a write */
  recordCustomers(account: string, items: readonly ErpCustomer[], lane: Lane, askedAtMs?: number): Promise<void>;

  customer(account: string, id: string): Promise<ErpCustomer | null>;

  customerIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpOrderStore {
  /**
   * Stores ERP orders as listed or answered. When something really changed, marks the entities that have to be looked at.
   * @param lookedAt number of the marketplace's order whose own look records this. That look goes on, so the order is not marked.
   * @param askedAtMs our own clock when the orders were asked for; undefined: they are the answer to a write
   */
  recordOrders(
    account: string,
    items: readonly ErpOrder[],
    lane: Lane,
    lookedAt?: string,
    askedAtMs?: number,
  ): Promise<number>;

  /**
   * Stores a page of the list of all ERP orders in the same way. An order that was not stored since the list began is believed
   * with any date of its change.
   * @param sinceMs when the list began, in epoch milliseconds
   * @returns the ids of the orders that really changed
   */
  recordOrderList(
    account: string,
    items: readonly ErpOrder[],
    list: { readonly lane: Lane; readonly sinceMs: number },
  ): Promise<readonly string[]>;

  /** The ERP's orders that are neither shipped nor cancelled. */
  openOrderIds(account: string): Promise<string[]>;

  /**
   * Records that these orders are gone from the ERP. They hold no units any more, and the entities they affect are looked at.
   * @param asOf the ERP's clock when they were gone
   */
  dropOrders(
    account: string,
    ids: readonly string[],
    gone: { readonly asOf: string; readonly lane: Lane },
  ): Promise<void>;

  order(account: string, id: string): Promise<StoredErpOrder | null>;

  /** Further ERP orders that carry the number of an order, beside the linked one, and are not cancelled. */
  ordersBeside(account: string, link: { marketplaceId: string; erpId: string }): Promise<StoredErpOrder[]>;

  ordersByReference(account: string, reference: string): Promise<StoredErpOrder[]>;

  /**
   * Orders from the marketplace that are linked to none of its orders and carry the number of none, seen since then; at most a
   * hundred.
   */
  unknownOrders(account: string, sinceMs: number): Promise<StoredErpOrder[]>;

  /**
   * The units that the ERP holds for the orders with this listing, by the marketplace's number. Where no linked order is alive, the order
   * that carries the number holds them. null: the ERP does not show the linked order, and no other carries its number.
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
   * Stores a page of products. `listing` numbers the complete listing of the page; null for a partial read.
   * @returns the ids of the products whose content is new
   */
  recordProducts(
    account: string,
    items: readonly ErpProduct[],
    options: { listing: number | null; lane: Lane },
  ): Promise<readonly string[]>;

  /** This installation's count of reads when a product was last new or changed; 0 before the first product. */
  productsChangedTick(account: string): Promise<number>;

  /** Notes products that a listing showed in rows that cannot be read. */
  seenInListing(account: string, ids: readonly string[], listing: number): Promise<void>;

  /**
   * Counts one more absence for each product that a complete listing did not contain. Answers how many products were absent. The
   * counting ends once a product is certainly gone.
   */
  closeListing(account: string, listing: number): Promise<number>;

  /** The number of sold products that were in the previous listing, and how many of them this listing did not show. */
  missingFrom(account: string, listing: number): Promise<{ sold: number; missing: number }>;

  product(account: string, id: string): Promise<StoredErpProduct | null>;

  productsBySku(account: string, sku: string): Promise<StoredErpProduct[]>;

  /** Products that are there and share their SKU with a product that is held for it, at most 1,000 of them. */
  heldTwins(account: string): Promise<string[]>;

  productIds(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ErpStockStore {
  /**
   * Stores rows of stock. Answers how many have other figures than before.
   * @param lookedAt ids of products whose own looks wait for these rows. They go on, so no further looks are needed.
   */
  recordStock(account: string, rows: readonly ErpStock[], lane: Lane, lookedAt?: readonly string[]): Promise<number>;

  /** The stock of the product as a whole. An ERP that shows stock only by location must show a single location. */
  stock(account: string, productId: string): Promise<KnownStock | null>;

  /** Every stock row of the product: by location and batch, and as a whole. */
  stockRows(account: string, productId: string): Promise<KnownStock[]>;

  /** The number of products that are sold, and the ids of those that have shown stock. */
  soldWithStock(account: string): Promise<{ sold: number; stocked: string[] }>;
}

/** Fact: the SKUs that a product was given while another had them, each with the id of that product, as JSON. */
export const TAKEN_SKUS = 'taken-skus';

/** @param fact the value of `TAKEN_SKUS` */
export function takenSkus(fact: string | null): Readonly<Record<string, string>> {
  return fact === null ? {} : (JSON.parse(fact) as Record<string, string>);
}

export interface FormerSkuStore {
  /** The earlier SKUs of a product, without those that another product gave up later. */
  formerSkus(account: string, id: string): Promise<string[]>;
}
