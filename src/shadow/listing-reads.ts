import type { Look, MarketplaceReading } from './context.ts';
import { fieldOf, PAGE_SIZE } from './pages.ts';
import { existingIds } from './roll-call.ts';
import { recordProductPage } from './shadow.ts';
import { createSharedCalls } from './shared-calls.ts';

const SHARED = 50;

/**
 * Reads listings' current state. Concurrent looks share a call (`shared-calls.ts`), so a burst of orders costs few
 * calls. A listing missing in the answer is read alone, and only it may fail. A call never waits for a later lane, and
 * a look without patience never waits.
 */
export function createListingReads() {
  const share = createSharedCalls<number, ReadonlySet<string>>(SHARED);

  return async (context: MarketplaceReading, look: Look, id: number, archived: boolean): Promise<void> => {
    const read = (ids: Iterable<number>) =>
      readListingsById(context, look, [...new Set(ids)], { archived, pageSize: SHARED });
    if (look.patienceMs === undefined) {
      const { asked, answer } = await share(`${look.callLane ?? look.lane}/${archived}`, id, read);
      // A refused call for one listing is asked again, and fails for each of its looks.
      if (answer !== null && (answer.has(String(id)) || asked.every((other) => other === id))) return;
    }
    await read([id]);
  };
}

/** Returns the ids found. */
export async function readListingsById(
  context: MarketplaceReading,
  look: Look,
  ids: readonly number[],
  { archived, pageSize }: { readonly archived: boolean; readonly pageSize: number },
): Promise<ReadonlySet<string>> {
  const query = { id: ids.join(','), ...(archived ? { archived } : {}), page: 1, page_size: pageSize };
  const page = await context.client.list('products.list', { query }, look);
  await recordProductPage(context, page, { window: null, lane: look.lane });
  return new Set(page.raw.map((row) => fieldOf(row, 'id') ?? ''));
}

/** Reads listings by id, including archived ones. Returns the ids found. */
export async function shownListings(
  context: MarketplaceReading,
  look: Look,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return existingIds(ids, (rest, archived) => readListingsById(context, look, rest, { archived, pageSize: PAGE_SIZE }));
}
