import type { Likeness } from '../domain/alike.ts';
import type { Figure } from '../domain/decimal.ts';
import type { Gone } from '../domain/gone.ts';
import type { FirstSight } from '../domain/history.ts';
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

/* The observation of each flow: all rows of one entity on both sides, as they are at one instant. */

/** The requested facts that exist. */
export type Facts = ReadonlyMap<string, string>;

/** Customers of either side that resemble one customer. */
export interface LikeCustomers {
  readonly onMarketplace: readonly LikeCustomer[];
  readonly inErp: readonly LikeErpCustomer[];
}

/** The listing of an order's line, and the ERP's product to which the listing is linked. */
export interface ProductOfLine {
  readonly listing: StoredProduct | null;
  readonly erp: StoredErpProduct | null;
}

export interface OrderInRows {
  readonly order: StoredOrder | null;
  readonly invalidRow: StoredInvalidRow | null;
  readonly mapping: Mapping | null;
  /** The last state on which both sides agreed. */
  readonly base: BaseRecord | null;
  /** The linked ERP order. Without a link: the ERP orders that carry the order's number. */
  readonly erpOrders: readonly StoredErpOrder[];
  /** The invalid row of the first of these ERP orders. */
  readonly invalidErpRow: StoredInvalidRow | null;
  /** The present SKUs of products whose SKU in these orders is a former one. */
  readonly presentSkus: ReadonlyMap<string, string>;
  /** Further ERP orders that carry the order's number. */
  readonly beside: readonly StoredErpOrder[];
  /** The ids of orders that were made in the ERP and have the order's number as their reference. */
  readonly reusing: readonly string[];
  /** For an order without a link: the ERP order whose id the order carries. */
  readonly carried: StoredErpOrder | null;
  /** For an order without a link and an id: the orders that are being created on the marketplace. */
  readonly creates: readonly { readonly intent: Intent; readonly erpOrder: StoredErpOrder | null }[];
  /** The SKUs that only the ERP order has, if exactly one product has the SKU: that product and its listing. */
  readonly listed: ReadonlyMap<string, { readonly erp: StoredErpProduct; readonly listing: StoredProduct | null }>;
  /** The listings of its lines, by id. */
  readonly products: ReadonlyMap<number, ProductOfLine>;
  readonly customer: {
    /** The link to the ERP's customer. */
    readonly mapping: Mapping | null;
    /** Only for an order without a link: the linked customer is gone from the ERP. */
    readonly erpGone: Gone | null;
    readonly stored: StoredCustomer | null;
    /** The customer's body as it was read, linked or not: lossless JSON. */
    readonly content: string | null;
    /** Only for a customer without a link. */
    readonly like: LikeCustomers;
  } | null;
  /** Only for an order without a link: it may have been created in the ERP. */
  readonly createInDoubt: boolean;
  /** Only for an order without a link, by its number. */
  readonly transports: readonly StoredTransport[];
  readonly facts: Facts;
}

export interface OrderOutRows {
  readonly erpOrder: StoredErpOrder | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly linkedNumber: string | null;
  /** The order of the marketplace whose number it has as its reference, although it was made in the ERP. */
  readonly namesake: string | null;
  readonly createInDoubt: boolean;
  /** The marketplace's customer to which the ERP's customer is linked. */
  readonly customerId: string | null;
  /** The products by SKU, for each SKU that only one product has. */
  readonly products: ReadonlyMap<string, { readonly erp: StoredErpProduct; readonly listing: StoredProduct | null }>;
}

/** A listing on sale without a link. It may be a product of the ERP under another SKU. */
export interface AlikeListing {
  readonly id: number;
  readonly sku: string | null;
  readonly name: string | null;
  readonly by: readonly Likeness[];
}

/** A product of the ERP on sale without a link. It may be a listing under another SKU. */
export interface AlikeProduct {
  readonly id: string;
  readonly sku: string;
  readonly by: readonly Likeness[];
}

/** A listing with its body as it came. */
export interface ShownListing {
  readonly stored: StoredProduct;
  readonly raw: string | null;
  readonly invalidRow: StoredInvalidRow | null;
}

/** A listing that another id of the ERP has, and that is a product's by its SKU. */
export interface Inheritance {
  readonly listingId: number;
  /** The id of the ERP that has the listing, or had it. */
  readonly from: string;
  /** Does the name say the same as the SKU? */
  readonly isSame: boolean;
}

