import { needsMending } from '../domain/failure.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { fieldOf } from './pages.ts';
import { recordProductPage } from './shadow.ts';

/** As many as one call asks for. */
const IDS_PER_CALL = 50;

/** A call that others may still join. */
interface Joined {
  readonly ids: Set<number>;
  /** The ids that were shown. None where the marketplace refuses to answer for all of them. */
  readonly shown: Promise<ReadonlySet<string>>;
}

/**
 * Reads the present state of a listing into the shadow. Those that several looks ask for while one call is under way, or
 * waits for the quota, share the next call, which begins after it: a burst of orders over many products costs a few calls.
 * A listing that the shared call does not show is asked for by itself, so that it alone fails. A call of an earlier lane
 * waits for none of a later one, and a look that has no patience waits for nobody.
 */
export function createListingReads() {
  const waiting = new Map<string, Joined>();
  const latest = new Map<string, Promise<unknown>>();

  const join = (context: MarketplaceReading, look: Look, id: number, archived: boolean): Joined => {
    const kind = `${look.lane}/${archived}`;
    const open = waiting.get(kind);
    if (open !== undefined && open.ids.size < IDS_PER_CALL) {
      open.ids.add(id);
      return open;
    }
    const ids = new Set([id]);
    const before = latest.get(kind) ?? Promise.resolve();
    const shown = before
      .catch(() => undefined)
      .then(() => {
        if (waiting.get(kind)?.ids === ids) waiting.delete(kind);
        return readAll(context, look, ids, archived);
      })
      .catch((error: unknown) => {
        if (ids.size > 1 && needsMending(error)) return new Set<string>();
        throw error;
      });
    const joined = { ids, shown };
    waiting.set(kind, joined);
    latest.set(kind, shown);
    return joined;
  };

  return async (context: MarketplaceReading, look: Look, id: number, archived: boolean): Promise<void> => {
    const alone = () => readAll(context, look, new Set([id]), archived);
    if (look.patienceMs !== undefined) return void (await alone());
    const { ids, shown } = join(context, look, id, archived);
    const isShown = (await shown).has(String(id));
    if (!isShown && ids.size > 1) await alone();
  };
}

/** Answers the ids of the rows that came. */
async function readAll(
  context: MarketplaceReading,
  { lane, signal, patienceMs }: Look,
  ids: ReadonlySet<number>,
  archived: boolean,
): Promise<ReadonlySet<string>> {
  const only = archived ? { archived } : {};
  const query = { id: [...ids].join(','), ...only, page: 1, page_size: IDS_PER_CALL };
  const page = await context.client.list('products.list', { query }, { lane, signal, patienceMs });
  await recordProductPage(context, page, { window: null, lane });
  return new Set(page.raw.map((row) => fieldOf(row, 'id') ?? ''));
}
