import type { MarketplaceCustomer } from '../domain/customer.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { MarketplaceOrder } from '../domain/order.ts';
import type { MarketplacePayment } from '../domain/payment.ts';
import type { MarketplaceProduct } from '../domain/product.ts';
import type { LineUnit } from '../domain/quantity.ts';
import type { CustomerRow, ErpCustomerRow } from '../domain/shadow/customers.ts';
import type { AnsweredFigures } from '../domain/shadow/listing-read.ts';
import type { Measured, Measurement } from '../domain/shadow/measurements.ts';
import type { KnownLine } from '../domain/shadow/order-move.ts';
import type { Effect } from '../domain/status.ts';
import type { FoundMisfit, Window } from './reading.ts';
import type { Lane } from './work.ts';

/** The rows of a read, those that do not fit, and what it covered. */
interface ReadRows<Row> {
  readonly account: string;
  readonly rows: readonly Row[];
  readonly misfits: readonly FoundMisfit[];
  readonly window: Window | null;
  readonly lane: Lane;
}

export interface RecordOrders extends ReadRows<ObservedOrder> {
  /** Everything that happened before this tick had been read when these rows were asked for. */
  readonly knownBeforeTick: number;
  /** The tick at which the read of all changed orders began that these rows are of; null: they are of no such read. */
  readonly readTick: number | null;
  /** The cursor before this read: rows at or below it became visible late, or are read again. */
  readonly cursorBefore: string | null;
  /** The order whose own look records this. That look goes on, so the order is not marked. */
  readonly lookedAt?: string;
  /** What a line counts in. */
  readonly lineQuantityIn: LineUnit;
}

/* An order and its lines as rows, and back. */

export interface ObservedOrder {
  readonly order: MarketplaceOrder;
  /** The body as it came, lossless. */
  readonly raw: string;
}

export interface StoredOrder {
  readonly order: MarketplaceOrder;
  readonly lines: readonly KnownLine[] | null;
}

/* A listing as a row, and back. */

/** A listing in the shadow. `figures` are as observed, moved on by the orders seen since. */
export interface StoredProduct extends MarketplaceProduct {
  readonly archived: boolean;
  /** False when an order event may or may not be in the figures already. */
  readonly certain: boolean;
  /** Reserved, at the last observation, by orders that are not known here; below zero: not any more by those that are. */
  readonly unexplained: Decimal;
  /** The tick of the last observation. */
  readonly observedTick: number;
  /** Orders let go of units of it: those are offered again by a read of the orders that began after this tick. */
  readonly releasedTick: number;
}

export interface ObservedProduct {
  readonly product: MarketplaceProduct;
  readonly raw: string;
}

export interface RecordProducts extends ReadRows<ObservedProduct> {
  /** Nothing but orders and stock writes of ours moves the figures: others than foretold are noted. */
  readonly foretold: boolean;
  /** The fields of a listing that the configuration maps. */
  readonly mapped: readonly string[];
  readonly lineQuantityIn: LineUnit;
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

/** A customer that shares a sign, and its link. */
export type LikeCustomer = StoredCustomer & { readonly linkedTo: string | null };

export type LikeErpCustomer = ErpCustomerRow & { readonly linkedTo: string | null };

export type NameKind = 'brand' | 'category' | 'sub_category' | 'product_line';

/** Something that the marketplace has a name for. */
export interface Named {
  readonly id: number;
  readonly name: string;
  /** Its parent: the category of a sub-category, the brand of a product line; null where that is not shown. */
  readonly parentId: number | null;
}

/** An image of the ERP, as it was found at its address. */
export interface ErpImage {
  readonly account: string;
  readonly productId: string;
  readonly url: string;
  /** SHA-256 of its bytes; null while it could not be fetched even once. */
  readonly hash: string | null;
  readonly etag: string | null;
  /** Why the last fetch did not succeed. */
  readonly failure: string | null;
  readonly checkedAtMs: number;
}

/** An image of a listing that was uploaded from here, or taken for such. */
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
  /** The listings that were asked for: one that is not among the rows has none. null: all there are. */
  readonly asked: readonly number[] | null;
  /** Left as they are, although they were asked for. */
  readonly unread: ReadonlySet<number>;
  /** Whether an entity that is not among the rows has none; else it stays as it was known. */
  readonly absenceCounts: boolean;
  readonly tick: number;
  readonly askedAtMs: number;
  readonly lane: Lane;
}