export interface ProductRows {
  readonly erp: StoredErpProduct | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  /** The number of products of the ERP that have the product's SKU. Products that are gone do not count. */
  readonly twins: number;
  readonly mapping: Mapping | null;
  /** The listing to which the product is linked. */
  readonly listing: ShownListing | null;
  /** Since when that listing is gone, if it was there before. */
  readonly listingGone: Gone | null;
  /** Listings without a link. */
  readonly candidates: { readonly byExternalId: readonly ShownListing[]; readonly bySku: readonly ShownListing[] };
  /** Listings on sale that have the SKU of a product without a link, and are linked to other products of the ERP. */
  readonly othersOfSku: readonly { readonly listing: number; readonly product: string }[];
  /** The listing that has to be linked to this product in place of another id of the ERP. */
  readonly inherits: (Inheritance & { readonly listing: ShownListing }) | null;
  /** Only for a product without a link and without candidates. */
  readonly alike: readonly AlikeListing[];
  readonly stock: KnownStock | null;
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface ProductInRows {
  readonly listing: ShownListing | null;
  readonly mapping: Mapping | null;
  /** The orders with the listing that are linked to no order of the ERP, the newest first; at most a hundred. */
  readonly orders: readonly ({ readonly number: string; readonly status: string } & FirstSight)[];
  readonly sameSku: readonly StoredErpProduct[];
  /** Only for a listing without a link. */
  readonly alike: readonly AlikeProduct[];
  readonly productsKnown: boolean;
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface ImagesRows {
  readonly erp: StoredErpProduct | null;
  readonly listing: StoredProduct | null;
  readonly placed: readonly ListingImage[];
  readonly found: readonly ErpImage[];
}

/** A product with its listing, and every live line that takes units of the listing. */
export interface SoldRows {
  readonly product: StoredErpProduct | null;
  readonly twins: number;
  readonly listingId: number | null;
  /** The listing is still linked to another id of the ERP, or the product's own link is in doubt. */
  readonly inherits: Inheritance | null;
  readonly listing: StoredProduct | null;
  readonly invalidListing: StoredInvalidRow | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly lines: readonly {
    readonly number: string;
    readonly seen: FirstSight;
    readonly line: KnownLine;
    readonly effect: Effect;
  }[];
  /** The units that the ERP holds for the orders of these lines, by number; null: the ERP shows no such order. */
  readonly holdings: ReadonlyMap<string, Holding | null>;
  /** The SKUs under which the ERP's orders may have the product: the present SKU and earlier SKUs. */
  readonly skus: ReadonlySet<string>;
  readonly facts: Facts;
}

export interface StockRows extends SoldRows {
  readonly stock: KnownStock | null;
  /** The units that were taken by orders that no list shows. */
  readonly unseen: Figure<'marketplace stock'>;
  /** The listing showed other figures than expected, and nobody has judged why. */
  readonly hasDrift: boolean;
  readonly latestWrites: readonly LatestWrite[];
}

export interface FacilityStockRows extends SoldRows {
  readonly stock: readonly KnownStock[];
  readonly reconciles: readonly Reconcile[];
  readonly measured: Measured | null;
  readonly invalidMeasurements: StoredInvalidRow | null;
  /** The batches of the product's lots, by the lot's name. null: the lot has no batch yet, or several lots have the name. */
  readonly batches: ReadonlyMap<string, number | null>;
}

/** A lot of the ERP, and its batch on the marketplace. */
export interface BatchOutRows {
  readonly lot: ErpLot | null;
  readonly invalidRow: StoredInvalidRow | null;
  readonly product: StoredErpProduct | null;
  /** The stock rows of the lot's product. */
  readonly stock: readonly KnownStock[];
  readonly mapping: Mapping | null;
  /** The batch to which the lot is linked. */
  readonly shown: StoredBatch | null;
  /** Since when that batch is gone, if it was there before. */
  readonly batchGone: Gone | null;
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface CustomerInRows {
  readonly customer: StoredCustomer | null;
  readonly mapping: Mapping | null;
  readonly invalidRow: StoredInvalidRow | null;
  readonly like: LikeCustomers;
  /** Customers that are being created on the marketplace. */
  readonly creates: readonly { readonly key: string; readonly erp: ErpCustomer | null }[];
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

export interface CustomerOutRows {
  readonly erp: ErpCustomer | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly mapping: Mapping | null;
  /** Since when the ERP's customer is gone; null: it is there, or was never there. */
  readonly gone: Gone | null;
  /** The marketplace's customer to which the ERP's customer is linked. */
  readonly customer: StoredCustomer | null;
  readonly invalidRow: StoredInvalidRow | null;
  /** Customers that are like this one. Where the linked customer of the ERP is gone or inactive: like the marketplace's. */
  readonly like: LikeCustomers;
  /** Customers that are being created in the ERP. */
  readonly creates: readonly { readonly key: string; readonly customer: StoredCustomer | null }[];
  readonly createInDoubt: boolean;
  readonly facts: Facts;
}

/** Payments that are being recorded on either side. */
export interface UnsettledPayments {
  readonly out: readonly Intent[];
  readonly in: readonly { readonly key: string; readonly payment: MarketplacePayment }[];
}

/** A payment that a create of ours made, and the payment of the other side from which it was made. */
export interface RecordedPayment<Payment> {
  readonly payment: Payment;
  readonly of: string;
}

export interface LinkedCustomer {
  readonly id: number;
  /** null when customers are not read, or when this customer was not read. */
  readonly stored: StoredCustomer | null;
}

export interface AssignmentRows {
  readonly erp: StoredErpProduct | null;
  readonly listing: StoredProduct | null;
  /** The buyers and groups of the listing, as JSON; null when no read has shown them. */
  readonly content: string | null;
  readonly latestWrites: readonly LatestWrite[];
  readonly invalidRow: StoredInvalidRow | null;
  readonly facts: Facts;
}

export interface PaymentInRows {
  readonly payment: MarketplacePayment | null;
  readonly invalidRow: StoredInvalidRow | null;
  readonly mapping: Mapping | null;
  /** Since when the linked payment is gone from the ERP, if it was there before. */
  readonly erpGone: Gone | null;
  readonly createInDoubt: boolean;
  /** The ERP's reference of the payment's order. */
  readonly reference: string | null;
  /** Payments of the same order in the ERP that are linked to nothing, not voided, and not being recorded. */
  readonly unlinked: readonly ErpPayment[];
  /** Some of them, by their ids, and the earlier payments that they may be under other ids. */
  readonly former: ReadonlyMap<string, readonly string[]>;
  readonly unsettled: UnsettledPayments;
  /** Payments of the same order on the marketplace that were made for payments of the ERP. */
  readonly recordedHere: readonly RecordedPayment<MarketplacePayment>[];
  /** The ERP's payments were read. */
  readonly paymentsKnown: boolean;
}

/**
 * A payment of the marketplace that a payment of the ERP names: it may be linked, it is gone, or the payment of the ERP to which it is
 * linked is gone.
 */
export type NamedPayment = 'there' | 'gone' | 'left';

export interface PaymentOutRows {
  readonly payment: ErpPayment | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly linkedId: string | null;
  /** The marketplace's payment to which this payment is linked. */
  readonly shown: MarketplacePayment | null;
  /** Since when that payment is gone, if it was there before. */
  readonly shownGone: Gone | null;
  /** The state of the marketplace's payment that it names; null: it names none, or is linked. */
  readonly named: NamedPayment | null;
  /** Earlier payments of the ERP that this one may be under another id. */
  readonly former: readonly string[];
  readonly createInDoubt: boolean;
  readonly orderNumber: string | null;
  /** The marketplace had the payment's order, and does not have it any more. */
  readonly orderGone: boolean;
  /** Payments of the same order on the marketplace that are linked to nothing. */
  readonly unlinked: readonly MarketplacePayment[];
  /** Payments of the same order on the marketplace whose payment of the ERP is gone, by its id. */
  readonly left: readonly RecordedPayment<MarketplacePayment>[];
  readonly unsettled: UnsettledPayments;
  /** Payments of the same order in the ERP that were made for payments of the marketplace. */
  readonly recordedHere: readonly RecordedPayment<ErpPayment>[];
  readonly facts: Facts;
}

export interface ApprovalOutRows {
  readonly erpOrder: StoredErpOrder | null;
  /** The marketplace's order to which the ERP's order is linked. */
  readonly number: string | null;
  /** That order's body as it was read: lossless JSON. */
  readonly order: string | null;
  readonly tellInDoubt: boolean;
  readonly facts: Facts;
}

/** An order that has transports on the marketplace. */
export interface TransportInRows {
  readonly transports: readonly StoredTransport[];
  /** The ERP's order that is transported. */
  readonly erpOrder: StoredErpOrder | null;
  readonly invalidErpRow: StoredInvalidRow | null;
  readonly facts: Facts;
}

export interface ObserveStore {
  /** @param number the marketplace's */
  orderIn(account: string, number: string, facts: readonly string[]): Promise<OrderInRows>;

  /** @param id the ERP's */
  orderOut(account: string, id: string): Promise<OrderOutRows>;

  /** @param id of the ERP's order */
  approvalOut(account: string, id: string, facts: readonly string[]): Promise<ApprovalOutRows>;

  /** @param key the marketplace's number of an order, or its id in the ERP */
  transportIn(account: string, key: string, facts: readonly string[]): Promise<TransportInRows>;

  product(account: string, id: string, facts: readonly string[]): Promise<ProductRows>;

  /** @param id the marketplace's */
  productIn(account: string, id: number, facts: readonly string[]): Promise<ProductInRows>;

  images(account: string, id: string): Promise<ImagesRows>;

  assignments(account: string, id: string, facts: readonly string[]): Promise<AssignmentRows>;

  /** The marketplace's customers to which these customers of the ERP are linked, by the ERP's id. */
  linkedCustomers(account: string, erpIds: readonly string[]): Promise<ReadonlyMap<string, LinkedCustomer>>;

  stock(account: string, id: string, facts: readonly string[]): Promise<StockRows>;

  facilityStock(account: string, id: string, facts: readonly string[]): Promise<FacilityStockRows>;

  /** @param id the ERP's */
  batchOut(account: string, id: string, facts: readonly string[]): Promise<BatchOutRows>;

  /** @param id the marketplace's */
  customerIn(account: string, id: number, facts: readonly string[]): Promise<CustomerInRows>;

  /** @param id the ERP's */
  customerOut(account: string, id: string, facts: readonly string[]): Promise<CustomerOutRows>;

  /** @param id the marketplace's */
  paymentIn(account: string, id: string): Promise<PaymentInRows>;

  /** @param id the ERP's */
  paymentOut(account: string, id: string, facts: readonly string[]): Promise<PaymentOutRows>;
}
