import type { MarketplaceCustomer } from '../domain/customer.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { FirstSeen, OrderStanding, OrdersFrom } from '../domain/history.ts';
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

interface ReadRows<Row> {
  readonly account: string;
  readonly rows: readonly Row[];
  readonly invalidRows: readonly FoundInvalidRow[];
  readonly window: Window | null;
  readonly lane: Lane;
  /** Our time of the request; undefined: the rows answer a write. */
  readonly askedAtMs?: number | undefined;
}

export interface RecordOrders extends ReadRows<ObservedOrder> {
  /** Everything before this tick had been read when the rows were requested. */
  readonly knownBeforeTick: number;
  /** The tick at which the read of all changed orders began; null: another kind of read. */
  readonly readTick: number | null;
  /** The cursor before this read. Rows at or before it became visible late or are read again. */
  readonly cursorBefore: string | null;
  /** The order whose own look stores this, so it is not marked. */
  readonly lookedAt?: string;
  readonly units: Units;
}

export interface ObservedOrder {
  readonly order: MarketplaceOrder;
  /** Lossless JSON. */
  readonly raw: string;
}

export interface StoredOrder {
  readonly order: MarketplaceOrder;
  readonly lines: readonly KnownLine[] | null;
  /** The selling company's id; null: not shown. */
  readonly seller: number | null;
  readonly seen: FirstSeen;
}

/** A listing in the shadow. `figures` are the observed figures, adjusted by the orders seen since. */
export interface StoredProduct extends MarketplaceProduct {
  readonly archived: boolean;
  /** False if it is unknown whether the figures already include a recent order change. */
  readonly certain: boolean;
  /**
   * Units reserved by unknown orders at the last observation. Negative: the listing showed fewer reserved units than
   * the known orders reserve.
   */
  readonly unexplained: Decimal;
  readonly observedTick: number;
  /**
   * The tick at which orders released units of the listing. A read of the orders that began later offers these units
   * again.
   */
  readonly releasedTick: number;
}

export interface ObservedProduct {
  readonly product: MarketplaceProduct;
  readonly raw: string;
}

export interface RecordProducts extends ReadRows<ObservedProduct> {
  /** Only orders and our own stock writes change the figures, so a difference is drift. */
  readonly expected: boolean;
  /** The listing fields that the configuration maps. */
  readonly mapped: readonly string[];
  readonly units: Units;
}

export type RecordPayments = Omit<ReadRows<MarketplacePayment>, 'window'>;

export interface ObservedCustomer {
  readonly customer: MarketplaceCustomer;
  readonly content: string;
}

export interface StoredCustomer extends CustomerRow {
  readonly account: string;
}

export type RecordCustomers = ReadRows<ObservedCustomer>;

/** A customer that shares an identifying value (a sign) with another customer, and its link. */
export type LikeCustomer = StoredCustomer & { readonly linkedTo: string | null };

export type LikeErpCustomer = ErpCustomerRow & { readonly linkedTo: string | null };

export type NameKind = 'brand' | 'category' | 'sub_category' | 'product_line';

/** A named record of the marketplace: a category, a brand and the like. */
export interface Named {
  readonly id: number;
  readonly name: string;
  /** The parent category or brand; null: not shown. */
  readonly parentId: number | null;
}

export interface ErpImage {
  readonly account: string;
  readonly productId: string;
  readonly url: string;
  /** SHA-256 of the bytes; null before the first successful fetch. */
  readonly hash: string | null;
  readonly etag: string | null;
  readonly failure: string | null;
  readonly checkedAtMs: number;
}

/** A listing's image that we uploaded, or that counts as uploaded. */
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
  /** The requested listings; null: all. A requested listing without a row has no measurements. */
  readonly asked: readonly number[] | null;
  /** Requested listings that could not be read. They stay unchanged. */
  readonly unread: ReadonlySet<number>;
  /** An entity without a row has no measurements. Otherwise it stays unchanged. */
  readonly absenceCounts: boolean;
  readonly tick: number;
  readonly askedAtMs: number;
  readonly lane: Lane;
}

export interface RecordAssignments {
  readonly account: string;
  readonly rows: readonly { readonly listingId: number; readonly content: string }[];
  /**
   * The requested listings (null: all known ones). One without a row gets this content, unless it is excepted. null:
   * absence means nothing.
   */
  readonly absent: {
    readonly of: readonly number[] | null;
    readonly except: ReadonlySet<number>;
    readonly content: string;
  } | null;
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

  /** A failed fetch stores its reason and keeps the earlier result. */
  recordErpImage(image: Omit<ErpImage, 'checkedAtMs'>): Promise<void>;

  forgetErpImages(account: string, productId: string, urls: readonly string[]): Promise<void>;

  /**
   * The images to fetch again: first failed ones last tried by `failedByMs`, then others last fetched by `foundByMs`,
   * each oldest first.
   */
  erpImagesDue(
    account: string,
    by: { readonly foundByMs: number; readonly failedByMs: number },
    limit: number,
  ): Promise<ErpImage[]>;

  ofListing(account: string, listingId: number): Promise<readonly ListingImage[]>;

  recordListingImages(images: readonly ListingImage[]): Promise<void>;

  forgetListingImages(account: string, ids: readonly number[]): Promise<void>;
}

