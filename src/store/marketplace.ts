import type { MarketplaceCustomer } from '../domain/customer.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { FirstSight, OrderStanding, OrdersFrom } from '../domain/history.ts';
import type { MarketplaceOrder } from '../domain/order.ts';
import type { MarketplacePayment } from '../domain/payment.ts';
import type { MarketplaceProduct } from '../domain/product.ts';
import type { CustomerRow, ErpCustomerRow } from '../domain/shadow/customers.ts';
import type { AnsweredFigures } from '../domain/shadow/listing-read.ts';
import type { Measured, Measurement } from '../domain/shadow/measurements.ts';
import type { KnownLine } from '../domain/shadow/order-move.ts';
import type { Effect } from '../domain/status.ts';
import type { Units } from '../domain/units.ts';
import type { FoundInvalidRow, Window } from './reading.ts';
import type { Lane } from './work.ts';

/** The rows of a read, the rows that do not fit, and the covered window. */
interface ReadRows<Row> {
  readonly account: string;
  readonly rows: readonly Row[];
  readonly invalidRows: readonly FoundInvalidRow[];
  readonly window: Window | null;
  readonly lane: Lane;
  /** Our own clock when the rows were asked for. undefined: they are the answer to a write. */
  readonly askedAtMs?: number | undefined;
}

export interface RecordOrders extends ReadRows<ObservedOrder> {
  /** Everything that happened before this tick had been read when these rows were asked for. */
  readonly knownBeforeTick: number;
  /** The tick at which the read of all changed orders began. null: these rows come from another kind of read. */
  readonly readTick: number | null;
  /** The cursor before this read. Rows at or below the cursor became visible late, or are read again. */
  readonly cursorBefore: string | null;
  /** The order whose own look records this. That look goes on, so the order is not marked. */
  readonly lookedAt?: string;
  readonly units: Units;
}

export interface ObservedOrder {
  readonly order: MarketplaceOrder;
  /** The body as it came, lossless. */
  readonly raw: string;
}

export interface StoredOrder {
  readonly order: MarketplaceOrder;
  readonly lines: readonly KnownLine[] | null;
  /** The company that sells it; null where the order does not show it. */
  readonly seller: number | null;
  readonly seen: FirstSight;
}

/** A listing in the shadow. `figures` are the observed figures, moved on by the orders that were seen since. */
export interface StoredProduct extends MarketplaceProduct {
  readonly archived: boolean;
  /** False when an order event may or may not be in the figures already. */
  readonly certain: boolean;
  /** The units that unknown orders reserved at the last observation. Below zero: known orders reserve theirs no more. */
  readonly unexplained: Decimal;
  /** The tick of the last observation. */
  readonly observedTick: number;
  /**
   * Orders released units of the listing. These units are offered again after a read of the orders that began after this tick.
   */
  readonly releasedTick: number;
}

export interface ObservedProduct {
  readonly product: MarketplaceProduct;
  readonly raw: string;
}

export interface RecordProducts extends ReadRows<ObservedProduct> {
  /** Only orders and our own stock writes move the figures, so a difference from the expected figures is recorded. */
  readonly expected: boolean;
  /** The fields of a listing that the configuration maps. */
  readonly mapped: readonly string[];
  readonly units: Units;
}

export type RecordPayments = Omit<ReadRows<MarketplacePayment>, 'window'>;

export interface ObservedCustomer {
  readonly customer: MarketplaceCustomer;
  /** The fields that are kept in step, by their names on the wire, as JSON. */
  readonly content: string;
}

export interface StoredCustomer extends CustomerRow {
  readonly account: string;
}

export type RecordCustomers = ReadRows<ObservedCustomer>;

/** A customer that shares a sign with another customer, and its link. */
export type LikeCustomer = StoredCustomer & { readonly linkedTo: string | null };

export type LikeErpCustomer = ErpCustomerRow & { readonly linkedTo: string | null };

export type NameKind = 'brand' | 'category' | 'sub_category' | 'product_line';

/** Something that the marketplace has a name for. */
export interface Named {
  readonly id: number;
  readonly name: string;
  /** The category of a sub-category, or the brand of a product line; null when the marketplace does not show it. */
  readonly parentId: number | null;
}

/** An image of the ERP, as it was found at its address. */
export interface ErpImage {
  readonly account: string;
  readonly productId: string;
  readonly url: string;
  /** SHA-256 of the image's bytes; null until the first successful fetch. */
  readonly hash: string | null;
  readonly etag: string | null;
  /** Why the last fetch did not succeed. */
  readonly failure: string | null;
  readonly checkedAtMs: number;
}

