import { Decimal } from '../domain/decimal.ts';
import { sideOfList } from '../domain/lists.ts';
import { FLOW_NAMES, FLOWS } from '../flows/flows.ts';
import type {
  Choice,
  FlowsOf,
  OrderChoice,
  OrderRow,
  OrderSort,
  PageKey,
  ProductChoice,
  ProductRow,
  ProductSort,
} from '../store/browse.ts';
import type { Store } from '../store/store.ts';

/** The filter without its flows, which the flow table gives. */
export type Chosen<Of extends Choice> = Omit<Of, 'flows'>;

export interface TablePage<Row> {
  readonly rows: readonly Row[];
  /** The next page's key; null: the last page. */
  readonly next: PageKey | null;
  /** Too many names begin with the search text, so only some were checked. */
  readonly isPartly: boolean;
}

type Browse = Pick<Store, 'browse'>;

function flowsOf(kind: 'order' | 'product'): FlowsOf {
  const flows = FLOW_NAMES.filter((flow) => FLOWS[flow].links === kind);
  const isByErp = (flow: (typeof flows)[number]) => sideOfList(FLOWS[flow].keys) === 'erp';
  return { marketplace: flows.filter((flow) => !isByErp(flow)), erp: flows.filter(isByErp) };
}

export async function browseOrders(
  { browse }: Browse,
  account: string,
  chosen: Chosen<OrderChoice>,
  limit: number,
): Promise<TablePage<OrderRow>> {
  const { rows, isPartly } = await browse.orders(account, { ...chosen, flows: flowsOf('order') }, limit + 1);
  return pageOf(rows, isPartly, limit, (row) => ({ sorted: orderValue(row, chosen.sort), id: row.number }));
}

export async function browseProducts(
  { browse }: Browse,
  account: string,
  chosen: Chosen<ProductChoice>,
  limit: number,
): Promise<TablePage<ProductRow>> {
  const { rows, isPartly } = await browse.products(account, { ...chosen, flows: flowsOf('product') }, limit + 1);
  return pageOf(rows, isPartly, limit, (row) => ({ sorted: productValue(row, chosen.sort), id: row.id }));
}

/** The order's value in the sort column. Within a status, the last change sorts. */
function orderValue({ modified, customer, status, ...row }: OrderRow, sort: OrderSort): string | null {
  if (sort.startsWith('customer')) return customer;
  if (sort.startsWith('total')) return row.total?.toFixed() ?? null;
  if (sort.startsWith('erp-status')) return row.erpStatus;
  return sort.startsWith('status') ? `${modified}\n${status}` : modified;
}

function productValue({ sku, name, price }: ProductRow, sort: ProductSort): string {
  if (sort.startsWith('price')) return price.toFixed();
  return sort.startsWith('name') ? name : sku;
}

/** A page key for a URL. */
export function keyText({ sorted, id }: PageKey): string {
  return new URLSearchParams(sorted === null ? { id } : { sorted, id }).toString();
}

/** null: invalid. */
export function parseKey(text: string): PageKey | null {
  const { id, sorted = null, ...more } = Object.fromEntries(new URLSearchParams(text));
  return id === undefined || Object.keys(more).length > 0 ? null : { sorted, id };
}

function pageOf<Row>(
  found: readonly Row[],
  isPartly: boolean,
  limit: number,
  keyOf: (row: Row) => PageKey,
): TablePage<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, isPartly, next: last === undefined || found.length <= limit ? null : keyOf(last) };
}

const AT_ONCE = 500;

export async function* everyRow<Row>(
  pageAfter: (after: PageKey | null, limit: number) => Promise<TablePage<Row>>,
  most: number,
): AsyncGenerator<Row> {
  let after: PageKey | null = null;
  for (let told = 0; told < most; told += AT_ONCE) {
    const { rows, next }: TablePage<Row> = await pageAfter(after, AT_ONCE);
    yield* rows;
    if (next === null) return;
    after = next;
  }
}

const MOST_AT_STAKE = 10_000;

/** The totals of stopped orders by currency, flow and code: `order-in several-erp-orders`. */
export async function moneyAtStake(
  { browse }: Browse,
  account: string,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Decimal>>> {
  const sums = new Map<string, Map<string, Decimal>>();
  for (const { flow, codes, total, currency } of await browse.atStake(
    account,
    flowsOf('order').marketplace,
    MOST_AT_STAKE,
  )) {
    for (const code of codes) {
      const of = sums.get(`${flow} ${code}`) ?? new Map<string, Decimal>();
      of.set(currency, total.plus(of.get(currency) ?? new Decimal(0)));
      sums.set(`${flow} ${code}`, of);
    }
  }
  return sums;
}
