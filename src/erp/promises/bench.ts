import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { Capabilities } from '../capabilities.ts';
import type { ErpApproval, ErpConnector, ErpOrder, ErpOrderCustomer, ErpOrderDraft, ErpProduct } from '../connector.ts';
import { NotTestable } from './broken.ts';
import type { Made } from './made.ts';
import type { Recorder } from './recorder.ts';

/** What the checks of one connection need. Nobody else may change the test products meanwhile. */
export interface Bench {
  /** Its calls end when the checks are stopped, and its creates are noted in `made`. */
  readonly erp: ErpConnector;
  readonly can: Capabilities;
  readonly uses: Uses;
  /** The chosen test SKUs; empty: the checks find some. */
  readonly skus: readonly string[];
  readonly customer: ErpOrderCustomer;
  readonly patience: Patience;
  readonly made: Made;
  readonly recorder: Recorder;
  readonly whole: Whole;
  /** Creates an order as the program does, despite failing calls. Returns once the ERP certainly has it. */
  readonly makeSurely: (draft: ErpOrderDraft) => Promise<ErpOrder>;
  /** Acts of people in the ERP, where a script can do them. */
  readonly people: People;
  /** Known facts, if a test made the ERP's records. */
  readonly facts: Facts;
  /** The test products' figures without test orders; null: not read yet. */
  readonly start: { figures: Figures | null };
  readonly signal: AbortSignal;
}

/** The parts of the interface that the account uses. Others are not tested. */
export interface Uses {
  /** The strategy creates orders that reserve nothing yet. */
  readonly drafts: boolean;
  readonly customers: boolean;
  readonly payments: boolean;
  readonly products: boolean;
  readonly transports: boolean;
  readonly approvals: boolean;
  readonly lots: boolean;
}

export type Figures = readonly Readonly<Record<'sku' | 'onHand' | 'reserved' | 'available', string>>[];

/** The longest wait for a change, and the time between looks. */
export interface Patience {
  readonly forMs: number;
  readonly everyMs: number;
}

export interface People {
  readonly ship?: (orderId: string) => Promise<void>;
  readonly pick?: (orderId: string) => Promise<void>;
  /** Ships this quantity of the SKU's line and gives up the rest. */
  readonly shipShort?: (orderId: string, sku: string, quantity: string) => Promise<void>;
  readonly approve?: (orderId: string, approval: ErpApproval) => Promise<void>;
  /** Adds a lot of the SKU's product. Returns the lot's id. */
  readonly addLot?: (sku: string, batch: string) => Promise<string>;
}

export interface Facts {
  readonly productCount?: number;
  /** Product ids whose rows are invalid. */
  readonly invalidRowIds?: readonly string[];
}

type Whole = ReturnType<typeof fullListsOf>;
export function fullListsOf(erp: ErpConnector) {
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

export interface TestProduct {
  readonly sku: string;
  readonly currency: string;
}

/** The most of a product that all test orders need at once. */
const ENOUGH = 10;

/**
 * Two active products of one currency with distinct SKUs and stock: the chosen ones, or the first two.
 * @throws NotTestable when there are none
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
    if (why !== null && bench.skus.length > 0) throw new NotTestable(`${sku} ${why}`);
    const currency = found[0]?.price.currency ?? '';
    if (why === null && currency === (fitting[0]?.currency ?? currency)) fitting.push({ sku, currency });
    const [first, second] = fitting;
    if (first !== undefined && second !== undefined) return [first, second];
  }
  throw new NotTestable(
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