export interface AssignmentStore {
  record(batch: RecordAssignments): Promise<void>;

  /** null: no read has shown the listing. */
  get(account: string, listingId: number): Promise<string | null>;

  count(account: string, unassigned: string): Promise<number>;
}

export interface MeasurementStore {
  record(batch: RecordMeasurements): Promise<void>;

  /** null: the marketplace's measurements are unknown. */
  get(account: string, listingId: number): Promise<Measured | null>;

  count(account: string): Promise<number>;

  /** The listings to read in one call: those with commands under way, and those with pending work. */
  wanted(account: string, limit: number): Promise<number[]>;
}

export interface NameStore {
  /** Replaces the stored list by a full read. Returns whether they differ. */
  replace(account: string, kind: NameKind, all: readonly Named[]): Promise<boolean>;

  add(account: string, kind: NameKind, named: Named): Promise<void>;

  /** Records of this name; case and spaces do not count. */
  find(account: string, kind: NameKind, name: string): Promise<Named[]>;

  list(account: string, kind: NameKind, limit: number): Promise<Named[]>;
}

export interface OrderStore {
  /** Returns the numbers of the orders that really changed. */
  record(batch: RecordOrders): Promise<string[]>;

  get(account: string, number: string): Promise<StoredOrder | null>;

  raw(account: string, number: string): Promise<string | null>;

  /** Does the shadow have this content of the order? The date of change does not count, and lines only if shown. */
  isAsKnown(account: string, order: MarketplaceOrder): Promise<boolean>;

  nthNewestModified(account: string, n: number): Promise<string | null>;

  /** Orders that are open on the marketplace, or linked to an ERP order that is neither shipped nor cancelled. */
  unfinished(account: string): Promise<{ number: string; modified: string }[]>;

  /** Orders with this external id, live or dead; normally at most one. */
  byExternalId(account: string, externalId: string): Promise<string[]>;

  /** Orders without an external id, which a create with a lost response may have made. */
  unmarked(account: string, customerId: number): Promise<StoredOrder[]>;

  /** Orders that reserve units and of which only a webhook, but no list with lines, was read. By number. */
  withoutLines(account: string): Promise<string[]>;

  /** Live order lines of a listing, for the ledger. */
  liveLines(
    account: string,
    productId: number,
  ): Promise<{ number: string; seen: FirstSeen; line: KnownLine; effect: Effect }[]>;

  /** Lines of live orders that no figure counts, because they were added after Accepted. */
  lateLines(account: string, productId: number): Promise<KnownLine[]>;

  movedAtMs(account: string, productId: number): Promise<number>;

  byStatus(account: string): Promise<{ status: string; count: number }[]>;

  unlinkedByStanding(account: string, from: OrdersFrom): Promise<Readonly<Record<OrderStanding, number>>>;

  numbers(account: string, after: string, limit: number): Promise<string[]>;
}

export interface PaymentStore {
  record(batch: RecordPayments): Promise<void>;

  get(account: string, id: string): Promise<MarketplacePayment | null>;

  ids(account: string, after: string, limit: number): Promise<string[]>;
}

export interface ProductStore {
  /** Returns the ids of the listings that really changed. */
  record(batch: RecordProducts): Promise<number[]>;

  observeFigures(account: string, id: number, answered: AnsweredFigures): Promise<void>;

  get(account: string, id: number): Promise<StoredProduct | null>;
  among(account: string, ids: readonly number[]): Promise<readonly StoredProduct[]>;

  /** Does the shadow have this content of the listing, and is it certain? The date of change does not count. */
  isAsKnown(account: string, product: MarketplaceProduct): Promise<boolean>;

  /** Lossless JSON, as received. */
  raw(account: string, id: number): Promise<string | null>;

  nthNewestModified(account: string, n: number): Promise<string | null>;

  list(account: string, afterId: number, limit: number): Promise<StoredProduct[]>;

  /** Ids of products in orders that have no ERP product, sorted. */
  unlinkedIds(account: string, after: string, limit: number): Promise<string[]>;

  count(account: string): Promise<number>;
}

export interface StoredBatch {
  readonly id: number;
  /** The value of the field that matches the batch with a lot; null: not shown. */
  readonly matchKey: string | null;
  readonly content: string;
}

export interface BatchStore {
  /** Sets invalid batches aside. Returns the number stored. */
  record(account: string, rows: readonly StoredBatch[], lane: Lane): Promise<number>;

  get(account: string, id: number): Promise<StoredBatch | null>;

  /** Batches with this value, with the linked lots; at most ten. */
  withKey(account: string, matchKey: string): Promise<{ readonly id: number; readonly lotId: string | null }[]>;
}

export interface StoredTransport {
  readonly id: string;
  /** By the configured rule: the order's number, or its id in the ERP. */
  readonly orderKey: string | null;
  readonly status: string;
  readonly shippedAt: string | null;
  readonly deliveredAt: string | null;
  readonly expectedAt: string | null;
  /** The buyer's requested day, as the marketplace shows it. */
  readonly requestedOn: string | null;
  /** By the configured rule. */
  readonly tracking: string | null;
}

export interface TransportStore {
  /** A transport order that a list lacks stays unchanged. */
  record(account: string, rows: readonly StoredTransport[], lane: Lane): Promise<void>;

  orderKeys(account: string, after: string, limit: number): Promise<string[]>;
}
