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

/**
 * Every answer of the marketplace goes into the shadow here: the answer to a poll, to a single read, or to a write that
 * answers with the entity.
 */

type Shadowed = Pick<AccountRecords, 'account' | 'config' | 'store'>;

/** Answers the numbers of the orders that changed. */
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
 * The answer to a write of ours, or a single read. It need not show the whole order, so missing fields stay as they were.
 * `known` are the fields that the write has certainly set.
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
  // The lines are taken as they were read. An answer without lines says nothing about them.
  const merged = { ...before, line_items: undefined, ...known, ...answer };
  const checked = OPERATIONS['orders.list'].answer.safeParse(merged);
  if (!checked.success) return;
  const page = { rows: [merged as Answer<'orders.list'>], invalidRows: [], askedAtMs };
  await recordOrderPage(context, page, { ...rest, window: null, readTick: null, cursorBefore: null });
}

/**
 * A listing that the filter for archived listings shows. Its row need not say that it is archived. If the row says otherwise,
 * the row is believed.
 */
export function shownAsArchived(row: Answer<'products.list'>): Answer<'products.list'> {
  return { ...row, archived: row.archived ?? true };
}

/** Answers the ids of the listings that changed. */
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
