import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { Capabilities } from '../capabilities.ts';
import type { ErpApproval, ErpConnector, ErpOrder, ErpOrderCustomer, ErpOrderDraft, ErpProduct } from '../connector.ts';
import { CannotTell } from './broken.ts';
import type { Made } from './made.ts';
import type { Recorder } from './recorder.ts';

/** Everything that the checks of one connection need. Nobody else may change the test products during the checks. */
export interface Bench {
  /** The connection. Its calls end when the checks are stopped, and the records that it creates are noted in `made`. */
  readonly erp: ErpConnector;
  readonly can: Capabilities;
  readonly uses: Uses;
  /** The SKUs that a person chose for the test; empty: the checks find some. */
  readonly skus: readonly string[];
  /** The customer of the test orders. */
  readonly customer: ErpOrderCustomer;
  readonly patience: Patience;
  readonly made: Made;
  /** Records the exchanges of the connection, and breaks them. */
  readonly recorder: Recorder;
  /** The whole lists, each of them read once. */
  readonly whole: Whole;
  /** Creates an order as the program does, even when calls fail. Returns once the ERP certainly has the order. */
  readonly makeSurely: (draft: ErpOrderDraft) => Promise<ErpOrder>;
  /** The deeds of people in the ERP, where a script can do them. */
  readonly people: People;
  /** The facts of an ERP whose records a test has made itself. */
  readonly facts: Facts;
  /** The figures of the test products without any test order; null before they are read. */
  readonly start: { figures: Figures | null };
  readonly signal: AbortSignal;
}

/** The parts of the interface that the configured strategy and flows use. The other parts are neither tested nor demanded. */
export interface Uses {
  /** The strategy makes orders that reserve nothing yet. */
  readonly drafts: boolean;
  readonly customers: boolean;
  readonly payments: boolean;
  readonly products: boolean;
  readonly transports: boolean;
  readonly approvals: boolean;
  readonly lots: boolean;
}

/** Figures of both test products, as texts. */
export type Figures = readonly Readonly<Record<'sku' | 'onHand' | 'reserved' | 'available', string>>[];

/** The longest wait for a change, and the time between two looks. */
export interface Patience {
  readonly forMs: number;
  readonly everyMs: number;
}

export interface People {
  readonly ship?: (orderId: string) => Promise<void>;
  readonly pick?: (orderId: string) => Promise<void>;
  /** Ships this quantity of the line with this SKU, and gives the rest of the line up. */
  readonly shipShort?: (orderId: string, sku: string, quantity: string) => Promise<void>;
  readonly approve?: (orderId: string, approval: ErpApproval) => Promise<void>;
  /** Adds a lot of the product with this SKU. Returns the id of the lot. */
  readonly addLot?: (sku: string, batch: string) => Promise<string>;
}

export interface Facts {
  readonly productCount?: number;
  /** Ids of products whose rows do not fit the interface. */
  readonly invalidRowIds?: readonly string[];
}

/** The whole lists. Each is read at the first use. */
type Whole = ReturnType<typeof wholeOf>;
export function wholeOf(erp: ErpConnector) {
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

/** A product for the test orders. */
export interface TestProduct {
  readonly sku: string;
  readonly currency: string;
}

/** The quantity that all test orders together may need of a product at one time. */
const ENOUGH = 10;

/**
 * Two active products of one currency, each with a SKU of its own and with stock. A person chose them, or the first two count.
 * @throws CannotTell when there are no two such products
 */
export async function testProducts(bench: Pick<Bench, 'whole' | 'skus'>): Promise<[TestProduct, TestProduct]> {
  const products = (await bench.whole.products()).flatMap(({ items }) => items);
  const available = new Map<string, Decimal>();
  for (const row of (await bench.whole.stock()).flatMap(({ items }) => items)) {
    available.set(row.sku, row.available.plus(available.get(row.sku) ?? ZERO));
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
