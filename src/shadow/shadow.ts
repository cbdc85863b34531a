import { mappedNames } from '../config/products.ts';
import { parseJson } from '../http/json.ts';
import { readOrder } from '../marketplace/entities/order.ts';
import { readProduct } from '../marketplace/entities/product.ts';
import { OPERATIONS } from '../marketplace/operations/table.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer } from '../marketplace/request.ts';
import type { RecordOrders } from '../store/marketplace.ts';
import type { Window } from '../store/reading.ts';
import type { Lane } from '../store/work.ts';
import type { AccountRecords } from './context.ts';
import { readRows } from './pages.ts';

/** Every answer of the marketplace is stored here: to a poll, a single read, or a write. */

type Shadowed = Pick<AccountRecords, 'account' | 'config' | 'store'>;

/** Returns the numbers of changed orders. */
export async function recordOrderPage(
  { account, config, store }: Shadowed,
  page: Pick<ListPage<Answer<'orders.list'>>, 'rows' | 'invalidRows' | 'askedAtMs'>,
  reading: Omit<RecordOrders, 'account' | 'rows' | 'invalidRows' | 'units' | 'askedAtMs'>,
): Promise<string[]> {
  return store.orders.record({
    account,
    ...readRows(page, 'number', (row) => ({
      order: readOrder(row),
      raw: JSON.stringify(row),
    })),
    askedAtMs: page.askedAtMs,
    units: config.units,
    ...reading,
  });
}

/**
 * Stores the answer to a write or a single read. Missing fields keep their values. `known`: fields that the write has
 * certainly set.
 */
export async function recordOrderAnswer(
  context: Shadowed,
  number: string,
  answer: Readonly<Record<string, unknown>> | null,
  reading: Pick<RecordOrders, 'lane' | 'knownBeforeTick' | 'lookedAt' | 'askedAtMs'> & {
    readonly known?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { known, askedAtMs, ...rest } = reading;
  const raw = await context.store.orders.raw(context.account, number);
  const before = raw === null ? {} : (parseJson(raw) as Record<string, unknown>);
  // Lines are kept as last read. An answer without lines says nothing about them.
  const merged = { ...before, line_items: undefined, ...known, ...answer };
  const checked = OPERATIONS['orders.list'].answer.safeParse(merged);
  if (!checked.success) return;
  const page = { rows: [merged as Answer<'orders.list'>], invalidRows: [], askedAtMs };
  await recordOrderPage(context, page, { ...rest, window: null, readTick: null, cursorBefore: null });
}

/** A listing from the filter for archived ones is archived, unless its row says otherwise. */
export function shownAsArchived(row: Answer<'products.list'>): Answer<'products.list'> {
  return { ...row, archived: row.archived ?? true };
}

/** Returns the ids of changed listings. */
export async function recordProductPage(
  { account, config, store }: Shadowed,
  page: Pick<ListPage<Answer<'products.list'>>, 'rows' | 'invalidRows' | 'askedAtMs'>,
  reading: { readonly window: Window | null; readonly lane: Lane },
): Promise<number[]> {
  return store.products.record({
    account,
    ...readRows(page, 'id', (row) => ({
      product: readProduct(row, config.marketplace.externalIdKey),
      raw: JSON.stringify(row),
    })),
    askedAtMs: page.askedAtMs,
    // Commands of facilities move these figures too.
    expected: config.facilities === null,
    mapped: mappedNames(config.products),
    units: config.units,
    ...reading,
  });
}
