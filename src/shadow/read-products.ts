import type { Answer } from '../marketplace/request.ts';
import type { AccountRecords, Look, MarketplaceReading } from './context.ts';
import { followHints, namesIn } from './follow-hints.ts';
import { HOLE } from './holes.ts';
import { type KeysetList, readChangedRows, type Step, sweepList, windowOf } from './keyset-list.ts';
import { beginRead, LISTINGS_KNOWN, lastRead, markListKnown, ordersReadAfter, recordReadTime } from './last-read.ts';
import { shownListings } from './listing-reads.ts';
import { fieldOf } from './pages.ts';
import { recordProductPage, shownAsArchived } from './shadow.ts';
import { beginHintedRead } from './webhook-watch.ts';

type Row = Answer<'products.list'>;

export async function readProducts(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, store } = context;
  const hinted = await beginHintedRead(context, look, 'products');
  if (hinted === null) return;
  const { hints, watch, cursor } = hinted;
  // Without a cursor, everything is read by an immutable field.
  if (cursor === null) return sweepProducts(context, look);
  if (hints.length > 0) {
    // Orders move these figures. If orders are read first, they are certainly included, so no uncertain figure causes a
    // write.
    const tick = await store.cursors.tick(account);
    await context.readNow('orders', look, async () => !(await ordersReadAfter(context, tick)));
  }
  const began = await beginRead(context);
  const list = listings(context, look);
  const named = namesIn('products', hints);
  const seen = new Set<string>();
  const record = async (step: Step<Row>) => {
    const isWatched = watch.isWatching && step.finding !== HOLE;
    const rowsBefore = isWatched ? await contentOf(context, step) : new Map<number, string>();
    await list.record(step.page, windowOf(account, 'products', step));
    if (step.finding === HOLE) return;
    if (isWatched) {
      const rowsAfter = await contentOf(context, step);
      await watch.saw([...rowsAfter].flatMap(([id, shown]) => (rowsBefore.get(id) === shown ? [] : String(id))));
    }
    for (const row of step.page.raw) {
      const id = fieldOf(row, 'id') ?? '';
      if (named.has(id)) seen.add(id);
    }
  };
  await readChangedRows(context, list, cursor, record);
  await recordReadTime(context, 'listings', began);
  await watch.end();
  await followHints(context, look, 'products', hints, seen);
}

/**
 * The content whose changes cause listing webhooks. Stock figures do not: they move with orders, which have webhooks of
 * their own.
 */
async function contentOf({ account, store }: AccountRecords, { page }: Step<Row>): Promise<Map<number, string>> {
  const known = await store.products.among(
    account,
    page.rows.map(({ id }) => id),
  );
  return new Map(
    known.map(({ id, sku, externalId, name, description, price, unitMultiplier, archived }) => [
      id,
      JSON.stringify([sku, externalId, name, description, price, unitMultiplier, archived]),
    ]),
  );
}

/** Reads every listing by the immutable `created_on`, then archived ones, which deployments omit unless asked. */
export async function sweepProducts(context: MarketplaceReading, look: Look): Promise<void> {
  // If listings were read before orders, every reservation would be uncertain and need a write.
  await context.readNow('orders', look, async () => (await lastRead(context, 'orders')) === null);
  const began = await beginRead(context);
  await sweepList(context, look, listings(context, look));
  await recordReadTime(context, 'listings', began);
  await markListKnown(context, LISTINGS_KNOWN, 'listings-unread');
}

function listings(context: MarketplaceReading, look: Look): KeysetList<Row> {
  return {
    collection: 'products',
    rowFields: { modified: 'modified', created_on: 'created_on' },
    fetch: (query, archived) =>
      context.client.list('products.list', { query: archived ? { ...query, archived } : query }, look),
    record: async (page, window) => {
      await recordProductPage(context, page, { window, lane: look.lane });
    },
    shownAsArchived,
    byIds: (ids) => shownListings(context, look, ids),
  };
}
