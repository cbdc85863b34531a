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

/** The calls that the bridge needs of an ERP. Real ERPs have them all: no idempotency keys, no transactions, no push. */
export interface ErpConnector extends ErpProducts, ErpCustomers, ErpPayments {
  ping(signal?: AbortSignal): Promise<ErpPing>;
  /** Products changed at or after `changedSince`, or all of them when it is null. */
  listProducts(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpProduct>>;
  /** Stock rows changed at or after `changedSince`, or all of them when it is null. */
  listStock(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<StockRow>>;
  /** The stock of these SKUs, read now. A SKU the ERP does not know is absent from the answer. At most 100 SKUs. */
  readStock(skus: readonly string[], signal?: AbortSignal): Promise<ErpPage<StockRow>>;
  /** Lots changed at or after `changedSince`, or all of them when it is null. Only stock by batch needs this list. */
  listLots?(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpLot>>;
  listOrders(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpOrder>>;
  /** Every order that carries the reference: none, one, or by mistake several. */
  findOrders(reference: string, signal?: AbortSignal): Promise<ErpOrder[]>;
  /** null when the ERP has no such order. */
  getOrder(id: string, signal?: AbortSignal): Promise<ErpOrder | null>;
  /** Not idempotent: posting twice creates two. */
  createOrder(draft: ErpOrderDraft, signal?: AbortSignal): Promise<ErpOrder>;
  updateOrder(id: string, change: ErpOrderChange, signal?: AbortSignal): Promise<ErpOrder>;
  /**
   * Has the ERP read every statement of the writes without running it. Answers what it says against each of them. Left out where
   * nothing can be said of a write before it is made.
   * @throws CallFailure when the ERP cannot be asked
   */
  prepareWrites?(signal?: AbortSignal): Promise<readonly string[]>;
  /** How each list notices a change; by a stamp where it is left out. */
  readonly notices?: Readonly<Partial<Record<ErpListName, Noticed>>>;
  close(): Promise<void>;
}

export const ERP_LISTS = ['products', 'stock', 'orders', 'customers', 'payments', 'lots'] as const;
export type ErpListName = (typeof ERP_LISTS)[number];

/**
 * How a list notices a change. stamp: the ERP is asked for what changed since a time. cursor: each row has its place after the last
 * read. whole: the list is read whole at each poll, and every row is compared with what is known, whatever time of change it says.
 */
export type Noticed = 'stamp' | 'cursor' | 'whole';

export function noticed(how: (list: ErpListName) => Noticed): Record<ErpListName, Noticed> {
  return Object.fromEntries(ERP_LISTS.map((list) => [list, how(list)])) as Record<ErpListName, Noticed>;
}

/** The name, the version, the clock and the abilities of the ERP. */
export interface ErpPing {
  readonly name: string;
  readonly version: string;
  readonly time: string;
  /** The ERP stores the total of an order as it was sent, or computes it with its own rounding; undefined: not stated. */
  readonly totals?: 'stored' | 'computed' | undefined;
  /** The abilities that the ERP states. */
  readonly capabilities?: StatedCapabilities | undefined;
  /** The older way to state the abilities that not every ERP has. */
  readonly can?: readonly ErpCan[] | undefined;
}

/**
 * approvals: its orders show its verdicts on purchase orders. lots: the ERP lists the lots that its stock lies in. products:
 * products can be created in the ERP. transports: its orders keep the state of their transports.
 */
export const ERP_CAN = ['approvals', 'lots', 'products', 'transports'] as const;
export type ErpCan = (typeof ERP_CAN)[number];

/** Creating products in the ERP. Called only for an ERP that can do `products`. */
export interface ErpProducts {
  /** Every product with this SKU, deleted ones too: none, one, or by mistake several. */
  findProducts?(sku: string, signal?: AbortSignal): Promise<ErpProduct[]>;
  /** Not idempotent. */
  createProduct?(draft: ErpProductDraft, signal?: AbortSignal): Promise<ErpProduct>;
}

export interface ErpCustomers {
  /** Customers changed at or after `changedSince`, or all of them when it is null. Only the flows of customers need this list. */
  listCustomers?(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpCustomer>>;
  /** Every customer that carries this marketplace id: none, one, or by mistake several. */
  findCustomers(marketplaceId: number, signal?: AbortSignal): Promise<ErpCustomer[]>;
  /** Not idempotent. */
  createCustomer(draft: ErpCustomerDraft, signal?: AbortSignal): Promise<ErpCustomer>;
}

/** Payments of orders. Called only for an account that has switched payments on. */
export interface ErpPayments {
  listPayments(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpPayment>>;
  /** Every payment that carries the id of this marketplace payment: none, one, or by mistake several. */
  findPayments(marketplaceId: string, signal?: AbortSignal): Promise<ErpPayment[]>;
  /** Not idempotent. An ERP that takes no payments refuses it as `not-found`. */
  createPayment(draft: ErpPaymentDraft, signal?: AbortSignal): Promise<ErpPayment>;
}

/** One page of a list. Rows that do not fit the contract are set aside in `invalidRows`; the rest goes on. */
export interface ErpPage<T> {
  readonly items: readonly T[];
  readonly invalidRows: readonly InvalidRow[];
  /** The ERP's clock at the start of the read, the same or earlier on every page of a list. */
  readonly asOf: string;
  /**
   * True on the last page when the ERP says that the whole answer set was seen. Only then does absence mean anything: an
   * entity that is neither among the items nor among the invalid rows is not there.
   */
  readonly complete: boolean;
  /** Times that lie in the future of the ERP's own clock. The time of the answer stands in their place. */
  readonly ahead?: readonly Ahead[];
  /** Problems of the list as a whole, from a connector that can tell them. Each is an alert until a page comes without it. */
  readonly notices?: readonly Cause[];
}

/** A row that exists but cannot be read. It counts neither as absent nor as unchanged. */
export interface InvalidRow {
  /** A name of the row: its `id`, else its SKU, else its place in the page. */
  readonly what: string;
  /** The row's id (for stock: its product's), where it can be read. */
  readonly id: string | null;
  readonly sku: string | null;
  /** The place of a stock row, where it can be read. */
  readonly location?: string;
  readonly batch?: string;
  /** The field that does not fit: `price.amount`. */
  readonly path: string;
  readonly message: string;
  /** Another row has its name and differs from it, so neither is believed. */
  readonly contradicts?: true;
}

export interface ErpProductDraft extends Pick<ErpProduct, 'sku' | 'name' | 'description'> {
  /** Left out where the marketplace shows none. */
  readonly price?: Price<'erp price'>;
  /** Units per sold-in unit; left out where the marketplace does not show them. */
  readonly unitMultiplier?: Decimal;
}

/** A lot that holds stock of one product. */
export interface ErpLot {
  readonly id: string;
  readonly productId: string;
  /** The name of the lot, as the `batch` of stock rows. */
  readonly batch: string;
  /** Further fields, such as a date of expiry, as lossless JSON. */
  readonly attributesText: string;
  readonly changedAt: string;
}

/** draft: known, reserves nothing. reserved: counted in `reserved`. shipped: gone from `on_hand`. cancelled: reserves nothing. */
export type ErpOrderStatus = 'draft' | 'reserved' | 'shipped' | 'cancelled';

export interface ErpOrderLine {
  readonly sku: string;
  readonly quantity: Figure<'erp line'>;
  readonly unitPrice: Figure<'erp line price'>;
  readonly description?: string;
  /** The marketplace's id of the line, and the units in a case. Written only to an ERP that takes `orderDetails`; never read. */
  readonly key?: string;
  readonly unitMultiplier?: Decimal;
  /** The parts of the quantity that were shipped, and that will never be. Left out where the ERP does not say; never written. */
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
  /** The customer's delivery address. Like `deliveryDate`, only for an ERP that takes `orderDetails`. */
  readonly shipTo?: ErpAddress;
  /** The day on which the goods are wanted, as YYYY-MM-DD. */
  readonly deliveryDate?: string;
}

export interface ErpOrder extends Omit<ErpOrderDraft, 'status' | 'shipTo' | 'deliveryDate'> {
  readonly id: string;
  readonly origin: 'marketplace' | 'erp';
  /** A status outside the contract is kept as it came. An order with such a status is held and reported. */
  readonly status: ErpOrderStatus | (string & {});
  /** The time at which the order was created; left out where the ERP does not say. */
  readonly createdAt?: string;
  /** The transports that were written to the ERP; left out where none was written, or where the ERP does not keep them. */
  readonly transports?: readonly ErpTransport[];
  /** The ERP's verdict on the order; left out while there is none. */
  readonly approval?: ErpApproval;
  /** Further fields of the ERP, as lossless JSON. */
  readonly attributesText?: string;
  /** A write of this order in several steps is not finished, so its content must not be judged yet. Left out otherwise. */
  readonly finished?: false;
  /** The ERP's time from which stock counts its reservations; left out where that is `changedAt`. Never written. */
  readonly countedAsOf?: string;
  readonly changedAt: string;
}

/** A transport of an order. A transport that is still planned is written only to an ERP that can do `tracking`. */
export interface ErpTransport {
  /** The marketplace's id of the transport. */
  readonly id: string;
  readonly status: 'planned' | 'shipped' | 'delivered';
  /** The expected time of arrival, ISO 8601. Like `tracking`, only for an ERP that can do `tracking`. */
  readonly expectedAt?: string;
  /** The tracking number. */
  readonly tracking?: string;
  /** ISO 8601; left out where the marketplace does not show it. */
  readonly shippedAt?: string;
  readonly deliveredAt?: string;
}

/** A verdict on the purchase order that an order stands for. */
export interface ErpApproval {
  /** approved, rejected, completed or error. An order with any other status is held. */
  readonly status: string;
  readonly message?: string;
  /** The time at which the verdict was given. */
  readonly decidedAt?: string;
}

/** `lines` and `status` are the contract. A money field is sent only when it still differs after them. */
export interface ErpOrderChange {
  readonly lines?: readonly ErpOrderLine[];
  readonly status?: 'draft' | 'reserved' | 'cancelled';
  /** All transports of the order, which may be shipped. Only for an ERP that can do `transports`. */
  readonly transports?: readonly ErpTransport[];
  readonly discount?: Decimal;
  readonly shipping?: Decimal;
  readonly tax?: Decimal;
  readonly total?: Decimal;
}

/** A field that is left out is unknown. An empty text is empty in the ERP. */
export interface ErpCustomerDraft {
  readonly name: string;
  readonly marketplaceId: number;
  readonly email?: string;
  readonly phone?: string;
  readonly licenseNumber?: string;
  readonly addresses?: ErpAddresses;
}

/** A customer as the ERP has it. Few ERPs know all of this. A field that is left out is unknown, and is never written. */
export interface ErpCustomer extends SeenErpCustomer, Pick<ErpCustomerDraft, 'phone' | 'addresses'> {
  /** The ERP's own name of the customer's status: "Key account". */
  readonly status?: string;
  /** Further fields of the ERP, as lossless JSON. */
  readonly attributesText?: string;
}

export interface ErpAddresses {
  readonly corporate?: ErpAddress;
  readonly delivery?: ErpAddress;
}

export interface ErpAddress {
  /** Street and number. */
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
