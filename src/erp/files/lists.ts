import type { z } from 'zod';
import { cause } from '../../domain/causes/cause.ts';
import { createTurns } from '../../http/turns.ts';
import { durationMs } from '../../settings/scalars.ts';
import type { ErpConnector, ErpOrder, ErpPage, InvalidRow, StockRow } from '../connector.ts';
import { checkSkus } from '../rows/asked-skus.ts';
import { customerRow } from '../rows/customers.ts';
import { rowsOf } from '../rows/page.ts';
import { lotRow, orderRow, paymentRow, productRow, stockRow } from '../rows/rows.ts';
import { instantOf, usOf } from './clock.ts';
import type { KeptList } from './merge.ts';
import { REFUSED } from './order-state.ts';
import { shownOrder } from './orders.ts';
import { ordersSince } from './stored-orders.ts';
import { clockOf, lastSnapshot, noticesOf, type View } from './view.ts';
import type { Writing } from './write-order.ts';

const MOST_TOLD = 100;
const ROWS_A_PAGE = 500;

type Lists = Pick<
  ErpConnector,
  | 'listProducts'
  | 'listStock'
  | 'readStock'
  | 'listOrders'
  | 'listCustomers'
  | 'listPayments'
  | 'listLots'
  | 'findCustomers'
  | 'findPayments'
>;

/**
 * Lists from the view, after new files are imported. A list has the time of its latest file, and is complete after a
 * valid snapshot. Orders written by the program are included, and always complete.
 */
export function listsOf(writing: Writing, look: (signal: AbortSignal | undefined) => Promise<void>): Lists {
  const { view } = writing;
  const list = <T>(name: KeptList, row: z.ZodType<T>) =>
    async function* (since: string | null, signal?: AbortSignal): AsyncGenerator<ErpPage<T>> {
      await look(signal);
      yield* pagesOf(view, name, row, since, signal);
    };
  const all = async <T>(name: KeptList, row: z.ZodType<T>, signal: AbortSignal | undefined): Promise<T[]> => {
    const found: T[] = [];
    for await (const page of list(name, row)(null, signal)) found.push(...page.items);
    return found;
  };

  return {
    listProducts: list('products', productRow),
    listStock: list('stock', stockRow),
    listCustomers: list('customers', customerRow),
    listPayments: list('payments', paymentRow),
    listLots: list('lots', lotRow),
    findCustomers: async (id, signal) => {
      return (await all('customers', customerRow, signal)).filter(({ marketplaceId }) => marketplaceId === id);
    },
    findPayments: async (id, signal) => {
      return (await all('payments', paymentRow, signal)).filter(({ marketplaceId }) => marketplaceId === id);
    },

    async *listOrders(since, signal) {
      await look(signal);
      yield* orderPages(writing, since, signal);
    },

    async readStock(skus, signal): Promise<ErpPage<StockRow>> {
      checkSkus(skus);
      await look(signal);
      const places = skus.map(() => '?').join(', ');
      const rows = view.db
        .prepare(`SELECT content, invalidRow FROM rows WHERE list = 'stock' AND sku IN (${places})`)
        .all(...skus) as Row[];
      return { ...(await pageOf(rows, 'stock', stockRow)), ...headOf(view, 'stock') };
    },
  };
}

interface Row {
  readonly key: string;
  readonly content: string;
  readonly invalidRow: string | null;
}

async function* pagesOf<T>(
  view: View,
  list: KeptList,
  row: z.ZodType<T>,
  since: string | null,
  signal: AbortSignal | undefined,
  head: Head = headOf(view, list),
): AsyncGenerator<ErpPage<T>> {
  const turn = createTurns();
  for (const [rows, isLast] of storedPages(view, list, since)) {
    signal?.throwIfAborted();
    await turn();
    yield { ...(await pageOf(rows, list, row)), ...head, complete: head.complete && isLast };
  }
}

const COLUMNS = 'SELECT key, content, invalidRow FROM rows WHERE list = ?';
/** Both follow an index, so that no page waits for all rows to be sorted. */
const [BY_KEY, BY_SEEN] = [`${COLUMNS} ORDER BY key`, `${COLUMNS} AND seen >= ? ORDER BY seen, rowid`];

/** All pages show one state of the list, whatever is merged meanwhile: a connection of their own reads them. */
function* storedPages(
  view: View,
  list: KeptList,
  since: string | null,
): Generator<readonly [rows: readonly Row[], isLast: boolean]> {
  const reader = view.reader();
  try {
    const all = reader.prepare<unknown[], Row>(since === null ? BY_KEY : BY_SEEN);
    let rows: Row[] = [];
    for (const row of since === null ? all.iterate(list) : all.iterate(list, usOf(since))) {
      if (rows.length === ROWS_A_PAGE) {
        yield [rows, false];
        rows = [];
      }
      rows.push(row);
    }
    yield [rows, true];
  } finally {
    reader.close();
  }
}

type Head = Pick<ErpPage<unknown>, 'asOf' | 'complete' | 'notices'>;

function headOf(view: View, list: KeptList): Head {
  return {
    asOf: instantOf(clockOf(view, list)),
    complete: lastSnapshot(view, list) !== null,
    notices: noticesOf(view, list),
  };
}

async function pageOf<T>(rows: readonly Row[], list: KeptList, row: z.ZodType<T>) {
  const good = rows
    .filter(({ invalidRow }) => invalidRow === null)
    .map(({ content }) => JSON.parse(content) as unknown);
  const set = rows.flatMap(({ invalidRow }) => (invalidRow === null ? [] : [JSON.parse(invalidRow) as InvalidRow]));
  const { items, invalidRows } = await rowsOf(good, { row, ...(list === 'stock' ? { idField: 'product_id' } : {}) });
  return { items, invalidRows: [...set, ...invalidRows] };
}

/** The orders that the program wrote, and those in the ERP's files. */
async function* orderPages(
  writing: Writing,
  since: string | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<ErpPage<ErpOrder>> {
  const { view } = writing;
  const from = since === null ? 0 : usOf(since);
  const asOf = instantOf(clockOf(view, 'orders'));
  const written = ordersSince(view, from).filter((order) => order.written.revision > 0);
  const items = written.map(shownOrder);
  const notices = [...noticesOf(view, 'acknowledgements'), ...noticesOf(view, 'orders'), ...unfinished(writing)];
  const declared = writing.settings.sources.filter(({ list }) => list === 'orders');
  const needsWhole = declared.some(({ kind }) => kind === 'snapshot');
  const complete = !needsWhole || lastSnapshot(view, 'orders') !== null;
  for await (const page of pagesOf(view, 'orders', orderRow, since, signal, { asOf, notices, complete })) {
    yield { ...page, items: [...items.splice(0), ...page.items] };
  }
}

/** Notices of orders that the ERP refused, or did not acknowledge in time. */
function unfinished({ view, settings, now }: Writing) {
  const open = ordersSince(view, 0).filter(({ written }) => written.outstanding > 0);
  const refused = open.filter(({ told }) => told?.message !== undefined);
  const within = settings.ordersOut.acknowledged_within;
  const late = open.filter(
    ({ told, written }) => told?.message === undefined && now() - written.sinceMs > durationMs(within),
  );
  const [first] = late;
  return [
    ...refused.slice(0, MOST_TOLD).map(({ reference, told }) => {
      return cause('erp-order-refused', { order: reference, problem: told?.message ?? REFUSED });
    }),
    ...(first === undefined
      ? []
      : [cause('erp-orders-unacknowledged', { count: late.length, first: first.reference, within })]),
  ];
}