export interface RecordAssignments {
  readonly account: string;
  readonly rows: readonly { readonly listingId: number; readonly content: string }[];
  /**
   * The listings that were asked for, null for all that are known: one that is neither among the rows nor excepted has this
   * content. null: absence says nothing.
   */
  readonly absent: {
    readonly of: readonly number[] | null;
    readonly except: ReadonlySet<number>;
    readonly content: string;
  } | null;
  /** When they were asked for. A row that was asked for later stays. */
  readonly tick: number;
  readonly lane: Lane;
}

/** The marketplace's customers. */
export interface CustomerStore {
  /** Stores the rows of a read in one transaction. */
  record(what: RecordCustomers): Promise<void>;

  get(account: string, id: number): Promise<StoredCustomer | null>;

  ids(account: string, after: string, limit: number): Promise<string[]>;

  count(account: string): Promise<number>;

  nthNewestModified(account: string, n: number): Promise<string | null>;
}

export interface ImageStore {
  ofErpProduct(account: string, productId: string): Promise<ErpImage[]>;

  /** The result of a fetch, or why it found nothing: then the earlier result stays. */
  recordErpImage(image: Omit<ErpImage, 'checkedAtMs'>): Promise<void>;

  forgetErpImages(account: string, productId: string, urls: readonly string[]): Promise<void>;

  /**
   * Images that could not be fetched, last tried at or before `failedByMs`, and then those that were fetched, last at or before
   * `foundByMs`; of each kind the longest ago first, at most `limit`.
   */
  erpImagesDue(
    account: string,
    by: { readonly foundByMs: number; readonly failedByMs: number },
    limit: number,
  ): Promise<ErpImage[]>;

  ofListing(account: string, listingId: number): Promise<ListingImage[]>;

  recordListingImages(images: readonly ListingImage[]): Promise<void>;

  /** They are not there any more. */
  forgetListingImages(account: string, ids: readonly number[]): Promise<void>;
}

/** To whom the marketplace's listings are assigned. */
export interface AssignmentStore {
  /** Stores the rows of a read, and has the products with changes looked at. */
  record(batch: RecordAssignments): Promise<void>;

  /** null where no read has shown the listing. */
  get(account: string, listingId: number): Promise<string | null>;

  /** How many listings have other content than this. */
  count(account: string, unassigned: string): Promise<number>;
}

export interface MeasurementStore {
  /** Stores the rows of a read, and has the products with changes looked at. */
  record(batch: RecordMeasurements): Promise<void>;

  /** null when it is not known what the marketplace shows of the listing. */
  get(account: string, listingId: number): Promise<Measured | null>;

  /** How many listings have any. */
  count(account: string): Promise<number>;

  /** Listings whose commands are on their way, and those that are about to be looked at: to be read in one call. */
  wanted(account: string, limit: number): Promise<number[]>;
}

export interface NameStore {
  /** A list that was read whole takes the place of the one before; true when they differ. */
  replace(account: string, kind: NameKind, all: readonly Named[]): Promise<boolean>;

  add(account: string, kind: NameKind, named: Named): Promise<void>;

  /** The records of this name, however it is spelled. */
  find(account: string, kind: NameKind, name: string): Promise<Named[]>;

  list(account: string, kind: NameKind, limit: number): Promise<Named[]>;
}

export interface OrderStore {
  /** Stores the rows of a read and their consequences in one transaction; answers the numbers that really changed. */
  record(batch: RecordOrders): Promise<string[]>;

  get(account: string, number: string): Promise<StoredOrder | null>;

  raw(account: string, number: string): Promise<string | null>;

  /** Is this order, whenever it was modified, what the shadow has? Lines that it does not show are not compared. */
  isAsKnown(account: string, order: MarketplaceOrder): Promise<boolean>;

