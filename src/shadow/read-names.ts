import type { ListPage } from '../marketplace/page.ts';
import type { Named, NameKind } from '../store/marketplace.ts';
import type { AccountRecords, Look, MarketplaceReading } from './context.ts';
import { eachPage, listQuery } from './pages.ts';

export const NAMES = {
  category: { one: 'category', many: 'categories', list: 'product-categories.list' },
  sub_category: { one: 'sub-category', many: 'sub-categories', list: 'product-subcategories.list' },
  brand: { one: 'brand', many: 'brands', list: 'brands.list' },
  product_line: { one: 'product line', many: 'product lines', list: 'product-lines.list' },
} as const satisfies Readonly<Record<NameKind, object>>;

/** Fact: when the names of a kind were last read, in epoch milliseconds. */
const READ_AT = 'names-read:';

/** 100,000 names. */
const MAX_PAGES = 200;

/** Reads the lists of names that products refer to, each in full and at most once per interval. */
export async function readNames(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, config, store, now } = context;
  const { references, namesEveryMs } = config.products;
  for (const { field: kind } of references) {
    const lastMs = Number((await store.facts.get(account, READ_AT + kind)) ?? Number.NaN);
    if (Math.abs(now() - lastMs) < namesEveryMs) continue;
    const startedMs = now();
    const changed = await store.names.replace(account, kind, await listNames(context, look, kind));
    await store.facts.set(account, READ_AT + kind, String(startedMs));
    // Products that wait for a name may find it now.
    if (changed || Number.isNaN(lastMs)) await store.work.release({ account, flow: 'product' });
  }
}

/** Returns whether this list was read at least once, so that a missing name is known to be missing. */
export async function areNamesKnown({ account, store }: AccountRecords, kind: NameKind): Promise<boolean> {
  return (await store.facts.get(account, READ_AT + kind)) !== null;
}

/**
 * All names of a kind, read from the marketplace now.
 * @throws CallFailure; for product lines, also if one is unreadable or missing
 */
export async function listNames(context: MarketplaceReading, look: Look, kind: NameKind): Promise<Named[]> {
  const found = new Map<number, Named>();
  const list = { of: NAMES[kind].many, maxPages: MAX_PAGES, ...(kind === 'product_line' && { made: NAMES[kind].one }) };
  for await (const { rows } of eachPage(list, (page) => pageOf(context, look, kind, page))) {
    for (const row of rows) {
      if (typeof row.name === 'string' && row.name.trim() !== '')
        found.set(row.id, { ...named(kind, row), name: row.name });
    }
  }
  return [...found.values()];
}

interface NameRow {
  readonly id: number;
  readonly name?: string | null | undefined;
}

function pageOf(
  { client, config }: MarketplaceReading,
  look: Look,
  kind: NameKind,
  page: number,
): Promise<ListPage<NameRow>> {
  const query = listQuery(page, 'id');
  if (kind !== 'product_line') return client.list(NAMES[kind].list, { query }, look);
  return client.list(NAMES[kind].list, { query: { ...query, company: config.marketplace.sellerId } }, look);
}

/** A parent is shown as an id, as an object, or not at all. */
function named(kind: NameKind, row: NameRow): Pick<Named, 'id' | 'parentId'> {
  const shown = row as NameRow & Readonly<Record<string, unknown>>;
  const parent = kind === 'sub_category' ? shown['category'] : kind === 'product_line' ? shown['brand'] : null;
  const id = typeof parent === 'object' && parent !== null && 'id' in parent ? parent.id : parent;
  return { id: row.id, parentId: typeof id === 'number' && Number.isSafeInteger(id) ? id : null };
}