/** An image of a listing that was uploaded from here, or counts as uploaded. */
export interface ListingImage {
  readonly account: string;
  readonly id: number;
  readonly listingId: number;
  readonly position: number;
  readonly hash: string;
}

export interface RecordMeasurements {
  readonly account: string;
  readonly rows: readonly Measurement[];
  /** The listings that were asked for; null: all listings. A listing that is not among the rows has no measurements. */
  readonly asked: readonly number[] | null;
  /** These listings stay as they are, although they were asked for. */
  readonly unread: ReadonlySet<number>;
  /** Does an entity that is not among the rows have no measurements? Otherwise the entity stays as it was known. */
  readonly absenceCounts: boolean;
  readonly tick: number;
  readonly askedAtMs: number;
  readonly lane: Lane;
}

export interface RecordAssignments {
  readonly account: string;
  readonly rows: readonly { readonly listingId: number; readonly content: string }[];
  /**
   * The listings that were asked for, null for all known listings. A listing that is neither among the rows nor excepted has this
   * content. null: absence says nothing.
   */
  readonly absent: {
    readonly of: readonly number[] | null;
    readonly except: ReadonlySet<number>;
    readonly content: string;
  } | null;
  /** When the rows were asked for. A stored row that was asked for later stays. */
  readonly tick: number;
  readonly lane: Lane;
}

export interface CustomerStore {
  record(what: RecordCustomers): Promise<void>;

  get(account: string, id: number): Promise<StoredCustomer | null>;

  ids(account: string, after: string, limit: number): Promise<string[]>;

  count(account: string): Promise<number>;

  nthNewestModified(account: string, n: number): Promise<string | null>;
}

export interface ImageStore {
  ofErpProduct(account: string, productId: string): Promise<readonly ErpImage[]>;

  /** Stores the result of a fetch. When the fetch failed, the reason is stored and the earlier result stays. */
  recordErpImage(image: Omit<ErpImage, 'checkedAtMs'>): Promise<void>;

  forgetErpImages(account: string, productId: string, urls: readonly string[]): Promise<void>;

  /**
   * The images to fetch again, at most `limit`. First come images that could not be fetched and were last tried at or before
   * `failedByMs`. Then come images that were last fetched at or before `foundByMs`. Each kind begins with the longest ago.
   */
  erpImagesDue(
    account: string,
    by: { readonly foundByMs: number; readonly failedByMs: number },
    limit: number,
  ): Promise<ErpImage[]>;

  ofListing(account: string, listingId: number): Promise<readonly ListingImage[]>;

  recordListingImages(images: readonly ListingImage[]): Promise<void>;

  /** Forgets images that are not there any more. */
  forgetListingImages(account: string, ids: readonly number[]): Promise<void>;
}

/** The buyers to which the marketplace's listings are assigned. */
export interface AssignmentStore {
  /** Stores the rows of a read, and has the products with changes looked at. */
  record(batch: RecordAssignments): Promise<void>;

  /** null when no read has shown the listing. */
  get(account: string, listingId: number): Promise<string | null>;

  /** The number of listings with other content than this. */
  count(account: string, unassigned: string): Promise<number>;
}

export interface MeasurementStore {
  /** Stores the rows of a read, and has the products with changes looked at. */
  record(batch: RecordMeasurements): Promise<void>;

  /** null when it is not known what the marketplace shows of the listing. */
  get(account: string, listingId: number): Promise<Measured | null>;

  /** The number of listings that have measurements. */
  count(account: string): Promise<number>;

  /** The listings to read in one call: their commands are on the way, or they are about to be looked at. */
  wanted(account: string, limit: number): Promise<number[]>;
}

export interface NameStore {
  /** Replaces the list with a list that was read whole. Answers whether the two differ. */
  replace(account: string, kind: NameKind, all: readonly Named[]): Promise<boolean>;

  add(account: string, kind: NameKind, named: Named): Promise<void>;

  /** The records of this name, in any case and with any spaces. */
  find(account: string, kind: NameKind, name: string): Promise<Named[]>;

  list(account: string, kind: NameKind, limit: number): Promise<Named[]>;
}

export interface OrderStore {
  /** Stores the rows of a read and their consequences. Answers the numbers of the orders that really changed. */
  record(batch: RecordOrders): Promise<string[]>;

  get(account: string, number: string): Promise<StoredOrder | null>;

  raw(account: string, number: string): Promise<string | null>;

  /** Does the shadow have this content of the order? The date of its change does not count, and lines only if shown. */
  isAsKnown(account: string, order: MarketplaceOrder): Promise<boolean>;

