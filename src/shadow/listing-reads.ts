import { needsMending } from '../domain/failure.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { fieldOf, PAGE_SIZE } from './pages.ts';
import { shownWhenAsked } from './roll-call.ts';
import { recordProductPage } from './shadow.ts';

/** The most listings that looks read together in one call. */
const SHARED = 50;

interface SharedCall {
  readonly ids: Set<number>;
  /** The call has begun, so no further look joins it. */
  hasBegun: boolean;
  /** The ids that the call has shown. No id if the marketplace refuses the whole call. */
  readonly shown: Promise<ReadonlySet<string>>;
}

/**
 * Reads the present state of a listing into the shadow. While one call is under way or waits for the quota, the listings that
 * further looks ask for are gathered. The next call reads them together, so a burst of orders over many products costs a few
 * calls. A listing that the shared call does not show is asked for by itself, and then it alone may fail. A call of an earlier
 * lane never waits for a later lane, and a look without patience does not wait.
 */
export function createListingReads() {
  const latest = new Map<string, SharedCall>();

  const join = (context: MarketplaceReading, look: Look, id: number, archived: boolean): SharedCall => {
    const kind = `${look.callLane ?? look.lane}/${archived}`;
    const before = latest.get(kind);
    if (before !== undefined && !before.hasBegun && before.ids.size < SHARED) {
      before.ids.add(id);
      return before;
    }
    const ids = new Set([id]);
    const read = async () => {
      await before?.shown.catch(() => undefined);
      call.hasBegun = true;
      try {
        return await readListingsById(context, look, [...ids], { archived, pageSize: SHARED });
      } catch (error) {
        if (ids.size > 1 && needsMending(error)) return new Set<string>();
        throw error;
      }
    };
    const call: SharedCall = { ids, hasBegun: false, shown: read() };
    latest.set(kind, call);
    return call;
  };

  return async (context: MarketplaceReading, look: Look, id: number, archived: boolean): Promise<void> => {
    if (look.patienceMs === undefined) {
      const { ids, shown } = join(context, look, id, archived);
      if ((await shown).has(String(id)) || ids.size === 1) return;
    }
    await readListingsById(context, look, [id], { archived, pageSize: SHARED });
  };
}

/** Reads listings in one call. Returns the ids of the listings that the answer shows. */
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

/** Reads listings by their ids, archived ones too. Answers the ids that the marketplace shows. */
export async function shownListings(
  context: MarketplaceReading,
  look: Look,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return shownWhenAsked(ids, (rest, archived) =>
    readListingsById(context, look, rest, { archived, pageSize: PAGE_SIZE }),
  );
}
