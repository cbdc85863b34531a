import type { Likeness } from '../domain/alike.ts';
import type { Figure } from '../domain/decimal.ts';
import type { Gone } from '../domain/gone.ts';
import type { FirstSeen } from '../domain/history.ts';
import type { BaseRecord } from '../domain/order-base.ts';
import type { MarketplacePayment } from '../domain/payment.ts';
import type { Measured } from '../domain/shadow/measurements.ts';
import type { KnownLine } from '../domain/shadow/order-move.ts';
import type { Effect } from '../domain/status.ts';
import type { ErpCustomer, ErpLot, ErpPayment } from '../erp/connector.ts';
import type { Holding, KnownStock, StoredErpOrder, StoredErpProduct } from './erp.ts';
import type { Intent, Reconcile } from './intents.ts';
import type { Mapping } from './links.ts';
import type {
  ErpImage,
  LikeCustomer,
  LikeErpCustomer,
  ListingImage,
  StoredBatch,
  StoredCustomer,
  StoredOrder,
  StoredProduct,
  StoredTransport,
} from './marketplace.ts';
import type { StoredInvalidRow } from './reading.ts';
import type { LatestWrite } from './record.ts';

/* Per flow: all rows of one entity on both sides, from one state of the store. */

/** The requested facts, without those that do not exist. */
export type Facts = ReadonlyMap<string, string>;

export interface LikeCustomers {
  readonly onMarketplace: readonly LikeCustomer[];
  readonly inErp: readonly LikeErpCustomer[];
}

export interface ProductOfLine {
  readonly listing: StoredProduct | null;
  readonly erp: StoredErpProduct | null;
}

export interface OrderInRows {
  readonly order: StoredOrder | null;
  readonly invalidRow: StoredInvalidRow | null;
  readonly mapping: Mapping | null;
  readonly base: BaseRecord | null;
  /** The linked ERP order; without a link, the ERP orders that carry the order's number. */
  readonly erpOrders: readonly StoredErpOrder[];
  /** The invalid row of the first ERP order. */
  readonly invalidErpRow: StoredInvalidRow | null;
  /** Present SKUs by the former SKUs in these orders. */
  readonly presentSkus: ReadonlyMap<string, string>;
  /** ERP orders besides the linked one that carry the order's number. */
  readonly beside: readonly StoredErpOrder[];
  /** Ids of orders that were created in the ERP and use the order's number as their reference. */
  readonly reusing: readonly string[];
  /**
   * The other known order whose number the linked ERP order carries; the ERP order's own id where it is now one that was
   * made in the ERP. null: neither, or a person made the link.
   */
  readonly ofOther: string | null;
  /** Without a link: the ERP order whose id is this order's external id. */
  readonly carried: StoredErpOrder | null;
  /** Without a link and an external id: the orders that are being created on the marketplace. */
  readonly creates: readonly { readonly intent: Intent; readonly erpOrder: StoredErpOrder | null }[];
  /** The product and listing of each SKU that only the ERP order has, if the SKU is unique. */
  readonly listed: ReadonlyMap<string, { readonly erp: StoredErpProduct; readonly listing: StoredProduct | null }>;
  readonly products: ReadonlyMap<number, ProductOfLine>;
  readonly customer: {
    readonly mapping: Mapping | null;
    /** Only without a link: the absence of the linked customer in the ERP. */
    readonly erpGone: Gone | null;
    readonly stored: StoredCustomer | null;
    /** Lossless JSON, as read. */
    readonly content: string | null;
    /** Only without a link. */
    readonly like: LikeCustomers;
  } | null;
  /** Only without a link: the ERP may already have the order. */
  readonly createInDoubt: boolean;
  /** Only without a link, by number. */
  readonly transports: readonly StoredTransport[];
  readonly facts: Facts;
}

export interface OrderOutRows {
  readonly erpOrder: StoredErpOrder | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly linkedNumber: string | null;
  /** The marketplace order whose number this ERP order uses as its reference. */
  readonly namesake: string | null;
  readonly createInDoubt: boolean;
  /** The linked customer of the marketplace. */
  readonly customerId: string | null;
  readonly products: ReadonlyMap<string, { readonly erp: StoredErpProduct; readonly listing: StoredProduct | null }>;
}

/** An unlinked listing on sale that may be this ERP product under another SKU. */
export interface AlikeListing {
  readonly id: number;
  readonly sku: string | null;
  readonly name: string | null;
  readonly by: readonly Likeness[];
}

export interface AlikeProduct {
  readonly id: string;
  readonly sku: string;
  readonly by: readonly Likeness[];
}

export interface ShownListing {
  readonly stored: StoredProduct;
  readonly raw: string | null;
  readonly invalidRow: StoredInvalidRow | null;
}

/** A listing that is linked to another ERP id, and whose SKU belongs to this product. */
export interface Inheritance {
  readonly listingId: number;
  /** The other ERP id. */
  readonly from: string;
  /** Do the two product names agree as well? */
  readonly isSame: boolean;
}

