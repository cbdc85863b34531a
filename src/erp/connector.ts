import type { Ahead } from '../domain/ahead.ts';
import type { Cause } from '../domain/causes/cause.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Money } from '../domain/money.ts';
import type { Said } from './capabilities.ts';

/**
 * The calls that the bridge asks of an ERP: only those that ERPs really have. No idempotency keys, no transactions, no push.
 */
export interface ErpConnector extends ErpProducts, ErpCustomers, ErpPayments {
  ping(signal?: AbortSignal): Promise<ErpPing>;
  /** Products changed at or after `changedSince`, or all of them when it is null. */
  listProducts(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpProduct>>;
  /** Stock rows changed at or after `changedSince`, or all of them when it is null. */
  listStock(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<StockRow>>;
  /** The stock of these SKUs, read now. A SKU the ERP does not know is absent from the answer. At most 100 SKUs. */
  readStock(skus: readonly string[], signal?: AbortSignal): Promise<ErpPage<StockRow>>;
  /** Lots changed at or after `changedSince`, or all of them. Only stock by batch needs it. */
  listLots?(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpLot>>;
  listOrders(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpOrder>>;
  /** Every order that carries the reference: none, one, or by mistake several. */
  findOrders(reference: string, signal?: AbortSignal): Promise<ErpOrder[]>;
  /** null when the ERP has no such order. */
  getOrder(id: string, signal?: AbortSignal): Promise<ErpOrder | null>;
  /** Not idempotent: posting twice creates two. */
  createOrder(draft: ErpOrderDraft, signal?: AbortSignal): Promise<ErpOrder>;
  updateOrder(id: string, change: ErpOrderChange, signal?: AbortSignal): Promise<ErpOrder>;
  /** Lists that it reads whole each time, since the ERP cannot tell what changed in them. */
  readonly alwaysWhole?: readonly ErpListName[];
  close(): Promise<void>;
}

export type ErpListName = 'products' | 'stock' | 'orders' | 'customers' | 'payments' | 'lots';

/** Who the ERP is, its clock, and what it can. */
export interface ErpPing {
  readonly name: string;
  readonly version: string;
  readonly time: string;
  /** It keeps the total of an order as it was sent, or computes it with its own rounding; undefined: it does not say. */
  readonly totals?: 'stored' | 'computed' | undefined;
  /** What it says of itself, whatever it can. */
  readonly capabilities?: Said | undefined;
  /** What it can beyond that which every ERP can. */
  readonly can?: readonly ErpCan[] | undefined;
}

/**
 * approvals: its orders show its verdicts on purchase orders. lots: it lists the lots that its stock lies in. products: products
 * can be made there. transports: its orders keep what became of their transports.
 */
export const ERP_CAN = ['approvals', 'lots', 'products', 'transports'] as const;
export type ErpCan = (typeof ERP_CAN)[number];

/** Products that are made in the ERP. Asked only of an ERP that can do `products`. */
export interface ErpProducts {
  /** Every product with this SKU, deleted ones too: none, one, or by mistake several. */
  findProducts?(sku: string, signal?: AbortSignal): Promise<ErpProduct[]>;
  /** Not idempotent. */
  createProduct?(draft: ErpProductDraft, signal?: AbortSignal): Promise<ErpProduct>;
}

export interface ErpCustomers {
  /** Customers changed at or after `changedSince`, or all of them. Only the flows of customers need it. */
  listCustomers?(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpCustomer>>;
  /** Every customer that carries this marketplace id: none, one, or by mistake several. */
  findCustomers(marketplaceId: number, signal?: AbortSignal): Promise<ErpCustomer[]>;
  /** Not idempotent. */
  createCustomer(draft: ErpCustomerDraft, signal?: AbortSignal): Promise<ErpCustomer>;
}

/** Payments of orders. Asked only of an ERP whose account has switched them on. */
export interface ErpPayments {
  listPayments(changedSince: string | null, signal?: AbortSignal): AsyncIterable<ErpPage<ErpPayment>>;
  /** Every payment that carries this marketplace payment's id: none, one, or by mistake several. */
  findPayments(marketplaceId: string, signal?: AbortSignal): Promise<ErpPayment[]>;
  /** Not idempotent. An ERP that takes no payments refuses it as `not-found`. */
  createPayment(draft: ErpPaymentDraft, signal?: AbortSignal): Promise<ErpPayment>;
}

/** One page of a list. Rows that do not fit the contract are set aside in `misfits`; the rest goes on. */
export interface ErpPage<T> {
  readonly items: readonly T[];
  readonly misfits: readonly Misfit[];
  /** The ERP's clock at the start of the read, the same or earlier on every page of a list. */
  readonly asOf: string;
  /**
   * True on the last page when the ERP says that the whole answer set was seen. Only then does absence mean anything: an
   * entity that is neither among the items nor among the misfits is not there.
   */
  readonly complete: boolean;
  /** Times that lie in the future of the ERP's own clock. The time of the answer stands in their place. */
  readonly ahead?: readonly Ahead[];
  /** What is wrong with the list as a whole, of a connector that can tell: an alert until a page comes without it. */
  readonly notices?: readonly Cause[];
}

/** A row that is there but cannot be read: it counts neither as absent nor as unchanged. */
export interface Misfit {
  /** A name of the row: its `id`, else its SKU, else its place in the page. */
  readonly what: string;
  /** The row's id (for stock: its product's), where it can be read. */
  readonly id: string | null;
  readonly sku: string | null;
  /** The place of a stock row, where it can be read. */
  readonly location?: string;
  readonly batch?: string;
  /** Where it does not fit: `price.amount`. */
  readonly path: string;
  readonly message: string;
}

export interface ErpProduct {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  readonly deleted: boolean;
  readonly price: Money;
  /** Units per sold-in unit. */
  readonly unitMultiplier: Decimal;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly changedAt: string;
}

export interface ErpProductDraft extends Pick<ErpProduct, 'sku' | 'name' | 'description'> {
  /** Of one ERP unit; left out where the marketplace shows none. */
  readonly price?: Money;
  /** Units per sold-in unit; left out where the marketplace does not show them. */
  readonly unitMultiplier?: Decimal;
}

/** One for each SKU, or, of an ERP that keeps stock by location or batch, one for each SKU, location and batch. */
export interface StockRow {
  readonly sku: string;
  readonly productId: string;
  readonly location?: string;
  readonly batch?: string;
  readonly onHand: Decimal;
  readonly reserved: Decimal;
  /** On hand − reserved. */
  readonly available: Decimal;
  /** The ERP's clock when this was its figure: reservations before then are counted. */
  readonly asOf: string;
}

/** A lot that some stock of one product lies in. */
export interface ErpLot {
  readonly id: string;
  readonly productId: string;
  /** Its name, as the `batch` of stock rows. */
  readonly batch: string;
  /** Further fields, such as a date of expiry, as lossless JSON. */
  readonly attributesText: string;
  readonly changedAt: string;
}

/** draft: known, nothing reserved. reserved: counted in `reserved`. shipped: left `on_hand`. cancelled: released. */
export type ErpOrderStatus = 'draft' | 'reserved' | 'shipped' | 'cancelled';

export interface ErpOrderLine {
  readonly sku: string;
  /** In ERP units. */
  readonly quantity: Decimal;
  /** Per ERP unit. */
  readonly unitPrice: Decimal;
  readonly description?: string;
  /** The marketplace's id of the line, and the units that it is sold in. Written only to an ERP that takes `orderDetails`; never read. */
  readonly key?: string;
  readonly unitMultiplier?: Decimal;
  /** Of the quantity: shipped so far, and what will never be. Left out where the ERP does not say; never written. */
  readonly shipped?: Decimal;
  readonly givenUp?: Decimal;
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
  /** Where the goods go: its customer's address of delivery. Like the next, only for an ERP that takes `orderDetails`. */
  readonly shipTo?: ErpAddress;
  /** The day on which the goods are wanted, as YYYY-MM-DD. */
  readonly deliveryDate?: string;
}

export interface ErpOrder extends Omit<ErpOrderDraft, 'status' | 'shipTo' | 'deliveryDate'> {
  readonly id: string;
  readonly origin: 'marketplace' | 'erp';
  /** A status outside the contract is kept as it came; such an order is held and reported. */
  readonly status: ErpOrderStatus | (string & {});
  /** When it was made; left out where the ERP does not say. */
  readonly createdAt?: string;
  /** What it was told of the transports of it; left out where it was told nothing, or does not keep it. */
  readonly transports?: readonly ErpTransport[];
  /** The ERP's verdict on it; left out while it has none. */
  readonly approval?: ErpApproval;
  /** Further fields of the ERP, as lossless JSON. */
  readonly attributesText?: string;
  /** A write of it in several steps is not over: its content is not to be judged yet. Left out otherwise. */
  readonly finished?: false;
  /** The ERP's clock as of which its reservations are counted; left out where that is `changedAt`. Never written. */
  readonly countedAsOf?: string;
  readonly changedAt: string;
}

/** A transport of an order that is under way or has arrived; one that is only planned, where the ERP can do `tracking`. */
export interface ErpTransport {
  /** The marketplace's. */
  readonly id: string;
  readonly status: 'planned' | 'shipped' | 'delivered';
  /** When it is expected to arrive. ISO 8601. Like the next, only for an ERP that can do `tracking`. */
  readonly expectedAt?: string;
  /** The number by which its way can be followed. */
  readonly tracking?: string;
  /** ISO 8601; left out where the marketplace does not show it. */
  readonly shippedAt?: string;
  readonly deliveredAt?: string;
}

/** A verdict on the purchase order that an order stands for. */
export interface ErpApproval {
  /** approved, rejected, completed or error; any other is kept as it came, and held. */
  readonly status: string;
  readonly message?: string;
  /** When it was given. */
  readonly decidedAt?: string;
}

/** `lines` and `status` are the contract; the money fields are sent only when they differ after that. */
export interface ErpOrderChange {
  readonly lines?: readonly ErpOrderLine[];
  readonly status?: 'draft' | 'reserved' | 'cancelled';
  /** All of them; taken of a shipped order too. Only by an ERP that can do `transports`. */
  readonly transports?: readonly ErpTransport[];
  readonly discount?: Decimal;
  readonly shipping?: Decimal;
  readonly tax?: Decimal;
  readonly total?: Decimal;
}

/** A field that is left out is not known; an empty text is empty in the ERP. */
export interface ErpCustomerDraft {
  readonly name: string;
  readonly marketplaceId: number;
  readonly email?: string;
  readonly phone?: string;
  readonly licenseNumber?: string;
  readonly addresses?: ErpAddresses;
}

/** A customer as the ERP has it. Few ERPs know all of this: a field that is left out is not known, and is never written. */
export interface ErpCustomer extends Omit<ErpCustomerDraft, 'marketplaceId'> {
  readonly id: string;
  /** The marketplace customer that the ERP itself says it is. */
  readonly marketplaceId: number | null;
  /** The ERP's own name of the customer's status: "Key account". */
  readonly status?: string;
  /** False when the customer is blocked, inactive or deleted. */
  readonly active?: boolean;
  /** Further fields of the ERP, as lossless JSON. */
  readonly attributesText?: string;
  readonly changedAt: string | null;
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

export interface ErpPaymentDraft {
  /** The reference of its order, as the ERP's order carries it. */
  readonly reference: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly method: string | null;
  /** ISO 8601. */
  readonly receivedAt: string | null;
  readonly marketplaceId: string;
}

/** A payment received for an order. */
export interface ErpPayment extends Omit<ErpPaymentDraft, 'marketplaceId'> {
  readonly id: string;
  /** null for one that did not come from the marketplace. */
  readonly marketplaceId: string | null;
  /** The payment was voided. */
  readonly voided: boolean;
  readonly changedAt: string;
}
