import type { Decimal } from '../../domain/decimal.ts';
import { sum } from '../../domain/decimal.ts';
import type { Capabilities } from '../capabilities.ts';
import type {
  ErpApproval,
  ErpConnector,
  ErpCustomer,
  ErpOrder,
  ErpOrderCustomer,
  ErpOrderDraft,
  ErpPage,
  ErpPayment,
  ErpProduct,
  StockRow,
} from '../connector.ts';
import { CannotTell } from './broken.ts';
import type { Made } from './made.ts';
import type { Recorder } from './recorder.ts';

/** Everything that the checks of one connection work with. Nobody else may touch the test products meanwhile. */
export interface Bench {
  /** Every call of it ends when the checks are stopped, and every record that it makes is noted in `made`. */
  readonly erp: ErpConnector;
  readonly can: Capabilities;
  /** The SKUs to test with, as a person chose them; empty: they are found. */
  readonly skus: readonly string[];
  /** Whom the test orders are for. */
  readonly customer: ErpOrderCustomer;
  readonly patience: Patience;
  readonly made: Made;
  /** The exchanges of the connection, and breaking them. */
  readonly recorder: Recorder;
  /** Whole lists, each read once. */
  readonly whole: Whole;
  /** How the program itself makes an order, whatever becomes of its calls. Answers once the ERP certainly has it. */
  readonly makeSurely: (draft: ErpOrderDraft) => Promise<ErpOrder>;
  /** The deeds of people in the ERP, where a script can do them. */
  readonly people: People;
  /** Facts of an ERP that a test has filled itself. */
  readonly facts: Facts;
  /** The figures of the test products without any test order, once they were read. */
  readonly start: { figures: Figures | null };
  readonly signal: AbortSignal;
}

/** Figures of both test products, as texts. */
export type Figures = readonly Readonly<Record<'sku' | 'onHand' | 'reserved' | 'available', string>>[];

/** How long a change is waited for, and how often it is looked for. */
export interface Patience {
  readonly forMs: number;
  readonly everyMs: number;
}

export interface Whole {
  readonly products: () => Promise<readonly ErpPage<ErpProduct>[]>;
  readonly stock: () => Promise<readonly ErpPage<StockRow>[]>;
  readonly orders: () => Promise<readonly ErpPage<ErpOrder>[]>;
  readonly customers: () => Promise<readonly ErpPage<ErpCustomer>[]>;
  readonly payments: () => Promise<readonly ErpPage<ErpPayment>[]>;
}

export interface People {
  readonly ship?: (orderId: string) => Promise<void>;
  readonly pick?: (orderId: string) => Promise<void>;
  /** Ships so much of the line with this SKU, and gives the rest of it up. */
  readonly shipShort?: (orderId: string, sku: string, quantity: string) => Promise<void>;
  readonly approve?: (orderId: string, approval: ErpApproval) => Promise<void>;
  /** Adds a lot of the product with this SKU; answers its id. */
  readonly addLot?: (sku: string, batch: string) => Promise<string>;
}

export interface Facts {
  readonly productCount?: number;
  /** Ids of products whose rows do not fit the interface. */
  readonly misfitIds?: readonly string[];
}

/** Each whole list is read when it is asked for first. */
export function wholeOf(erp: ErpConnector): Whole {
  return {
    products: once(() => Array.fromAsync(erp.listProducts(null))),
    stock: once(() => Array.fromAsync(erp.listStock(null))),
    orders: once(() => Array.fromAsync(erp.listOrders(null))),
    customers: once(async () => Array.fromAsync(erp.listCustomers?.(null) ?? [])),
    payments: once(() => Array.fromAsync(erp.listPayments(null))),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** A product to test with. */
export interface TestProduct {
  readonly sku: string;
  readonly currency: string;
}

/** The quantity that all test orders together may need of a product at one time. */
const ENOUGH = 10;

/**
 * Two active products of one currency, each with a SKU of its own and stock: those that a person chose, or the first there are.
 * @throws CannotTell when there are none
 */
export async function testProducts(bench: Pick<Bench, 'whole' | 'skus'>): Promise<[TestProduct, TestProduct]> {
  const products = (await bench.whole.products()).flatMap(({ items }) => items);
  const available = new Map<string, Decimal>();
  for (const row of (await bench.whole.stock()).flatMap(({ items }) => items)) {
    available.set(row.sku, sum([row.available, ...optional(available.get(row.sku))]));
  }
  const bySku = Map.groupBy(products, ({ sku }) => sku);
  const wanted = bench.skus.length > 0 ? bench.skus : bySku.keys();
  const fitting: TestProduct[] = [];
  for (const sku of wanted) {
    const found = bySku.get(sku) ?? [];
    const why = whyNot(found, available.get(sku));
    if (why !== null && bench.skus.length > 0) throw new CannotTell(`${sku} ${why}`);
    const currency = found[0]?.price.currency ?? '';
    if (why === null && currency === (fitting[0]?.currency ?? currency)) fitting.push({ sku, currency });
    const [first, second] = fitting;
    if (first !== undefined && second !== undefined) return [first, second];
  }
  throw new CannotTell(
    bench.skus.length > 0
      ? 'two products of one currency are needed: name two with --sku'
      : `there are no two active products with a SKU of their own and ${ENOUGH} in stock: name two with --sku`,
  );
}

function whyNot(found: readonly ErpProduct[], available: Decimal | undefined): string | null {
  const [product] = found;
  if (product === undefined) return 'is not in the list of products';
  if (found.length > 1) return `is the SKU of ${found.length} products`;
  if (!product.active || product.deleted) return 'is not active';
  if (available === undefined || available.lessThan(ENOUGH)) return `has less than ${ENOUGH} in stock`;
  return null;
}

function optional<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
