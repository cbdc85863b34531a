import type { Look, MarketplaceReading } from './context.ts';
import { recordProductPage } from './shadow.ts';

/** As many as one call asks for. */
const IDS_PER_CALL = 50;

/**
 * Reads the present state of a listing into the shadow. Those that several looks ask for while one call is under way, or
 * waits for the quota, share the next call: a burst of orders over many products costs a few calls. A call of an earlier
 * lane waits for none of a later one.
 */
export function createListingReads() {
  const waiting = new Map<string, { readonly ids: Set<number>; readonly read: Promise<void> }>();
  const latest = new Map<string, Promise<void>>();
  return (context: MarketplaceReading, look: Look, id: number, archived: boolean): Promise<void> => {
    const kind = `${look.lane}/${archived}`;
    const open = waiting.get(kind);
    if (open !== undefined && open.ids.size < IDS_PER_CALL) {
      open.ids.add(id);
      return open.read;
    }
    const ids = new Set([id]);
    const before = latest.get(kind) ?? Promise.resolve();
    const read = before
      .catch(() => undefined)
      .then(() => {
        if (waiting.get(kind)?.ids === ids) waiting.delete(kind);
        return readAll(context, look, ids, archived);
      });
    waiting.set(kind, { ids, read });
    latest.set(kind, read);
    return read;
  };
}

async function readAll(
  context: MarketplaceReading,
  { lane, signal }: Look,
  ids: ReadonlySet<number>,
  archived: boolean,
): Promise<void> {
  const only = archived ? { archived } : {};
  const query = { id: [...ids].join(','), ...only, page: 1, page_size: IDS_PER_CALL };
  // Others wait for it too: it does not share the patience of the look that happened to ask first.
  const page = await context.client.list('products.list', { query }, { lane, signal });
  await recordProductPage(context, page, { window: null, lane });
}