  nthNewestModified(account: string, n: number): Promise<string | null>;

  /** Orders that are not over: open on the marketplace, or linked to an ERP order that is neither shipped nor cancelled. */
  unfinished(account: string): Promise<{ number: string; modified: string }[]>;

  /** The orders, live or dead, that carry this external id. There is normally one at most. */
  byExternalId(account: string, externalId: string): Promise<string[]>;

  /** The orders of a customer without an external id. They may be the result of a create whose answer was lost. */
  unmarked(account: string, customerId: number): Promise<StoredOrder[]>;

  /** Orders that reserve units and whose lines no list has shown, in the order of their numbers. A webhook named them. */
  withoutLines(account: string): Promise<string[]>;

  /** Live lines of a listing, as the ledger needs them. */
  liveLines(
    account: string,
    productId: number,
  ): Promise<{ number: string; seen: FirstSight; line: KnownLine; effect: Effect }[]>;

  /** Lines of a listing in living orders that are counted nowhere, because they were added after Accepted. */
  lateLines(account: string, productId: number): Promise<KnownLine[]>;

  /** The time of the last known change of an order with this listing: epoch milliseconds. */
  movedAtMs(account: string, productId: number): Promise<number>;

  byStatus(account: string): Promise<{ status: string; count: number }[]>;

  /** Orders that are linked to no ERP order, by their standing. */
  unlinkedByStanding(account: string, from: OrdersFrom): Promise<Readonly<Record<OrderStanding, number>>>;

  /** All order numbers after `after`, in order: for a pass over everything. */
  numbers(account: string, after: string, limit: number): Promise<string[]>;
}

export interface PaymentStore {
  record(batch: RecordPayments): Promise<void>;

  get(account: string, id: string): Promise<MarketplacePayment | null>;

  ids(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ProductStore {
  /** Stores the rows of a read. Answers the ids of the listings that really changed. */
  record(batch: RecordProducts): Promise<number[]>;

  /** Stores the figures in the answer to a write of ours. */
  observeFigures(account: string, id: number, answered: AnsweredFigures): Promise<void>;

  get(account: string, id: number): Promise<StoredProduct | null>;
  /** Those of these listings that are on record. */
  among(account: string, ids: readonly number[]): Promise<readonly StoredProduct[]>;

  /** Does the shadow have this content of the listing, and is this content certain? The date of the change does not count. */
  isAsKnown(account: string, product: MarketplaceProduct): Promise<boolean>;

  /** The body as it came, lossless. */
  raw(account: string, id: number): Promise<string | null>;

  nthNewestModified(account: string, n: number): Promise<string | null>;

  list(account: string, afterId: number, limit: number): Promise<StoredProduct[]>;

  /** The ids of products in orders that are linked to no product of the ERP, in order. */
  unlinkedIds(account: string, after: string, limit: number): Promise<string[]>;

  count(account: string): Promise<number>;
}

export interface StoredBatch {
  readonly id: number;
  /** The value of the field by which the batch of a lot is found; null when the batch does not show it. */
  readonly matchKey: string | null;
  /** As it was read: lossless JSON. */
  readonly content: string;
}

export interface BatchStore {
  /**
   * Stores the batches of a read. Answers the number of rows that were
   * stored: a row that cannot be stored is set aside.
   */
  record(account: string, rows: readonly StoredBatch[], lane: Lane): Promise<number>;

  get(account: string, id: number): Promise<StoredBatch | null>;

  /** The batches with this value, and the lots to which they are linked; at most ten. */
  withKey(account: string, matchKey: string): Promise<{ readonly id: number; readonly lotId: string | null }[]>;
}

export interface StoredTransport {
  readonly id: string;
  /** The order of the transport, as the configuration's rule names it: the order's number, or its id in the ERP. */
  readonly orderKey: string | null;
  readonly status: string;
  /** When the goods were picked up and delivered, as the marketplace shows it. */
  readonly shippedAt: string | null;
  readonly deliveredAt: string | null;
  /** The expected time of delivery, as the marketplace shows it. */
  readonly expectedAt: string | null;
  /** The day on which the buyer wants the goods, as the marketplace shows it. */
  readonly requestedOn: string | null;
  /** The tracking number, as the configuration's rule makes it. */
  readonly tracking: string | null;
}

export interface TransportStore {
  /** Stores the transport orders of a read. A transport order that is missing from a list stays unchanged. */
  record(account: string, rows: readonly StoredTransport[], lane: Lane): Promise<void>;

  /** The orders that have transports, as the configuration's rule names them. */
  orderKeys(account: string, after: string, limit: number): Promise<string[]>;
}