  /** `modified` of the n-th newest order known, as sent. */
  nthNewestModified(account: string, n: number): Promise<string | null>;

  /** Orders that are not over: open on the marketplace, or linked to an ERP order that is neither shipped nor cancelled. */
  unfinished(account: string): Promise<{ number: string; modified: string }[]>;

  /** Live and dead orders that carry this external id; normally none or one. */
  byExternalId(account: string, externalId: string): Promise<string[]>;

  /** Orders of a customer without an external id: candidates for a create whose answer was lost. */
  unmarked(account: string, customerId: number): Promise<StoredOrder[]>;

  /** Live lines of a listing, as the ledger needs them. */
  liveLines(
    account: string,
    productId: number,
  ): Promise<{ number: string; modified: string; line: KnownLine; effect: Effect }[]>;

  /** Lines of a listing that are counted nowhere because they were added after Accepted, of living orders. */
  lateLines(account: string, productId: number): Promise<KnownLine[]>;

  /** When something of the orders that have this listing changed last, as far as is known: epoch milliseconds. */
  movedAtMs(account: string, productId: number): Promise<number>;

  byStatus(account: string): Promise<{ status: string; count: number }[]>;

  /** All order numbers after `after`, in order: for a pass over everything. */
  numbers(account: string, after: string, limit: number): Promise<string[]>;
}

/** Payments as the marketplace has them. */
export interface PaymentStore {
  record(batch: RecordPayments): Promise<void>;

  get(account: string, id: string): Promise<MarketplacePayment | null>;

  ids(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ProductStore {
  /** Stores the rows of a read in one transaction; answers the ids that really changed. */
  record(batch: RecordProducts): Promise<number[]>;

  /** A write of ours was answered with these figures. */
  observeFigures(account: string, id: number, answered: AnsweredFigures): Promise<void>;

  get(account: string, id: number): Promise<StoredProduct | null>;

  /** Is this listing, whenever it was modified, what the shadow has and is sure of? */
  isAsKnown(account: string, product: MarketplaceProduct): Promise<boolean>;

  /** The body as it came, lossless. */
  raw(account: string, id: number): Promise<string | null>;

  nthNewestModified(account: string, n: number): Promise<string | null>;

  list(account: string, afterId: number, limit: number): Promise<StoredProduct[]>;

  /** The ids of products in orders that are linked to no product of the ERP, in order. */
  unlinkedIds(account: string, after: string, limit: number): Promise<string[]>;

  count(account: string): Promise<number>;
}

/** A batch of the marketplace. */
export interface StoredBatch {
  readonly id: number;
  /** The value of the field by which the batch of a lot is found; null where it shows none. */
  readonly matchKey: string | null;
  /** As it was read: lossless JSON. */
  readonly content: string;
}

export interface BatchStore {
  /** A batch that a list lacks stays: nothing here takes one away. */
  record(account: string, rows: readonly StoredBatch[], lane: Lane): Promise<void>;

  get(account: string, id: number): Promise<StoredBatch | null>;

  /** The batches with this value, and the lots that they are linked to; at most ten. */
  withKey(account: string, matchKey: string): Promise<{ readonly id: number; readonly lotId: string | null }[]>;
}

/** A transport order of the marketplace. */
export interface StoredTransport {
  readonly id: string;
  /** The order that it is about, as the configuration's rule names it: its number, or its id in the ERP. */
  readonly orderKey: string | null;
  readonly status: string;
  /** When it was picked up and delivered, as the marketplace shows it. */
  readonly shippedAt: string | null;
  readonly deliveredAt: string | null;
  /** When it is expected to be delivered, as the marketplace shows it. */
  readonly expectedAt: string | null;
  /** The day on which its buyer wants it, as the marketplace shows it. */
  readonly requestedOn: string | null;
  /** The number by which it is followed, as the configuration's rule makes it. */
  readonly tracking: string | null;
}

export interface TransportStore {
  /** One that a list lacks stays. */
  record(account: string, rows: readonly StoredTransport[], lane: Lane): Promise<void>;

  /** The orders that have transports, as the rule names them. */
  orderKeys(account: string, after: string, limit: number): Promise<string[]>;
}