export interface ProductRows {
  readonly erp: StoredErpProduct | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  /** The number of existing ERP products with this SKU. */
  readonly twins: number;
  readonly mapping: Mapping | null;
  readonly listing: ShownListing | null;
  /** When the linked listing disappeared. */
  readonly listingGone: Gone | null;
  /** Unlinked listings. */
  readonly candidates: { readonly byExternalId: readonly ShownListing[]; readonly bySku: readonly ShownListing[] };
  /** Listings on sale that have the SKU of this unlinked product and are linked to other ERP products. */
  readonly othersOfSku: readonly { readonly listing: number; readonly product: string }[];
  /** The listing to relink from another ERP id to this product. */
  readonly inherits: (Inheritance & { readonly listing: ShownListing }) | null;
  /** Only without a link and candidates. */
  readonly alike: readonly AlikeListing[];
  readonly stock: KnownStock | null;
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface ProductInRows {
  readonly listing: ShownListing | null;
  readonly mapping: Mapping | null;
  /** The newest orders with this listing that have no ERP order; at most 100. */
  readonly orders: readonly ({ readonly number: string; readonly status: string } & FirstSeen)[];
  readonly sameSku: readonly StoredErpProduct[];
  /** Only without a link. */
  readonly alike: readonly AlikeProduct[];
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface ImagesRows {
  readonly erp: StoredErpProduct | null;
  readonly listing: StoredProduct | null;
  readonly placed: readonly ListingImage[];
  readonly found: readonly ErpImage[];
}

export interface SoldRows {
  readonly product: StoredErpProduct | null;
  readonly twins: number;
  readonly listingId: number | null;
  /** The listing is still linked to another ERP id, or this product's link is in doubt. */
  readonly inherits: Inheritance | null;
  readonly listing: StoredProduct | null;
  readonly invalidListing: StoredInvalidRow | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly lines: readonly {
    readonly number: string;
    readonly seen: FirstSeen;
    readonly line: KnownLine;
    readonly effect: Effect;
  }[];
  /** The units that ERP orders hold for these lines, by marketplace number; null: the ERP shows no such order. */
  readonly holdings: ReadonlyMap<string, Holding | null>;
  /** The SKUs under which ERP orders may name the product: its present and former ones. */
  readonly skus: ReadonlySet<string>;
  readonly facts: Facts;
}

export interface StockRows extends SoldRows {
  readonly stock: KnownStock | null;
  /** The units taken by orders that no list shows. */
  readonly unseen: Figure<'marketplace stock'>;
  /** The listing showed unexpected figures that nobody has judged. */
  readonly hasDrift: boolean;
  readonly latestWrites: readonly LatestWrite[];
}

export interface FacilityStockRows extends SoldRows {
  readonly stock: readonly KnownStock[];
  readonly reconciles: readonly Reconcile[];
  readonly measured: Measured | null;
  readonly invalidMeasurements: StoredInvalidRow | null;
  /** Batch ids by lot name; null: no batch yet, or an ambiguous name. */
  readonly batches: ReadonlyMap<string, number | null>;
}

export interface BatchOutRows {
  readonly lot: ErpLot | null;
  readonly invalidRow: StoredInvalidRow | null;
  readonly product: StoredErpProduct | null;
  readonly stock: readonly KnownStock[];
  readonly mapping: Mapping | null;
  /** The linked batch. */
  readonly shown: StoredBatch | null;
  /** When the linked batch disappeared. */
  readonly batchGone: Gone | null;
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface CustomerInRows {
  readonly customer: StoredCustomer | null;
  readonly mapping: Mapping | null;
  readonly invalidRow: StoredInvalidRow | null;
  readonly like: LikeCustomers;
  readonly creates: readonly { readonly key: string; readonly erp: ErpCustomer | null }[];
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface CustomerOutRows {
  readonly erp: ErpCustomer | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly mapping: Mapping | null;
  /** When the ERP's customer disappeared; null: it exists or never existed. */
  readonly gone: Gone | null;
  /** The linked customer of the marketplace. */
  readonly customer: StoredCustomer | null;
  readonly invalidRow: StoredInvalidRow | null;
  /** Customers similar to this one. If the linked ERP customer is gone or inactive: similar to the marketplace's. */
  readonly like: LikeCustomers;
  readonly creates: readonly { readonly key: string; readonly customer: StoredCustomer | null }[];
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface UnsettledPayments {
  readonly out: readonly Intent[];
  readonly in: readonly { readonly key: string; readonly payment: MarketplacePayment }[];
}

/** A payment that we created, and its source on the other side. */
export interface RecordedPayment<Payment> {
  readonly payment: Payment;
  readonly of: string;
}

export interface LinkedCustomer {
  readonly id: number;
  /** null: customers are not read, or not this one. */
  readonly stored: StoredCustomer | null;
}

export interface AssignmentRows {
  readonly erp: StoredErpProduct | null;
  readonly listing: StoredProduct | null;
  /** The buyers and groups of the listing, as JSON; null: never read. */
  readonly content: string | null;
  readonly latestWrites: readonly LatestWrite[];
  readonly invalidRow: StoredInvalidRow | null;
  readonly facts: Facts;
}

export interface PaymentInRows {
  readonly payment: MarketplacePayment | null;
  readonly invalidRow: StoredInvalidRow | null;
  readonly mapping: Mapping | null;
  /** When the linked ERP payment disappeared. */
  readonly erpGone: Gone | null;
  readonly createInDoubt: boolean;
  /** The ERP's reference of the order. */
  readonly reference: string | null;
  /** The order's ERP payments that are unlinked, not voided and not being created. */
  readonly unlinked: readonly ErpPayment[];
  /** For some of these ids: earlier payments that they may be under new ids. */
  readonly former: ReadonlyMap<string, readonly string[]>;
  readonly unsettled: UnsettledPayments;
  /** The order's marketplace payments that were created from ERP payments. */
  readonly recordedHere: readonly RecordedPayment<MarketplacePayment>[];
  /** Have the ERP's payments been read? */
  readonly paymentsKnown: boolean;
}

/**
 * The marketplace payment that an ERP payment names. there: may be linked. gone: deleted. left: its linked ERP payment
 * is gone.
 */
export type NamedPayment = 'there' | 'gone' | 'left';

export interface PaymentOutRows {
  readonly payment: ErpPayment | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly linkedId: string | null;
  /** The linked payment of the marketplace. */
  readonly shown: MarketplacePayment | null;
  /** When that payment disappeared. */
  readonly shownGone: Gone | null;
  /** The state of the marketplace payment that this ERP payment names; null: it names none, or has a link. */
  readonly named: NamedPayment | null;
  /** Earlier ERP payments that this one may be under a new id. */
  readonly former: readonly string[];
  readonly createInDoubt: boolean;
  readonly orderNumber: string | null;
  readonly orderGone: boolean;
  /** The order's unlinked payments on the marketplace. */
  readonly unlinked: readonly MarketplacePayment[];
  /** The order's marketplace payments whose ERP payment is gone, by ERP id. */
  readonly left: readonly RecordedPayment<MarketplacePayment>[];
  readonly unsettled: UnsettledPayments;
  /** The order's ERP payments that were created from marketplace payments. */
  readonly recordedHere: readonly RecordedPayment<ErpPayment>[];
  readonly facts: Facts;
}

export interface ApprovalOutRows {
  readonly erpOrder: StoredErpOrder | null;
  /** The linked order of the marketplace. */
  readonly number: string | null;
  /** That order's body: lossless JSON. */
  readonly order: string | null;
  readonly tellInDoubt: boolean;
  readonly facts: Facts;
}

export interface TransportInRows {
  readonly transports: readonly StoredTransport[];
  readonly erpOrder: StoredErpOrder | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly facts: Facts;
}

export interface ObserveStore {
  /** @param number of the marketplace order */
  orderIn(account: string, number: string, facts: readonly string[]): Promise<OrderInRows>;

  /** @param id of the ERP order */
  orderOut(account: string, id: string): Promise<OrderOutRows>;

  /** @param id of the ERP order */
  approvalOut(account: string, id: string, facts: readonly string[]): Promise<ApprovalOutRows>;

  /** @param key the order's marketplace number, or its id in the ERP */
  transportIn(account: string, key: string, facts: readonly string[]): Promise<TransportInRows>;

  product(account: string, id: string, facts: readonly string[]): Promise<ProductRows>;

  /** @param id of the listing */
  productIn(account: string, id: number, facts: readonly string[]): Promise<ProductInRows>;

  images(account: string, id: string): Promise<ImagesRows>;

  assignments(account: string, id: string, facts: readonly string[]): Promise<AssignmentRows>;

  /** Linked marketplace customers, by ERP id. */
  linkedCustomers(account: string, erpIds: readonly string[]): Promise<ReadonlyMap<string, LinkedCustomer>>;

  stock(account: string, id: string, facts: readonly string[]): Promise<StockRows>;

  facilityStock(account: string, id: string, facts: readonly string[]): Promise<FacilityStockRows>;

  /** @param id of the lot */
  batchOut(account: string, id: string, facts: readonly string[]): Promise<BatchOutRows>;

  /** @param id of the marketplace customer */
  customerIn(account: string, id: number, facts: readonly string[]): Promise<CustomerInRows>;

  /** @param id of the ERP customer */
  customerOut(account: string, id: string, facts: readonly string[]): Promise<CustomerOutRows>;

  /** @param id of the marketplace payment */
  paymentIn(account: string, id: string): Promise<PaymentInRows>;

  /** @param id of the ERP payment */
  paymentOut(account: string, id: string, facts: readonly string[]): Promise<PaymentOutRows>;
}
