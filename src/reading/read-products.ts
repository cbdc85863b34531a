import { type KeysetStep, readKeyset } from '../marketplace/keyset.ts';
import { overlapStart } from '../marketplace/keyset-instants.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer, Query } from '../marketplace/request.ts';
import type { AccountContext, Look } from '../reconcile/context.ts';
import { LISTINGS_KNOWN } from '../reconcile/product/flow.ts';
import { followProductHints } from './follow-hints.ts';
import { HOLE, readHole } from './holes.ts';
import { isNeedless } from './known.ts';
import { fieldOf, instantField, listQuery } from './list.ts';
import { ORDERS_READ_TICK, ordersReadAfter } from './orders-known.ts';
import { FREE_OVERLAP_ROWS } from './read-orders.ts';
import { recordProductPage, shownAsArchived } from './shadow.ts';
import { watchRead } from './webhook-watch.ts';

type Recorded = Pick<KeysetStep<ListPage<Answer<'products.list'>>>, 'page' | 'covered'> & { finding: string | null };
type Filter = Omit<Query<'products.list'>, 'page' | 'page_size' | 'ordering'>;

/** Reads the listings that changed since the cursor into the shadow. */
export async function readProducts(context: AccountContext, look: Look): Promise<void> {
  const { account, config, store } = context;
  const hints = await store.inbox.unprocessed(account, 'products', 1_000);
  const before = await store.cursors.get(account, 'products');
  const watch = await watchRead(context, 'products', hints, before?.updatedAtMs ?? null);
  if (await isNeedless(context, look, hints)) {
    await watch.end();
    return store.inbox.processed(hints.map(({ id }) => id));
  }
  const cursor = before?.value ?? null;
  // Without a cursor, everything is read, by what never changes.
  if (cursor === null) return sweepProducts(context, look);
  if (hints.length > 0) {
    // Orders move these figures: read first, they are known to be in them, and no write is owed to a doubt.
    const tick = await store.cursors.tick(account);
    await context.readNow('orders', look, async () => !(await ordersReadAfter(context, tick)));
  }
  const nth = await store.products.nthNewestModified(account, FREE_OVERLAP_ROWS);
  const start = overlapStart(cursor, config.marketplace.poll.overlapMs, nth);
  const seen = new Set<string>();
  for await (const step of read(context, look, 'modified', {}, start, cursor)) {
    const rowsBefore = watch.isWatching ? await contentOf(context, step) : new Map<number, string>();
    await record(context, look, step, 'products', step.cursor);
    if (watch.isWatching) {
      const rowsAfter = await contentOf(context, step);
      await watch.saw([...rowsAfter].flatMap(([id, shown]) => (rowsBefore.get(id) === shown ? [] : String(id))));
    }
    for (const row of step.page.raw) seen.add(fieldOf(row, 'id') ?? '');
  }
  await readHole(
    context,
    'products',
    (from) => read(context, look, 'modified', {}, from, cursor),
    (step) => record(context, look, { ...step, finding: HOLE }, 'products', step.cursor),
  );
  await watch.end();
  await followProductHints(context, look, hints, seen);
}

/** What webhooks tell of; figures move with orders, which webhooks of their own tell of. */
async function contentOf({ account, store }: AccountContext, { page }: Recorded): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const { id } of page.rows) {
    const listing = await store.products.get(account, id);
    if (listing === null) continue;
    const { sku, externalId, name, description, price, unitMultiplier, archived } = listing;
    found.set(id, JSON.stringify([sku, externalId, name, description, price, unitMultiplier, archived]));
  }
  return found;
}

/**
 * Reads every listing there is, by the immutable `created_on`, and then the archived ones, which deployments leave out
 * of the list unless they are asked for.
 */
export async function sweepProducts(context: AccountContext, look: Look): Promise<void> {
  const { account, store } = context;
  // Seen before any order, every reserved figure would be a doubt, and each doubt costs a write.
  await context.readNow('orders', look, async () => (await store.facts.get(account, ORDERS_READ_TICK)) === null);
  // What changes from here on is later than this: it is where reading changes begins.
  const newest = (await store.cursors.get(account, 'products')) === null ? await newestModified(context, look) : null;
  const live = new Set<number>();
  for await (const step of read(context, look, 'created_on', {}, null, null)) {
    await record(context, look, step, 'all-products', null);
    for (const { id } of step.page.rows) live.add(id);
  }
  await sweepArchived(context, look, live);
  if (newest !== null) {
    const window = { account, collection: 'products', from: null, to: newest, rows: 0, finding: 'all were read' };
    await store.cursors.record({ ...window, cursor: newest });
  }
  if ((await store.facts.get(account, LISTINGS_KNOWN)) !== null) return;
  await store.facts.set(account, LISTINGS_KNOWN, 'yes');
  await store.work.release({ account, flow: 'product' });
}

async function newestModified({ client }: AccountContext, look: Look): Promise<string | null> {
  const query = { ordering: '-modified', page: 1, page_size: 1 };
  const { raw } = await client.list('products.list', { query }, look);
  return instantField(raw[0], 'modified');
}

/**
 * What only the filter shows is archived, even where its row does not say so. A deployment that ignores the filter
 * answers with what was read already: then the first page is enough.
 * @param live the listings that were shown without the filter
 */
async function sweepArchived(context: AccountContext, look: Look, live: ReadonlySet<number>): Promise<void> {
  for await (const step of read(context, look, 'created_on', { archived: true }, null, null)) {
    const rows = step.page.rows.map((row) => (live.has(row.id) ? row : shownAsArchived(row)));
    await record(context, look, { ...step, page: { ...step.page, rows } }, 'archived-products', null);
    if (rows.every(({ id }) => live.has(id)) && step.page.count <= live.size) return;
  }
}

function read(
  { client }: AccountContext,
  look: Look,
  field: 'modified' | 'created_on',
  filter: Filter,
  start: string | null,
  cursor: string | null,
) {
  return readKeyset({
    start,
    cursor,
    field,
    key: 'id',
    fetch: async ({ from, page }) => {
      const since = from === null ? {} : field === 'modified' ? { modified__gte: from } : { created_on__gte: from };
      const query = { ...listQuery(page, field), ...filter, ...since };
      return client.list('products.list', { query }, look);
    },
  });
}

async function record(
  context: AccountContext,
  look: Look,
  { page, covered, finding }: Recorded,
  collection: string,
  cursor: string | null,
): Promise<void> {
  const window = { account: context.account, collection, ...covered, rows: page.raw.length, finding, cursor };
  await recordProductPage(context, page, { window, lane: look.lane });
}
