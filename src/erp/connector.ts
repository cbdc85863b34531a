import type { Ahead } from '../domain/ahead.ts';
import type { Cause } from '../domain/causes/cause.ts';
import type { Decimal, Figure } from '../domain/decimal.ts';
import type { SeenErpCustomer } from '../domain/shadow/customers.ts';
import type { ErpProduct } from '../domain/shadow/erp-products.ts';
import type { StockRow } from '../domain/shadow/erp-stock.ts';
import type { ErpPayment } from '../domain/shadow/payments.ts';
import type { Price } from '../domain/units.ts';
import type { StatedCapabilities } from './capabilities.ts';

export type { ErpPayment, ErpProduct, StockRow };

/** The calls that the program needs of an ERP. They assume no idempotency keys, no transactions and no push. */
export interface ErpConnector extends ErpProducts, ErpCustomers, ErpPayments {
  ping(signal?: AbortSignal): Promise<ErpPing>;
  /** Products changed at or after `changedSince`; null: all products. */
  listProducts(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpProduct>>;
  /** Stock rows changed at or after `changedSince`; null: all rows. */
  listStock(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<StockRow>>;
  /** The current stock of at most 100 SKUs. An unknown SKU is absent from the answer. */
  readStock(skus: readonly string[], signal?: AbortSignal): Promise<ErpPage<StockRow>>;
  /** Lots changed at or after `changedSince`; null: all lots. Only stock by batch needs them. */
  listLots?(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpLot>>;
  listOrders(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpOrder>>;
  /** All orders with this reference. More than one is a mistake. */
  findOrders(reference: string, signal?: AbortSignal): Promise<ErpOrder[]>;
  /** null: the ERP has no such order. */
  getOrder(id: string, signal?: AbortSignal): Promise<ErpOrder | null>;
  /** Not idempotent: two calls create two orders. */
  createOrder(draft: ErpOrderDraft, signal?: AbortSignal): Promise<ErpOrder>;
  updateOrder(id: string, change: ErpOrderChange, signal?: AbortSignal): Promise<ErpOrder>;
  /**
   * Lets the ERP parse each write statement without running it. Returns its objections. Undefined where a write cannot
   * be checked in advance.
   * @throws CallFailure when the ERP cannot be asked
   */
  prepareWrites?(signal?: AbortSignal): Promise<readonly string[]>;
  /** How each list notices a change. The default is `stamp`. */
  readonly notices?: Readonly<Partial<Record<ErpListName, Noticed>>>;
  close(): Promise<void>;
}

export const ERP_LISTS = ['products', 'stock', 'orders', 'customers', 'payments', 'lots'] as const;
export type ErpListName = (typeof ERP_LISTS)[number];

/**
 * stamp: the ERP is asked for changes since a time. cursor: rows after the last one read. whole: every poll reads the
 * whole list and compares each row.
 */
export type Noticed = 'stamp' | 'cursor' | 'whole';

export function noticed(how: (list: ErpListName) => Noticed): Record<ErpListName, Noticed> {
  return Object.fromEntries(ERP_LISTS.map((list) => [list, how(list)])) as Record<ErpListName, Noticed>;
}

export interface ErpPing {
  readonly name: string;
  readonly version: string;
  readonly time: string;
  /** Whether the ERP stores an order's total as sent, or computes it with its own rounding. */
  readonly totals?: 'stored' | 'computed' | undefined;
  readonly capabilities?: StatedCapabilities | undefined;
  /** The older form of `capabilities`. */
  readonly can?: readonly ErpCan[] | undefined;
}

/**
 * approvals: orders show the ERP's verdict on purchase orders. lots: stock lots can be listed. products: products can
 * be created. transports: orders keep the state of their transports.
 */
export const ERP_CAN = ['approvals', 'lots', 'products', 'transports'] as const;
export type ErpCan = (typeof ERP_CAN)[number];

/** Called only for an ERP that can do `products`. */
export interface ErpProducts {
  /** All products with this SKU, deleted ones included. More than one is a mistake. */
  findProducts?(sku: string, signal?: AbortSignal): Promise<ErpProduct[]>;
  /** Not idempotent. */
  createProduct?(draft: ErpProductDraft, signal?: AbortSignal): Promise<ErpProduct>;
}

export interface ErpCustomers {
  /** Customers changed at or after `changedSince`; null: all customers. Only the customer flows need them. */
  listCustomers?(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpCustomer>>;
  /** All customers with this marketplace id. More than one is a mistake. */
  findCustomers(marketplaceId: number, signal?: AbortSignal): Promise<ErpCustomer[]>;
  /** Not idempotent. */
  createCustomer(draft: ErpCustomerDraft, signal?: AbortSignal): Promise<ErpCustomer>;
}

/** Called only for an account with payments switched on. */
export interface ErpPayments {
  listPayments(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpPayment>>;
  /** All payments with this marketplace id. More than one is a mistake. */
  findPayments(marketplaceId: string, signal?: AbortSignal): Promise<ErpPayment[]>;
  /** Not idempotent. An ERP without payments refuses it as `not-found`. */
  createPayment(draft: ErpPaymentDraft, signal?: AbortSignal): Promise<ErpPayment>;
}

/** One page of a list. A row that breaks the contract becomes an invalid row. */
export interface ErpPage<T> {
  readonly items: readonly T[];
  readonly invalidRows: readonly InvalidRow[];
  /** The ERP's time when the read started, or an earlier one. */
  readonly asOf: string;
  /**
   * True on the last page of a list that was read to its end. Only then is an entity absent that is in neither `items`
   * nor `invalidRows`.
   */
  readonly complete: boolean;
  /** Times in the future of the ERP's own clock. They are replaced by the time of the answer. */
  readonly ahead?: readonly Ahead[];
  /** Problems of the whole list. Each is an alert until a page comes without it. */
  readonly notices?: readonly Cause[];
}

/** A row that cannot be read. It is neither absent nor unchanged. */
export interface InvalidRow {
  /** The row's `id`, or else its SKU, or else its place in the page. */
  readonly what: string;
  /** For a stock row, the id of its product. */
  readonly id: string | null;
  readonly sku: string | null;
  readonly location?: string;
  readonly batch?: string;
  /** The invalid field: `price.amount`. */
  readonly path: string;
  readonly message: string;
  /** Another row has the same name and other values, so neither is believed. */
  readonly contradicts?: true;
}

export interface ErpProductDraft extends Pick<ErpProduct, 'sku' | 'name' | 'description'> {
  /** Undefined where the marketplace shows none. */
  readonly price?: Price<'erp price'>;
  /** Units per sold-in unit. */
  readonly unitMultiplier?: Decimal;
}

export interface ErpLot {
  readonly id: string;
  readonly productId: string;
  /** As `batch` in stock rows. */
  readonly batch: string;
  /** Other fields, such as an expiry date, as lossless JSON. */
  readonly attributesText: string;
  readonly changedAt: string;
}

/**
 * draft: reserves nothing. reserved: counted in `reserved`. shipped: gone from `on_hand`. cancelled: reserves nothing.
 */
export type ErpOrderStatus = 'draft' | 'reserved' | 'shipped' | 'cancelled';

export interface ErpOrderLine {
  readonly sku: string;
  readonly quantity: Figure<'erp line'>;
  readonly unitPrice: Figure<'erp line price'>;
  readonly description?: string;
  /**
   * `key` is the marketplace's line id, `unitMultiplier` the units per case. Written only to an ERP that takes
   * `orderDetails`, and never read.
   */
  readonly key?: string;
  readonly unitMultiplier?: Decimal;
  /** The quantities shipped, and never to be shipped. Undefined where the ERP does not say; never written. */
  readonly shipped?: Figure<'erp line'>;
  readonly givenUp?: Figure<'erp line'>;
}

export interface ErpOrderCustomer {
  readonly id?: string;
  readonly marketplaceId?: number;
  readonly name?: string;
}

export interface ErpOrderDraft {
  /** The marketplace's order number. */
  readonly reference: string;
  readonly status: 'draft' | 'reserved';
  readonly customer: ErpOrderCustomer;
  readonly currency: string;
  readonly lines: readonly ErpOrderLine[];
  readonly discount: Decimal;
  readonly shipping: Decimal;
  readonly tax: Decimal;
  readonly total: Decimal;
  readonly note: string;
  /** Only for an ERP that takes `orderDetails`, as is `deliveryDate`. */
  readonly shipTo?: ErpAddress;
  /** The requested day, as YYYY-MM-DD. */
  readonly deliveryDate?: string;
}

export interface ErpOrder extends Omit<ErpOrderDraft, 'status' | 'shipTo' | 'deliveryDate'> {
  readonly id: string;
  readonly origin: 'marketplace' | 'erp';
  /** An order with a status outside the contract is held and reported. */
  readonly status: ErpOrderStatus | (string & {});
  readonly createdAt?: string;
  /** Undefined where no transport was written, or the ERP keeps none. */
  readonly transports?: readonly ErpTransport[];
  readonly approval?: ErpApproval;
  /** Other fields of the ERP, as lossless JSON. */
  readonly attributesText?: string;
  /** A write in several steps is unfinished, so the content must not be judged yet. */
  readonly finished?: false;
  /** The ERP's time from which stock counts the reservation, if it is not `changedAt`. Never written. */
  readonly countedAsOf?: string;
  readonly changedAt: string;
}

/** A planned transport is written only to an ERP that can do `tracking`. */
export interface ErpTransport {
  /** The marketplace's id. */
  readonly id: string;
  readonly status: 'planned' | 'shipped' | 'delivered';
  /** The expected arrival, ISO 8601. Needs `tracking`, as does the next field. */
  readonly expectedAt?: string;
  readonly tracking?: string;
  /** ISO 8601; undefined where the marketplace does not show it. */
  readonly shippedAt?: string;
  readonly deliveredAt?: string;
}

/** The ERP's verdict on a purchase order. */
export interface ErpApproval {
  /** approved, rejected, completed or error. An order with any other status is held. */
  readonly status: string;
  readonly message?: string;
  readonly decidedAt?: string;
}

/** The contract has `lines` and `status`. A money field is sent only if it still differs after them. */
export interface ErpOrderChange {
  readonly lines?: readonly ErpOrderLine[];
  readonly status?: 'draft' | 'reserved' | 'cancelled';
  /** All transports of the order, shipped or not. Only for an ERP that can do `transports`. */
  readonly transports?: readonly ErpTransport[];
  readonly discount?: Decimal;
  readonly shipping?: Decimal;
  readonly tax?: Decimal;
  readonly total?: Decimal;
}

/** An undefined field is unknown. An empty text is empty in the ERP. */
export interface ErpCustomerDraft {
  readonly name: string;
  readonly marketplaceId: number;
  readonly email?: string;
  readonly phone?: string;
  readonly licenseNumber?: string;
  readonly addresses?: ErpAddresses;
}

/** Few ERPs know every field. An undefined field is unknown, and is never written. */
export interface ErpCustomer extends SeenErpCustomer, Pick<ErpCustomerDraft, 'phone' | 'addresses'> {
  /** The ERP's own word: "Key account". */
  readonly status?: string;
  /** Other fields of the ERP, as lossless JSON. */
  readonly attributesText?: string;
}

export interface ErpAddresses {
  readonly corporate?: ErpAddress;
  readonly delivery?: ErpAddress;
}

export interface ErpAddress {
  readonly address?: string;
  readonly unitNumber?: string;
  readonly city?: string;
  readonly county?: string;
  readonly state?: string;
  readonly zipcode?: string;
}

export interface ErpPaymentDraft extends Omit<ErpPayment, 'id' | 'marketplaceId' | 'voided' | 'changedAt'> {
  readonly marketplaceId: string;
}
